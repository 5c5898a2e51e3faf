/*
 * The environment: a list of "name=value" that ends with a null pointer. start/ fills it in before
 * main.
 */
static char *nothing[1];

char **environ = nothing;
