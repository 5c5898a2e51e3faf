/*
 * Performs the pointer operations that the file `operations` lists on eight pointer variables, instrumented by hand as the temporal-errors
 * paper says, and writes to `answers` what its library and the tags answer.
 *
 *   m I N     p[I] = malloc(N)                 f I       free(p[I])
 *   a I J K   p[I] = p[J] + K        (R1)      i I J     p[I] = (char *)(uintptr_t)p[J]   (R3)
 *   c I J     memcpy(&p[I], &p[J])   (R4)      z I       memset(&p[I], 0)
 *   l I       a local of 16 bytes in a new frame, p[I] = local (R2)      e   return from that frame
 *   ? I       may p[I][0] be accessed?
 *   !         start anew
 */
#include <redzone/temporal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *p[8];

static int in_frame(void) {
  char op;
  int i, j, k;
  while (scanf(" %c", &op) == 1) {
    switch (op) {
    case 'm':
      scanf("%d %d", &i, &k);
      p[i] = malloc((size_t)k);
      rz_store(p[i], (size_t)k);
      rz_map_origin(&p[i], p[i]);
      break;
    case 'f':
      scanf("%d", &i);
      rz_delete(p[i]);
      free(p[i]);
      break;
    case 'a':
      scanf("%d %d %d", &i, &j, &k);
      p[i] = p[j] + k;
      rz_map_referent(&p[i], &p[j]);
      break;
    case 'i': {
      scanf("%d %d", &i, &j);
      uintptr_t address = (uintptr_t)p[j];
      p[i] = (char *)address;
      rz_map_origin(&p[i], p[i]);
      break;
    }
    case 'c':
      scanf("%d %d", &i, &j);
      memmove(&p[i], &p[j], sizeof *p);
      rz_copy_referents(&p[i], &p[j], sizeof *p);
      break;
    case 'z':
      scanf("%d", &i);
      memset(&p[i], 0, sizeof *p);
      rz_clear_referents(&p[i], sizeof *p);
      break;
    case 'l': {
      scanf("%d", &i);
      char local[16];
      rz_store(local, sizeof local);
      p[i] = local;
      rz_map_origin(&p[i], local);
      int ended = in_frame();
      rz_delete(local);
      if (!ended) return 0;
      break;
    }
    case 'e':
      return 1;
    case '?':
      scanf("%d", &i);
      printf("%d%d%d\n", rz_svalid(p[i], p[i], 1), rz_tvalid(&p[i], p[i]), rz_tags_valid(p[i], 1));
      break;
    case '!':
      return 0;
    }
  }
  exit(0);
}

int main(void) {
  freopen("operations", "r", stdin);
  freopen("answers", "w", stdout);
  for (;;) {
    memset(p, 0, sizeof p);
    rz_clear_referents(p, sizeof p);
    in_frame();
  }
}
