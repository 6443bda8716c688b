/* handed.c: see handed.h.
 *
 * Files of one student are a unit: one folder, or on Canvas all files with the same user number.
 * In a unit a lab may have several files. They are attempts if names or folders tell them apart
 * as such (lab2.cu, lab2-1.cu; first/lab2.cu, second/lab2.cu); otherwise the one named exactly
 * as the lab is it, and if there is none nobody can tell which to grade. */
#include "handed.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sha256.h"
#include "text.h"
#include "unpack.h"

/* A .cu file of a unit, before it is known what it is. */
struct source {
  char *shown;      /* the whole path */
  const char *path; /* in the unit, in an archive: points into shown */
  char *data;
  size_t length;
  long long modified;
  int archive; /* which archive of the unit it came from; -1: none */
  bool late;
  const char *lab;
};

struct unit {
  struct handed_name who;
  struct source *sources;
  int source_count, archives, seen;
  long long modified;
  bool late;
};

struct reading {
  struct class *class;
  enum class_format format;
  char *const *labs;
  const struct gradescope_metadata *metadata;
  struct handed_list *to;
};

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Adds what a unit handed in to the list: for each person of a group. */
static void give(struct reading *reading, const struct unit *unit, const struct handed *facts) {
  const struct gradescope_submission *submission =
      reading->format == FORMAT_GRADESCOPE && reading->metadata
          ? gradescope_find(reading->metadata, unit->who.student)
          : NULL;
  int people = submission && submission->person_count ? submission->person_count : 1;
  for (int i = 0; i < people; i++) {
    const struct gradescope_person *person =
        submission && submission->person_count ? &submission->people[i] : NULL;
    struct handed_list *to = reading->to;
    to->list = xrealloc(to->list, sizeof *to->list * (size_t)(to->count + 1));
    struct handed *handed = &to->list[to->count++];
    *handed = *facts;
    const char *id = unit->who.student, *name = unit->who.name;
    if (person) {
      id = person->sid ? person->sid : person->email ? person->email : person->name;
      name = person->name;
      handed->email = person->email ? xstrdup(person->email) : NULL;
    }
    handed->student = xstrdup(id ? id : unit->who.student);
    handed->name = name ? xstrdup(name) : NULL;
    handed->lab = facts->lab ? xstrdup(facts->lab) : NULL;
    handed->file = xstrdup(facts->file);
    handed->sha256 = xstrdup(facts->sha256);
    handed->refused = facts->refused ? xstrdup(facts->refused) : NULL;
    handed->data = NULL;
    if (facts->data) {
      handed->data = xcalloc(facts->length + 1, 1);
      memcpy(handed->data, facts->data, facts->length);
    }
    if (submission && submission->created_at) {
      struct tm parts = {0};
      int year, month, day, hour, minute, second;
      if (sscanf(submission->created_at, "%d-%d-%d%*[ T]%d:%d:%d", &year, &month, &day, &hour,
                 &minute, &second) == 6) {
        parts = (struct tm){.tm_year = year - 1900,
                            .tm_mon = month - 1,
                            .tm_mday = day,
                            .tm_hour = hour,
                            .tm_min = minute,
                            .tm_sec = second};
        handed->submitted = (long long)timegm(&parts);
        const char *zone = strpbrk(submission->created_at + 19, "+-Z");
        int hours, minutes;
        if (zone && *zone != 'Z' && sscanf(zone + 1, "%2d:%2d", &hours, &minutes) == 2)
          handed->submitted -= (*zone == '-' ? -60 : 60) * (hours * 60LL + minutes);
      }
    }
  }
}

static void refuse(struct reading *reading, struct unit *unit, const struct entry *entry,
                   const char *lab, const char *reason) {
  char hash[65];
  sha256(entry->data ? entry->data : entry->path, entry->data ? entry->length : strlen(entry->path),
         hash);
  if (!lab) lab = names_lab(entry->path, reading->labs);
  if (!lab) lab = reading->class->options->lab;
  give(reading, unit,
       &(struct handed){.lab = (char *)lab,
                        .file = entry->path,
                        .sha256 = hash,
                        .refused = (char *)reason,
                        .submitted = entry->modified,
                        .order = names_resubmission(entry->path),
                        .late = unit->late});
}

static void add_source(struct unit *unit, const char *where, const char *path, const char *data,
                       size_t length, long long modified, int archive) {
  unit->sources = xrealloc(unit->sources, sizeof *unit->sources * (size_t)(unit->source_count + 1));
  struct source *source = &unit->sources[unit->source_count++];
  *source = (struct source){
      .length = length, .modified = modified, .archive = archive, .late = unit->late};
  source->shown = where ? xprintf("%s: %s", where, path) : xstrdup(path);
  source->path = source->shown + (where ? strlen(where) + 2 : 0);
  source->data = xcalloc(length + 1, 1);
  memcpy(source->data, data, length);
}

static bool is_source(const char *path) {
  size_t length = strlen(path);
  return length > 3 && strcasecmp(path + length - 3, ".cu") == 0;
}

/* Finds .cu files in an archive, and in archives in it if it has none itself. Returns why it is
 * refused (the caller's), or NULL. */
static char *read_archive(struct unit *unit, const char *where, const char *data, size_t length,
                          long long modified, bool nested) {
  struct unpacked unpacked;
  unpack(data, length, &unpack_submission, &unpacked);
  if (unpacked.reason) {
    char *reason = unpacked.reason;
    unpacked.reason = NULL;
    unpack_free(&unpacked);
    return reason;
  }
  int found = 0;
  for (int i = 0; i < unpacked.count; i++) {
    const struct packed_file *file = &unpacked.files[i];
    if (!is_source(file->path)) continue;
    add_source(unit, where, file->path, file->data, file->length, modified, unit->archives);
    found++;
  }
  char *reason = NULL;
  for (int i = 0; i < unpacked.count && !found && !reason; i++) {
    const struct packed_file *file = &unpacked.files[i];
    if (!unpack_is_archive(file->path)) continue;
    if (nested) {
      reason = xstrdup("the archive holds archives in archives");
    } else {
      char *inside = xprintf("%s: %s", where, file->path);
      reason = read_archive(unit, inside, file->data, file->length, modified, true);
      free(inside);
      found += !reason;
    }
  }
  if (!found && !reason) {
    reason = unpacked.count
                 ? xprintf("the archive holds no .cu file, but %.100s%s", unpacked.files[0].path,
                           unpacked.count > 1 ? " and others" : "")
                 : xstrdup("the archive holds no .cu file");
  }
  unpack_free(&unpacked);
  return reason;
}

/* "lab2" of "lab2-1.cu" and of "Lab2 (3).cu"? */
static bool is_named(const char *path, const char *lab, bool resubmission) {
  const char *name = base_name(path);
  size_t length = strlen(lab);
  if (strncasecmp(name, lab, length) != 0) return false;
  const char *rest = name + length;
  if (strcasecmp(rest, ".cu") == 0) return true;
  if (!resubmission || names_resubmission(name) == 0) return false;
  rest += strspn(rest, " -(");
  rest += strspn(rest, "0123456789");
  rest += *rest == ')';
  return strcasecmp(rest, ".cu") == 0;
}

static int by_order(const void *a, const void *b) {
  const struct source *x = a, *y = b;
  int orders = names_resubmission(x->path) - names_resubmission(y->path);
  if (orders) return orders;
  if (x->modified != y->modified) return x->modified < y->modified ? -1 : 1;
  return strcmp(x->shown, y->shown);
}

static void give_source(struct reading *reading, const struct unit *unit,
                        const struct source *source, int order) {
  char hash[65];
  sha256(source->data, source->length, hash);
  give(reading, unit,
       &(struct handed){.lab = (char *)source->lab,
                        .file = source->shown,
                        .data = source->data,
                        .length = source->length,
                        .sha256 = hash,
                        .order = order,
                        .submitted = source->modified,
                        .late = source->late});
}

/* A unit's files for one lab. */
static void take_lab(struct reading *reading, struct unit *unit, const char *lab) {
  struct source *picked = xcalloc((size_t)unit->source_count, sizeof *picked);
  int count = 0, exact = 0, named = 0;
  for (int i = 0; i < unit->source_count; i++) {
    const struct source *source = &unit->sources[i];
    if (source->lab != lab) continue;
    picked[count++] = *source;
    exact += is_named(source->path, lab, false);
    named += is_named(source->path, lab, true);
  }
  bool same_archive = false;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      same_archive |= picked[i].archive >= 0 && picked[i].archive == picked[j].archive &&
                      is_named(picked[i].path, lab, false) == is_named(picked[j].path, lab, false);
  bool canvas = reading->format == FORMAT_CANVAS;
  if (count == 1 || (exact == 1 && named == exact)) {
    for (int i = 0; i < count; i++) {
      if (count == 1 || is_named(picked[i].path, lab, false))
        give_source(reading, unit, &picked[i], names_resubmission(picked[i].path));
      else
        class_note(reading->class, "%s: left out, as there is a %s.cu", picked[i].shown, lab);
    }
  } else if (!same_archive && (named == count || canvas)) {
    qsort(picked, (size_t)count, sizeof *picked, by_order);
    for (int i = 0; i < count; i++) give_source(reading, unit, &picked[i], i);
  } else if (count > 1) {
    class_problem(
        reading->class, "%s: several files for %s (%s, %s%s): name the one to grade %s.cu",
        unit->who.student, lab, picked[0].shown, picked[1].shown, count > 2 ? ", ..." : "", lab);
  }
  free(picked);
}

static void finish_unit(struct reading *reading, struct unit *unit, const char *first) {
  const char *only = reading->class->options->lab;
  for (int i = 0; i < unit->source_count; i++) {
    struct source *source = &unit->sources[i];
    source->lab = names_lab(source->shown, reading->labs);
    if (!source->lab && only) {
      for (char *const *lab = reading->labs; *lab; lab++)
        if (strcmp(*lab, only) == 0) source->lab = *lab;
    }
    if (!source->lab) {
      class_problem(reading->class, "%s: its name does not say which lab it is: --lab LAB says it",
                    source->shown);
    }
  }
  for (char *const *lab = reading->labs; *lab; lab++) {
    if (only && strcmp(*lab, only) != 0) continue;
    take_lab(reading, unit, *lab);
  }
  if (unit->source_count == 0 && unit->seen == 0)
    class_problem(reading->class, "%s: no .cu file and no archive, only %s", unit->who.student,
                  first);
  for (int i = 0; i < unit->source_count; i++) {
    free(unit->sources[i].shown);
    free(unit->sources[i].data);
  }
  free(unit->sources);
  handed_name_free(&unit->who);
}

static void take_entry(struct reading *reading, struct unit *unit, struct entry *entry,
                       const char *inside) {
  if (!entry_matters(entry->path)) return;
  unit->seen++;
  if (!entry_load(entry)) {
    char *reason = xprintf("the file cannot be used: %s", entry->fault ? entry->fault : "no data");
    refuse(reading, unit, entry, NULL, reason);
    free(reason);
    return;
  }
  if (unpack_is_archive(entry->path)) {
    char *reason =
        read_archive(unit, entry->path, entry->data, entry->length, entry->modified, false);
    if (reason) refuse(reading, unit, entry, NULL, reason);
    free(reason);
    unit->archives++;
  } else {
    add_source(unit, NULL, entry->path, entry->data, entry->length, entry->modified, -1);
    struct source *source = &unit->sources[unit->source_count - 1];
    source->path = source->shown + (inside - entry->path);
  }
  entry_unload(entry);
}

static int by_student(const void *a, const void *b) {
  const struct handed *x = a, *y = b;
  int difference = strcmp(x->student, y->student);
  if (!difference) difference = strcmp(x->lab ? x->lab : "", y->lab ? y->lab : "");
  if (!difference) difference = x->order - y->order;
  if (!difference) difference = (x->submitted > y->submitted) - (x->submitted < y->submitted);
  return difference ? difference : strcmp(x->file, y->file);
}

/* Files of one student come one after another only where folders keep them together. */
static struct unit *unit_of(struct unit **units, int *count, struct handed_name *who) {
  for (int i = *count - 1; i >= 0; i--) {
    if (strcmp((*units)[i].who.student, who->student) != 0) continue;
    handed_name_free(who);
    return &(*units)[i];
  }
  *units = xrealloc(*units, sizeof **units * (size_t)(*count + 1));
  (*units)[*count] = (struct unit){.who = *who};
  return &(*units)[(*count)++];
}

void handed_read(struct class *class, struct entries *entries, enum class_format format,
                 const struct gradescope_metadata *metadata, char *const *labs,
                 struct handed_list *handed) {
  *handed = (struct handed_list){0};
  struct reading reading = {class, format, labs, metadata, handed};
  struct unit *units = NULL;
  const char **firsts = NULL;
  int count = 0;
  for (int i = 0; i < entries->count; i++) {
    struct entry *entry = &entries->list[i];
    struct handed_name who;
    if (!names_parse(format, entry->path, &who)) {
      if (entry_matters(entry->path))
        class_problem(class, "%s: not named as %s names files; left out", entry->path,
                      class_format_names[format]);
      continue;
    }
    /* A loose file beside the folders that is no submission: a README, a roster. */
    if (format == FORMAT_FOLDER && !strchr(entry->path, '/') && !entry_matters(entry->path)) {
      handed_name_free(&who);
      continue;
    }
    const char *inside = who.file;
    bool late = who.late;
    int before = count;
    struct unit *unit = unit_of(&units, &count, &who);
    if (count > before) {
      firsts = xrealloc(firsts, sizeof *firsts * (size_t)count);
      firsts[count - 1] = entry->path;
    }
    unit->late = late; /* of this file */
    take_entry(&reading, unit, entry, inside);
  }
  for (int i = 0; i < count; i++) finish_unit(&reading, &units[i], firsts[i]);
  free(units);
  free(firsts);
  /* An archive that was refused says no lab if its name does not: it is the one that all others
   * are for. */
  const char *common = NULL;
  bool several = false;
  for (int i = 0; i < handed->count; i++) {
    if (!handed->list[i].lab) continue;
    several |= common && strcmp(common, handed->list[i].lab) != 0;
    common = handed->list[i].lab;
  }
  for (int i = 0; i < handed->count; i++)
    if (!handed->list[i].lab && common && !several) handed->list[i].lab = xstrdup(common);
  if (handed->count) qsort(handed->list, (size_t)handed->count, sizeof *handed->list, by_student);
}

void handed_free(struct handed_list *handed) {
  for (int i = 0; i < handed->count; i++) {
    struct handed *one = &handed->list[i];
    free(one->student);
    free(one->name);
    free(one->email);
    free(one->lab);
    free(one->file);
    free(one->data);
    free(one->sha256);
    free(one->refused);
  }
  free(handed->list);
  *handed = (struct handed_list){0};
}
