/* sizes_command.c: ./grade LAB --sizes. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/commands/commands.h"
#include "grader/commands/measured.h"
#include "grader/show/show.h"

char *sizes_asked(const struct request *request, const struct subject *subject, const char *text,
                  struct sizes *sizes) {
  *sizes = (struct sizes){.lab = &subject->lab,
                          .source = &subject->source,
                          .solution = request->solution,
                          .on_gpu = strcmp(request->backend, "gpu") == 0,
                          .times = request->times ? request->times : DEFAULT_TIMES,
                          .case_index = request->case_count
                                            ? conf_case(&subject->lab.conf, request->cases[0])
                                            : sizes_case(&subject->lab.conf),
                          /* As of references: the blocks that the model of time samples. */
                          .seed = request->seeded ? subject->seed : 1};
  char *wrong = sizes_parse(text, sizes);
  return wrong ? wrong : sizes_check(sizes, sizes_available());
}

static void ask_for_sizes(const struct request *request, const struct subject *subject,
                          struct sizes *sizes) {
  char *wrong = sizes_asked(request, subject, request->sizes, sizes);
  if (wrong) die("--sizes %s: %s", request->sizes, wrong);
  if (request->times && !sizes->on_gpu)
    note("--times is for a GPU: on the simulator times are modelled, the same each time.");
}

int size_lab(const struct kit *kit, const struct request *request) {
  struct subject subject;
  struct sizes sizes;
  subject_open(kit, request, &subject);
  ask_for_sizes(request, &subject, &sizes);
  int failed = sizes_measure(kit, grading_open(kit, request->unsafe), &sizes);
  grading_close();
  if (failed && sizes.refused) {
    print_refusal(&subject, sizes.error);
  } else if (failed) {
    print_our_fault(sizes.error);
  } else {
    if (request->json) sizes_write_json(&sizes, request->json);
    if (request->csv) sizes_write_csv(&sizes, request->csv);
    if (request_may_print(request)) {
      struct screen screen;
      screen_open(&screen, stdout);
      sizes_print(&screen, &sizes);
      struct chart_showing showing = {kit, request->plot, &screen};
      sizes_charts(&sizes, chart_show, &showing);
    }
  }
  bool right = true;
  for (int i = 0; i < sizes.count && !failed; i++)
    right = right && sizes.lines[0].points[i].state == POINT_RIGHT;
  sizes_free(&sizes);
  subject_close(&subject);
  return failed ? (sizes.refused ? 1 : 2) : !right;
}
