/* source.c: a file as lines; see source.h. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

int source_read(const char *path, struct source *source) {
  memset(source, 0, sizeof *source);
  size_t bytes;
  char *text = file_read(path, &bytes);
  if (!text) return -1;
  /* A NUL would end the text for us: a byte that is no UTF-8 either is shown in its place. */
  for (char *nul = text; (nul = memchr(nul, '\0', (size_t)(text + bytes - nul))) != NULL;)
    *nul = '\x80';
  const char *slash = strrchr(path, '/');
  source->name = xstrdup(slash ? slash + 1 : path);
  source->path = xstrdup(path);
  source->text = text;
  char *rest = text, *line;
  while ((line = strsep(&rest, "\n")) != NULL) {
    source->lines =
        xrealloc(source->lines, sizeof *source->lines * (size_t)(source->line_count + 1));
    source->lines[source->line_count++] = line;
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
  }
  return 0;
}

void source_free(struct source *source) {
  free(source->name);
  free(source->path);
  free(source->text);
  free(source->lines);
  memset(source, 0, sizeof *source);
}

const char *source_line(const struct source *source, int line) {
  if (line < 1 || line > source->line_count) return "";
  const char *text = source->lines[line - 1];
  return text + strspn(text, " \t");
}
