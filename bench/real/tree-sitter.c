#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

const TSLanguage *tree_sitter_c(void);

static unsigned count_nodes(TSNode node) {
  unsigned total = 1;
  for (uint32_t i = 0; i < ts_node_child_count(node); i++) total += count_nodes(ts_node_child(node, i));
  return total;
}

int main(void) {
  static const char function[] = "static int next(struct state *s, int n) {\n  if (n < 0 || !s->list[n]) return -1;\n"
                                 "  for (int i = 0; i < n; i++) s->sum += s->list[i]->value * (i + 1);\n  return s->sum & 0xff;\n}\n";
  enum { TIMES = 150 };
  size_t length = strlen(function);
  char *source = malloc(length * TIMES);
  for (int i = 0; i < TIMES; i++) memcpy(source + (size_t)i * length, function, length);
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_c())) return 1;
  unsigned nodes = 0;
  for (int round = 0; round < 3; round++) {
    TSTree *tree = ts_parser_parse_string(parser, NULL, source, (uint32_t)(length * TIMES));
    nodes += count_nodes(ts_tree_root_node(tree));
    ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
  printf("%u\n", nodes);
  free(source);
  return 0;
}
