/* An interpreter of bytecode in one large switch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op {
  PUSH, POP, DUP, SWAP, OVER, ADD, SUB, MUL, DIV, MOD, AND, OR, XOR, SHL, SHR, NOT, NEG, LT, GT, EQ, NE, JUMP, JUMP_IF,
  JUMP_UNLESS, LOAD, STORE, LOAD_AT, STORE_AT, CALL, RETURN, INC, DEC, PRINT, HALT
};

struct value {
  int kind;
  long number;
};

struct machine {
  struct value stack[256];
  int calls[64];
  struct value locals[32];
  long *memory;
  int sp, cp;
};

static long run(struct machine *m, const int *code) {
  int pc = 0;
  long steps = 0;
#define TOP m->stack[m->sp - 1]
#define UNDER m->stack[m->sp - 2]
#define BINARY(expression)                          \
  {                                                 \
    long a = UNDER.number, b = TOP.number;          \
    m->sp--;                                        \
    TOP.kind = 1;                                   \
    TOP.number = (expression);                      \
    break;                                          \
  }
  for (;;) {
    steps++;
    int op = code[pc++];
    switch (op) {
    case PUSH: m->stack[m->sp].kind = 1; m->stack[m->sp++].number = code[pc++]; break;
    case POP: m->sp--; break;
    case DUP: m->stack[m->sp] = TOP; m->sp++; break;
    case SWAP: { struct value t = TOP; TOP = UNDER; UNDER = t; break; }
    case OVER: m->stack[m->sp] = UNDER; m->sp++; break;
    case ADD: BINARY(a + b)
    case SUB: BINARY(a - b)
    case MUL: BINARY((long)((unsigned long)a * (unsigned long)b & 0xffffff))
    case DIV: BINARY(b ? a / b : 0)
    case MOD: BINARY(b ? a % b : 0)
    case AND: BINARY(a & b)
    case OR: BINARY(a | b)
    case XOR: BINARY(a ^ b)
    case SHL: BINARY((long)((unsigned long)a << (b & 15)))
    case SHR: BINARY(a >> (b & 15))
    case NOT: TOP.number = !TOP.number; break;
    case NEG: TOP.number = -TOP.number; break;
    case LT: BINARY(a < b)
    case GT: BINARY(a > b)
    case EQ: BINARY(a == b)
    case NE: BINARY(a != b)
    case JUMP: pc = code[pc]; break;
    case JUMP_IF: m->sp--; pc = m->stack[m->sp].number ? code[pc] : pc + 1; break;
    case JUMP_UNLESS: m->sp--; pc = m->stack[m->sp].number ? pc + 1 : code[pc]; break;
    case LOAD: m->stack[m->sp++] = m->locals[code[pc++]]; break;
    case STORE: m->locals[code[pc++]] = m->stack[--m->sp]; break;
    case LOAD_AT: TOP.number = m->memory[TOP.number]; break;
    case STORE_AT: m->memory[TOP.number] = UNDER.number; m->sp -= 2; break;
    case CALL: m->calls[m->cp++] = pc + 1; pc = code[pc]; break;
    case RETURN: pc = m->calls[--m->cp]; break;
    case INC: m->locals[code[pc++]].number++; break;
    case DEC: m->locals[code[pc++]].number--; break;
    case PRINT: m->sp--; printf("%ld\n", m->stack[m->sp].number); break;
    case HALT: return steps;
    default: abort();
    }
  }
}

int main(void) {
  /* The sieve of Eratosthenes, and a sum over the primes, by a subroutine. */
  static const int code[] = {
    /* 0 */ PUSH, 2, STORE, 0,
    /* 4 */ LOAD, 0, LOAD, 0, MUL, PUSH, 4000, GT, JUMP_IF, 38,
    /* 14 */ LOAD, 0, DUP, MUL, STORE, 1,
    /* 20 */ LOAD, 1, PUSH, 4000, LT, JUMP_UNLESS, 42,
    /* 27 */ PUSH, 1, LOAD, 1, STORE_AT, LOAD, 1, CALL, 46, JUMP, 20,
    /* 38 */ JUMP, 53, POP, POP,
    /* 42 */ INC, 0, JUMP, 4,
    /* 46 */ LOAD, 0, ADD, STORE, 1, RETURN, HALT,
    /* 53 */ PUSH, 0, STORE, 2, PUSH, 2, STORE, 3,
    /* 61 */ LOAD, 3, LOAD_AT, JUMP_IF, 72, LOAD, 3, LOAD, 2, ADD, STORE, /* 72 is its number: */ 2,
    /* 73 */ INC, 3, LOAD, 3, PUSH, 4000, LT, JUMP_IF, 61, HALT,
  };
  int fixed[sizeof code / sizeof *code];
  memcpy(fixed, code, sizeof code);
  fixed[65] = 73;
  long steps = 0, sum = 0;
  struct machine *machine = malloc(sizeof *machine);
  machine->memory = malloc(4096 * sizeof(long));
  for (int round = 0; round < 240; round++) {
    memset(machine->memory, 0, 4096 * sizeof(long));
    machine->sp = machine->cp = 0;
    steps += run(machine, fixed);
    sum += machine->locals[2].number;
  }
  printf("%ld %ld\n", steps, sum);
  free(machine->memory);
  free(machine);
  return 0;
}
