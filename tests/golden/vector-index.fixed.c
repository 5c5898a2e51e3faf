// engines: check explore
typedef int four __attribute__((vector_size(16)));

static int at(int i) {
  four numbers = {1, 2, 3, 4};
  numbers[i & 3] += 1;
  return numbers[i];
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += at(i);
  return sum != 14;
}
