/*
 * The environment: a list of "name=value" strings that a null pointer ends. The code in start/
 * fills it in before main.
 */
static char *nothing[1];

char **environ = nothing;
