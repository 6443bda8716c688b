/* state.c: a class's state folder, its lock, and the reporting of problems. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/class/base/class.h"

char *class_path(const struct class *class, const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *tail = xvprintf(format, args);
  va_end(args);
  return xprintf("%s/%s", class->state, tail);
}

bool class_has_lab(const struct class *class, const char *id) {
  char **labs = lab_ids(&class->kit, NULL);
  bool there = false;
  for (char **lab = labs; *lab; lab++) there |= strcmp(*lab, id) == 0;
  lab_free_ids(labs);
  return there;
}

/* DIR/grades, or ZIP without its suffix and .grades. */
static char *default_folder(const char *from) {
  struct stat status;
  if (stat(from, &status) != 0) die("%s: %s", from, strerror(errno));
  size_t length = strlen(from);
  while (length > 1 && from[length - 1] == '/') length--;
  if (S_ISDIR(status.st_mode)) return xprintf("%.*s/grades", (int)length, from);
  if (length > 4 && strcasecmp(from + length - 4, ".zip") == 0) length -= 4;
  return xprintf("%.*s.grades", (int)length, from);
}

char *class_state_folder(const struct class_options *options) {
  autofree char *folder = options->state ? xstrdup(options->state) : default_folder(options->from);
  if (!options->dump && !options->log && mkdir(folder, 0777) != 0 && errno != EEXIST)
    die("%s: %s; --state DIR keeps grades elsewhere", folder, strerror(errno));
  char *whole = realpath(folder, NULL);
  if (!whole) die("%s: %s", folder, strerror(errno));
  return whole;
}

/* The lock is the kernel's (flock), so nobody has to remove it after a crash; what is written in
 * the file is for people. */
void class_lock(const char *state) {
  autofree char *path = xprintf("%s/lock", state);
  char owner[200] = "", host[100] = "?";
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644); /* stays open: it is the lock */
  if (fd < 0) die("%s: %s", path, strerror(errno));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) die("%s: %s", path, strerror(errno));
    if (read(fd, owner, sizeof owner - 1) < 0) *owner = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    die("%s is in use by another ./grade class (%s): wait for it, or stop it", state,
        *owner ? owner : "an unknown process");
  }
  gethostname(host, sizeof host - 1);
  if (ftruncate(fd, 0) != 0 || dprintf(fd, "process %d on %s\n", (int)getpid(), host) < 0)
    die("%s: %s", path, strerror(errno));
}

static void print(const struct class *class, const char *format, va_list args) {
  autofree char *words = xvprintf(format, args);
  freed_by(text_free) struct text line = {0};
  text_add_printable(&line, words, strlen(words), class->utf8);
  note("%s", text_get(&line));
}

void class_note(const struct class *class, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print(class, format, args);
  va_end(args);
}

void class_problem(struct class *class, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print(class, format, args);
  va_end(args);
  class->problems++;
}
