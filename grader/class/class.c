/* class.c: ./grade class, a program of its own (build/class).
 *
 *     ./grade class DIR        ./grade class submissions.zip --roster class.csv --report
 *
 * Exit status: 0 everything is graded, 1 something could not be read or graded (listed), 2 the kit's
 * or the machine's fault. */
#include "class.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  struct class_options options;
  command_parse(argc, argv, &options);
  struct class class = {.options = &options};
  kit_find(&class.kit);
  class.state = class_state_folder(&options);
  char *path = class_path(&class, "gradebook.sqlite");
  class.book = gradebook_open(path, options.dump);
  free(path);
  gradebook_close(class.book);
  free(class.state);
  kit_free(&class.kit);
  return class.problems ? 1 : 0;
}
