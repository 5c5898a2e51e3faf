/* Runs SQL on the database that the first argument names (or :memory:), and prints every row; the second says how much. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static int print_row(void *unused, int count, char **values, char **names) {
  (void)unused, (void)names;
  for (int i = 0; i < count; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
  putchar('\n');
  return 0;
}

static void run(sqlite3 *db, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(db, sql, print_row, NULL, &message) != SQLITE_OK) printf("error: %s\n", message);
  sqlite3_free(message);
}

static void fill(sqlite3 *db, int rows) {
  sqlite3_stmt *insert;
  run(db, "BEGIN");
  sqlite3_prepare_v2(db, "INSERT INTO item(name, price, data) VALUES(?, ?, ?)", -1, &insert, NULL);
  unsigned seed = 12345;
  for (int i = 0; i < rows; i++) {
    char name[32], data[64];
    seed = seed * 1103515245u + 12345u;
    snprintf(name, sizeof name, "item-%u", seed % 1000);
    memset(data, 'a' + (int)(seed % 26), sizeof data);
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(insert, 2, (seed >> 8) % 10000 / 100.0);
    sqlite3_bind_blob(insert, 3, data, (int)(seed % sizeof data), SQLITE_TRANSIENT);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run(db, "COMMIT");
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : ":memory:";
  int rows = argc > 2 ? atoi(argv[2]) : 1000;
  sqlite3 *db;
  if (sqlite3_open(path, &db) != SQLITE_OK) {
    printf("cannot open: %s\n", sqlite3_errmsg(db));
    return 1;
  }
  run(db, "CREATE TABLE IF NOT EXISTS item(id INTEGER PRIMARY KEY, name TEXT, price REAL, data BLOB)");
  fill(db, rows);
  run(db, "CREATE INDEX by_name ON item(name)");
  run(db, "SELECT count(*), sum(length(data)), round(avg(price), 6), min(name), max(name) FROM item");
  run(db, "SELECT name, count(*) AS n, total(price) FROM item GROUP BY name ORDER BY n DESC, name LIMIT 5");
  run(db, "SELECT a.id, b.id FROM item a JOIN item b ON a.name = b.name AND a.id < b.id ORDER BY 1, 2 LIMIT 5");
  run(db, "UPDATE item SET price = price * 1.1 WHERE id % 7 = 0");
  run(db, "DELETE FROM item WHERE name LIKE 'item-1%'");
  run(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT sum(i * i), avg(i) FROM n");
  run(db, "SELECT printf('%.3f %e %s', sum(price), sum(price), typeof(price)), upper(hex(substr(data, 1, 3))) FROM item");
  run(db, "SELECT json_extract('{\"a\":[1,2.5,\"x\"]}', '$.a[1]'), date('2024-02-29', '+1 year'), strftime('%s', '2001-09-09 01:46:40')");
  run(db, "SELECT x FROM missing");
  run(db, "INSERT INTO item(id) VALUES(3), (3)");
  run(db, "PRAGMA integrity_check");
  sqlite3_close(db);
  /* Reopened, a file still has its rows; a database in memory is gone. */
  sqlite3_open(path, &db);
  run(db, "SELECT count(*) FROM sqlite_master");
  sqlite3_close(db);
  return 0;
}
