/* LMDB: put, get, cursor, delete, abort, and all of it again after reopening. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lmdb.h"

#define TRY(call)                                              \
  do {                                                         \
    int result = (call);                                       \
    if (result) {                                              \
      printf("%s: %s\n", #call, mdb_strerror(result));         \
      exit(1);                                                 \
    }                                                          \
  } while (0)

static MDB_env *open_environment(void) {
  MDB_env *env;
  TRY(mdb_env_create(&env));
  TRY(mdb_env_set_mapsize(env, 4 << 20));
  TRY(mdb_env_open(env, "db", 0, 0644));
  return env;
}

static void fill(MDB_env *env) {
  MDB_txn *txn;
  MDB_dbi dbi;
  TRY(mdb_txn_begin(env, NULL, 0, &txn));
  TRY(mdb_dbi_open(txn, NULL, 0, &dbi));
  for (int i = 0; i < 3000; i++) {
    char key[32], value[64];
    MDB_val k = {0}, v = {0};
    k.mv_size = (size_t)snprintf(key, sizeof key, "key-%05d", (i * 7919) % 3000);
    k.mv_data = key;
    v.mv_size = (size_t)snprintf(value, sizeof value, "value %d %d", i, i * i);
    v.mv_data = value;
    TRY(mdb_put(txn, dbi, &k, &v, 0));
  }
  TRY(mdb_txn_commit(txn));
}

static void look(MDB_env *env) {
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_val k = {8, "key-0042"}, v;
  MDB_stat stat;
  k.mv_size = 9;
  k.mv_data = "key-00042";
  TRY(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
  TRY(mdb_dbi_open(txn, NULL, 0, &dbi));
  TRY(mdb_get(txn, dbi, &k, &v));
  printf("%.*s\n", (int)v.mv_size, (char *)v.mv_data);
  TRY(mdb_stat(txn, dbi, &stat));
  printf("%zu entries, depth %u\n", (size_t)stat.ms_entries, stat.ms_depth);
  TRY(mdb_cursor_open(txn, dbi, &cursor));
  unsigned long sum = 0;
  int count = 0;
  while (mdb_cursor_get(cursor, &k, &v, count == 0 ? MDB_FIRST : MDB_NEXT) == 0) {
    for (size_t i = 0; i < v.mv_size; i++) sum = sum * 31 + ((unsigned char *)v.mv_data)[i];
    if (count % 1000 == 0) printf("%.*s\n", (int)k.mv_size, (char *)k.mv_data);
    count++;
  }
  printf("%d %lu\n", count, sum);
  k.mv_size = 3;
  k.mv_data = "key";
  TRY(mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE));
  printf("%.*s\n", (int)k.mv_size, (char *)k.mv_data);
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
}

static void change(MDB_env *env, int commit) {
  MDB_txn *txn;
  MDB_dbi dbi;
  TRY(mdb_txn_begin(env, NULL, 0, &txn));
  TRY(mdb_dbi_open(txn, NULL, 0, &dbi));
  for (int i = 0; i < 3000; i += 3) {
    char key[32];
    MDB_val k;
    k.mv_size = (size_t)snprintf(key, sizeof key, "key-%05d", i);
    k.mv_data = key;
    TRY(mdb_del(txn, dbi, &k, NULL));
  }
  if (commit) TRY(mdb_txn_commit(txn));
  else mdb_txn_abort(txn);
}

int main(void) {
  mkdir("db", 0755);
  MDB_env *env = open_environment();
  fill(env);
  look(env);
  change(env, 0);
  look(env);
  mdb_env_close(env);
  env = open_environment();
  change(env, 1);
  mdb_env_close(env);
  env = open_environment();
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_stat stat;
  TRY(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
  TRY(mdb_dbi_open(txn, NULL, 0, &dbi));
  TRY(mdb_stat(txn, dbi, &stat));
  printf("%zu entries after reopening\n", (size_t)stat.ms_entries);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return 0;
}
