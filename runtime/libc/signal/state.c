#include "signals.h"

struct __rz_signals __rz_signals;
