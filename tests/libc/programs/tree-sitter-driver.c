/* Parses each file that an argument names with the grammar of C and prints a digest of the tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_c(void);

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *text = malloc(*size + 1);
  *size = fread(text, 1, *size, f);
  text[*size] = 0;
  fclose(f);
  return text;
}

int main(int argc, char **argv) {
  TSParser *parser = ts_parser_new();
  printf("language %d\n", ts_parser_set_language(parser, tree_sitter_c()));
  for (int i = 1; i < argc; i++) {
    size_t size = 0;
    char *text = read_file(argv[i], &size);
    if (!text) {
      perror(argv[i]);
      continue;
    }
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    TSNode root = ts_tree_root_node(tree);
    char *printed = ts_node_string(root);
    unsigned long digest = 5381;
    for (char *c = printed; *c; c++) digest = digest * 33 + (unsigned char)*c;
    printf("%zu bytes, %u children, %u nodes, error %d, digest %lx\n", size, ts_node_child_count(root),
           ts_node_descendant_count(root), ts_node_has_error(root), digest);
    free(printed);
    ts_tree_delete(tree);
    free(text);
  }
  ts_parser_delete(parser);
  return 0;
}
