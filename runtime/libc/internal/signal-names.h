/* Every signal and its description, in the order of the numbers; used as an X-macro. */
#ifndef RZ_SIGNAL_NAMES_H
#define RZ_SIGNAL_NAMES_H

#define __RZ_SIGNALS(X) \
  X(HUP, "Hangup") \
  X(INT, "Interrupt") \
  X(QUIT, "Quit") \
  X(ILL, "Illegal instruction") \
  X(TRAP, "Trace/breakpoint trap") \
  X(ABRT, "Aborted") \
  X(BUS, "Bus error") \
  X(FPE, "Floating point exception") \
  X(KILL, "Killed") \
  X(USR1, "User defined signal 1") \
  X(SEGV, "Segmentation fault") \
  X(USR2, "User defined signal 2") \
  X(PIPE, "Broken pipe") \
  X(ALRM, "Alarm clock") \
  X(TERM, "Terminated") \
  X(STKFLT, "Stack fault") \
  X(CHLD, "Child exited") \
  X(CONT, "Continued") \
  X(STOP, "Stopped (signal)") \
  X(TSTP, "Stopped") \
  X(TTIN, "Stopped (tty input)") \
  X(TTOU, "Stopped (tty output)") \
  X(URG, "Urgent I/O condition") \
  X(XCPU, "CPU time limit exceeded") \
  X(XFSZ, "File size limit exceeded") \
  X(VTALRM, "Virtual timer expired") \
  X(PROF, "Profiling timer expired") \
  X(WINCH, "Window changed") \
  X(POLL, "I/O possible") \
  X(PWR, "Power failure") \
  X(SYS, "Bad system call")

#endif
