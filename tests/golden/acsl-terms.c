// engines: check
// Terms and predicates of ACSL: each claim is wrong by a little in the buggy half.
#ifdef FIXED
#define BUGGY(bug, fix) fix
#else
#define BUGGY(bug, fix) bug
#endif

enum color { RED, GREEN = 5, BLUE };
struct point { int x, y; };
struct shape { struct point corners[3]; struct point *origin; unsigned flags : 3; union { int tag; unsigned char bytes[4]; }; enum { THIN, THICK } line; };
typedef unsigned char byte;

static struct shape shape = {{{1, 2}, {3, 4}, {5, 6}}, &shape.corners[2], 5, {0x01020304}, THICK};
static int numbers[6] = {3, 1, 4, 1, 5, 9};
static const char word[] = "word";

static void integers(int big, long huge, unsigned long most) {
  //@ assert big + 1 == BUGGY(-2147483647 - 1, 2147483648); //~ ERROR acsl-violation
  //@ assert huge * huge == BUGGY(1, 85070591730234615847396907784232501249); //~ ERROR acsl-violation
  //@ assert huge * huge * huge > BUGGY(784637716923335095224261902710254454442933591094742482943, 0); //~ ERROR acsl-violation
  //@ assert most + 1 == BUGGY(0, 18446744073709551616); //~ ERROR acsl-violation
  //@ assert -(most * most) < BUGGY(-340282366920938463426481119284349108225, 0); //~ ERROR acsl-violation
  //@ assert (-7) / 2 == BUGGY(-4, -3) && (-7) % 2 == -1; //~ ERROR acsl-violation
  //@ assert (1 << 100) >> 98 == BUGGY(0, 4); //~ ERROR acsl-violation
  //@ assert ((-1) >> 200) == BUGGY(0, -1); //~ ERROR acsl-violation
  //@ assert (big & 0xff) == BUGGY(0, 255) && (big | 1) == big && (big ^ big) == 0 && ~0 == -1; //~ ERROR acsl-violation
  //@ assert (6 --> 3) == BUGGY(0, -5) && (6 <--> 3) == -6; //~ ERROR acsl-violation
  //@ assert (byte)(big + 2) == BUGGY(2, 1) && (signed char)200 == -56 && (unsigned)-1 == 4294967295; //~ ERROR acsl-violation
  //@ assert 0x10 == 020 && 'a' == 97 && '\n' == BUGGY(13, 10) && 0b101 == 5; //~ ERROR acsl-violation
  //@ assert \abs(-big) == big && \min(big, 3) == BUGGY(big, 3) && \max(big, huge) == huge; //~ ERROR acsl-violation
}

static void wide(__int128 a, unsigned __int128 most, const unsigned __int128 *p) {
  //@ assert a * a == BUGGY(0, 7237005577332262213973186563042994240829374041602535252466099000494570602496); //~ ERROR acsl-violation
  //@ assert most + 1 == BUGGY(0, 340282366920938463463374607431768211456) && *p == most && (unsigned __int128)-1 == most; //~ ERROR acsl-violation
  //@ assert (__int128)most == BUGGY(1, -1); //~ ERROR acsl-violation
}

static void connectives(int a, int b) {
  //@ assert 0 <= a < b <= BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert a == 1 ==> b == BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert a == 1 <==> b == BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert a == 1 ^^ b == BUGGY(2, 1); //~ ERROR acsl-violation
  //@ assert !(a == BUGGY(1, 2)) || b == 1; //~ ERROR acsl-violation
  //@ assert (a > b ? a : b) == BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert a < b ? \true : \false;
  //@ assert \let s = a + b; s * s == BUGGY(8, 9); //~ ERROR acsl-violation
  //@ assert named: BUGGY(a > b, a < b); //~ ERROR acsl-violation
  //@ check a == BUGGY(0, 1); //~ ERROR acsl-violation
  //@ admit a == 0;
}

static void objects(enum color color, const struct shape *s) {
  struct point here = s->corners[1];
  struct point there[2] = {{1, 1}, {2, 2}};
  //@ assert color == BUGGY(BLUE, GREEN) && RED == 0; //~ ERROR acsl-violation
  //@ assert s->corners[1].y == BUGGY(3, 4) && (*s).origin->x == 5; //~ ERROR acsl-violation
  //@ assert here == BUGGY(s->corners[0], s->corners[1]); //~ ERROR acsl-violation
  //@ assert there[1].x == BUGGY(1, 2) && (there + 1)->y == 2 && *&here.x == 3; //~ ERROR acsl-violation
  //@ assert s->flags == BUGGY(4, 5) && s->tag == 0x01020304 && s->bytes[0] == 4 && s->line == THICK; //~ ERROR acsl-violation
  //@ assert sizeof(int) == BUGGY(8, 4) && sizeof(struct point) == 8 && sizeof numbers == 24; //~ ERROR acsl-violation
  //@ assert word[1] == BUGGY('w', 'o') && "text"[3] == 't' && word[4] == 0; //~ ERROR acsl-violation
  //@ assert &numbers[5] - numbers == BUGGY(20, 5) && numbers + 1 > numbers && numbers != \null; //~ ERROR acsl-violation
  //@ assert ((char *)numbers)[4] == BUGGY(3, 1); //~ ERROR acsl-violation
}

static void quantifiers(int n) {
  int grid[3][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}};
  //@ assert \forall integer i; 0 <= i < n ==> numbers[i] < BUGGY(9, 10); //~ ERROR acsl-violation
  //~^ NOTE i = 5
  //@ assert \exists integer i; 0 <= i < n && numbers[i] == BUGGY(2, 4); //~ ERROR acsl-violation
  //@ assert \forall integer i, j; 0 <= i < 3 && 0 <= j < 4 ==> grid[i][j] == BUGGY(i * j, i + j); //~ ERROR acsl-violation
  //@ assert \forall integer i, j; 0 <= i < j < 3 ==> grid[i][0] < BUGGY(grid[i][0], grid[j][0]); //~ ERROR acsl-violation
  //@ assert \forall integer i; 0 <= i < 3 ==> (\exists integer j; i <= j < 4 && grid[i][j] == BUGGY(1, i + 3)); //~ ERROR acsl-violation
  //@ assert \forall int *p; numbers <= p < numbers + n ==> *p <= BUGGY(8, 9); //~ ERROR acsl-violation
  //@ assert \exists int *p; numbers < p <= &numbers[n - 1] && *p == BUGGY(3, 9); //~ ERROR acsl-violation
  //@ assert \forall integer i, j, k; 0 <= i < j < k <= 4 ==> k - i >= BUGGY(3, 2); //~ ERROR acsl-violation
  //@ assert (\exists char c; c == 100) && (\exists char c; c == BUGGY(200, -56)); //~ ERROR acsl-violation
  //@ assert \forall byte b; b <= BUGGY(254, 255); //~ ERROR acsl-violation
  //@ assert \forall integer i; 1 <= i <= n ==> n % i == 0 ==> i \in {1, 2, 3, BUGGY(5, 6)}; //~ ERROR acsl-violation
  //@ assert ∀ ℤ i; 0 ≤ i < n ⇒ numbers[i] ≥ BUGGY(2, 1); //~ ERROR acsl-violation
}

static void folds(int n) {
  //@ assert \sum(0, n - 1, \lambda integer i; numbers[i]) == BUGGY(22, 23); //~ ERROR acsl-violation
  //@ assert \product(1, 30, \lambda integer i; i) == BUGGY(0, 265252859812191058636308480000000); //~ ERROR acsl-violation
  //@ assert \numof(0, n - 1, \lambda integer i; numbers[i] == 1) == BUGGY(1, 2); //~ ERROR acsl-violation
  //@ assert \max(0, n - 1, \lambda integer i; numbers[i]) == BUGGY(5, 9) && \min(0, n - 1, \lambda integer i; numbers[i]) == 1; //~ ERROR acsl-violation
  //@ assert 4 \in (BUGGY(5, 0) .. 9) && !(3 \in \empty) && 2 \in \union({1}, {2}); //~ ERROR acsl-violation
  //@ assert \subset({1, 2}, (BUGGY(2, 0) .. 3)) && \subset((1 .. 2), {1, 2, 3}); //~ ERROR acsl-violation
  //@ assert n \in { 2 * k | integer k; 0 <= k < BUGGY(3, 5) }; //~ ERROR acsl-violation
}

static void reals(double d, float f) {
  //@ assert d + 0.5 == BUGGY(2.5, 2.0) && f < d && d / 2 == 0.75; //~ ERROR acsl-violation
  //~^ NOTE reals are computed in double
  //@ assert \abs(-d) == d && \sqrt(d * d) == BUGGY(-d, d) && \floor(d) == 1 && \truncate(d) == 1; //~ ERROR acsl-violation
  //@ assert \is_finite(d) && !\is_NaN(d) && (real)3 / 2 == BUGGY(1, 1.5) && (int)d == 1; //~ ERROR acsl-violation
}

int main(void) {
  integers(2147483647, 9223372036854775807, 18446744073709551615ul);
  const unsigned __int128 most = -1;
  wide((__int128)1 << 126, most, &most);
  connectives(1, 2);
  objects(GREEN, &shape);
  quantifiers(6);
  folds(6);
  reals(1.5, 0.25f);
  return 0;
}
