/* budget.c: formats large numbers for messages about the budget. */
#include "harness/sim/base/budget.h"

#include <stdio.h>

const char *budget_text(uint64_t number, char *text, size_t size) {
  static const struct {
    double unit;
    const char *word;
  } units[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if ((double)number < units[i].unit) continue;
    snprintf(text, size, "%.4g %s", (double)number / units[i].unit, units[i].word);
    return text;
  }
  snprintf(text, size, "%llu", (unsigned long long)number);
  return text;
}
