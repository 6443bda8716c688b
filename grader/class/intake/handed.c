/* handed.c: puts together what belongs to one person: one folder, or on Canvas all files with the
 * same user number. That is a unit; choice.c decides which of its files is graded. */
#include "grader/class/intake/handed.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/base/digest.h"
#include "grader/class/intake/entries.h"
#include "grader/class/intake/submission.h"
#include "grader/class/intake/unpack.h"

enum { MAX_NAME = 200 }; /* of a header: files with longer names cannot be written everywhere */

struct reading {
  struct class *class;
  enum class_format format;
  char *const *labs;
  const struct gradescope_metadata *metadata;
  struct handed_list *to;
};

/* An entry, and whose it is. */
struct owned {
  struct handed_name who;
  struct entry *entry;
};

/* All that one person handed in. */
struct unit {
  const struct owned *first;
  int count;
  bool clone;
  struct submission submission;
};

/* --- who --- */

static char *copy(const char *words) { return words && *words ? xstrdup(words) : NULL; }

static const struct gradescope_submission *metadata_of(const struct reading *reading,
                                                       const struct unit *unit) {
  return reading->format == FORMAT_GRADESCOPE && reading->metadata
             ? gradescope_find(reading->metadata, unit->first->who.value)
             : NULL;
}

static struct submitter submitter_of(const struct unit *unit,
                                     const struct gradescope_person *person) {
  const struct handed_name *who = &unit->first->who;
  if (!person || (!person->email && !person->sid))
    return (struct submitter){.kind = who->kind,
                              .value = xstrdup(who->value),
                              .name = copy(person ? person->name : who->name),
                              .clone = unit->clone};
  return (struct submitter){.kind = person->email ? IDENTITY_GRADESCOPE : IDENTITY_ID,
                            .value = xstrdup(person->email ? person->email : person->sid),
                            .name = copy(person->name),
                            .email = copy(person->email),
                            .sid = copy(person->sid)};
}

static struct submitter *people_of(const struct reading *reading, const struct unit *unit,
                                   int *count) {
  const struct gradescope_submission *submission = metadata_of(reading, unit);
  *count = submission && submission->person_count ? submission->person_count : 1;
  struct submitter *people = xcalloc((size_t)*count, sizeof *people);
  const char *from = reading->class->options->from, *slash = strrchr(from, '/');
  for (int i = 0; i < *count; i++) {
    people[i] =
        submitter_of(unit, submission && submission->person_count ? &submission->people[i] : NULL);
    people[i].scope = slash && slash[1] ? slash + 1 : from;
  }
  return people;
}

/* --- when --- */

/* Not known of Canvas and Moodle: times in their zips are those of the download. */
static long long submitted_at(const struct reading *reading, const struct unit *unit,
                              long long modified) {
  const struct gradescope_submission *submission = metadata_of(reading, unit);
  if (submission) return gradescope_time(submission->created_at);
  return reading->format == FORMAT_FOLDER ? modified : 0;
}

/* --- what is given --- */

static struct handed *give(struct reading *reading, const struct unit *unit, const char *lab,
                           const char *file) {
  struct handed_list *to = reading->to;
  struct handed *handed = array_add(to->list, to->count);
  *handed = (struct handed){.lab = xstrdup(lab ? lab : ""), .file = xstrdup(file)};
  handed->who = people_of(reading, unit, &handed->people);
  return handed;
}

static char *hash_of(const void *data, size_t length) {
  char hash[SHA256_HEX];
  sha256(data, length, hash);
  return xstrdup(hash);
}

/* Is a header in the same folder, of the same archive? */
static bool is_beside(const struct part *header, const struct part *part) {
  size_t folder = (size_t)(basename(part->path) - part->path);
  return header->header && header->container == part->container &&
         (size_t)(basename(header->path) - header->path) == folder &&
         strncmp(header->path, part->path, folder) == 0;
}

/* What the .cu file includes it as. Canvas has made "tiles-1.h" of a "tiles.h" that was handed in
 * before. The caller's. */
static char *header_name(const struct reading *reading, const struct part *header,
                         const struct part *part) {
  const char *name = basename(header->path), *dot = strrchr(name, '.');
  if (reading->format != FORMAT_CANVAS || !names_resubmission(name) || strstr(part->data, name))
    return xstrdup(name);
  const char *end = dot;
  while (end > name && *end != '-') end--;
  return end > name ? xprintf("%.*s%s", (int)(end - name), name, dot) : xstrdup(name);
}

/* Adds a header, in place of an older one of the same name. */
static void take_header(struct reading *reading, const struct part *header, const struct part *part,
                        struct handed *handed, long long *uploads) {
  char *name = header_name(reading, header, part);
  int i = 0;
  while (i < handed->header_count && strcmp(handed->headers[i].name, name) != 0) i++;
  bool there = i < handed->header_count;
  if (strlen(name) > MAX_NAME || (there && uploads[i] > header->upload)) {
    class_note(reading->class, "%s: left out: %s", header->shown,
               there ? "there is a newer header of that name" : "its name is too long");
    free(name);
    return;
  }
  if (there) {
    class_note(reading->class, "%s: replaces an older header of that name", header->shown);
    free_all(handed->headers[i].name, handed->headers[i].data);
  } else {
    handed->header_count++;
  }
  uploads[i] = header->upload;
  handed->headers[i] =
      (struct handed_header){name, xmemdup(header->data, header->length), header->length};
}

static void take_headers(struct reading *reading, const struct unit *unit, const struct part *part,
                         struct handed *handed) {
  const struct submission *submission = &unit->submission;
  size_t size = (size_t)submission->part_count;
  handed->headers = xcalloc(size, sizeof *handed->headers);
  autofree long long *uploads = xcalloc(size, sizeof *uploads);
  for (int i = 0; i < submission->part_count; i++) {
    const struct part *header = &submission->parts[i];
    if (!header->header) continue;
    if (is_beside(header, part))
      take_header(reading, header, part, handed, uploads);
    else if (strstr(part->data, basename(header->path)))
      class_note(reading->class,
                 "%s: left out: a header has to be in the same folder as the .cu file",
                 header->shown);
  }
  freed_by(text_free) struct text all = {0};
  text_append(&all, part->data, part->length);
  for (int i = 0; i < handed->header_count; i++) {
    text_add(&all, "\n%s\n", handed->headers[i].name);
    text_append(&all, handed->headers[i].data, handed->headers[i].length);
  }
  handed->sha256 = hash_of(text_get(&all), all.length);
}

static void give_part(struct reading *reading, const struct unit *unit, const struct part *part,
                      const char *lab, int order) {
  struct handed *handed = give(reading, unit, lab, part->shown);
  handed->data = xmemdup(part->data, part->length);
  handed->length = part->length;
  handed->order = order;
  handed->submitted = submitted_at(reading, unit, part->modified);
  handed->late = part->late;
  take_headers(reading, unit, part, handed);
}

static void refuse(struct reading *reading, const struct unit *unit, const char *lab,
                   const char *file, const char *reason, bool late) {
  struct handed *handed = give(reading, unit, lab, file);
  const struct submission *submission = &unit->submission;
  handed->refused = xstrdup(reason);
  handed->sha256 = hash_of(text_get(&submission->names), submission->names.length);
  handed->submitted = submitted_at(reading, unit, unit->first->entry->modified);
  handed->late = late;
}

/* --- which file it is --- */

/* A unit's files for one lab. False: there is none. */
static bool take_lab(struct reading *reading, struct unit *unit, const char *lab) {
  struct choice choice = choice_make(&unit->submission, lab, reading->format == FORMAT_FOLDER);
  const struct part *best = choice.best;
  if (choice.attempts) {
    for (int i = 0; i < choice.count; i++) give_part(reading, unit, choice.parts[i], lab, i);
  } else if (choice.rival) {
    autofree char *reason =
        xprintf("there are several .cu files (%s, %s%s): name the one to grade %s.cu", best->path,
                choice.rival->path, choice.count > 2 ? ", ..." : "",
                *lab ? lab : "after its lab, as in lab1");
    refuse(reading, unit, lab, best->shown, reason, best->late);
  } else if (best) {
    give_part(reading, unit, best, lab, names_resubmission(best->path));
    for (int i = 0; i < choice.count; i++)
      if (choice.parts[i] != best)
        class_note(reading->class, "%s: left out: %s is graded", choice.parts[i]->shown,
                   basename(best->path));
  }
  choice_free(&choice);
  return best != NULL;
}

static bool is_for(const char *own, const char *lab) {
  return !lab || (own && strcmp(own, lab) == 0);
}

static bool has_part(const struct submission *submission, const char *lab) {
  bool any = false;
  for (int i = 0; i < submission->part_count; i++) any |= is_for(submission->parts[i].lab, lab);
  return any;
}

/* What was meant to be graded, rather than a picture. lab: NULL for any. */
static const struct unusable *find_unusable(const struct submission *submission, const char *lab) {
  const struct unusable *found = NULL;
  for (int i = 0; i < submission->unusable_count; i++) {
    const struct unusable *unusable = &submission->unusable[i];
    if (is_for(unusable->lab, lab) && (!found || (unusable->grave && !found->grave)))
      found = unusable;
  }
  return found;
}

/* A unit of which nothing is graded. */
static void refuse_unit(struct reading *reading, struct unit *unit) {
  const struct submission *submission = &unit->submission;
  const struct unusable *worst = find_unusable(submission, NULL);
  const char *only = reading->class->options->lab;
  if (!worst) {
    refuse(reading, unit, only, unit->first->entry->path,
           "only headers were handed in, no .cu file", false);
  } else if (!only || !worst->lab || strcmp(only, worst->lab) == 0) {
    autofree char *reason =
        worst->grave || submission->unusable_count == 1
            ? xstrdup(worst->reason)
            : xprintf("none of the %d files is a .cu file; %s: %s", submission->unusable_count,
                      basename(worst->shown), worst->reason);
    refuse(reading, unit, worst->lab ? worst->lab : only, worst->shown, reason, worst->late);
  }
}

static void take_unit(struct reading *reading, struct unit *unit) {
  const char *only = reading->class->options->lab;
  char *const one_lab[] = {(char *)only, NULL}, *const *labs = only ? one_lab : reading->labs;
  struct submission *submission = &unit->submission;
  bool named = false; /* does any name a lab? Then those that do not are left out */
  for (int i = 0; i < submission->part_count; i++) {
    struct part *part = &submission->parts[i];
    if (!part->header && !part->lab) part->lab = only ? only : "";
    named |= part->lab && *part->lab;
  }
  bool any = !named && take_lab(reading, unit, "");
  for (int i = 0; i < submission->part_count && named; i++) {
    const struct part *part = &submission->parts[i];
    if (!part->header && !*part->lab)
      class_note(reading->class, "%s: left out: other files of this submission name a lab",
                 part->shown);
  }
  for (char *const *lab = labs; *lab; lab++) any |= take_lab(reading, unit, *lab);
  if (!any && only && named) return; /* it is for other labs */
  if (!any) {
    refuse_unit(reading, unit);
    return;
  }
  for (char *const *lab = labs; *lab; lab++) {
    const struct unusable *unusable = find_unusable(submission, *lab);
    if (unusable && !has_part(submission, *lab))
      refuse(reading, unit, *lab, unusable->shown, unusable->reason, unusable->late);
  }
}

/* --- the whole --- */

static void add_entry(struct reading *reading, struct unit *unit, const struct owned *owned) {
  struct entry *entry = owned->entry;
  bool wanted = unpack_matters(entry->path);
  if (wanted) entry_load(entry);
  long long modified = entry->modified;
  if (entry->clone && entry->place) commit_time(entry->place, &modified);
  submission_add(&unit->submission,
                 &(struct file_facts){.path = entry->path,
                                      .inside = owned->who.file,
                                      .data = wanted ? entry->data : NULL,
                                      .fault = entry->fault,
                                      .length = entry->length,
                                      .modified = modified,
                                      .upload = owned->who.upload,
                                      .late = owned->who.late},
                 reading->labs);
  unit->clone |= entry->clone || owned->who.clone;
  entry_unload(entry);
}

static int by_owner(const void *a, const void *b) {
  const struct owned *x = a, *y = b;
  if (x->who.kind != y->who.kind) return x->who.kind < y->who.kind ? -1 : 1;
  int difference = strcmp(x->who.value, y->who.value);
  return difference ? difference : strcmp(x->entry->path, y->entry->path);
}

/* Whose each entry is; *count of them. Loose files beside folders are no submissions unless they
 * look like it; one note lists them. */
static struct owned *find_owners(struct reading *reading, struct entries *entries, int *count) {
  struct owned *list = xcalloc((size_t)entries->count + 1, sizeof *list);
  freed_by(text_free) struct text loose = {0};
  *count = 0;
  for (int i = 0; i < entries->count; i++) {
    struct entry *entry = &entries->list[i];
    struct owned *owned = &list[*count];
    owned->entry = entry;
    bool at_top = reading->format == FORMAT_FOLDER && !strchr(entry->path, '/');
    if (at_top && !submission_is_likely(entry->path)) {
      text_add(&loose, "%s%s", loose.length ? ", " : "", entry->path);
    } else if (names_parse(reading->format, entry->path, &owned->who)) {
      ++*count;
    } else if (strcmp(entry->path, "submission_metadata.yml") != 0) {
      class_problem(reading->class, "%s: not named as %s names files; left out", entry->path,
                    class_format_names[reading->format]);
    }
  }
  if (loose.length)
    class_note(reading->class, "Left out, as they are in nobody's folder: %s", text_get(&loose));
  array_sort(list, *count, by_owner);
  return list;
}

/* Where only one lab is named anywhere, what names none is for that. Otherwise it is refused. */
static void find_common_lab(struct handed_list *handed) {
  const char *common = NULL;
  bool several = false;
  for (int i = 0; i < handed->count; i++) {
    if (!*handed->list[i].lab) continue;
    several |= common && strcmp(common, handed->list[i].lab) != 0;
    common = handed->list[i].lab;
  }
  for (int i = 0; i < handed->count; i++) {
    struct handed *one = &handed->list[i];
    if (*one->lab) continue;
    if (common && !several) {
      free(one->lab);
      one->lab = xstrdup(common);
    } else if (!one->refused) {
      free(one->data);
      one->data = NULL;
      one->refused = xstrdup("its name does not show which lab it is for: name it with --lab LAB");
    }
  }
}

void handed_read(struct class *class, struct entries *entries, enum class_format format,
                 const struct gradescope_metadata *metadata, char *const *labs,
                 struct handed_list *handed) {
  *handed = (struct handed_list){0};
  struct reading reading = {class, format, labs, metadata, handed};
  int count;
  struct owned *owned = find_owners(&reading, entries, &count);
  for (int first = 0, next; first < count; first = next) {
    struct unit unit = {.first = &owned[first]};
    for (next = first; next < count && owned[next].who.kind == owned[first].who.kind &&
                       strcmp(owned[next].who.value, owned[first].who.value) == 0;
         next++)
      add_entry(&reading, &unit, &owned[next]);
    take_unit(&reading, &unit);
    submission_free(&unit.submission);
  }
  for (int i = 0; i < count; i++) handed_name_free(&owned[i].who);
  free(owned);
  find_common_lab(handed);
}

void handed_free(struct handed_list *handed) {
  for (int i = 0; i < handed->count; i++) {
    struct handed *one = &handed->list[i];
    for (int p = 0; p < one->people; p++) submitter_free(&one->who[p]);
    for (int h = 0; h < one->header_count; h++)
      free_all(one->headers[h].name, one->headers[h].data);
    free_all(one->who, one->headers, one->lab, one->file, one->data, one->sha256, one->refused);
  }
  free(handed->list);
  *handed = (struct handed_list){0};
}
