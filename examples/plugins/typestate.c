#include <stdlib.h>

struct device {
  int port, sent;
};

void device_init(struct device *d, int port) {
  d->port = port;
  d->sent = 0;
}
void device_send(struct device *d, int byte) { d->sent += byte; }
void device_close(struct device *d) { d->port = -1; }

static void (*const sender)(struct device *, int) = device_send;

int main(int argc, char **argv) {
  struct device *first = calloc(1, sizeof *first), second;
  sender(first, 1); // BUG typestate/not-initialised
  device_init(&second, 80);
  device_send(&second, 2);
  device_close(&second);
  device_send(&second, 3); // BUG typestate/used-after-close
  free(first);
  return argc > 1;
}
