/* command_main.c: only the command line of ./grade class, as build/class-command.
 *
 *     build/class-command complete|incomplete class ARGUMENT...
 *
 * While build/class is still to be built, ./grade starts this first, so that --help and wrong
 * options are answered without the libraries that build/class needs. The first argument is whether
 * all that it needs is installed.
 *
 * Exit status: 3 the command line is for build/class to carry out, 0 it was --help, --usage or
 * --version, 2 it is wrong, or something is not installed. */
#include <locale.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/command.h"

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  if (argc < 3) die("class-command: ./grade starts this program");
  bool incomplete = strcmp(argv[1], "incomplete") == 0;
  struct class_options options;
  command_parse(argc - 2, argv + 2, incomplete, &options);
  if (incomplete) die("%s", command_incomplete);
  return 3;
}
