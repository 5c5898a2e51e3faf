/*
 * The address that the compiler passes to __cxa_atexit to name this program; nothing is read
 * through it.
 */
void *const __dso_handle = (void *)&__dso_handle;
