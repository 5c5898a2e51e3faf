/*
 * nan, nanf, nanl: the payload that the tag may ask for is ignored, as it may be. It must be a text
 * all the same.
 */
#include <math.h>
#include <string.h>

double nan(const char *tag) { return strlen(tag) ? NAN : NAN; }

float nanf(const char *tag) { return (float)nan(tag); }

long double nanl(const char *tag) { return nan(tag); }
