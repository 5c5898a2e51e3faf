/*
 * FILE: a buffer in front of a source or sink of bytes.
 *
 *     buffer                  next      end              buffer + capacity
 *     ├─ pushback ─┬── read ───┼─ unread ─┼──── free ────────┤      reading: mode READING
 *     ├──── written, not yet passed on ───┼──── room ────────┤      writing: mode WRITING
 *                                        next               end
 *
 * A stream is in one of three modes. IDLE: the buffer is empty. READING: [next, end) was read
 * and not yet consumed. WRITING: [buffer, next) is not yet written out, [next, end) is free; a
 * line-buffered or unbuffered stream keeps end == next, so that every byte takes the slow path,
 * which handles it.
 *
 * Invariants
 *   - PUSHBACK bytes before the first byte read are kept free, so that ungetc always has room.
 *   - The position of the file below, minus end - next while READING or plus next - buffer while
 *     WRITING, is the position of the stream.
 *   - A stream with a mode other than IDLE is in the list of open streams (open-files.c).
 *   - `self` is the pointer to the stream, or null. A program that passes a pointer at which a
 *     checked load finds this pointer passes a stream, so raw code (raw.h) may use the other
 *     fields.
 *   - Bytes of the buffer are checked unless `has_raw_bytes`: the program may have supplied the
 *     buffer, or the function that fills it. It is decided when a mode begins, and is 0 for an
 *     engine that follows single values.
 */
#ifndef RZ_FILE_H
#define RZ_FILE_H

#include <stdio.h>
#include <wchar.h>

#define PUSHBACK 8
#define SMALL_BUFFER (PUSHBACK + 8) /* for a stream without a buffer */

enum { IDLE, READING, WRITING };

enum {
  CAN_READ = 1,
  CAN_WRITE = 2,
  APPENDS = 4,
  AT_END = 8,
  HAS_FAILED = 16,
  OWNS_BUFFER = 32,   /* the buffer came from malloc */
  OWNS_STREAM = 64,   /* so did the FILE */
  ASK_TERMINAL = 128, /* on first use, line-buffered if it is a terminal */
  OF_LIBRARY = 256,   /* no part of the program has the address of the buffer, which begins zeroed */
};

/* The layer below the buffer. Functions return -1 and set errno; seek may be NULL. */
struct __rz_stream_functions {
  ssize_t (*read)(FILE *stream, void *to, size_t n);
  ssize_t (*write)(FILE *stream, const void *from, size_t n);
  off_t (*seek)(FILE *stream, off_t offset, int whence);
  int (*close)(FILE *stream);
};

struct __rz_file {
  FILE *self;
  unsigned char *next;
  unsigned char *end;
  unsigned char *buffer;
  size_t capacity;
  const struct __rz_stream_functions *functions;
  void *cookie; /* for the functions */
  int fd;       /* -1 if there is none */
  int mode;
  int has_raw_bytes; /* raw code may use the buffer */
  int flags;
  int buffering;        /* _IOFBF, _IOLBF, _IONBF */
  int orientation;      /* 0 undecided, < 0 bytes, > 0 wide */
  int is_utf8;          /* the encoding of wide input and output, when that was decided */
  int lock_depth;       /* flockfile: counted, since there is one thread */
  mbstate_t multibyte;  /* the state of wide input and output */
  FILE *following;      /* in the list of open streams */
  FILE *preceding;
  unsigned char small[SMALL_BUFFER];
};
_Static_assert(sizeof(struct __rz_file) == 16 * sizeof(void *), "the size that <stdio.h> shows");

/* Descriptors: file-functions.c */
extern const struct __rz_stream_functions __rz_fd_functions;

/* A new stream in the list, or NULL with errno. The mode is that of fopen. */
FILE *__rz_new_stream(const struct __rz_stream_functions *functions, void *cookie, int fd, int flags);

/* The flags of open() and of a FILE for a mode such as "r+bx", or -1 with errno EINVAL. */
int __rz_parse_mode(const char *mode, int *stream_flags);

void __rz_list_stream(FILE *stream);
void __rz_unlist_stream(FILE *stream);
FILE *__rz_first_stream(void);

/* Makes sure that the stream has a buffer. */
void __rz_provide_buffer(FILE *stream);

/* Change the mode. They return 0, or -1 with the error noted in the stream. */
int __rz_begin_reading(FILE *stream);
int __rz_begin_writing(FILE *stream);

/* Writes buffered output out, or seeks back over unread input. Returns -1 on error. */
int __rz_flush_output(FILE *stream);
int __rz_drop_input(FILE *stream);

/* Refills the buffer if it has no byte. Returns EOF if there is none, and looks at no byte. */
int __rz_fill(FILE *stream);

/* The next byte of any stream, or EOF. */
int __rz_get_byte(FILE *stream);

/* Writes one byte to any stream; returns EOF on error. */
int __rz_put_byte(int c, FILE *stream);

/* Reads n bytes, or as many as possible, and states the bytes that it stores to the engine. */
size_t __rz_read_bytes(FILE *stream, void *to, size_t n);
size_t __rz_write_bytes(FILE *stream, const void *from, size_t n);
/* The same for bytes of raw code (raw.h), which the engine does not know. */
size_t __rz_write_own_bytes(FILE *stream, const char *from, size_t n);

/*
 * For streams with `self` (buffer.c). The next unread byte, or the next free byte, which is taken;
 * null if there is none.
 */
unsigned char *__rz_raw_take_unread(FILE *stream);
unsigned char *__rz_raw_take_free(FILE *stream);
/*
 * How many bytes are unread, or free in a fully buffered stream; and n of them, which are taken.
 */
size_t __rz_raw_unread(const FILE *stream);
size_t __rz_raw_free(const FILE *stream);
unsigned char *__rz_raw_take(FILE *stream, size_t n);
/*
 * For streams with `self` and raw bytes (buffer.c). The next byte, and a byte that is written; EOF
 * if there is none, or no room. The others return whether, or how many, bytes can be taken.
 */
int __rz_raw_getc(FILE *stream);
int __rz_raw_putc(int c, FILE *stream);
int __rz_raw_has_raw_bytes(const FILE *stream);
int __rz_raw_has_unread(const FILE *stream, size_t n);
/* The length of a piece of n bytes, or one that ends with the delimiter; 0 if it is incomplete. */
size_t __rz_raw_whole_piece(const FILE *stream, int delimiter, size_t n);
/* Takes a piece, and adds a zero. */
void __rz_raw_take_text(FILE *stream, char *to, size_t n);

/* How many of at most n unread bytes there are up to the delimiter, which is included. */
size_t __rz_raw_unread_until(const FILE *stream, int delimiter, size_t n);

static inline size_t __rz_unread(const FILE *stream) { return stream->self == stream ? __rz_raw_unread(stream) : 0; }

static inline int __rz_getc(FILE *stream) {
  int c = stream->self == stream ? __rz_raw_getc(stream) : EOF;
  return c != EOF ? c : __rz_get_byte(stream);
}

static inline int __rz_putc(int c, FILE *stream) {
  int written = stream->self == stream ? __rz_raw_putc(c, stream) : EOF;
  return written != EOF ? written : __rz_put_byte(c, stream);
}

static inline int __rz_fail(FILE *stream) {
  stream->flags |= HAS_FAILED;
  return EOF;
}

#endif
