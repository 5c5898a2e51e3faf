/* strsignal, sigdescr_np, sigabbrev_np */
#include <signal.h>
#include <string.h>

#include "decimal.h"
#include "signal-names.h"

#define DESCRIPTION(name, text) [SIG##name] = text,
#define ABBREVIATION(name, text) [SIG##name] = #name,

static const char *const descriptions[] = {__RZ_SIGNALS(DESCRIPTION)};
static const char *const abbreviations[] = {__RZ_SIGNALS(ABBREVIATION)};

#define COUNT ((int)(sizeof descriptions / sizeof *descriptions))

const char *sigdescr_np(int signal) { return signal > 0 && signal < COUNT ? descriptions[signal] : NULL; }

const char *sigabbrev_np(int signal) { return signal > 0 && signal < COUNT ? abbreviations[signal] : NULL; }

char *strsignal(int signal) {
  static char unknown[40];
  const char *known = sigdescr_np(signal);
  if (known) return (char *)known;
  char number[__RZ_DECIMAL_SIZE];
  strlcpy(unknown, "Unknown signal ", sizeof unknown);
  strlcat(unknown, __rz_decimal(number, signal), sizeof unknown);
  return unknown;
}
