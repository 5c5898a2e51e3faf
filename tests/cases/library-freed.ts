/**
 * What the functions outside the table of ranges do with a pointer to freed memory, one call for
 * each pointer that each takes.
 *
 * Other pointers lead to zeroed memory and numbers are 1, unless `calls` has better arguments:
 * many functions use a pointer only if the rest of the call is valid.
 */

/** `name:position`, and the call; `BAD` is the freed block and `GOOD` zeroed memory. */
const calls = `
addmntent:2 addmntent(fmemopen(0, 99, "w+"), (void *)BAD)
argp_error:2 argp_error(0, (void *)BAD, 0)
argp_failure:4 argp_failure(0, 1, 1, (void *)BAD, 0)
argp_state_help:2 argp_state_help(0, (void *)BAD, ARGP_HELP_SEE)
argz_add_sep:1 argz_add_sep((void *)BAD, (void *)GOOD, "a,b", ',')
argz_add_sep:2 argz_add_sep(&(char *){0}, (void *)BAD, "a,b", ',')
argz_insert:4 argz_insert(&(char *){0}, (void *)GOOD, 0, (void *)BAD)
argz_replace:1 argz_replace((void *)BAD, (void *)GOOD, "a", "b", 0)
argz_replace:2 argz_replace((void *)GOOD, (void *)BAD, "a", "b", 0)
argz_replace:4 argz_replace(&(char *){strdup("a")}, &(size_t){2}, "a", (void *)BAD, 0)
argz_replace:5 argz_replace(&(char *){strdup("a")}, &(size_t){2}, "a", "b", (void *)BAD)
confstr:2 confstr(_CS_PATH, (void *)BAD, 64)
envz_add:4 envz_add((void *)GOOD, (void *)(GOOD + 8), "a", (void *)BAD)
execl:1 execl((void *)BAD, "a", (char *)0)
execl:2 execl("a", (void *)BAD, (char *)0)
execle:1 execle((void *)BAD, "a", (char *)0, (void *)GOOD)
execle:2 execle("a", (void *)BAD, (char *)0, (void *)GOOD)
execlp:1 execlp((void *)BAD, "a", (char *)0)
execlp:2 execlp("a", (void *)BAD, (char *)0)
fstatat:3 fstatat(AT_FDCWD, ".", (void *)BAD, 0)
fts_children:1 fts_children((void *)BAD, 0)
getaddrinfo:1 getaddrinfo((void *)BAD, 0, 0, (void *)GOOD)
getaddrinfo:4 getaddrinfo("127.0.0.1", 0, 0, (void *)BAD)
getcwd:1 getcwd((void *)BAD, 2000)
getdomainname:1 getdomainname((void *)BAD, 64)
gethostbyname_r:2 gethostbyname_r("127.0.0.1", (void *)BAD, (void *)GOOD, 400, (void *)(GOOD + 4000), (void *)(GOOD + 4008))
gethostbyname_r:3 gethostbyname_r("127.0.0.1", (void *)(GOOD + 800), (void *)BAD, 400, (void *)GOOD, (void *)(GOOD + 8))
getgrgid_r:2 getgrgid_r(getgid(), (void *)BAD, (void *)GOOD, 4000, (void *)GOOD)
getgrgid_r:3 getgrgid_r(getgid(), (void *)GOOD, (void *)BAD, 2000, (void *)(GOOD + 4000))
getgrouplist:3 getgrouplist("user", 1, (void *)BAD, &(int){1})
gethostname:1 gethostname((void *)BAD, 64)
getlogin_r:1 getlogin_r((void *)BAD, 64)
getmntent_r:1 getmntent_r((void *)BAD, (void *)GOOD, (void *)GOOD, 99)
getmntent_r:2 getmntent_r(fmemopen("a b c d 1 2", 11, "r"), (void *)BAD, (void *)GOOD, 99)
getmntent_r:3 getmntent_r(fmemopen("a b c d 1 2", 11, "r"), (void *)GOOD, (void *)BAD, 99)
getnameinfo:3 getnameinfo((void *)&(struct sockaddr_in){.sin_family = AF_INET}, sizeof(struct sockaddr_in), (void *)BAD, 64, 0, 0, NI_NUMERICHOST)
getnameinfo:5 getnameinfo((void *)&(struct sockaddr_in){.sin_family = AF_INET}, sizeof(struct sockaddr_in), 0, 0, (void *)BAD, 64, NI_NUMERICSERV)
getopt:2 getopt(2, (void *)BAD, "a")
getopt_long:2 getopt_long(2, (void *)BAD, "a", (void *)GOOD, 0)
getopt_long:4 getopt_long(2, (char *[]){"p", "--x", 0}, "a", (void *)BAD, 0)
getopt_long:5 getopt_long(2, (char *[]){"p", "--x", 0}, "a", (struct option[]){{"x", 0, 0, 1}, {0}}, (void *)BAD)
getopt_long_only:2 getopt_long_only(2, (void *)BAD, "a", (void *)GOOD, 0)
getopt_long_only:4 getopt_long_only(2, (char *[]){"p", "--x", 0}, "a", (void *)BAD, 0)
getopt_long_only:5 getopt_long_only(2, (char *[]){"p", "--x", 0}, "a", (struct option[]){{"x", 0, 0, 1}, {0}}, (void *)BAD)
getpwuid_r:2 getpwuid_r(getuid(), (void *)BAD, (void *)GOOD, 4000, (void *)GOOD)
getpwuid_r:3 getpwuid_r(getuid(), (void *)GOOD, (void *)BAD, 2000, (void *)(GOOD + 4000))
getsubopt:2 getsubopt(&(char *){(char[]){"a=b"}}, (void *)BAD, (void *)GOOD)
getsubopt:3 getsubopt(&(char *){(char[]){"a=b"}}, (char *[]){"a", 0}, (void *)BAD)
hsearch_r:3 hsearch_r((ENTRY){"a", 0}, ENTER, (void *)BAD, table())
initstate:2 initstate(1, (void *)BAD, 64)
initstate_r:2 initstate_r(1, (void *)BAD, 64, (void *)GOOD)
initstate_r:4 initstate_r(1, (void *)GOOD, 64, (void *)BAD)
klee_range:3 klee_range(0, 2, (void *)BAD)
malloc_info:2 malloc_info(0, (void *)BAD)
obstack_copy0:2 obstack_copy0(stack(), (void *)BAD, 1)
obstack_copy:2 obstack_copy(stack(), (void *)BAD, 1)
obstack_grow0:2 obstack_grow0(stack(), (void *)BAD, 1)
obstack_grow:2 obstack_grow(stack(), (void *)BAD, 1)
pipe2:1 pipe2((void *)BAD, 0)
posix_memalign:1 posix_memalign((void *)BAD, 16, 16)
pthread_getaffinity_np:3 pthread_getaffinity_np(pthread_self(), sizeof(cpu_set_t), (void *)BAD)
pthread_getname_np:2 pthread_getname_np(pthread_self(), (void *)BAD, 16)
random_r:2 random_r(generator(), (void *)BAD)
sched_getaffinity:3 sched_getaffinity(0, sizeof(cpu_set_t), (void *)BAD)
sched_getparam:2 sched_getparam(0, (void *)BAD)
sched_rr_get_interval:2 sched_rr_get_interval(0, (void *)BAD)
setmntent:1 setmntent((void *)BAD, "r")
sigaltstack:2 sigaltstack(0, (void *)BAD)
statfs:2 statfs(".", (void *)BAD)
statvfs:2 statvfs(".", (void *)BAD)
statx:5 statx(AT_FDCWD, ".", 0, 1, (void *)BAD)
strfroml:1 strfroml((void *)BAD, 64, "%f", 1)
strftime_l:4 strftime_l((void *)GOOD, 64, "%Y", (void *)BAD, LC_GLOBAL_LOCALE)
strsep:2 strsep(&(char *){(char[]){"a,b"}}, (void *)BAD)
symlinkat:1 symlinkat((void *)BAD, AT_FDCWD, "new-link")
utimensat:3 utimensat(AT_FDCWD, ".", (void *)BAD, 0)
wcsnrtombs:1 wcsnrtombs((void *)BAD, &(const wchar_t *){L"ab"}, 2, 9, 0)
wcsnrtombs:5 wcsnrtombs((void *)GOOD, &(const wchar_t *){L"ab"}, 2, 9, (void *)BAD)
wcsrtombs:1 wcsrtombs((void *)BAD, &(const wchar_t *){L"ab"}, 9, 0)
wcsrtombs:4 wcsrtombs((void *)GOOD, &(const wchar_t *){L"ab"}, 9, (void *)BAD)
`;

export const betterCalls: ReadonlyMap<string, string> = new Map(
  calls
    .trim()
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
);

/** Calls in which nothing is found, and why. */
export const silentCalls: readonly { readonly reason: string; readonly calls: string }[] = [
  {
    reason: 'The pointer is kept or handed on, and whoever follows it later is checked.',
    calls: `
__rz_cleanup_push:3 _obstack_begin_1:6 argp_parse:6 argz_next:1 fopencookie:1 obstack_ptr_grow:2 on_exit:2
openlog:1 pthread_create:4 pthread_exit:1 pthread_setspecific:2 tdelete:1 tfind:1 thrd_create:3
tsearch:1 tss_set:2 twalk_r:3`,
  },
  {
    reason: 'The pointer is an address to look up, and no memory is read there.',
    calls: `
_obstack_allocated_p:2 argz_insert:3 brk:1 klee_get_obj_size:1 klee_mark_global:1 madvise:1
malloc_usable_size:1 mincore:1 mlock:1 mmap:1 mprobe:1 mprotect:1 mremap:1 msync:1 munlock:1
munmap:1 obstack_free:2 posix_madvise:1 pthread_attr_setstack:2 sem_close:1`,
  },
  {
    reason:
      'The call fails before, as on Linux: no such descriptor, socket, terminal, link, attribute, child, thread, timer or right.',
    calls: `
accept4:2 accept4:3 accept:2 accept:3 bind:2 connect:2 copy_file_range:4 epoll_ctl:4
epoll_pwait:2 epoll_pwait:5 epoll_wait:2 eventfd_read:2 fgetxattr:3 flistxattr:2 futimesat:3 getpeername:2 getpeername:3
getsockname:2 getsockname:3 getsockopt:4 getsockopt:5 getxattr:3 lgetxattr:3 listxattr:2 llistxattr:2 pclose:1 pthread_attr_setscope:1 pthread_attr_setstack:1
pthread_attr_setstacksize:1 pthread_join:2 pthread_setaffinity_np:3 pthread_setschedparam:3
pthread_timedjoin_np:2 pthread_tryjoin_np:2 readdir_r:2 readlinkat:3 recv:2 recvfrom:2 recvfrom:5 recvfrom:6
recvmsg:2 scandir:2 sched_setaffinity:3 sched_setparam:2 sched_setscheduler:3 send:2 sendmsg:2 sendto:2 sendto:5
setitimer:3 setsockopt:4 splice:4 tcgetattr:2 tcsetattr:3 thrd_join:2 timer_create:3 timer_gettime:2 timer_settime:4 timerfd_gettime:2 timerfd_settime:3 timerfd_settime:4 ttyname_r:2 wait3:1 wait4:2 wait:1
waitid:3 waitpid:2`,
  },
  {
    reason:
      'There is nothing to write: no entry, no line, no signal, no frame, no time left, no conversion in the format.',
    calls: `
backtrace:1 backtrace_symbols:1 backtrace_symbols_fd:1 clock_nanosleep:4 getgrnam_r:2 getgrnam_r:3 getloadavg:1
getpwnam_r:2 getpwnam_r:3 gets:1 sigtimedwait:2 sigtimedwait:3 sigwait:2 sigwaitinfo:2 vsscanf:1
vswscanf:1`,
  },
  {
    reason: 'The other arguments of the probe are wrong first.',
    calls: 'iconv:3 iconv:4 iconv:5 klee_report_error:4',
  },
  {
    reason:
      'The argument means nothing here: one encoding without a state, one process, no attributes, no preferences, no logins, finished requests.',
    calls: `
__fsetlocking:1 aio_cancel:2 aio_suspend:1 aio_suspend:3 fts_set:1 getutid:1 getutline:1 getutxid:1
getutxline:1 klee_posix_prefer_cex:1 klee_prefer_cex:1 posix_spawnattr_destroy:1 ppoll:4 pselect:6
pthread_attr_destroy:1 pthread_barrier_init:2 pthread_barrierattr_destroy:1
pthread_condattr_destroy:1 pthread_mutex_consistent:1 pthread_mutexattr_destroy:1
pthread_rwlock_init:2 pthread_rwlockattr_destroy:1 pututline:1 pututxline:1 regerror:2 utmpname:1
wcsnrtombs:5 wcsrtombs:4`,
  },
];
