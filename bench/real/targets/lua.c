/* Lua: the input is a program that is compiled, and run for a limited number of instructions. */
#include <stddef.h>
#include <stdint.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static void stop(lua_State *state, lua_Debug *debug) { luaL_error(state, "enough"); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lua_State *state = luaL_newstate();
  if (!state) return 0;
  luaL_requiref(state, "_G", luaopen_base, 1);
  luaL_requiref(state, "string", luaopen_string, 1);
  luaL_requiref(state, "table", luaopen_table, 1);
  lua_settop(state, 0);
  lua_sethook(state, stop, LUA_MASKCOUNT, 2000);
  /* Text only: the manual says that binary chunks are not checked. */
  if (luaL_loadbufferx(state, (const char *)data, size, "input", "t") == LUA_OK) lua_pcall(state, 0, 0, 0);
  lua_close(state);
  return 0;
}
