// engines: check
// cases: 16
// Pointers to nothing, constants that are written to, copies onto themselves.
#include "cases.h"

static volatile int sink;
static const int fixed = 1;
static const char names[2][4] = {"one", "two"};

struct node {
  struct node *next;
  int value;
};

static void null_read(void) {
  int x = 1, *p = opaque(BUGGY(0, 1)) ? &x : NULL;
  sink = *p; //~ ERROR null-dereference
}

static void null_write(void) {
  struct node one = {0}, *p = opaque(BUGGY(0, 1)) ? &one : NULL;
  p->value = 1; //~ ERROR null-dereference
}

static void null_in_the_library(void) {
  const char *text = opaque(BUGGY(0, 1)) ? "text" : NULL;
  sink = (int)strlen(text); //~ ERROR null-dereference
}

static void made_from_a_number(void) {
  int x = 1, *p = opaque(BUGGY(1, 0)) ? (int *)0x12345678 : &x;
  sink = *p; //~ ERROR wild-pointer
}

static void made_from_a_small_number(void) {
  int x = 1, *p = opaque(BUGGY(1, 0)) ? (int *)0x1234 : &x;
  *p = 2; //~ ERROR wild-pointer
}

static void number_for_a_string(void) {
  char text[8];
  snprintf(text, sizeof text, "%s", opaque(BUGGY(1, 0)) ? (char *)5000 : "text"); //~ ERROR wild-pointer
}

static void overwritten_by_text(void) {
  struct {
    char name[8];
    char *text;
  } both;
  both.text = "text";
  memcpy(&both, "0123456789abcde", BUGGY(16, 8));
  sink = both.text[opaque(0)]; //~ ERROR wild-pointer
}

static void beyond_all_memory(void) {
  int x = 1, *p = opaque(BUGGY(1, 0)) ? (int *)0x7ffffffc : &x;
  *p = 1; //~ ERROR wild-pointer
}

static void string_constant(void) {
  char own[] = "text", *p = BUGGY((char *)"text", own);
  p[opaque(0)] = 'T'; //~ ERROR write-to-constant
}

static void constant_variable(void) {
  int own = 1, *p = BUGGY((int *)&fixed, &own);
  *p = 2; //~ ERROR write-to-constant
}

static void constant_through_the_library(void) {
  char own[4];
  strcpy(BUGGY((char *)names[1], own), "six"); //~ ERROR write-to-constant
}

static void overlapping_copy(void) {
  char text[16] = "0123456789";
  memcpy(text + BUGGY(2, 8), text, (size_t)opaque(8)); //~ ERROR overlapping-copy
}

static void overlapping_strings(void) {
  char text[32] = "0123456789";
  strcpy(text + BUGGY(3, 16), text); //~ ERROR overlapping-copy
}

static void overlapping_bounded_copy(void) {
  char text[16] = "0123456789";
  strncpy(text, text + BUGGY(2, 8), (size_t)opaque(6)); //~ ERROR overlapping-copy
}

static void same_place(void) {
  char text[16] = "0123456789";
  memcpy(text + BUGGY(1, 0), text, (size_t)opaque(4)); //~ ERROR overlapping-copy
}

int optional(void) __attribute__((weak));

static void weak_function(void) {
  if (BUGGY(1, optional != NULL)) sink = optional(); //~ ERROR null-dereference
}

CASES(null_read, null_write, null_in_the_library, made_from_a_number, made_from_a_small_number, number_for_a_string,
      overwritten_by_text, beyond_all_memory, string_constant, constant_variable,
      constant_through_the_library, overlapping_copy, overlapping_strings, overlapping_bounded_copy, same_place,
      weak_function)
