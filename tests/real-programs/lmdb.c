/* Writes, reads, scans and deletes in an LMDB database in the folder that is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmdb.h"

static void check(int rc, const char *what) {
  if (rc == 0) return;
  printf("%s: %s\n", what, mdb_strerror(rc));
  exit(1);
}

int main(int argc, char **argv) {
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_val key, value;
  char text[64], number[16];
  unsigned seed = 1, sum = 0, entries = 0;

  check(mdb_env_create(&env), "create");
  check(mdb_env_set_mapsize(env, 1 << 20), "mapsize");
  check(mdb_env_open(env, argc > 1 ? argv[1] : ".", MDB_WRITEMAP | MDB_NOLOCK, 0644), "open");

  check(mdb_txn_begin(env, NULL, 0, &txn), "begin");
  check(mdb_dbi_open(txn, NULL, 0, &dbi), "dbi");
  for (int i = 0; i < 2000; i++) {
    seed = seed * 1103515245 + 12345;
    key.mv_size = (size_t)sprintf(number, "%08x", seed >> 8);
    key.mv_data = number;
    value.mv_size = (size_t)sprintf(text, "value %d of %u", i, seed);
    value.mv_data = text;
    check(mdb_put(txn, dbi, &key, &value, 0), "put");
  }
  check(mdb_txn_commit(txn), "commit");

  check(mdb_txn_begin(env, NULL, 0, &txn), "begin");
  MDB_cursor *cursor;
  check(mdb_cursor_open(txn, dbi, &cursor), "cursor");
  for (int i = 0; mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0; i++) {
    if (i % 3 == 0) check(mdb_cursor_del(cursor, 0), "delete");
  }
  mdb_cursor_close(cursor);
  check(mdb_txn_commit(txn), "commit");

  check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), "begin");
  check(mdb_cursor_open(txn, dbi, &cursor), "cursor");
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
    if (entries++ % 200 == 0) {
      printf("%.*s = %.*s\n", (int)key.mv_size, (char *)key.mv_data, (int)value.mv_size, (char *)value.mv_data);
    }
    for (size_t i = 0; i < value.mv_size; i++) sum = sum * 31 + ((unsigned char *)value.mv_data)[i];
  }
  mdb_cursor_close(cursor);
  MDB_stat stat;
  check(mdb_stat(txn, dbi, &stat), "stat");
  printf("entries %u, %zu, depth %u, sum %u\n", entries, stat.ms_entries, stat.ms_depth, sum);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return 0;
}
