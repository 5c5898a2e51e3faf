/* Numbers that look random and are the same everywhere. */
static unsigned state = 12345;

static unsigned next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
