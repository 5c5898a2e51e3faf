/* A picture as an array of pointers to rows: blurred, turned, and a game of life on it. */
#include <stdio.h>
#include <stdlib.h>

#include "../check/random.h"

static int **new_grid(int rows, int columns) {
  int **grid = malloc((size_t)rows * sizeof *grid);
  for (int r = 0; r < rows; r++) grid[r] = calloc((size_t)columns, sizeof **grid);
  return grid;
}

static void release(int **grid, int rows) {
  for (int r = 0; r < rows; r++) free(grid[r]);
  free(grid);
}

static void blur(int **to, int **from, int rows, int columns) {
  for (int r = 1; r < rows - 1; r++)
    for (int c = 1; c < columns - 1; c++) {
      int sum = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) sum += from[r + y][c + x];
      to[r][c] = sum / 9;
    }
}

static void turn(int **to, int **from, int size) {
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++) to[c][size - 1 - r] = from[r][c];
}

static int live(int **to, int **from, int rows, int columns) {
  int alive = 0;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      int around = 0;
      for (int y = r > 0 ? r - 1 : 0; y <= r + 1 && y < rows; y++)
        for (int x = c > 0 ? c - 1 : 0; x <= c + 1 && x < columns; x++) around += (y != r || x != c) && from[y][x] & 1;
      to[r][c] = around == 3 || (around == 2 && from[r][c] & 1);
      alive += to[r][c];
    }
  return alive;
}

int main(void) {
  enum { SIZE = 256 };
  int **a = new_grid(SIZE, SIZE), **b = new_grid(SIZE, SIZE), alive = 0;
  for (int r = 0; r < SIZE; r++)
    for (int c = 0; c < SIZE; c++) a[r][c] = (int)(next_random() % 256);
  for (int round = 0; round < 60; round++) {
    blur(b, a, SIZE, SIZE);
    turn(a, b, SIZE);
    alive += live(b, a, SIZE, SIZE);
    for (int r = 0; r < SIZE; r++)
      for (int c = 0; c < SIZE; c++) a[r][c] = (a[r][c] * 2 + b[r][c] + (r ^ c) % 7) % 65536;
  }
  printf("%d %d\n", alive, a[17][99]);
  release(a, SIZE);
  release(b, SIZE);
  return 0;
}
