/**
 * Functions of the C library that take pointers and are not in the table of ranges, with the
 * reason. A test compares both lists with the headers: a new function must be in one of
 * them.
 */
export const unlisted: readonly { readonly reason: string; readonly names: string }[] = [
  {
    reason:
      'A stream is an object of the library; what is read or written goes through functions of the table, or is kept for later.',
    names: `
__fbufsize __flbf __fpending __fpurge __freadable __freading __fsetlocking __fwritable __fwriting
clearerr clearerr_unlocked fclose feof feof_unlocked ferror ferror_unlocked fflush fflush_unlocked
fgetc fgetc_unlocked fgetwc fileno fileno_unlocked flockfile fputc fputc_unlocked fputwc fseek
fseeko ftell ftello ftrylockfile funlockfile fwide fwscanf getc getc_unlocked getdelim getline getw
getwc pclose putc putc_unlocked putw putwc rewind setbuf setbuffer setlinebuf ungetc ungetwc`,
  },
  {
    reason:
      'Structures are read and written member by member, in code that is instrumented like the program; none of it is raw.',
    names: `
__rz_cleanup_pop __rz_cpu_count __x86_cpuid __xpg_basename _obstack_allocated_p _obstack_begin
_obstack_begin_1 _obstack_memory_used accept accept4 aio_cancel aio_error aio_fsync aio_read
aio_return aio_suspend aio_write alphasort bind brk cfgetispeed cfgetospeed cfmakeraw cfsetispeed
cfsetospeed cfsetspeed clock_settime closedir cnd_broadcast cnd_destroy cnd_init cnd_signal
cnd_timedwait cnd_wait connect copy_file_range dirfd drand48_r erand48_r fegetenv fegetexceptflag
feholdexcept fesetenv fesetexceptflag feupdateenv fgetpwent freeaddrinfo fstatvfs ftime
fts_children fts_close fts_open fts_read fts_set futimens futimes getaddrinfo getgrgid_r getgrnam getgrnam_r getgrouplist getgroups gethostbyaddr
gethostbyname gethostbyname2 getitimer getnameinfo getpeername getprotobyname getpwnam getpwnam_r
getpwuid_r getservbyname getservbyport getsockname getsockopt globfree hcreate_r hdestroy_r herror
hsearch_r htonl iconv inet_network initgroups initstate_r insque jrand48_r lio_listio lrand48_r
madvise malloc_usable_size memfd_create memfrob mincore mlock mmap mprotect mrand48_r mremap msync
mtx_destroy mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock munlock munmap nrand48_r
obstack_1grow obstack_blank obstack_copy obstack_copy0 obstack_finish obstack_free obstack_grow
obstack_grow0 obstack_int_grow obstack_make_room obstack_ptr_grow pipe2 poll posix_madvise ppoll
preadv pselect psiginfo psignal pthread_attr_destroy pthread_attr_getdetachstate
pthread_attr_getguardsize pthread_attr_getinheritsched pthread_attr_getschedparam
pthread_attr_getschedpolicy pthread_attr_getscope pthread_attr_getstack pthread_attr_getstacksize
pthread_attr_init pthread_attr_setdetachstate pthread_attr_setguardsize
pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy
pthread_attr_setscope pthread_attr_setstack pthread_attr_setstacksize pthread_barrier_destroy
pthread_barrier_init pthread_barrier_wait pthread_barrierattr_destroy
pthread_barrierattr_getpshared pthread_barrierattr_init pthread_barrierattr_setpshared
pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy pthread_cond_init
pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy
pthread_condattr_getclock pthread_condattr_getpshared pthread_condattr_init
pthread_condattr_setclock pthread_condattr_setpshared pthread_exit pthread_getaffinity_np
pthread_getattr_np pthread_getcpuclockid pthread_getname_np pthread_getschedparam pthread_join
pthread_mutex_consistent pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init
pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock
pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getprioceiling
pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust
pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_setprioceiling
pthread_mutexattr_setprotocol pthread_mutexattr_setpshared pthread_mutexattr_setrobust
pthread_mutexattr_settype pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock
pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock
pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy
pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_init
pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared pthread_setaffinity_np
pthread_setcancelstate pthread_setcanceltype pthread_setname_np pthread_setschedparam
pthread_setspecific pthread_sigmask pthread_spin_destroy pthread_spin_init pthread_spin_lock
pthread_spin_trylock pthread_spin_unlock pthread_timedjoin_np pthread_tryjoin_np putpwent pwritev
random_r readdir readdir_r recv recvfrom recvmsg regerror regfree remque rewinddir
sched_getaffinity sched_getparam sched_rr_get_interval sched_setaffinity sched_setparam
sched_setscheduler seekdir select sem_close sem_destroy sem_getvalue sem_init sem_open sem_post
sem_timedwait sem_trywait sem_unlink sem_wait send sendmsg sendto setgroups setitimer setsockopt
setstate_r settimeofday shm_open shm_unlink sigaltstack sigsuspend sigtimedwait sigwait
sigwaitinfo socketpair srand48_r srandom_r strftime_l tcgetattr tcsetattr telldir thrd_create
thrd_join thrd_sleep timelocal timer_create timer_delete timer_getoverrun timer_gettime
timer_settime tss_create tss_set versionsort wait wait3 wait4 waitid waitpid
wordexp wordfree epoll_ctl epoll_pwait epoll_wait eventfd_read gethostbyname_r sendfile splice posix_spawnattr_destroy
posix_spawnattr_getflags posix_spawnattr_getpgroup posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy
posix_spawnattr_getsigdefault posix_spawnattr_getsigmask posix_spawnattr_init posix_spawnattr_setflags
posix_spawnattr_setpgroup posix_spawnattr_setschedparam posix_spawnattr_setschedpolicy
posix_spawnattr_setsigdefault posix_spawnattr_setsigmask timerfd_gettime timerfd_settime`,
  },
  {
    reason:
      'The structure is read and written member by member. A test with wrong bytes would sleep as long as they say.',
    names: 'clock_nanosleep nanosleep',
  },
  {
    reason: 'The arguments are a va_list: the function of the same name without the v is in the table.',
    names: `
vasprintf vdprintf verr verrx vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf
vsscanf vswprintf vswscanf vsyslog vwarn vwarnx vwprintf vwscanf`,
  },
  {
    reason:
      'A text or a buffer is handed on to a function of the table, or to the host as those of the table do.',
    names: `
addmntent fgetxattr flistxattr fremovexattr fsetxattr getxattr lgetxattr listxattr
llistxattr lremovexattr lsetxattr removexattr setxattr argp_error argp_failure argp_help argp_parse argp_state_help argp_usage argz_add
argz_add_sep argz_append argz_count argz_create argz_create_sep argz_delete argz_extract
argz_insert argz_next argz_replace argz_stringify canonicalize_file_name chown chroot confstr
crypt ctermid eaccess endmntent envz_add envz_entry envz_get envz_merge envz_remove envz_strip
euidaccess execl execle execlp execv execve execvp execvpe faccessat fchmodat fchownat fexecve
fopencookie fstatat futimesat getcwd getdomainname gethostname getlogin_r getmntent getmntent_r
getpass gets getsubopt getwd hasmntopt initstate lchmod lchown linkat lutimes malloc_info mkdirat
mkfifo mkfifoat mknod mknodat mkostemp mkostemps mkstemps obstack_printf obstack_vprintf openat pathconf
popen putenv readlinkat renameat renameat2 scanf sethostname setmntent setprogname setstate statvfs strfmon
statx strfmon_l strfromf strfroml symlinkat tempnam tmpnam ttyname_r unlinkat utime utimensat utimes`,
  },
  {
    reason:
      'The function of the program that is called reads the elements; the library only computes their addresses.',
    names: `
__rz_cleanup_push at_quick_exit atexit call_once glob on_exit pthread_atfork
nftw ftw pthread_create pthread_key_create pthread_once scandir tdelete tdestroy tfind tsearch twalk twalk_r`,
  },
  {
    reason:
      "Text and ranges are handed on to functions of the table; the family of malloc and the inputs are the engine's.",
    names: `
__VERIFIER_nondet_memory __assert_fail err error error_at_line errx free getloadavg getopt
getopt_long getopt_long_only klee_alias_function klee_check_memory_access klee_define_fixed_object
klee_get_obj_size klee_int klee_make_symbolic klee_mark_global klee_posix_prefer_cex klee_prefer_cex
klee_print_expr klee_range klee_report_error klee_warning klee_warning_once mbsnrtowcs mbsrtowcs
openlog posix_memalign realloc reallocarray redzone_fail redzone_symbolic strsep syslog warn warnx
wcsnrtombs wcsrtombs wctrans_l wctype_l wprintf wscanf`,
  },
  {
    reason: 'The call ends as unsupported before it touches anything; `system` looks at its text first.',
    names: `
dladdr dlclose dlopen dlsym dn_expand forkpty
freeifaddrs if_freenameindex ftok getcontext getifaddrs if_indextoname if_nametoindex inotify_add_watch
makecontext mount mq_getattr mq_open mq_receive mq_send mq_unlink msgctl msgrcv msgsnd
openpty posix_spawn posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2
posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy posix_spawn_file_actions_init
posix_spawnp
ptsname_r res_query res_search semop setcontext shmat shmctl shmdt signalfd swapcontext system
umount umount2`,
  },
  {
    reason: 'Texts are returned as they were given, and structures are written member by member.',
    names: `
backtrace backtrace_symbols backtrace_symbols_fd bind_textdomain_codeset bindtextdomain catgets catopen dcgettext
dcngettext dgettext dngettext fstatfs gettext ngettext statfs sysinfo textdomain`,
  },
  {
    reason: 'Labels are kept for the addresses of a range; its bytes are neither read nor written.',
    names: `
dfsan_add_label dfsan_create_label dfsan_read_label dfsan_set_label redzone_expect_no_label
redzone_has_label redzone_label redzone_labels_of redzone_secret redzone_unlabel`,
  },
  {
    reason: 'The function does nothing: there are no logins, and every access is checked when it happens.',
    names:
      'getutid getutline getutxid getutxline mcheck mcheck_pedantic mprobe pututline pututxline utmpname',
  },
];
