/* code.c: a small lexer that colours CUDA C++. */
#include "grader/show/code.h"

#include <ctype.h>
#include <string.h>

static const char *const keywords[] = {
    "alignas",   "auto",     "bool",    "break",    "case",    "char",     "class",    "const",
    "constexpr", "continue", "default", "delete",   "do",      "double",   "else",     "enum",
    "extern",    "false",    "float",   "for",      "if",      "inline",   "int",      "long",
    "namespace", "new",      "nullptr", "operator", "private", "public",   "register", "restrict",
    "return",    "short",    "signed",  "sizeof",   "static",  "struct",   "switch",   "template",
    "this",      "true",     "typedef", "typename", "union",   "unsigned", "using",    "void",
    "volatile",  "while",    "int8_t",  "int32_t",  "int64_t", "uint8_t",  "uint32_t", "uint64_t",
    "size_t",    "dim3",     "float2",  "float4",   "int2",    "int4",     NULL,
};

static const char *const cuda_words[] = {
    "__global__",        "__device__",      "__host__",      "__shared__",
    "__constant__",      "__restrict__",    "__syncthreads", "__syncwarp",
    "__launch_bounds__", "__forceinline__", "__noinline__",  "threadIdx",
    "blockIdx",          "blockDim",        "gridDim",       "warpSize",
    "atomicAdd",         "__ldg",           "__shfl_sync",   "__shfl_down_sync",
    "__shfl_up_sync",    "__shfl_xor_sync", "__ballot_sync", NULL,
};

static bool is_listed(const char *const *list, const char *word, size_t length) {
  for (; *list; list++)
    if (strlen(*list) == length && memcmp(*list, word, length) == 0) return true;
  return false;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t rest_of_comment(struct code_state *state, const char *bytes, size_t length,
                              size_t from) {
  const char *end = length > from ? memmem(bytes + from, length - from, "*/", 2) : NULL;
  state->in_comment = end == NULL;
  return end ? (size_t)(end - bytes) + 2 : length;
}

static size_t string_length(const char *bytes, size_t length) {
  for (size_t i = 1; i < length; i++) {
    if (bytes[i] == '\\')
      i++;
    else if (bytes[i] == bytes[0])
      return i + 1;
  }
  return length;
}

size_t code_next(struct code_state *state, const char *bytes, size_t length, bool first,
                 enum code_kind *kind) {
  size_t i = 1;
  *kind = CODE_COMMENT;
  if (state->in_comment) return rest_of_comment(state, bytes, length, 0);
  if (length > 1 && bytes[0] == '/' && bytes[1] == '/') return length;
  if (length > 1 && bytes[0] == '/' && bytes[1] == '*')
    return rest_of_comment(state, bytes, length, 2);
  if (bytes[0] == '#' && first) {
    *kind = CODE_DIRECTIVE;
    while (i < length && bytes[i] == ' ') i++;
    while (i < length && is_word(bytes[i])) i++;
    return i;
  }
  if (bytes[0] == '"' || bytes[0] == '\'') {
    *kind = CODE_STRING;
    return string_length(bytes, length);
  }
  if (isdigit((unsigned char)bytes[0])) {
    *kind = CODE_NUMBER;
    while (i < length && (is_word(bytes[i]) || bytes[i] == '.' || bytes[i] == '\'')) i++;
    return i;
  }
  if (is_word(bytes[0])) {
    while (i < length && is_word(bytes[i])) i++;
    *kind = is_listed(keywords, bytes, i)     ? CODE_KEYWORD
            : is_listed(cuda_words, bytes, i) ? CODE_CUDA
                                              : CODE_PLAIN;
    return i;
  }
  *kind = CODE_PLAIN; /* blanks and signs, and everything beyond ASCII, up to what may be more */
  while (i < length && !is_word(bytes[i]) && !strchr("/#\"'", bytes[i])) i++;
  return i;
}
