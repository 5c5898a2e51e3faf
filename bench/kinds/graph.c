/* A graph with adjacency lists: breadth first, depth first, and shortest paths with a heap. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check/random.h"

struct edge {
  int to, weight;
  struct edge *next;
};

struct vertex {
  struct edge *edges;
  int distance, seen;
};

static struct vertex *vertices;
static int count;

static void connect(int from, int to, int weight) {
  struct edge *edge = malloc(sizeof *edge);
  *edge = (struct edge){to, weight, vertices[from].edges};
  vertices[from].edges = edge;
}

static int breadth_first(int start, int *queue) {
  int head = 0, tail = 0, deepest = 0;
  for (int i = 0; i < count; i++) vertices[i].distance = -1;
  vertices[start].distance = 0;
  queue[tail++] = start;
  while (head < tail) {
    int at = queue[head++];
    deepest = vertices[at].distance;
    for (const struct edge *edge = vertices[at].edges; edge; edge = edge->next)
      if (vertices[edge->to].distance < 0) {
        vertices[edge->to].distance = deepest + 1;
        queue[tail++] = edge->to;
      }
  }
  return deepest * count + tail;
}

static int depth_first(int at, int mark) {
  int reached = 1;
  vertices[at].seen = mark;
  for (const struct edge *edge = vertices[at].edges; edge; edge = edge->next)
    if (vertices[edge->to].seen != mark) reached += depth_first(edge->to, mark);
  return reached;
}

struct entry {
  int distance, vertex;
};
static struct entry *heap;
static int heap_size;

static void push(int distance, int vertex) {
  int at = heap_size++;
  for (; at > 0 && heap[(at - 1) / 2].distance > distance; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = (struct entry){distance, vertex};
}

static struct entry pop(void) {
  struct entry least = heap[0], last = heap[--heap_size];
  int at = 0;
  for (int child; (child = 2 * at + 1) < heap_size; at = child) {
    if (child + 1 < heap_size && heap[child + 1].distance < heap[child].distance) child++;
    if (heap[child].distance >= last.distance) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return least;
}

static long shortest_paths(int start) {
  long sum = 0;
  for (int i = 0; i < count; i++) vertices[i].distance = INT_MAX;
  vertices[start].distance = 0;
  push(0, start);
  while (heap_size > 0) {
    struct entry entry = pop();
    if (entry.distance > vertices[entry.vertex].distance) continue;
    sum += entry.distance;
    for (const struct edge *edge = vertices[entry.vertex].edges; edge; edge = edge->next) {
      int distance = entry.distance + edge->weight;
      if (distance < vertices[edge->to].distance) vertices[edge->to].distance = distance, push(distance, edge->to);
    }
  }
  return sum;
}

int main(void) {
  enum { DEGREE = 5 };
  count = 5000;
  vertices = calloc((size_t)count, sizeof *vertices);
  heap = malloc((size_t)count * (DEGREE + 1) * sizeof *heap);
  int *queue = malloc((size_t)count * sizeof *queue);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < DEGREE; k++) connect(i, (int)(next_random() % (unsigned)count), (int)(next_random() % 100) + 1);
  long total = 0;
  for (int round = 0; round < 200; round++) {
    total += breadth_first(round * 23, queue);
    total += depth_first(round * 17, round + 1);
    total += shortest_paths(round * 13);
  }
  printf("%ld\n", total);
  for (int i = 0; i < count; i++)
    for (struct edge *edge = vertices[i].edges, *next; edge; edge = next) next = edge->next, free(edge);
  free(vertices), free(heap), free(queue);
  return 0;
}
