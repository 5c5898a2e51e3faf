// engines: check explore
// adds: restrict
// Memory that is accessed through a local variable declared `restrict`, and in another way.

#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

/* Nothing of the first three functions is an error. */

static int disjoint(int n, int *values) {
  int *restrict low = values, *const restrict high = values + n / 2;
  int sum = 0;
  for (int i = 0; i < n / 2; i++) {
    low[i] += high[i];
    sum += low[i];
  }
  low = low + 1;
  return sum + *low;
}

static void copied(int *values) {
  int *restrict at = values;
  int *same = at;
  *same = 1;
  at[1] = same[0];
}

/* The variable is one of each iteration. */
static void local_of_block(int n, int *values) {
  values[0] = 1;
  for (int i = 0; i + 1 < n; i++) {
    int *restrict next = values + i + 1;
    *next += i;
  }
  values[1] = values[2];
}

static void shift(int n, float *to, const float *from) {
  float *restrict at = to;
  const float *end = from + n;
  while (from < end) *at++ = *from++; //~ ERROR restrict-violation
                                      //~^ NOTE the compiler may assume that the two do not overlap
}

int main(void) {
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int sum = disjoint(8, values);
  copied(values);
  local_of_block(8, values);
  float copies[16] = {0};
  shift(4, copies + BUGGY(1, 4), copies);
  return sum + values[1] == 0;
}
