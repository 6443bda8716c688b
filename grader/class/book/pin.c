/* pin.c: keeps the lab.conf files that grades are given by. */
#include "grader/class/book/pin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/lab/lab.h"

/* A file with this content, or none (NULL). */
static void write_conf(const char *folder, const char *name, const char *content) {
  autofree char *path = xprintf("%s/%s", folder, name), *there = file_read(path, NULL);
  if (!content) {
    unlink(path);
  } else if (!there || strcmp(there, content) != 0) {
    file_write(path, content, strlen(content));
  }
}

static void write_lab(const char *folder, const char *lab, const char *conf, const char *hidden) {
  autofree char *own = xprintf("%s/%s", folder, lab);
  folder_make(own);
  write_conf(own, "lab.conf", conf);
  write_conf(own, "hidden.conf", hidden);
}

void pins_open(struct class *class, const char *name) {
  char *folder = class_path(class, "%s", name);
  folder_make(folder);
  sqlite3_stmt *rows =
      gradebook_query(class->book, "SELECT lab, conf, hidden FROM pin ORDER BY lab", "");
  while (row_next(rows)) write_lab(folder, row_text(rows, 0), row_text(rows, 1), row_text(rows, 2));
  free(class->kit.confs);
  class->kit.confs = folder;
}

/* The kit's own lab, whatever is pinned. */
static void open_own(const struct class *class, const char *id, struct lab *lab) {
  struct kit kit = class->kit;
  kit.confs = NULL;
  lab_open(&kit, id, lab);
}

static void insert(struct class *class, const char *id) {
  struct lab lab;
  open_own(class, id, &lab);
  autofree char *hash = conf_hash(&lab), *conf = file_read(lab.conf_path, NULL),
                *hidden = lab.hidden_path ? file_read(lab.hidden_path, NULL) : NULL,
                *now = gradebook_now();
  if (!conf) die("%s: %s", lab.conf_path, strerror(errno));
  gradebook_run(class->book, "INSERT OR REPLACE INTO pin VALUES(?1, ?2, ?3, ?4, ?5, ?6)", "ssssss",
                id, KIT_VERSION, hash, conf, hidden, now);
  if (class->kit.confs) write_lab(class->kit.confs, id, conf, hidden);
  lab_free(&lab);
}

void pin_add(struct class *class, const char *lab) {
  if (!gradebook_number(class->book, "SELECT 1 FROM pin WHERE lab=?1", "s", lab))
    insert(class, lab);
}

void pins_renew(struct class *class) {
  char **labs = lab_ids(&class->kit, NULL);
  free(class->kit.confs);
  class->kit.confs = NULL;
  for (char **lab = labs; *lab; lab++)
    if (gradebook_number(class->book,
                         "SELECT 1 FROM pin WHERE lab=?1 UNION SELECT 1 FROM attempt WHERE lab=?1",
                         "s", *lab))
      insert(class, *lab);
  lab_free_ids(labs);
  pins_open(class, "next");
}

char *pin_hash(const struct kit *kit, const char *id) {
  struct lab lab;
  lab_open(kit, id, &lab);
  char *hash = conf_hash(&lab);
  lab_free(&lab);
  return hash;
}

bool pin_fits(struct class *class, const char *lab) {
  autofree char *version =
      gradebook_string(class->book, "SELECT kit_version FROM pin WHERE lab=?1", "s", lab);
  return !version || strcmp(version, KIT_VERSION) == 0;
}

void pins_report(struct class *class) {
  sqlite3_stmt *rows =
      gradebook_query(class->book, "SELECT lab, kit_version, conf_hash FROM pin ORDER BY lab", "");
  bool any = false;
  while (row_next(rows)) {
    const char *lab = row_text(rows, 0), *version = row_text(rows, 1);
    if (!class_has_lab(class, lab)) continue;
    struct lab own;
    open_own(class, lab, &own);
    autofree char *hash = conf_hash(&own);
    if (strcmp(hash, row_text(rows, 2)) != 0) {
      class_note(
          class,
          "%s: %s has changed since this class was first graded; grades still follow the old one",
          lab, own.hidden_path ? "lab.conf or hidden.conf" : "lab.conf");
      any = true;
    }
    if (strcmp(version, KIT_VERSION) != 0) {
      class_note(class, "%s: graded by version %s of the kit; this is version %s", lab, version,
                 KIT_VERSION);
      any = true;
    }
    lab_free(&own);
  }
  if (any) class_note(class, "--preview lists the grades that would change, and changes none");
}
