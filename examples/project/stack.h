int *stack_new(int room);
void stack_push(int *stack, int value);
int stack_sum(const int *stack);
