// names.cu: main() on a GPU: launches one set under ncu and prints what each launch is, in order; see measure.
#include <stdio.h>
#include <string.h>

#include "launches.h"

extern "C" void next_launch(const char *arg) { printf("launch\t%s\n", arg); }

int main(int argc, char **argv) {
  const char *set = argc > 1 ? argv[1] : "";
  if (strcmp(set, "recorded") == 0)
    launch_recorded();
  else if (strcmp(set, "patterns") == 0)
    launch_patterns();
  else if (strcmp(set, "styles") == 0)
    launch_styles();
  else if (strcmp(set, "labs") == 0)
    launch_labs();
  else
    return 2;
  return 0;
}
