/*
 * Each line says whether bytes have the label `x` at that point; what does not hold is printed. Run
 * by labels.test.ts under check and by explored-labels.test.ts, where `long double` loses a label
 * and a file keeps it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <ctype.h>
#include <setjmp.h>
#include <sanitizer/dfsan_interface.h>
struct pair { int a; char b; long c; };
struct one { int x; };
static struct pair make(int v) { struct pair p = {1, 'b', v}; return p; }
static int take(struct pair p) { return (int)p.c; }
static struct one mk1(int v) { struct one o = { v }; return o; }
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }
static double dsum(int n, ...) { va_list ap; va_start(ap, n); double s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, double); va_end(ap); return s; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int g;
static int apply(int (*f)(int), int v) { return f(v); }
static int twice(int v) { return v * 2; }
static jmp_buf back_to;
static void jump(int v) { twice(5); longjmp(back_to, v); }
static void jump_after(int v) { twice(v); longjmp(back_to, 3); }
#define HAS(v) redzone_has_label(&(v), sizeof(v), "x")
#define YES(e) do { if (!(e)) printf("line %d: expected label\n", __LINE__); } while (0)
#define NO(e) do { if (e) printf("line %d: expected none\n", __LINE__); } while (0)
int main(void) {
  int x = 5, y = 6;
  redzone_label(&x, sizeof x, "x");
  YES(HAS(x)); NO(HAS(y));
  int z = x + y; YES(HAS(z));
  z = 3; NO(HAS(z));
  struct pair p = make(x); YES(HAS(p.c)); NO(HAS(p.a)); NO(HAS(p.b));
  struct pair q = p; YES(HAS(q.c)); NO(HAS(q.a));
  int t = take(q); YES(HAS(t));
  struct one o = mk1(x); YES(HAS(o));
  int s = sum(3, y, x, y); YES(HAS(s));
  s = sum(2, y, y); NO(HAS(s));
  double d = dsum(2, 1.0, (double)x); YES(HAS(d));
  d = dsum(2, 1.0, 2.0); NO(HAS(d));
  char buf[64]; sprintf(buf, "a%db", x); NO(redzone_has_label(buf, 1, "x")); YES(redzone_has_label(buf + 1, 1, "x")); NO(redzone_has_label(buf + 2, 1, "x"));
  char *e; long l = strtol(buf + 1, &e, 10); YES(HAS(l)); NO(HAS(e));
  double f = strtod(buf + 1, 0); YES(HAS(f));
  int sc; sscanf(buf + 1, "%d", &sc); YES(HAS(sc));
  int arr[4] = {4, 3, 2, 1}; arr[2] = x; qsort(arr, 4, sizeof *arr, cmp); int n = 0; for (int i = 0; i < 4; i++) n += HAS(arr[i]); YES(n == 1); YES(HAS(arr[3]));
  g = x; YES(HAS(g)); int gg = g; YES(HAS(gg)); g = 0; NO(HAS(g));
  char *dup = strdup(buf); YES(redzone_has_label(dup + 1, 1, "x")); NO(redzone_has_label(dup, 1, "x"));
  dup = realloc(dup, 1000); YES(redzone_has_label(dup + 1, 1, "x")); NO(redzone_has_label(dup + 2, 1, "x"));
  char *cat = malloc(64); strcpy(cat, "zz"); strcat(cat, buf); YES(redzone_has_label(cat + 3, 1, "x")); NO(redzone_has_label(cat + 2, 1, "x"));
  free(dup); free(cat); char *fresh = malloc(64); memset(fresh, 0, 64); NO(redzone_has_label(fresh, 64, "x"));
  memset(fresh, x, 3); YES(redzone_has_label(fresh + 2, 1, "x")); NO(redzone_has_label(fresh + 3, 1, "x"));
  free(fresh);
  int r = apply(twice, x); YES(HAS(r)); r = apply(twice, 1); NO(HAS(r));
  char c = toupper((char)('a' + x)); YES(HAS(c));
  unsigned char sh = (unsigned)x << 3 & 0xff; YES(HAS(sh));
  int tern = y ? x : 2; YES(HAS(tern));
  int table[8] = {0}; int lk = table[x]; YES(HAS(lk));
  long long big = (long long)x * x; YES(HAS(big));
  __int128 w = x; YES(HAS(w));
#ifndef EXPLORED
  long double ld = x; YES(HAS(ld));
#endif
  _Bool bb = x > 3; YES(HAS(bb));
  struct { unsigned a : 3, b : 5; } bf = {0}; bf.b = x; YES(HAS(bf));
  char un[16]; memcpy(un + 3, &x, 4); YES(redzone_has_label(un + 3, 1, "x")); int back; memcpy(&back, un + 3, 4); YES(HAS(back));
  memmove(un + 5, un + 3, 4); YES(redzone_has_label(un + 8, 1, "x")); 
  size_t len = strlen(buf); NO(HAS(len));
  int sw; switch (x) { case 5: sw = 1; break; default: sw = 2; } NO(HAS(sw));
  redzone_label(&y, sizeof y, "y"); int both = x ^ y; puts(redzone_labels_of(&both, sizeof both));
  int jumped = setjmp(back_to); if (jumped == 0) { NO(HAS(jumped)); jump(x); } YES(HAS(jumped));
  jumped = setjmp(back_to); if (jumped == 0) jump_after(x); NO(HAS(jumped));
  dfsan_label lx = dfsan_create_label("x", 0); YES(dfsan_has_label(dfsan_get_label(x), lx)); NO(dfsan_has_label(dfsan_get_label(7), lx));
  redzone_unlabel(&x, sizeof x); NO(HAS(x));
#ifndef EXPLORED
  FILE *fm = tmpfile(); if (fm) { fwrite(&both, 4, 1, fm); rewind(fm); int rd; fread(&rd, 4, 1, fm); NO(redzone_has_label(&rd, 4, "x")); fclose(fm); }
#endif
  return 0;
}
