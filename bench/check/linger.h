/* Included before a program whose memory is measured: it stays for a moment before it ends. */
#include <unistd.h>

__attribute__((destructor)) static void linger(void) { usleep(300000); }
