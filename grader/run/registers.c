/* registers.c: has the file assembled, and reads the list of its kernels. */
#include "grader/run/registers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/sandbox/process.h"
#include "harness/sim/base/gpu.h"

enum { MAX_KERNELS = 512, LIST_BYTES = 1 << 20 };

/* "kernel\tregisters\tshared\tspilled" */
static bool read_row(const char *line, size_t length, struct kernel_registers *row) {
  unsigned long values[3];
  const char *tab = memchr(line, '\t', length);
  int used = -1;
  if (!tab || tab == line) return false;
  autofree char *numbers = xprintf("%.*s", (int)(line + length - tab), tab);
  if (sscanf(numbers, "\t%9lu\t%9lu\t%9lu%n", &values[0], &values[1], &values[2], &used) != 3 ||
      used < 0 || numbers[used])
    return false;
  *row = (struct kernel_registers){xprintf("%.*s", (int)(tab - line), line), values[0], values[1],
                                   values[2]};
  return true;
}

bool registers_read(const char *text, struct register_list *list) {
  *list = (struct register_list){.count = 0};
  size_t length = strcspn(text, "\n");
  if (strncmp(text, "# ", 2) != 0 || text[length] != '\n') return false;
  list->compiler = xprintf("%.*s", (int)length - 2, text + 2);
  bool good = true;
  for (const char *at = text + length + 1; *at && good; at += length + (at[length] == '\n')) {
    struct kernel_registers row;
    length = strcspn(at, "\n");
    good = list->count < MAX_KERNELS && read_row(at, length, &row);
    if (good) *array_add(list->items, list->count) = row;
  }
  if (!good) registers_free(list);
  return good;
}

void registers_list(const struct kit *kit, const struct lab *lab, const char *source,
                    bool own_folder, const char *folder, struct register_list *list) {
  *list = (struct register_list){.count = 0};
  autofree char *ptxas = program_find("ptxas"), *made = xprintf("%s/registers", folder);
  if (!ptxas) return;
  struct gpu gpu;
  char error[256], architecture[24];
  if (!gpu_read(&gpu, getenv("KIT_SIM_GPU"), error, sizeof error)) return;
  snprintf(architecture, sizeof architecture, "%d%d", gpu.info.compute_major,
           gpu.info.compute_minor);
  setenv("KIT_GPU_ARCH", architecture, 1); /* for harness/compile */
  freed_by(text_free) struct text output = {0};
  struct build build = {.backend = "sim",
                        .lab = lab,
                        .source = source,
                        .own_folder = own_folder,
                        .runner = made,
                        .registers = true};
  if (build_runner(kit, &build, &output) != BUILD_OK) return;
  size_t size;
  autofree char *text = file_read(made, &size);
  if (text && size <= LIST_BYTES) registers_read(text, list);
  unlink(made);
}

void registers_free(struct register_list *list) {
  for (int i = 0; i < list->count; i++) free(list->items[i].kernel);
  free_all(list->items, list->compiler);
  *list = (struct register_list){.count = 0};
}

const struct kernel_registers *registers_of(const struct register_list *list, const char *kernel) {
  const struct kernel_registers *found = NULL;
  for (int i = 0; list && i < list->count; i++) {
    if (strcmp(list->items[i].kernel, kernel) != 0) continue;
    if (found) return NULL;
    found = &list->items[i];
  }
  return found;
}
