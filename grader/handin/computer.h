/* computer.h: the machine that a report was made on, in words. */
#ifndef KIT_COMPUTER_H
#define KIT_COMPUTER_H

struct computer {
  char *cpu;    /* "AMD EPYC, 2 cores" */
  char *system; /* "Debian GNU/Linux 12 (bookworm)" */
};
struct computer computer_describe(void);
void computer_free(struct computer *computer);

#endif
