/* blocks.c: see blocks.h. */
#include "grader/handin/blocks.h"

#include <stdlib.h>
#include <string.h>

static const char mark_start[] = "<!-- kit: ", mark_close[] = " -->", end_name[] = "end";

void block_add(const struct block *block, struct text *to) {
  text_add(to, "%s%s%s\n", mark_start, block->name, mark_close);
  text_append(to, text_get(&block->text), block->text.length);
  text_add(to, "%s%s%s\n", mark_start, end_name, mark_close);
}

/* The name in a line that is a mark, the caller's; NULL: it is none. */
static char *name_of(const char *line, size_t length) {
  size_t start = sizeof mark_start - 1, close = sizeof mark_close - 1;
  while (length && strchr(" \t\r", line[length - 1])) length--;
  if (length <= start + close || strncmp(line, mark_start, start) != 0 ||
      strncmp(line + length - close, mark_close, close) != 0)
    return NULL;
  return xprintf("%.*s", (int)(length - start - close), line + start);
}

static struct block *find(struct block *blocks, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(blocks[i].name, name) == 0) return &blocks[i];
  return NULL;
}

/* What is wrong with the mark `name` where the block `open` (NULL: none) has begun; NULL: nothing.
 */
static char *fault_of(const char *name, const char *open, const struct block *block) {
  bool end = strcmp(name, end_name) == 0;
  if (end && !open) return xstrdup("a block ends here that has not begun");
  if (!end && open) return xprintf("block %s begins before %s has ended", name, open);
  if (block && block->there) return xprintf("there is a second block %s", name);
  return NULL;
}

char *blocks_replace(const char *old, struct block *blocks, int count, char **error) {
  struct text text = {0};
  autofree char *open = NULL;
  int number = 0;
  *error = NULL;
  for (const char *line = old; *line && !*error;) {
    size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
    autofree char *name = name_of(line, length);
    bool end = name && strcmp(name, end_name) == 0;
    struct block *block = name && !end ? find(blocks, count, name) : NULL;
    number++;
    *error = name ? fault_of(name, open, block) : NULL;
    bool known = open && find(blocks, count, open);
    if (!known || end) text_append(&text, line, whole); /* what is left out is written anew */
    if (block) {
      text_append(&text, text_get(&block->text), block->text.length);
      block->there = true;
    }
    if (name) {
      free(open);
      open = end ? NULL : xstrdup(name);
    }
    line += whole;
  }
  if (!*error && open)
    *error = xprintf("block %s has no end: %send%s", open, mark_start, mark_close);
  if (*error) {
    autofree char *words = *error;
    *error = xprintf("line %d: %s", number, words);
    text_free(&text);
    return NULL;
  }
  return text_take(&text);
}
