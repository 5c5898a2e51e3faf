/* Parses the C source on standard input, prints its tree, and parses again after an edit. */
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
  static char source[1 << 16];
  uint32_t length = (uint32_t)fread(source, 1, sizeof source - 64, stdin);
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_c())) return 1;

  TSTree *tree = ts_parser_parse_string(parser, NULL, source, length);
  char *text = ts_node_string(ts_tree_root_node(tree));
  printf("%s\n", text);
  printf("nodes %u\n", count_nodes(ts_tree_root_node(tree)));
  free(text);

  const char *addition = "\nint extra(void) { return 1; }\n";
  uint32_t added = (uint32_t)strlen(addition);
  memcpy(source + length, addition, added);
  TSPoint end = ts_node_end_point(ts_tree_root_node(tree));
  TSInputEdit edit = { length, length, length + added, end, end, { end.row + 2, 0 } };
  ts_tree_edit(tree, &edit);
  TSTree *again = ts_parser_parse_string(parser, tree, source, length + added);
  printf("after the edit: nodes %u, errors %d\n", count_nodes(ts_tree_root_node(again)),
         ts_node_has_error(ts_tree_root_node(again)));

  uint32_t error_at;
  TSQueryError error;
  const char *pattern = "(function_definition declarator: (function_declarator declarator: (identifier) @name))";
  TSQuery *query = ts_query_new(tree_sitter_c(), pattern, (uint32_t)strlen(pattern), &error_at, &error);
  TSQueryCursor *cursor = ts_query_cursor_new();
  ts_query_cursor_exec(cursor, query, ts_tree_root_node(again));
  for (TSQueryMatch match; ts_query_cursor_next_match(cursor, &match);) {
    TSNode name = match.captures[0].node;
    uint32_t from = ts_node_start_byte(name), to = ts_node_end_byte(name);
    printf("function %.*s\n", (int)(to - from), source + from);
  }
  ts_query_cursor_delete(cursor);
  ts_query_delete(query);
  ts_tree_delete(again);
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  return 0;
}
