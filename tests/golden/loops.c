// engines: check
// cases: 26
// Errors that a loop meets after many rounds without one, when its fast copy is running.
#include "cases.h"

enum { N = 1000 };

static int *numbers(void) {
  int *a = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++) a[i] = i;
  return a;
}

static void counting_up(void) {
  int *a = numbers(), sum = 0, n = (int)opaque(BUGGY(N + 1, N));
  for (int i = 0; i < n; i++) sum += a[i]; //~ ERROR heap-buffer-overflow
  printf("%d\n", sum);
  free(a);
}

static void counting_down(void) {
  int *a = numbers(), sum = 0, last = (int)opaque(BUGGY(-1, 0));
  for (int i = N - 1; i >= last; i--) sum += a[i]; //~ ERROR heap-buffer-overflow
  printf("%d\n", sum);
  free(a);
}

static void in_steps(void) {
  int *a = numbers(), n = (int)opaque(BUGGY(N + 3, N));
  for (int i = 1; i < n; i += 3) a[i] = 0; //~ ERROR heap-buffer-overflow
  free(a);
}

static void counter_that_wraps(void) {
  int *a = numbers(), sum = 0;
  for (uint16_t i = N - 1, rounds = 0; BUGGY(rounds <= N, i < N); i--, rounds++)
    sum += a[i] & 1; //~ ERROR heap-buffer-overflow
  printf("%d\n", sum);
  free(a);
}

static void index_from_data(void) {
  int *a = numbers(), *places = numbers(), sum = 0;
  places[N - 10] = (int)opaque(BUGGY(N, 0));
  for (int i = 0; i < N; i++) sum += a[places[i]]; //~ ERROR heap-buffer-overflow
  printf("%d\n", sum);
  free(a), free(places);
}

static void into_a_neighbour(void) {
  char *a = calloc(N, 1), *b = calloc(N, 1);
  long *places = calloc(N, sizeof *places);
  places[N - 10] = BUGGY(distance(a, b), 0);
  for (int i = 0; i < N; i++) a[places[i]]++; //~ ERROR heap-buffer-overflow
  free(a), free(b), free(places);
}

static void walking_pointer(void) {
  char *a = malloc(N);
  memset(a, 'x', N);
  if (!BUGGY(0, 1)) a[0] = 'y';
  else a[N - 1] = 0;
  size_t length = 0;
  for (char *p = a; *p; p++) length++; //~ ERROR heap-buffer-overflow
  printf("%zu\n", length);
  free(a);
}

static void last_partial_granule(void) {
  char *a = calloc(N + 3, 1);
  int n = (int)opaque(BUGGY(N + 4, N + 3));
  for (int i = 0; i < n; i++) a[i] ^= 1; //~ ERROR heap-buffer-overflow
  free(a);
}

static void gap_in_the_data(void) {
  int *a = malloc(N * sizeof *a), positive = 0, gap = (int)opaque(BUGGY(N - 10, -1));
  for (int i = 0; i < N; i++)
    if (i != gap) a[i] = i;
  for (int i = 0; i < N; i++)
    if (a[i] > 0) positive++; //~ ERROR uninitialized-read
  printf("%d\n", positive);
  free(a);
}

static void gap_that_is_copied(void) {
  int *a = malloc(N * sizeof *a), *b = numbers(), gap = (int)opaque(BUGGY(N - 10, -1));
  for (int i = 0; i < N; i++)
    if (i != gap) a[i] = i;
  for (int i = 0; i < N; i++) b[i] = a[i];
  if (b[N - 10] > 0) puts("positive"); //~ ERROR uninitialized-read
  free(a), free(b);
}

static void gap_in_a_sum(void) {
  int *a = malloc(N * sizeof *a), gap = (int)opaque(BUGGY(N - 10, -1));
  for (int i = 0; i < N; i++)
    if (i != gap) a[i] = i;
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum += (unsigned)a[i];
  if (sum > 5) puts("large"); //~ ERROR uninitialized-read
  free(a);
}

static void forget(int *a, int round) {
  if (round == N - 10) free(a);
}

static void freed_on_the_way(void) {
  int *a = numbers(), sum = 0;
  for (int i = 0; i < N; i++) {
    sum += a[i]; //~ ERROR use-after-free
    forget(a, BUGGY(i, 0));
  }
  printf("%d\n", sum);
  if (BUGGY(0, 1)) free(a);
}

static const int table[N] = {1, 2, 3};

static void write_now_and_then(int *a, int round) {
  int sum = 0;
  for (int i = 0; i < N; i++) {
    if (i == round) a[i] = 5; //~ ERROR write-to-constant
    sum += a[i];
  }
  printf("%d\n", sum);
}

static void constant(void) {
  int *a = numbers();
  write_now_and_then(BUGGY((int *)table, a), (int)opaque(N - 10));
  free(a);
}

struct node {
  int value;
  struct node *next;
};

static void freed_node(void) {
  struct node *nodes[N], *list = NULL;
  for (int i = 0; i < N; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i, n->next = list;
    nodes[i] = list = n;
  }
  if (BUGGY(1, 0)) free(nodes[10]);
  int count = 0;
  for (struct node *n = list; n; n = n->next) count++; //~ ERROR use-after-free
  printf("%d\n", count);
  for (int i = 0; i < N; i++)
    if (i != BUGGY(10, -1)) free(nodes[i]);
}

static void freed_row(void) {
  int *rows[N];
  for (int i = 0; i < N; i++) rows[i] = calloc(4, sizeof **rows);
  if (BUGGY(1, 0)) free(rows[N - 10]);
  int sum = 0;
  for (int i = 0; i < N; i++) sum += rows[i][2]; //~ ERROR use-after-free
  printf("%d\n", sum);
  for (int i = 0; i < N; i++)
    if (i != BUGGY(N - 10, -1)) free(rows[i]);
}

static void of_an_earlier_round(void) {
  int *old = NULL, sum = 0;
  for (int i = 0; i < N; i++) {
    int here[4] = {i, i, i, i};
    if (BUGGY(i == N - 10, 0)) sum += *old; //~ ERROR use-after-scope
    old = here;
    sum += here[i & 3];
  }
  printf("%d\n", sum);
}

struct pair {
  char small;
  long large;
};

static void fields(void) {
  struct pair *a = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++) a[i].small = 1, a[i].large = i;
  long sum = 0;
  int n = (int)opaque(BUGGY(N + 1, N));
  for (int i = 0; i < n; i++) {
    if (i < N) sum += a[i].small;
    sum += a[i].large; //~ ERROR heap-buffer-overflow
  }
  printf("%ld\n", sum);
  free(a);
}

/* Whose condition always holds: only the second exit ends it. */
static void below_zero(void) {
  int *a = numbers(), sum = 0;
  for (size_t i = N - 1; i >= BUGGY(0, 1); i--) {
    sum += a[i]; //~ ERROR heap-buffer-overflow
    if (i > N) break;
  }
  printf("%d\n", sum);
  free(a);
}

static void below_zero_in_steps(void) {
  int *a = numbers(), sum = 0;
  for (unsigned i = N - 1; i >= BUGGY(1, 2); i -= 2) {
    sum += a[i]; //~ ERROR heap-buffer-overflow
    if (i > N) break;
  }
  printf("%d\n", sum);
  free(a);
}

static void above_the_last_number(void) {
  int *a = numbers(), sum = 0;
  uint64_t first = UINT64_MAX - 900, last = (uint64_t)opaque(BUGGY(-1, -2));
  for (uint64_t i = first; i <= last; i++) {
    sum += a[i - first]; //~ ERROR heap-buffer-overflow
    if (i - first == N) break;
  }
  printf("%d\n", sum);
  free(a);
}

static void filling_too_far(void) {
  int *a = malloc(N * sizeof *a), n = (int)opaque(BUGGY(N + 1, N));
  for (int i = 0; i < n; i++) a[i] = i; //~ ERROR heap-buffer-overflow
  printf("%d\n", a[N - 1]);
  free(a);
}

static void read_before_it_is_filled(void) {
  int *a = malloc(N * sizeof *a), odd = 0;
  for (int i = 0; i < N; i++) {
    a[i] = i;
    if (a[i == N - 10 ? i + (int)opaque(BUGGY(1, 0)) : i] & 1) odd++; //~ ERROR uninitialized-read
  }
  printf("%d\n", odd);
  free(a);
}

static int twice(int x) { return x + x; }

static void calls_with_arithmetic(void) {
  int *a = numbers(), sum = 0, n = (int)opaque(BUGGY(N + 1, N));
  for (int i = 0; i < n; i++) sum += a[i] - twice(i); //~ ERROR heap-buffer-overflow
  printf("%d\n", sum);
  free(a);
}

static void spoil(int *p, int n) {
  int values[4];
  if (n > 5) values[1] = n + 1;
  *p = values[1];
}

static void spoiled_by_a_call(void) {
  int *a = numbers(), sum = 0;
  for (int i = 0; i < N; i++) {
    if (a[i] > 2) sum++;
    spoil(&a[i], i == N - 10 ? (int)opaque(BUGGY(1, 9)) : 9);
    if (a[i] > 2) sum++; //~ ERROR uninitialized-read
  }
  printf("%d\n", sum);
  free(a);
}

static void spoiled_on_one_way(void) {
  int *p = numbers(), *values = malloc(4 * sizeof *values), sum = 0;
  if (BUGGY(0, 1)) values[1] = 7;
  if (*p >= 0) sum++;
  if (opaque(1)) *p = values[1];
  else sum += 2;
  if (*p > 2) sum++; //~ ERROR uninitialized-read
  printf("%d\n", sum);
  free(p), free(values);
}

static void freed_on_one_way(void) {
  int *p = numbers(), sum = *p;
  if (opaque(BUGGY(1, 0))) forget(p, N - 10);
  else sum += twice(sum);
  sum += *p; //~ ERROR use-after-free
  printf("%d\n", sum);
  if (BUGGY(0, 1)) free(p);
}

CASES(counting_up, counting_down, in_steps, counter_that_wraps, index_from_data, into_a_neighbour, walking_pointer,
      last_partial_granule, gap_in_the_data, gap_that_is_copied, gap_in_a_sum, freed_on_the_way, constant, freed_node,
      freed_row, of_an_earlier_round, fields, below_zero, below_zero_in_steps, above_the_last_number, filling_too_far,
      read_before_it_is_filled, calls_with_arithmetic, spoiled_by_a_call, spoiled_on_one_way, freed_on_one_way)
