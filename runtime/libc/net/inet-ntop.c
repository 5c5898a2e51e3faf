/* Binary addresses to text. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print_v4(const unsigned char *bytes, char *to, size_t size) {
  snprintf(to, size, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* The longest run of at least two zero words, the first of equals; its length, or 0. */
static int longest_zeros(const unsigned *words, int *start) {
  int best = 0;
  for (int i = 0; i < 8; i++) {
    int length = 0;
    while (i + length < 8 && words[i + length] == 0) length++;
    if (length > best) {
      best = length;
      *start = i;
    }
    i += length;
  }
  return best >= 2 ? best : 0;
}

static void print_v6(const unsigned char *bytes, char *to, size_t size) {
  unsigned words[8];
  int start = 0;
  for (int i = 0; i < 8; i++) words[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
  const int zeros = longest_zeros(words, &start);
  const int ends_as_v4 = start == 0 && (zeros == 6 || (zeros == 5 && words[5] == 0xffff));
  size_t length = 0;
  for (int i = 0; i < 8;) {
    if (zeros > 0 && i == start) {
      length += (size_t)snprintf(to + length, size - length, i == 0 ? "::" : ":");
      i += zeros;
    } else if (i == 6 && ends_as_v4) {
      print_v4(bytes + 12, to + length, size - length);
      return;
    } else {
      length += (size_t)snprintf(to + length, size - length, i < 7 ? "%x:" : "%x", words[i]);
      i++;
    }
  }
}

const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t size) {
  char full[INET6_ADDRSTRLEN];
  if (family == AF_INET) print_v4(address, full, sizeof full);
  else if (family == AF_INET6) print_v6(address, full, sizeof full);
  else {
    errno = EAFNOSUPPORT;
    return 0;
  }
  if (strlen(full) >= size) {
    errno = ENOSPC;
    return 0;
  }
  return strcpy(text, full);
}
