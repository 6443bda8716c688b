/* source.c: reads a submission and splits it into lines. */
#include "grader/base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/text.h"

/* Not through file_read: it may be a pipe that nobody writes to, or have no end. */
static char *read_file(const char *path, size_t *bytes, bool *too_long) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  struct stat status;
  char *text = NULL;
  if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  } else {
    text = xcalloc(SOURCE_BYTES + 1, 1);
    ssize_t got = 0;
    *bytes = 0;
    while (*bytes < SOURCE_BYTES && (got = read(fd, text + *bytes, SOURCE_BYTES - *bytes)) > 0)
      *bytes += (size_t)got;
    char more;
    *too_long = *bytes == SOURCE_BYTES && read(fd, &more, 1) == 1;
    if (got < 0) {
      free(text);
      text = NULL;
    }
  }
  int error = errno;
  close(fd);
  errno = error;
  return text;
}

int source_read(const char *path, struct source *source) {
  memset(source, 0, sizeof *source);
  size_t bytes;
  char *text = read_file(path, &bytes, &source->too_long);
  if (!text) return -1;
  /* A NUL would end the text for us: a byte that is no UTF-8 either is shown in its place. */
  for (char *nul = text; (nul = memchr(nul, '\0', (size_t)(text + bytes - nul))) != NULL;)
    *nul = '\x80';
  source->name = xstrdup(basename(path));
  source->path = xstrdup(path);
  source->text = text;
  char *rest = text, *line;
  while ((line = strsep(&rest, "\n")) != NULL) {
    *array_add(source->lines, source->line_count) = line;
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
  }
  return 0;
}

void source_free(struct source *source) {
  free_all(source->name, source->path, source->text, source->lines);
  memset(source, 0, sizeof *source);
}

const char *source_line(const struct source *source, int line) {
  if (line < 1 || line > source->line_count) return "";
  const char *text = source->lines[line - 1];
  return text + strspn(text, " \t");
}
