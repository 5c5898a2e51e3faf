/* difftime */
#include <time.h>

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }
