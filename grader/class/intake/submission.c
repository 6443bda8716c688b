/* submission.c: sorts the files of one submission into usable and unusable ones. */
#include "grader/class/intake/submission.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/class/intake/unpack.h"
#include "grader/class/people/names.h"

static bool is_cuda(const char *path) { return unpack_ends_with(path, ".cu"); }

static const struct kind {
  const char *end, *words;
  bool likely;
} kinds[] = {
    {".rar", "a .rar archive, which the kit does not read: hand in the .cu file, or a .zip", true},
    {".arj", "an archive of a kind that the kit does not read: hand in the .cu file, or a .zip",
     true},
    {".lzh", "an archive of a kind that the kit does not read: hand in the .cu file, or a .zip",
     true},
    {".cab", "an archive of a kind that the kit does not read: hand in the .cu file, or a .zip",
     true},
    {".iso", "a disk image: hand in the .cu file, or a .zip", true},
    {".gz", "a compressed file, not an archive: hand in the .cu file, or a .zip", true},
    {".bz2", "a compressed file, not an archive: hand in the .cu file, or a .zip", true},
    {".xz", "a compressed file, not an archive: hand in the .cu file, or a .zip", true},
    {".cpp", "C++, not CUDA: its name has to end in .cu", true},
    {".cc", "C++, not CUDA: its name has to end in .cu", true},
    {".cxx", "C++, not CUDA: its name has to end in .cu", true},
    {".c", "C, not CUDA: its name has to end in .cu", true},
    {".cu.txt", "a text file: its name has to end in .cu", true},
    {".ptx", "PTX, a compiler's output: hand in the .cu file", true},
    {".o", "a compiler's output: hand in the .cu file", true},
    {".exe", "a program: hand in the .cu file", true},
    {".ipynb", "a notebook: hand in the .cu file", true},
    {".png", "a picture", false},
    {".jpg", "a picture", false},
    {".jpeg", "a picture", false},
    {".gif", "a picture", false},
    {".bmp", "a picture", false},
    {".webp", "a picture", false},
    {".heic", "a picture", false},
    {".svg", "a picture", false},
    {".pdf", "a document", false},
    {".doc", "a document", false},
    {".docx", "a document", false},
    {".odt", "a document", false},
    {".rtf", "a document", false},
    {"text.html", "text typed in the browser", false},
    {"link.html", "a link", false},
    {"onlinetext.html", "text typed in the browser", false},
    {".html", "a web page", false},
};

static const struct kind *kind_of(const char *path) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (unpack_ends_with(path, kinds[i].end) || strcasecmp(path, kinds[i].end) == 0)
      return &kinds[i];
  return NULL;
}

const char *submission_kind_of(const char *path) {
  const struct kind *kind = kind_of(path);
  return kind ? kind->words : "neither a .cu file nor an archive";
}

bool submission_is_likely(const char *path) {
  const struct kind *kind = kind_of(path);
  return is_cuda(path) || unpack_is_archive(path) || (kind && kind->likely);
}

static void add_unusable(struct submission *submission, const char *shown, char *reason, bool late,
                         bool grave, char *const *labs) {
  *array_add(submission->unusable, submission->unusable_count) =
      (struct unusable){.shown = xstrdup(shown),
                        .reason = reason,
                        .late = late,
                        .grave = grave,
                        .lab = names_lab(shown, labs)};
}

/* NULL, or why a .cu file's text cannot be compiled. */
static const char *text_fault(const char *data, size_t length) {
  const unsigned char *bytes = (const unsigned char *)data;
  bool wide = length >= 2 &&
              ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
  /* UTF-16 without its mark: every other byte of ASCII is 0. */
  size_t zeros = 0, looked = length < 400 ? length : 400;
  for (size_t i = 0; i < looked; i++) zeros += bytes[i] == 0;
  if (wide || (looked >= 8 && zeros * 5 > looked * 2 && zeros * 5 < looked * 3))
    return "it is UTF-16: save it as UTF-8";
  return NULL;
}

static void add_part(struct submission *submission, const struct file_facts *file,
                     const char *shown, size_t skip, const char *data, size_t length, int container,
                     char *const *labs) {
  const char *fault = is_cuda(shown) ? text_fault(data, length) : NULL;
  if (fault) {
    add_unusable(submission, shown, xstrdup(fault), file->late, true, labs);
    return;
  }
  struct part *part = array_add(submission->parts, submission->part_count);
  *part = (struct part){.shown = xstrdup(shown),
                        .data = xmemdup(data, length),
                        .length = length,
                        .modified = file->modified,
                        .upload = file->upload,
                        .container = container,
                        .late = file->late,
                        .header = !is_cuda(shown)};
  part->path = part->shown + skip;
  if (!part->header) part->lab = names_lab(part->shown, labs);
}

/* Finds files in an archive, and in archives in it if it has no .cu itself. Returns why it is
 * refused (the caller's), or NULL. */
static char *add_archive(struct submission *submission, const struct file_facts *file,
                         const char *shown, const char *data, size_t length, bool nested,
                         char *const *labs) {
  struct unpacked unpacked;
  unpack(data, length, &unpack_submission, &unpacked);
  if (unpacked.reason) return unpacked.reason;
  int container = submission->containers++, found = 0;
  for (int i = 0; i < unpacked.count; i++) found += is_cuda(unpacked.files[i].path);
  for (int i = 0; i < unpacked.count && found; i++) {
    const struct packed_file *inner = &unpacked.files[i];
    if (!is_cuda(inner->path) && !unpack_is_header(inner->path)) continue;
    char *path = xprintf("%s: %s", shown, inner->path);
    add_part(submission, file, path, strlen(shown) + 2, inner->data, inner->length, container,
             labs);
    free(path);
  }
  char *reason = NULL;
  for (int i = 0; i < unpacked.count && !found && !reason; i++) {
    const struct packed_file *inner = &unpacked.files[i];
    if (!unpack_is_archive(inner->path)) continue;
    char *path = xprintf("%s: %s", shown, inner->path);
    reason = nested ? xstrdup("the archive contains archives in archives")
                    : add_archive(submission, file, path, inner->data, inner->length, true, labs);
    found += !reason;
    free(path);
  }
  if (!found && !reason) {
    const char *first = unpacked.count ? unpacked.files[0].path : NULL;
    reason = first ? xprintf("the archive contains no .cu file, but %.100s%s (%s)", first,
                             unpacked.count > 1 ? " and others" : "", submission_kind_of(first))
                   : xstrdup("the archive contains no .cu file");
  }
  unpack_free(&unpacked);
  return reason;
}

void submission_add(struct submission *submission, const struct file_facts *file,
                    char *const *labs) {
  text_add(&submission->names, "%s %lld\n", file->inside, file->upload);
  if (file->data && unpack_is_archive(file->path)) {
    char *reason = add_archive(submission, file, file->path, file->data, file->length, false, labs);
    /* What it holds decides whether this is the same again. */
    text_append(&submission->names, file->data, file->length);
    if (reason) add_unusable(submission, file->path, reason, file->late, true, labs);
  } else if (file->data && (is_cuda(file->path) || unpack_is_header(file->path))) {
    add_part(submission, file, file->path, (size_t)(file->inside - file->path), file->data,
             file->length, -1, labs);
  } else if (file->fault) {
    bool folder = unpack_ends_with(file->path, "/");
    add_unusable(submission, file->path, xstrdup(file->fault), file->late, !folder, labs);
  } else {
    add_unusable(submission, file->path,
                 xprintf("it is %s", submission_kind_of(basename(file->inside))), file->late, false,
                 labs);
  }
}

void submission_free(struct submission *submission) {
  for (int i = 0; i < submission->part_count; i++)
    free_all(submission->parts[i].shown, submission->parts[i].data);
  for (int i = 0; i < submission->unusable_count; i++)
    free_all(submission->unusable[i].shown, submission->unusable[i].reason);
  free_all(submission->parts, submission->unusable);
  text_free(&submission->names);
  *submission = (struct submission){0};
}
