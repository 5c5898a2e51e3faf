#include <regex.h>
#include <string.h>

size_t regerror(int code, const regex_t *restrict regex, char *restrict buffer, size_t size) {
  static const char *const texts[] = {
      [REG_NOERROR] = "Success",
      [REG_NOMATCH] = "No match",
      [REG_BADPAT] = "Invalid regular expression",
      [REG_ECOLLATE] = "Invalid collation character",
      [REG_ECTYPE] = "Invalid character class name",
      [REG_EESCAPE] = "Trailing backslash",
      [REG_ESUBREG] = "Invalid back reference",
      [REG_EBRACK] = "Unmatched [, [^, [:, [., or [=",
      [REG_EPAREN] = "Unmatched ( or \\(",
      [REG_EBRACE] = "Unmatched \\{",
      [REG_BADBR] = "Invalid content of \\{\\}",
      [REG_ERANGE] = "Invalid range end",
      [REG_ESPACE] = "Memory exhausted",
      [REG_BADRPT] = "Invalid preceding regular expression",
      [REG_EEND] = "Premature end of regular expression",
      [REG_ESIZE] = "Regular expression too big",
      [REG_ERPAREN] = "Unmatched ) or \\)",
  };
  (void)regex;
  const char *text = code >= 0 && code <= REG_ERPAREN ? texts[code] : "Unknown error";
  const size_t needed = strlen(text) + 1;
  if (size > 0) {
    const size_t copied = needed < size ? needed : size;
    memcpy(buffer, text, copied - 1);
    buffer[copied - 1] = 0;
  }
  return needed;
}
