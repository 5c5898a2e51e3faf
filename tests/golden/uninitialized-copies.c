// engines: check explore
// cases: 11
// Undefined bytes that are copied before they are used: a report names the object that was never written.
#include "cases.h"

struct record {
  long id;
  int level, rest;
  double ratio[4];
};

struct pair {
  int rest, level;
};

static volatile int sink;

static struct record *fresh(void) {
  struct record *record = malloc(sizeof *record);
  if (!record) exit(1);
  record->id = 7;
  record->rest = 0;
  BUGGY(, record->level = 1);
  return record;
}

static void copied_with_memcpy(void) {
  struct record *source = fresh(), copy;
  memcpy(&copy, source, sizeof copy);
  if (copy.level > 2) sink = 1; //~ ERROR uninitialized-read
  free(source);
}

static void assigned_twice(void) {
  struct record *source = fresh(), once = *source, twice = once;
  if (twice.level > 2) sink = 2; //~ ERROR uninitialized-read
  free(source);
}

__attribute__((noinline)) static int level_of(struct record record) {
  return record.level > 2; //~ ERROR uninitialized-read
}

static void passed_by_value(void) {
  struct record *source = fresh();
  sink = level_of(*source);
  free(source);
}

static void copied_and_the_source_is_freed(void) {
  struct record *source = fresh(), *copy = malloc(sizeof *copy);
  if (!copy) exit(1);
  memcpy(copy, source, sizeof *copy);
  free(source);
  if (copy->level > 2) sink = 4; //~ ERROR uninitialized-read
  free(copy);
}

static void a_member_after_a_copy(void) {
  struct record *source = fresh(), copy = *source;
  long level[2] = {copy.level, 1};
  if (level[opaque(0)] > 2) sink = 5; //~ ERROR uninitialized-read
  free(source);
}

static void a_part_of_a_small_structure(void) {
  struct pair *source = malloc(sizeof *source), copy, *to = &copy;
  if (!source) exit(1);
  source->rest = 1;
  BUGGY(, source->level = 1);
  *to = *source;
  if (copy.level > 2) sink = 10; //~ ERROR uninitialized-read
  free(source);
}

static void text_that_is_printed(void) {
  char source[64], copy[64];
  BUGGY(, strcpy(source, "text"));
  memcpy(copy, source, sizeof copy);
  printf("%s\n", copy); //~ ERROR uninitialized-read
}

static void chosen_by_a_condition(void) {
  struct record *first = fresh(), *second = fresh();
  first->level = 1;
  int level = opaque(0) ? first->level : second->level;
  if (level) sink = 7; //~ ERROR uninitialized-read
  free(first);
  free(second);
}

static void the_last_of_a_loop(void) {
  int *list = malloc(4 * sizeof *list), last = 0;
  if (!list) exit(1);
  for (int i = 0; i < BUGGY(3, 4); i++) list[i] = i;
  for (int i = 0; i < opaque(4); i++) last = list[i] + 1;
  if (last) sink = 8; //~ ERROR uninitialized-read
  free(list);
}

static void stored_after_a_condition(void) {
  struct record *first = fresh(), *second = fresh();
  first->level = 1;
  int kept[2] = {0, 0};
  kept[opaque(1)] = opaque(0) ? first->level : second->level;
  if (kept[opaque(1)]) sink = 9; //~ ERROR uninitialized-read
  free(first);
  free(second);
}

__attribute__((noinline)) static struct record returned(void) {
  struct record record;
  record.id = 7;
  BUGGY(, record.level = 1);
  return record;
}

static void a_structure_without_a_name(void) {
  if (returned().level > 2) sink = 11; //~ ERROR uninitialized-read
}

CASES(copied_with_memcpy, assigned_twice, passed_by_value, copied_and_the_source_is_freed, a_member_after_a_copy,
      a_part_of_a_small_structure, text_that_is_printed, chosen_by_a_condition, the_last_of_a_loop,
      stored_after_a_condition, a_structure_without_a_name)
