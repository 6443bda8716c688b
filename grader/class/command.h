/* command.h: the command line of ./grade class.
 *
 * It needs none of the libraries that the rest of ./grade class does: see command_main.c. */
#ifndef KIT_CLASS_COMMAND_H
#define KIT_CLASS_COMMAND_H

#include <stdbool.h>

#include "grader/class/base/options.h"

/* Ends the program with a message if the command line is wrong, and after --help, --usage and
 * --version. `incomplete`: packages that ./grade class needs are missing, which --help mentions. */
void command_parse(int argc, char **argv, bool incomplete, struct class_options *options);
/* What to do then, in a sentence. */
extern const char command_incomplete[];

#endif
