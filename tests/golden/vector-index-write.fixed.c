// engines: check explore
typedef double two __attribute__((vector_size(16)));

static two changed(int i) {
  two numbers = {1, 2};
  numbers[i] = 0;
  return numbers;
}

int main(void) {
  volatile int last = 1;
  return changed(last)[0] != 1;
}
