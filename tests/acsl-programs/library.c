// What the C library stores through pointers of the program counts as written by the call; what it keeps for itself does not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "buggy.h"

static char *rest, words[] = "a b c";
static int number, count;
static double whole;
static time_t moment;

/*@ assigns \nothing; */
static long parses(const char *text) {
  char *end;
  return strtol(text, BUGGY(&rest, &end), 10); //~ ERROR acsl-violation
}

/*@ assigns number; */
static int scans(const char *text) {
  int first;
  double last;
  return sscanf(text, "%d %d %lf", BUGGY(&count, &first), &number, &last); //~ ERROR acsl-violation
}

/*@ assigns \nothing; */
static double splits(double x) {
  int exponent;
  double part;
  frexp(x, BUGGY(&number, &exponent)); //~ ERROR acsl-violation
  return modf(x, BUGGY(&whole, &part)); //~ ERROR acsl-violation
}

/*@ assigns \nothing; */
static void prints(int n) {
  char text[40];
  int length;
  snprintf(text, sizeof text, "%d %s%n", n, "words", BUGGY(&count, &length)); //~ ERROR acsl-violation
  printf("%s %g\n", text, 2.5);
  puts("line");
}

/*@ assigns \nothing; */
static char *copies(char *old) {
  char *fresh = strdup("text");
  strcpy(BUGGY(old, fresh), "new"); //~ ERROR acsl-violation
  return fresh;
}

/*@ assigns \nothing; */
static void tells_time(void) {
  time_t now;
  struct tm parts;
  time(BUGGY(&moment, &now)); //~ ERROR acsl-violation
  gmtime_r(&(time_t){0}, &parts);
  localtime(&(time_t){0});
}

/*@ assigns words[1]; */
static void cuts(void) {
  strtok(words, " ");
  BUGGY(strtok(NULL, " "), ); //~ ERROR acsl-violation
}

/*@ assigns \nothing; */
static void uses_streams(FILE *out, FILE *in) {
  char line[10];
  fprintf(out, "%d\n", 5), fputs("text", out), fputc('c', out), fflush(out);
  setvbuf(out, NULL, _IONBF, 0);
  rewind(in);
  if (fgets(line, sizeof line, in)) ungetc(line[0], in), fgetc(in);
}

int main(void) {
  parses("12");
  scans("1 2 3");
  splits(1.5);
  prints(3);
  char *old = strdup("old");
  free(copies(old)), free(old);
  tells_time();
  cuts();
  FILE *out = tmpfile(), *in = tmpfile();
  fputs("first\nsecond\n", in);
  uses_streams(out, in);
  fclose(out), fclose(in);
  return 0;
}
