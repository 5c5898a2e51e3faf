/* tree-sitter with a grammar, usually that of C: the input is parsed, also after an edit. */
#include <stddef.h>
#include <stdint.h>

#include "tree_sitter/api.h"

#ifndef GRAMMAR
#define GRAMMAR tree_sitter_c
#endif
const TSLanguage *GRAMMAR(void);

static unsigned count_nodes(TSNode node, int depth) {
  unsigned total = 1;
  for (uint32_t i = 0; depth < 100 && i < ts_node_child_count(node); i++) total += count_nodes(ts_node_child(node, i), depth + 1);
  return total;
}

static TSPoint point_at(const uint8_t *data, uint32_t at) {
  TSPoint point = {0, 0};
  for (uint32_t i = 0; i < at; i++) point = data[i] == '\n' ? (TSPoint){point.row + 1, 0} : (TSPoint){point.row, point.column + 1};
  return point;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, GRAMMAR());
  uint32_t bytes = (uint32_t)size, part = bytes / 2;
  TSTree *tree = ts_parser_parse_string(parser, NULL, (const char *)data, bytes);
  if (tree) {
    count_nodes(ts_tree_root_node(tree), 0);
    TSInputEdit edit = {part, bytes, part, point_at(data, part), point_at(data, bytes), point_at(data, part)};
    ts_tree_edit(tree, &edit);
    TSTree *again = ts_parser_parse_string(parser, tree, (const char *)data, part);
    ts_tree_delete(again);
    ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
  return 0;
}
