/* copy_unwritten.c: finds copies to the host of bytes that nothing has written: the host gets what
 * the memory held before, which is different on every GPU. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/base/source_places.h"
#include "harness/sim/device/state.h"
#include "harness/sim/exec/access.h"

struct finding {
  uint64_t elements; /* with a byte that nothing has written */
  size_t first;      /* their first one's offset in the array, in bytes */
};

static bool is_written(const struct allocation *a, size_t byte) {
  return a->initialised[byte / 4] >> byte % 4 & 1;
}

/* Adds the elements of [from, to). */
static void find_in_row(const struct allocation *a, size_t from, size_t to, size_t element,
                        struct finding *finding) {
  enum { WORDS = 8 };
  static const uint8_t all_written[WORDS] = {15, 15, 15, 15, 15, 15, 15, 15};
  for (size_t at = from; at < to;) {
    if (at % 4 == 0 && to - at >= 4 * WORDS &&
        memcmp(a->initialised + at / 4, all_written, WORDS) == 0) {
      at += 4 * WORDS;
      continue;
    }
    if (is_written(a, at)) {
      at++;
      continue;
    }
    at = at / element * element;
    if (finding->elements++ == 0) finding->first = at;
    at += element;
  }
}

/* "3 bytes", or elements where the array's are known, and the first one's place. */
static void extent(const struct allocation *a, const struct finding *finding, char *text,
                   size_t size, char *first, size_t first_size) {
  snprintf(text, size, "%llu %s%s", (unsigned long long)finding->elements,
           a->element ? "element" : "byte", finding->elements == 1 ? "" : "s");
  if (a->element)
    access_element_text(a, (int64_t)finding->first, (int)a->element, first, first_size);
  else
    snprintf(first, first_size, "byte %zu of %s", finding->first, a->name);
}

void copy_unwritten_check(struct device *device, const struct device_issue *issue,
                          const struct copy_side *from, size_t width, size_t rows) {
  const struct allocation *a = from->allocation;
  struct finding finding = {0};
  if (a->all_initialised || device->sample || place_is_of_library(issue->line)) return;
  size_t start = from->address - a->address, element = a->element ? a->element : 1;
  for (size_t row = 0; row < rows; row++, start += from->pitch)
    if (start + width > a->initialised_prefix)
      find_in_row(a, start, start + width, element, &finding);
  if (!finding.elements) return;
  struct hazard_list list = {0};
  bool fresh;
  struct hazard *h = hazard_note(&list, HAZARD_uninit, issue->line, 0, a->name, 1, &fresh);
  if (h && fresh) {
    char what[64], first[160];
    h->warning = true; /* what the host then does with them is not known */
    extent(a, &finding, what, sizeof what, first, sizeof first);
    snprintf(h->message, sizeof h->message,
             "copies %s to the host that nothing has written, from %s on: the host gets what the "
             "memory held before. Write them first, in a kernel or with cudaMemset, or copy only "
             "what is written.",
             what, first);
  }
  device_report_hazards(device, &list);
}
