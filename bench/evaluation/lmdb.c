/* Writes keys that are read from standard input to an LMDB database, and walks over them. */
#include <stdio.h>
#include "lmdb.h"

int main(void) {
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_val key, value;
  int c, count = 0, last = -1, unordered = 0;
  if (mdb_env_create(&env) || mdb_env_set_mapsize(env, 1 << 16)) return 2;
  if (mdb_env_open(env, "data", MDB_WRITEMAP | MDB_NOLOCK | MDB_NOSUBDIR, 0644)) return 3;
  if (mdb_txn_begin(env, NULL, 0, &txn) || mdb_dbi_open(txn, NULL, 0, &dbi)) return 4;
  while ((c = getchar()) != EOF) {
    unsigned char byte = (unsigned char)c;
    key.mv_size = value.mv_size = 1;
    key.mv_data = value.mv_data = &byte;
    if (mdb_put(txn, dbi, &key, &value, 0)) return 5;
  }
  if (mdb_cursor_open(txn, dbi, &cursor)) return 6;
  for (; mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0; count++) {
    int now = *(unsigned char *)key.mv_data;
    if (now <= last) unordered = 1;
    last = now;
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return unordered ? 50 : count;
}
