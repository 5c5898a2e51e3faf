/* No descriptor has terminal settings. */
#include <termios.h>

#include "result.h"

int tcgetattr(int fd, struct termios *out) {
  (void)fd, (void)out;
  return __rz_error(ENOTTY);
}

int tcsetattr(int fd, int when, const struct termios *settings) {
  (void)fd, (void)when, (void)settings;
  return __rz_error(ENOTTY);
}

int tcsendbreak(int fd, int duration) {
  (void)fd, (void)duration;
  return __rz_error(ENOTTY);
}

int tcdrain(int fd) {
  (void)fd;
  return __rz_error(ENOTTY);
}

int tcflush(int fd, int queue) {
  (void)fd, (void)queue;
  return __rz_error(ENOTTY);
}

int tcflow(int fd, int action) {
  (void)fd, (void)action;
  return __rz_error(ENOTTY);
}

speed_t cfgetispeed(const struct termios *settings) { return settings->c_ispeed; }
speed_t cfgetospeed(const struct termios *settings) { return settings->c_ospeed; }

int cfsetispeed(struct termios *settings, speed_t speed) {
  settings->c_ispeed = speed;
  return 0;
}

int cfsetospeed(struct termios *settings, speed_t speed) {
  settings->c_ospeed = speed;
  return 0;
}

int cfsetspeed(struct termios *settings, speed_t speed) {
  settings->c_ispeed = settings->c_ospeed = speed;
  return 0;
}

void cfmakeraw(struct termios *settings) {
  settings->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  settings->c_oflag &= ~(tcflag_t)OPOST;
  settings->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  settings->c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
  settings->c_cflag |= CS8;
  settings->c_cc[VMIN] = 1;
  settings->c_cc[VTIME] = 0;
}
