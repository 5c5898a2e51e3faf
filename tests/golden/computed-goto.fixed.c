// engines: check explore
// A computed goto to an entry of its table that holds no label.
static volatile int number = 5;

static int run(int i) {
  static void *const table[6] = {&&zero, &&one, &&two, &&zero, &&one, &&zero};
  int sum = 0;
  if (i == 0) goto *table[1];
  goto *table[i];
zero:
  return sum;
one:
  sum++;
  goto *table[2];
two:
  return sum + 2;
}

int main(void) {
  if (run(0) != 3 || run(3) != 0 || run(4) != 3) return 1;
  return run(number);
}
