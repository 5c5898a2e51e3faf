// engines: check explore
// The address of the vector is never taken.
typedef int four __attribute__((vector_size(16)));

static int at(int i) {
  four numbers = {1, 2, 3, 4};
  return numbers[i]; //~ ERROR stack-buffer-overflow
}

int main(void) {
  int sum = 0;
  for (int i = 0; i <= 4; i++) sum += at(i);
  return sum == 0;
}
