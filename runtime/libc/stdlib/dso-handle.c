/*
 * The compiler passes this address to __cxa_atexit to identify the program; it is never
 * dereferenced.
 */
void *const __dso_handle = (void *)&__dso_handle;
