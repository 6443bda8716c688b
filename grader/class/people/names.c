/* names.c: parses the names that platforms give to files. The formats, and where they are written:
 *
 * Canvas, "Download Submissions": one zip without folders, with a file for each attachment of
 * everybody's last submission,
 *     lovelaceada_LATE_1234_56789_lab2-1.cu
 *     lovelaceada_1234_text.html           what was typed in the browser (or _link.html)
 *     NAME_[LATE_]USERID_FILEID_FILE, NAME being the sortable name ("Lovelace, Ada") in lower
 *     case with all but word characters left out; of an anonymous assignment
 *     [LATE_]anon_CODE_FILEID_FILE; of a group its name and one member's USERID. No times: those
 *     in the zip are of the download. (instructure/canvas-lms, lib/content_zipper.rb: get_filename.
 *     It strips the underscores of _DIGITS_ in people's names, so the first _DIGITS_DIGITS_ are
 *     the ids.) A file of a name that the student has used before gets -1, -2 before its suffix.
 *     A quiz's files are NAME1234_question_7_56789_FILE: a name may end in digits, so the number is
 *     not certain, and NAME1234 means nobody.
 *
 * Moodle, "Download all submissions": a folder for each person, or (not "in folders") a file:
 *     Ada Lovelace_1234567_assignsubmission_file_/lab2.cu
 *     Ada Lovelace_1234567_assignsubmission_file_lab2.cu
 *     The number is the participant's of the grading worksheet; newer versions leave out the last
 *     underscore of the folder. Where groups hand in, name and number are the group's, and mean
 *     nobody; who is in no group is "Default group", without a number. No times, either.
 *     (moodle/moodle, mod/assign/classes/downloader.php.)
 *
 * Gradescope, "Export Submissions": a zip with a folder for each submission and one YAML file,
 *     assignment_77_export/submission_1234567/lab2.cu
 *     assignment_77_export/submission_metadata.yml     (gradescope.h)
 *
 * GitHub Classroom, `gh classroom clone student-repos`: a clone for each student,
 *     lab2-submissions/lab2-ada-lovelace/lab2.cu
 *     ASSIGNMENT-ACCOUNT; both may contain hyphens, so only a roster shows who it is (people.c).
 *     (github/gh-classroom, cmd/gh-classroom/clone.)
 *
 * Everything else is a folder for each student, or a file named after each. */
#include "grader/class/people/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/text.h"

const char *const class_format_names[] = {"unknown", "folder", "canvas", "moodle", "gradescope"};

enum class_format class_format_find(const char *name) {
  for (int i = FORMAT_FOLDER; i <= FORMAT_GRADESCOPE; i++)
    if (strcmp(class_format_names[i], name) == 0) return (enum class_format)i;
  return FORMAT_UNKNOWN;
}

static size_t digits(const char *at) { return strspn(at, "0123456789"); }

/* The length of "1234_56789_", "anon_a1B2c_56789_", or "1234_" before text.html, at the start; 0:
 * there is none. *id: of its first part. *upload: the second number. */
static size_t canvas_ids(const char *at, size_t *id, long long *upload) {
  size_t length;
  *upload = 0;
  if (strncmp(at, "anon_", 5) == 0) {
    length = 5;
    while (isalnum((unsigned char)at[length])) length++;
    if (length == 5) return 0;
  } else {
    length = digits(at);
    if (length == 0) return 0;
  }
  *id = length;
  if (at[length++] != '_') return 0;
  if (strcmp(at + length, "text.html") == 0 || strcmp(at + length, "link.html") == 0) return length;
  size_t file = digits(at + length);
  if (file == 0 || at[length + file] != '_' || !at[length + file + 1]) return 0;
  *upload = atoll(at + length);
  return length + file + 1;
}

/* The mark at the end of a name's `length` letters; older Canvas wrote it small, too. */
static bool is_marked_late(const char *name, size_t length) {
  return length >= 4 && strncasecmp(name + length - 4, "late", 4) == 0 &&
         (length == 4 || name[length - 5] == '_');
}

static bool parse_canvas(const char *path, struct handed_name *handed) {
  if (strchr(path, '/')) return false;
  for (const char *at = path;; at++) {
    size_t id, ids = canvas_ids(at, &id, &handed->upload);
    if (ids) {
      size_t name = at > path ? (size_t)(at - path) - 1 : 0;
      handed->file = at + ids;
      if (name > 9 && strncmp(path + name - 9, "_question", 9) == 0) {
        handed->kind = IDENTITY_FOLDER;
        handed->value = xprintf("%.*s", (int)name - 9, path);
        return true;
      }
      handed->late = is_marked_late(path, name);
      if (handed->late) name -= name == 4 ? 4 : 5;
      handed->kind = IDENTITY_CANVAS;
      handed->value = xprintf("%.*s", (int)id, at);
      handed->name = name ? xprintf("%.*s", (int)name, path) : NULL;
      return true;
    }
    at = strchr(at, '_');
    if (!at) return false;
  }
}

bool names_is_participant(const char *words) {
  static const char *const starts[] = {"participant", "teilnehmer", "partecipante", "deelnemer"};
  autofree char *folded = identity_fold(words);
  bool is = false;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    is |= strncmp(folded, starts[i], strlen(starts[i])) == 0 && !strpbrk(folded, " ,");
  return is;
}

static bool parse_moodle(const char *path, struct handed_name *handed) {
  static const char word[] = "_assignsubmission_"; /* then the plugin: file, onlinetext */
  const char *mark = strstr(path, word), *slash = strchr(path, '/');
  if (!mark || (slash && slash < mark)) return false;
  const char *plugin = mark + strlen(word), *rest = slash ? slash : strchr(plugin, '_');
  if (mark == path || !rest || (!slash && !rest[1])) return false;
  handed->file = rest + 1;
  const char *number = mark;
  while (number > path && isdigit((unsigned char)number[-1])) number--;
  if (number == mark || number == path || number[-1] != '_') {
    handed->kind = IDENTITY_FOLDER;
    handed->value = xprintf("%.*s", (int)(mark - path), path);
    return true;
  }
  handed->kind = IDENTITY_MOODLE;
  handed->value = xprintf("%.*s", (int)(mark - number), number);
  handed->name = xprintf("%.*s", (int)(number - 1 - path), path);
  if (names_is_participant(handed->name)) {
    free(handed->name);
    handed->name = NULL;
  }
  return true;
}

static bool parse_gradescope(const char *path, struct handed_name *handed) {
  if (strncmp(path, "submission_", 11) != 0) return false;
  size_t number = digits(path + 11);
  if (number == 0 || path[11 + number] != '/') return false;
  handed->kind = IDENTITY_KINDS;
  handed->value = xprintf("%.*s", (int)number + 11, path);
  handed->file = path + 12 + number;
  return true;
}

/* Does the name begin with a lab, as in "lab2-ada"? Where what comes behind that begins; 0: no. */
static size_t lab_prefix(const char *name) {
  if (strncasecmp(name, "lab", 3) != 0) return 0;
  size_t number = digits(name + 3);
  if (number == 0 || !strchr("_-. ", name[3 + number]) || !name[3 + number]) return 0;
  return name[4 + number] ? 4 + number : 0;
}

const char *names_account(const char *folder) { return folder + lab_prefix(folder); }

/* A folder's name, or a file's without suffix and lab: "ada" of "ada_lab2.cu", "lab2-ada.cu". */
static bool parse_folder(const char *path, struct handed_name *handed) {
  const char *slash = strchr(path, '/');
  handed->kind = IDENTITY_FOLDER;
  if (slash) {
    handed->value = xprintf("%.*s", (int)(slash - path), path);
    handed->file = slash + 1;
    handed->clone = lab_prefix(handed->value) > 0;
    return slash > path;
  }
  const char *dot = strrchr(path, '.');
  size_t length = dot && dot > path ? (size_t)(dot - path) : strlen(path);
  if (length > 4 && strncasecmp(path + length - 4, ".tar", 4) == 0) length -= 4;
  for (size_t i = 1; i + 3 < length; i++) {
    if (strncasecmp(path + i, "lab", 3) != 0 || !digits(path + i + 3) ||
        !strchr("_-. ", path[i - 1]))
      continue;
    length = i - 1;
    break;
  }
  autofree char *whole = xprintf("%.*s", (int)length, path);
  handed->value = xstrdup(names_account(whole));
  handed->file = path;
  return *handed->value;
}

bool names_parse(enum class_format format, const char *path, struct handed_name *handed) {
  static bool (*const parse[])(const char *path, struct handed_name *handed) = {
      [FORMAT_FOLDER] = parse_folder,
      [FORMAT_CANVAS] = parse_canvas,
      [FORMAT_MOODLE] = parse_moodle,
      [FORMAT_GRADESCOPE] = parse_gradescope};
  *handed = (struct handed_name){0};
  bool parsed = parse[format] && parse[format](path, handed);
  if (!parsed) handed_name_free(handed);
  return parsed;
}

void handed_name_free(struct handed_name *handed) {
  free_all(handed->value, handed->name);
  *handed = (struct handed_name){0};
}

enum class_format names_recognise(const char *const *paths, int count, char **why) {
  int counts[FORMAT_GRADESCOPE + 1] = {0};
  const char *last[FORMAT_GRADESCOPE + 1] = {0};
  bool metadata = false;
  for (int i = 0; i < count; i++) {
    struct handed_name handed;
    metadata |= strcmp(paths[i], "submission_metadata.yml") == 0;
    enum class_format format = FORMAT_CANVAS;
    while (format <= FORMAT_GRADESCOPE && !names_parse(format, paths[i], &handed)) format++;
    if (format > FORMAT_GRADESCOPE) continue;
    counts[format]++;
    last[format] = paths[i];
    handed_name_free(&handed);
  }
  const char *folder = last[FORMAT_GRADESCOPE];
  int length = folder ? (int)strcspn(folder, "/") : 0;
  if (metadata && folder) {
    *why = xprintf("it has submission_metadata.yml and folders such as %.*s", length, folder);
    return FORMAT_GRADESCOPE;
  }
  if (2 * counts[FORMAT_MOODLE] > count) {
    *why = xprintf("names contain _assignsubmission_: %s", last[FORMAT_MOODLE]);
    return FORMAT_MOODLE;
  }
  if (2 * counts[FORMAT_CANVAS] > count) {
    *why = xprintf("names end in user, file number and file: %s", last[FORMAT_CANVAS]);
    return FORMAT_CANVAS;
  }
  if (2 * counts[FORMAT_GRADESCOPE] > count) {
    *why = xprintf("there are folders such as %.*s", length, folder);
    return FORMAT_GRADESCOPE;
  }
  *why = xstrdup("a folder or file for each student: no platform's names");
  return FORMAT_FOLDER;
}

int names_resubmission(const char *file) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
  const char *end = dot ? dot : file + strlen(file);
  bool bracket = end > file && end[-1] == ')';
  end -= bracket;
  const char *start = end;
  while (start > file && isdigit((unsigned char)start[-1])) start--;
  if (start == end || end - start > 4 || start == file) return 0;
  return start[-1] == (bracket ? '(' : '-') ? atoi(start) : 0;
}

/* Does the word stand in the text by itself? Blanks, _ and - inside do not matter: "Lab 2". */
static bool names_word(const char *text, size_t length, const char *word) {
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && isalnum((unsigned char)text[i - 1])) continue;
    size_t at = i;
    const char *rest = word;
    for (; *rest && at < length; at++) {
      if (tolower((unsigned char)text[at]) == tolower((unsigned char)*rest)) {
        rest++;
      } else if (rest == word || !strchr(" _-", text[at]) || !isdigit((unsigned char)*rest)) {
        break;
      }
    }
    if (!*rest && (at == length || !isalnum((unsigned char)text[at]))) return true;
  }
  return false;
}

const char *names_lab(const char *path, char *const *labs) {
  size_t end = strlen(path);
  while (end > 0) {
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    for (char *const *lab = labs; *lab; lab++)
      if (names_word(path + start, end - start, *lab)) return *lab;
    end = start > 0 ? start - 1 : 0;
  }
  return NULL;
}
