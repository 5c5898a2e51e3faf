// Strings by recursive definitions.
#include "buggy.h"
/*@ axiomatic Length { logic integer strlen{L}(char *s) reads s[0 ..]; axiom pos: \forall char *s; strlen(s) >= 0; } */
/*@ predicate valid_read_string{L}(char *s) = \valid_read(s) && (s[0] == 0 || valid_read_string(s + 1));
    logic integer slen{L}(char *s) = *s == 0 ? 0 : 1 + slen(s + 1);
    predicate eqs(char *a, char *b) = *a == *b && (*a == '\0' || eqs(a + 1, b + 1)); */
/*@ requires valid_read_string(a) && valid_read_string(b); assigns \nothing; ensures \result == 0 <==> eqs(a, b); ensures \result < 0 ==> a != b; */ //~ ERROR acsl-violation
int cmp(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return BUGGY(*a ? *a - *b : 0, *a - *b); }
/*@ requires valid_read_string(s); ensures \result == \null || (\result[0] == c && \base_addr(\result) == \base_addr(s) && s <= \result <= s + slen(s)); ensures \result == \null ==> \forall integer i; 0 <= i < slen(s) ==> s[i] != c; */
char *chr(const char *s, char c) { for (; *s; s++) if (*s == c) return (char *)s; return c ? NULL : (char *)s; }
/*@ requires valid_read_string(s); ensures valid_read_string(s) && slen(s) == \old(slen(s)); ensures \forall integer i; 0 <= i < slen(s) ==> s[i] == (('a' <= \old(s[i]) <= 'z') ? \old(s[i]) - 32 : \old(s[i])); */
void upper(char *s) { for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s -= 32; }
int main(void) { char b[] = "hello World"; cmp("abc", "abc"); cmp("abc", "abd"); cmp("ab", "abc"); chr(b, 'W'); chr(b, 'q'); upper(b);
  //@ assert slen(b) == 11 && eqs(b, "HELLO WORLD") && !eqs(b, "hello") && \valid_read("lit" + (0 .. 3)) && slen("") == BUGGY(1, 0); //~ ERROR acsl-violation
  return 0; }
