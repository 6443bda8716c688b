/* command.h: the command line of ./grade class. */
#ifndef KIT_CLASS_COMMAND_H
#define KIT_CLASS_COMMAND_H

#include "class.h"

/* Ends the program with a message if the command line is wrong, or after --help. */
void command_parse(int argc, char **argv, struct class_options *options);

#endif
