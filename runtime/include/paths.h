/* <paths.h> */
#ifndef _PATHS_H
#define _PATHS_H

#define _PATH_DEFPATH "/usr/local/bin:/bin:/usr/bin"
#define _PATH_BSHELL "/bin/sh"
#define _PATH_DEV "/dev/"
#define _PATH_DEVNULL "/dev/null"
#define _PATH_TTY "/dev/tty"
#define _PATH_TMP "/tmp/"
#define _PATH_VARTMP "/var/tmp/"

#endif
