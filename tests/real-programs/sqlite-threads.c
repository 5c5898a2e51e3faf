/*
 * SQLite in its serialized mode: two threads write through one connection, two have connections of
 * their own to a database file, and wait for each other.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static const char *file;
static sqlite3 *shared;

static void run(sqlite3 *database, const char *sql) {
  char *message = NULL;
  int code;
  while ((code = sqlite3_exec(database, sql, NULL, NULL, &message)) == SQLITE_BUSY || code == SQLITE_LOCKED) {
    sqlite3_free(message);
    message = NULL;
    sqlite3_sleep(1);
  }
  if (code == SQLITE_OK) return;
  printf("%s: %s\n", sql, message);
  exit(1);
}

static void *use_shared(void *first) {
  char sql[80];
  for (int i = *(int *)first; i < 40; i += 2) {
    snprintf(sql, sizeof sql, "INSERT INTO numbers VALUES (%d, 'text %d')", i, i);
    run(shared, sql);
  }
  run(shared, "SELECT count(*), max(text) FROM numbers WHERE number % 3 = 0 ORDER BY text");
  return NULL;
}

static void *use_own(void *first) {
  sqlite3 *database;
  char sql[80];
  if (sqlite3_open(file, &database) != SQLITE_OK) exit(1);
  for (int i = *(int *)first; i < 12; i += 2) {
    snprintf(sql, sizeof sql, "UPDATE counters SET value = value + %d WHERE name = 'sum'", i);
    run(database, sql);
  }
  sqlite3_close(database);
  return NULL;
}

static int print_row(void *unused, int count, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < count; i++) printf("%s%s", i > 0 ? "|" : "", values[i]);
  putchar('\n');
  return 0;
}

int main(int argc, char **argv) {
  file = argc > 1 ? argv[1] : "test.db";
  sqlite3 *database;
  if (sqlite3_threadsafe() != 1 || sqlite3_open(file, &database) != SQLITE_OK) return 1;
  run(database, "DROP TABLE IF EXISTS counters; CREATE TABLE counters (name TEXT, value INTEGER)");
  run(database, "INSERT INTO counters VALUES ('sum', 0)");
  if (sqlite3_open(":memory:", &shared) != SQLITE_OK) return 1;
  run(shared, "CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT); CREATE INDEX texts ON numbers (text)");
  pthread_t threads[4];
  static int firsts[2] = {0, 1};
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i < 2 ? use_shared : use_own, &firsts[i % 2]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  sqlite3_exec(shared, "SELECT count(*), sum(number), max(text) FROM numbers", print_row, NULL, NULL);
  sqlite3_exec(database, "SELECT name, value FROM counters", print_row, NULL, NULL);
  sqlite3_close(shared);
  sqlite3_close(database);
  return 0;
}
