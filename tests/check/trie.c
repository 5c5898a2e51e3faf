/* Drives runtime/monitor/trie.c by the lines of the file `operations`: I address bytes, R address bytes, F address, P a b. */
/* Under other names, since the monitor that checks this program has a trie itself. */
#define __rz_trie_insert insert
#define __rz_trie_find find
#define __rz_trie_remove cut
#define __rz_common_prefix_mask common_prefix_mask
static char nodes[1 << 22];
#define NODES ((struct node *)nodes)
#include "../../runtime/monitor/trie.c"

#include <stdio.h>

int main(void) {
  FILE *in = fopen("operations", "r"), *out = fopen("answers", "w");
  struct trie trie = {0, 0};
  char op;
  u32 a, b;
  while (fscanf(in, " %c %u", &op, &a) == 2) {
    if (op != 'F') fscanf(in, "%u", &b);
    if (op == 'I') insert(&trie, a, b, a ^ b);
    if (op == 'R') cut(&trie, a, b);
    if (op == 'P') fprintf(out, "%u\n", common_prefix_mask(a, b));
    if (op != 'F') continue;
    const struct trie_block *found = find(&trie, a);
    if (found) fprintf(out, "%u %u %u of %u\n", found->address, found->bytes, found->number, trie.blocks);
    else fprintf(out, "none of %u\n", trie.blocks);
  }
  fclose(out);
  return 0;
}
