/* Functions of numbers alone: what they compute must not depend on where their locals live. */
int factorial(int n) {
  int product = 1;
  for (int i = 2; i <= n; i++) product *= i;
  return product;
}

int collatz(int n) {
  int steps = 0;
  while (n > 1 && steps < 1000) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

int greatest_common_divisor(int a, int b) {
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int classify(int n) {
  int kind;
  switch (n % 7) {
    case 0: kind = 10; break;
    case 1:
    case 2: kind = 20;
    case 3: kind = kind == 20 ? 25 : 30; break;
    default: kind = -1;
  }
  return kind;
}

int search(int limit) {
  int found = 0, last = 0;
  for (int a = 1; a < limit; a++) {
    for (int b = a; b < limit; b++) {
      int square = a * a + b * b;
      if (square > limit * limit) goto next;
      for (int c = b; c * c <= square; c++) {
        if (c * c != square) continue;
        found++;
        last = c;
      }
    }
  next:;
  }
  return found * 1000 + last;
}

int swaps(int n) {
  int a = 1, b = 2, c = 3;
  do {
    int t = a;
    a = b;
    b = c;
    c = t;
  } while (n-- > 0);
  return a * 100 + b * 10 + c;
}

int through_pointer(int n) {
  int kept = n, plain = 2;
  int *p = &kept;
  *p += plain;
  volatile int observed = kept;
  return observed * plain;
}

int floats(int n) {
  double sum = 0;
  float term = 1.0f;
  for (int i = 1; i < n; i++) {
    term /= (float)i;
    sum += term;
  }
  return (int)(sum * 1000000);
}
