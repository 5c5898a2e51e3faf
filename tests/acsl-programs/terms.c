// Terms of all kinds.
#include "buggy.h"
enum color { RED, GREEN = 5, BLUE }; enum color col = BLUE;
struct in { short a[4]; union { int i; float f; } u; }; struct out { struct in in[2]; unsigned bits : 3; int neg : 5; enum color c; } o = { {{{1, 2, 3, 4}, {7}}, {{5, 6, 7, 8}, {9}}}, 5, -3, GREEN };
int main(void) {
  int a[5] = {3, 1, 2, 5, 4}, n = 5, i = 2; unsigned u = 0xF0; long big = LONG_MAX; unsigned char c = 200; int min = INT_MIN;
  //@ assert \min(1, 2) == 1 && \max(3, -4) == 3 && \abs(-7) == 7 && \min(a[0], a[1]) == BUGGY(3, 1); //~ ERROR acsl-violation
  //@ assert \sum(0, n - 1, \lambda integer k; a[k]) == 15 && \product(1, 25, \lambda integer k; k) == BUGGY(15511210043330985984000001, 15511210043330985984000000); //~ ERROR acsl-violation
  //@ assert \numof(0, 4, \lambda integer k; a[k] > 2) == BUGGY(2, 3); //~ ERROR acsl-violation
  //@ assert \max(0, 4, \lambda integer k; a[k]) == 5 && \min(0, 4, \lambda integer k; a[k]) == BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert big + 1 > big && big * big * big > 0 && min - 1 < min && -min == BUGGY(-2147483648, 2147483648); //~ ERROR acsl-violation
  //@ assert (u & 0x3C) == 0x30 && (u | 1) == 0xF1 && (u ^ 0xFF) == 0x0F && ~0 == -1 && (1 << 70) == BUGGY(0, 1180591620717411303424) && (-8 >> 1) == -4; //~ ERROR acsl-violation
  //@ assert 0 <= i < n <= 5 == 5 && (i < n ^^ n < i) && (i == 2 <==> n == 5) && (i == 3 ==> \false) && !(1 > 2 > 0) && BUGGY(n < i, i < n) != 0; //~ ERROR acsl-violation
  //@ assert (char)c == -56 && (unsigned char)300 == 44 && (int)3.9 == 3 && (integer)c == 200 && (unsigned)-1 == BUGGY(-1, 4294967295); //~ ERROR acsl-violation
  //@ assert sizeof(int) == 4 && sizeof a == 20 && sizeof(struct in) == BUGGY(8, 12) && sizeof(o.in[0].a) == 8 && sizeof(int *) == 8; //~ ERROR acsl-violation
  //@ assert col == BLUE && BLUE == 6 && col > GREEN && o.c == BUGGY(RED, GREEN); //~ ERROR acsl-violation
  //@ assert o.in[1].a[2] == 7 && o.in[0].u.i == 7 && o.bits == 5 && o.neg == BUGGY(3, -3) && (&o)->in[1].u.i == 9; //~ ERROR acsl-violation
  //@ assert \let s = a[0] + a[1]; \let t = s * s; t == 16 && s == BUGGY(5, 4); //~ ERROR acsl-violation
  //@ assert (i > 1 ? a[i] : a[0]) == BUGGY(3, 2) && (i == 2 ? \true : \false); //~ ERROR acsl-violation
  //@ assert 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == BUGGY(2, -1) && 7 % -3 == 1; //~ ERROR acsl-violation
  //@ assert 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\0' == 0 && "abc"[2] == BUGGY('b', 'c') && 0x10 == 16 && 010 == 8 && 0b11 == 3; //~ ERROR acsl-violation
  //@ assert 0.5 + 0.25 == 0.75 && 1.0 / 4 == BUGGY(0.5, 0.25) && \floor(2.7) == 2 && \ceil(2.1) == 3 && \sqrt(16.0) == 4.0 && 1e3 == 1000.0; //~ ERROR acsl-violation
  //@ assert i \in {1, 2, 3} && 4 \in (3 .. 7) && !(9 \in {1, 2}) && i \in \union({5}, BUGGY((3 .. 4), (2 .. 4))); //~ ERROR acsl-violation
  //@ assert \subset({1, 2}, (0 .. 3)) && !\subset((0 .. 4), BUGGY((0 .. 4), (0 .. 3))); //~ ERROR acsl-violation
  return 0;
}
