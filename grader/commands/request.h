/* request.h: what was asked of ./grade on its command line. */
#ifndef KIT_REQUEST_H
#define KIT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct request {
  const char *what; /* lab, "list", "gpus", "doctor" or "ceiling" */
  const char *file, *json, *html, *backend, *keep, *measure, *gradescope, *dims, *sizes, *csv,
      *report, *trace, *roofline_file, *gpu;
  bool solution, folder, unsafe, explain, seeded, sweep, picture, plot, public, profile, timeline,
      resources, roofline;
  int picture_line; /* 0: the costliest */
  int times;        /* with sizes, on a GPU; 0: not given */
  bool picked;      /* the backend, by the user */
  uint64_t seed;
  const char *cases[64];
  int case_count;
};

/* Ends the program if the command line is wrong (with argp_err_exit_status) or asks for help. */
void request_parse(int argc, char **argv, struct request *request);

/* Is this file "-"? NULL: no. */
bool request_is_stdout(const char *path);

/* Is stdout free for people? */
bool request_may_print(const struct request *request);

#endif
