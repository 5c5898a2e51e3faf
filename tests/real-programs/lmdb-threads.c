/*
 * LMDB in its threaded mode: two threads write through one environment and wait for each other's
 * transactions, two read at the same time and must never see an entry disappear.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "lmdb.h"

static MDB_env *env;
static MDB_dbi dbi;

static void check(int rc, const char *what) {
  if (rc == 0) return;
  printf("%s: %s\n", what, mdb_strerror(rc));
  exit(1);
}

static void *write_numbers(void *first) {
  for (int i = *(int *)first; i < 12; i += 2) {
    MDB_txn *txn;
    char text[32];
    check(mdb_txn_begin(env, NULL, 0, &txn), "begin");
    MDB_val key = {sizeof i, &i}, value = {(size_t)sprintf(text, "value %d", i), text};
    check(mdb_put(txn, dbi, &key, &value, 0), "put");
    check(mdb_txn_commit(txn), "commit");
  }
  return NULL;
}

static void *read_numbers(void *seen) {
  for (int i = 0; i < 4; i++) {
    MDB_txn *txn;
    MDB_cursor *cursor;
    MDB_val key, value;
    int count = 0;
    check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), "begin");
    check(mdb_cursor_open(txn, dbi, &cursor), "cursor");
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) count++;
    if (count < *(int *)seen) check(MDB_NOTFOUND, "an entry");
    *(int *)seen = count;
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
  }
  return NULL;
}

int main(int argc, char **argv) {
  MDB_txn *txn;
  check(mdb_env_create(&env), "create");
  check(mdb_env_set_mapsize(env, 1 << 20), "mapsize");
  check(mdb_env_open(env, argc > 1 ? argv[1] : ".", MDB_NOSUBDIR, 0644), "open");
  check(mdb_txn_begin(env, NULL, 0, &txn), "begin");
  check(mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &dbi), "dbi");
  check(mdb_txn_commit(txn), "commit");
  pthread_t threads[4];
  static int numbers[4] = {0, 1, 0, 0};
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, i < 2 ? write_numbers : read_numbers, &numbers[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  MDB_stat stat;
  check(mdb_env_stat(env, &stat), "stat");
  printf("entries %zu\n", stat.ms_entries);
  mdb_env_close(env);
  return 0;
}
