/* subject.c: the file that ./grade works on. */
#include "grader/commands/subject.h"

#include <errno.h>
#include <string.h>

#include "grader/base/system.h"

void subject_open(const struct kit *kit, const struct request *request, struct subject *subject) {
  struct lab *lab = &subject->lab;
  lab_open(kit, request->what, lab);
  for (int i = 0; i < request->case_count; i++)
    if (conf_case(&lab->conf, request->cases[i]) < 0)
      die("%s has no case '%s'", lab->id, request->cases[i]);
  if (request->solution && !lab_has_solution(lab))
    die("this copy of the kit has no solutions: --solution needs %s", short_path(lab->solution));
  const char *path =
      request->file ? request->file : short_path(request->solution ? lab->solution : lab->source);
  if (source_read(path, &subject->source) != 0) die("cannot read %s: %s", path, strerror(errno));
  subject->source.own_folder = !request->file || request->folder;
  subject->seed = request->seed;
  if (!request->seeded) {
    uint32_t fresh; /* 32 bits: short enough to type again */
    random_bytes(&fresh, sizeof fresh);
    subject->seed = fresh;
  }
}

void subject_close(struct subject *subject) {
  source_free(&subject->source);
  lab_free(&subject->lab);
}

void print_our_fault(const char *error) {
  note("grade: %s", error);
  note(
      "This is the fault of the kit or the machine, not of the file, and costs no points. "
      "./grade doctor may know more.");
}

void print_refusal(const struct subject *subject, const char *error) {
  note("%s: %s", subject->source.name, error);
  note("Grade it first: ./grade %s", subject->lab.id);
}
