/* <time.h>: the calendar, in UTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(const struct tm *t) {
  printf("%d-%d-%d %d:%d:%d wday %d yday %d dst %d\n", t->tm_year, t->tm_mon, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_wday,
         t->tm_yday, t->tm_isdst);
}

int main(void) {
  setenv("TZ", "UTC0", 1);
  const time_t moments[] = {0, 1, -1, 86399, 951782400, 1234567890, 4102444800, -2208988800, 1709164800};
  for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
    struct tm t = *gmtime(&moments[i]);
    show(&t);
    t.tm_isdst = 0;
    printf("%d %s", mktime(&t) == moments[i], asctime(&t));
  }
  const time_t moment = 1234567890;
  printf("%s", ctime(&moment));
  show(localtime(&moment));
  struct tm odd = {.tm_year = 100, .tm_mon = 13, .tm_mday = -5, .tm_hour = 49, .tm_min = -61, .tm_sec = 3601, .tm_isdst = 0};
  printf("%ld\n", (long)mktime(&odd));
  show(&odd);
  printf("%g\n", difftime(moment, 0));

  const char formats[] = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
  char buffer[100];
  for (const char *f = formats; *f; f++) {
    const char format[] = {'%', *f, 0};
    const size_t length = strftime(buffer, sizeof buffer, format, gmtime(&moment));
    printf("%%%c %zu '%s'\n", *f, length, *f == 'Z' || *f == 'z' ? "zone" : buffer);
  }
  for (int year = 2004; year < 2012; year++) {
    struct tm t = {.tm_year = year - 1900, .tm_mday = 1, .tm_isdst = 0};
    mktime(&t);
    strftime(buffer, sizeof buffer, "%G-W%V-%u %U %W %j", &t);
    printf("%s\n", buffer);
    t = (struct tm){.tm_year = year - 1900, .tm_mon = 11, .tm_mday = 31, .tm_isdst = 0};
    mktime(&t);
    strftime(buffer, sizeof buffer, "%G-W%V-%u %U %W %j", &t);
    printf("%s\n", buffer);
  }
  printf("%zu\n", strftime(buffer, 5, "%Y-%m", gmtime(&moment)));
  struct timespec now;
  printf("%d\n", timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
  const clock_t start = clock();
  printf("%d %d %ld\n", start != (clock_t)-1, clock() >= start, (long)CLOCKS_PER_SEC);
  time_t stored;
  const time_t returned = time(&stored);
  printf("%d\n", returned == stored && returned > 0);
  return 0;
}
