/* <time.h>: the calendar, time zones in the form of POSIX, strftime, strptime */
#include <stdlib.h>
#include <time.h>

#include "checksum.h"

static void add_tm(const struct tm *t) {
  const int fields[] = {t->tm_sec, t->tm_min, t->tm_hour, t->tm_mday, t->tm_mon, t->tm_year, t->tm_wday, t->tm_yday, t->tm_isdst};
  for (int i = 0; i < 9; i++) add64(fields[i]);
}

int main(void) {
  for (int i = 0; i < 20000; i++) {
    time_t moment = (int64_t)random64() >> (8 + random64() % 50);
    struct tm t;
    if (!gmtime_r(&moment, &t)) continue;
    add_tm(&t), add64(timegm(&t)), add_tm(&t);
  }
  print_sum("gmtime");
  static const char *const zones[] = {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<-03>3", "NZST-12NZDT,M9.5.0,M4.1.0/3", "IST-5:30", "XXX3:15:20YYY2,J60/0,J300/-1:30"};
  for (int z = 0; z < 7; z++) {
    setenv("TZ", zones[z], 1);
    tzset();
    printf("%s %s %ld %d\n", tzname[0], daylight ? tzname[1] : "-", timezone, daylight);
    for (int i = 0; i < 3000; i++) {
      time_t moment = 100000000 + random64() % 4000000000u;
      struct tm t = *localtime(&moment);
      char text[100];
      add_tm(&t), add_string(t.tm_zone), add64(t.tm_gmtoff);
      strftime(text, sizeof text, "%F %T %Z %z %s", &t), add_string(text);
      add64(mktime(&t)); /* tm_isdst is right */
      t.tm_mon += (int)(random64() % 40), t.tm_mday -= (int)(random64() % 300), t.tm_hour = 12, t.tm_isdst = -1; /* noon exists once */
      add64(mktime(&t)), add_tm(&t);
    }
    print_sum("zone");
  }
  setenv("TZ", "UTC0", 1);
  static const char *const formats[] = {
      "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %n %p %P %r %R %s %S %t %T %u %U %V %w %W %x %X %y %Y %z %Z %%",
      "%-d %_d %05d %^a %#B %#p %10Y %-j %_H %3C %Ey %Od %020c %^c %15F %-y %_m"};
  for (int day = 0; day < 3000; day += 97) {
    time_t moment = day * 86400L + day * 3761L;
    char text[400];
    for (int i = 0; i < 2; i++) strftime(text, sizeof text, formats[i], gmtime(&moment)), puts(text);
    printf("%s%s", asctime(gmtime(&moment)), ctime(&moment));
  }
  for (int year = 1970; year < 2100; year++) {
    for (int day = -3; day < 5; day++) { /* weeks around the turn of the year */
      struct tm t = {.tm_year = year - 1900, .tm_mday = 1 + day, .tm_hour = 12};
      char text[40];
      timegm(&t), strftime(text, sizeof text, "%G-W%V-%u %g %U %W %j", &t), add_string(text);
    }
  }
  print_sum("weeks");
  static const char *const inputs[][2] = {
      {"2024-02-29 23:59:60", "%Y-%m-%d %H:%M:%S"}, {"Thu Jan  1 00:00:00 1970", "%c"},   {"12/31/99 01:02 PM", "%D %I:%M %p"},
      {"366 2020", "%j %Y"},                        {"1 March 2001", "%d %B %Y"},         {"20 68 3 1", "%C %y %m %d"},
      {"13:05+0530", "%R%z"},                       {"2001-13-01", "%F"},                 {"Feb 28 99", "%b %d %y"},
      {"  7 : 8", "%H : %M"},                       {"1700000000", "%s"},                 {"friday", "%A"}};
  for (int i = 0; i < 12; i++) {
    struct tm t = {0};
    const char *end = strptime(inputs[i][0], inputs[i][1], &t);
    printf("%s: ", inputs[i][0]);
    if (end) printf("%d-%d-%d %d:%d:%d %d %d rest '%s'\n", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday, end);
    else printf("no\n");
  }
  char small[10];
  time_t zero = 0;
  printf("%zu %zu %.1f\n", strftime(small, sizeof small, "%F", gmtime(&zero)), strftime(small, sizeof small, "%T", gmtime(&zero)), difftime(100, 30));
  struct timespec now;
  printf("%d %d %d\n", timespec_get(&now, TIME_UTC), clock_gettime(CLOCK_MONOTONIC, &now), time(NULL) >= 0 && clock() >= 0);
}
