/* obstack.h, argz.h, envz.h, mntent.h, monetary.h, aio.h, mcheck.h, sys/timeb.h, utmpx.h. */
#define _GNU_SOURCE
#include <aio.h>
#include <argz.h>
#include <envz.h>
#include <fcntl.h>
#include <mcheck.h>
#include <mntent.h>
#include <monetary.h>
#include <obstack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>
#include <utmpx.h>

int _obstack_memory_used(struct obstack *); /* configure asks for the type of its result */
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void stacks(void) {
  struct obstack stack;
  obstack_init(&stack);
  char *first = obstack_copy0(&stack, "first", 5);
  int *numbers = obstack_alloc(&stack, 10 * sizeof *numbers);
  for (int i = 0; i < 10; i++) numbers[i] = i;
  for (int i = 0; i < 1000; i++) obstack_int_grow(&stack, i);
  printf("%zu", (size_t)obstack_object_size(&stack));
  int *grown = obstack_finish(&stack);
  void *mark = obstack_alloc(&stack, 0);
  obstack_grow(&stack, "abc", 3);
  obstack_1grow(&stack, 'd');
  obstack_blank(&stack, 3);
  memcpy((char *)obstack_base(&stack) + 4, "efg", 3);
  obstack_printf(&stack, "-%d-%s", 42, "printed");
  obstack_make_room(&stack, 100);
  printf(" %d", (int)obstack_room(&stack) >= 100);
  obstack_1grow_fast(&stack, 'x');
  obstack_1grow_fast(&stack, 0);
  char *text = obstack_finish(&stack);
  printf(" %s %s %d %d\n", first, text, numbers[9], grown[999]);
  obstack_ptr_grow(&stack, text);
  obstack_ptr_grow(&stack, NULL);
  char **vector = obstack_finish(&stack);
  printf("%d %d", strcmp(vector[0], text), vector[1] == NULL);
  obstack_free(&stack, mark);
  text = obstack_copy(&stack, "again", 6);
  obstack_grow0(&stack, "given up", 8);
  obstack_free(&stack, obstack_finish(&stack));
  printf(" %s %s %d\n", text, first, obstack_memory_used(&stack) > 0);
  printf("%zu\n", (size_t)obstack_alignment_mask(&stack));
  obstack_free(&stack, NULL);
}

static void show(const char *name, const char *argz, size_t size) {
  printf("%s %zu:", name, argz_count(argz, size));
  for (const char *entry = NULL; (entry = argz_next(argz, size, entry));) printf(" [%s]", entry);
  puts("");
}

static void vectors(void) {
  char *argz, *other, *vector[8];
  size_t size, other_size;
  char *const arguments[] = {"one", "two", "three", NULL};
  argz_create(arguments, &argz, &size);
  show("create", argz, size);
  argz_add(&argz, &size, "four");
  argz_add_sep(&argz, &size, "five::six:", ':');
  show("add", argz, size);
  argz_insert(&argz, &size, argz + 5, "inserted");
  argz_insert(&argz, &size, NULL, "last");
  show("insert", argz, size);
  argz_delete(&argz, &size, argz_next(argz, size, argz));
  unsigned count = 0;
  argz_replace(&argz, &size, "e", "EE", &count);
  printf("%u ", count);
  show("replace", argz, size);
  argz_create_sep("p q  r", ' ', &other, &other_size);
  argz_append(&argz, &size, other, other_size);
  argz_extract(other, other_size, vector);
  printf("%s %s %s %d\n", vector[0], vector[1], vector[2], vector[3] == NULL);
  argz_stringify(argz, size, ',');
  printf("%s\n", argz);
  free(argz);
  free(other);

  argz = NULL, size = 0;
  envz_add(&argz, &size, "HOME", "/root");
  envz_add(&argz, &size, "EMPTY", "");
  envz_add(&argz, &size, "NONE", NULL);
  envz_add(&argz, &size, "HOME", "/home");
  show("envz", argz, size);
  char *none = envz_get(argz, size, "NONE"), *home = envz_get(argz, size, "HOME");
  printf("%s %d %s %d\n", home, none == NULL, envz_entry(argz, size, "EMPTY"), envz_get(argz, size, "HO") == NULL);
  other = NULL, other_size = 0;
  envz_add(&other, &other_size, "HOME", "/other");
  envz_add(&other, &other_size, "NEW", "1");
  envz_merge(&argz, &size, other, other_size, 0);
  show("merge", argz, size);
  envz_merge(&argz, &size, other, other_size, 1);
  envz_strip(&argz, &size);
  show("strip", argz, size);
  envz_remove(&argz, &size, "NEW");
  show("remove", argz, size);
  free(argz);
  free(other);
}

static void money(double amount) {
  static const char *const formats[] = {"%n", "[%i]", "%.0n", "%(n", "%12n|", "%-12n|", "%#6n", "%=*#6.1n", "%^!n", "100%% %n"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    char text[60];
    ssize_t length = strfmon(text, sizeof text, formats[i], amount);
    printf(" %zd %s", length, text);
  }
  char small[4];
  printf(" %zd\n", strfmon(small, sizeof small, "%n", 1234.5));
}

static void mounts(void) {
  static const char table[] = "# a comment\n\n/dev/sda1 / ext4 rw,noatime,size=10k 0 1\nnone\t/with\\040blank tmpfs defaults 0 0\n/dev/b /c d\n";
  FILE *file = tmpfile();
  fputs(table, file);
  struct mntent added = {"new device", "/new\\place", "ext2", "ro", 3, 4};
  printf("%d\n", addmntent(file, &added));
  rewind(file);
  for (struct mntent *entry; (entry = getmntent(file));)
    printf("%s %s %s %s %d %d %d %d\n", entry->mnt_fsname, entry->mnt_dir, entry->mnt_type, entry->mnt_opts, entry->mnt_freq,
           entry->mnt_passno, hasmntopt(entry, "size") != NULL, hasmntopt(entry, "no") != NULL);
  printf("%d\n", endmntent(file));
}

static void requests(void) {
  FILE *file = tmpfile();
  char text[8] = "content", copy[8] = "";
  struct aiocb out = {.aio_fildes = fileno(file), .aio_buf = text, .aio_nbytes = 7, .aio_sigevent.sigev_notify = SIGEV_NONE};
  struct aiocb in = out, wrong = out;
  in.aio_buf = copy;
  in.aio_lio_opcode = LIO_READ;
  wrong.aio_fildes = 99;
  const struct aiocb *const pending[] = {&out};
  printf("%d", aio_write(&out));
  while (aio_error(&out) == EINPROGRESS) aio_suspend(pending, 1, NULL);
  printf(" %d %zd", aio_error(&out), aio_return(&out));
  struct aiocb *const list[] = {&in, NULL};
  printf(" %d", lio_listio(LIO_WAIT, list, 2, NULL));
  printf(" %zd %s", aio_return(&in), copy);
  struct aiocb *const failing[] = {&wrong};
  wrong.aio_lio_opcode = LIO_WRITE;
  printf(" %d", lio_listio(LIO_WAIT, failing, 1, NULL));
  printf(" %d\n", aio_error(&wrong) == EBADF);
  fclose(file);
}

int main(void) {
  stacks();
  vectors();
  money(1234.567);
  money(-1234.567);
  money(0);
  mounts();
  requests();
  struct timeb now;
  printf("%d", ftime(&now));
  printf(" %d\n", now.time >= 1000000000 && now.millitm < 1000 && now.time <= time(NULL));
  printf("%d %d\n", mprobe(NULL) >= 0 || 1, sizeof(struct utmpx) >= 380);
  return 0;
}
