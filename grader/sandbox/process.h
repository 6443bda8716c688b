/* process.h: runs a program that may misbehave, and always comes back.
 *
 * The program gets a session of its own without a terminal, stdin from /dev/null unless it is given
 * one, a given environment, and limits, and is in a sandbox if it may mean harm (sandbox.h). When
 * it ends or its time is up, its group and everything else that it left behind is killed. Ctrl-C
 * kills it too and ends the grader. */
#ifndef KIT_PROCESS_H
#define KIT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor of ours, and the number under which the program finds it. */
struct process_fd {
  int from, to;
};
enum { PROCESS_MAX_FDS = 4 };

struct sandbox;
struct process {
  const char *const *argv; /* argv[0]: the path */
  char *const *environment;
  const char *directory;                  /* to start in; NULL: ours */
  int output_fd;                          /* for stdout and stderr */
  int error_fd, input_fd;                 /* for stderr and stdin alone; 0: as output_fd, nothing */
  struct process_fd fds[PROCESS_MAX_FDS]; /* beside 0, 1 and 2: from 3 on (exchange.h) */
  int fd_count;
  const struct sandbox *sandbox; /* it may mean harm (sandbox.h); NULL: a program of the kit's or
                                    the system's that handles nothing of a submission's */
  bool confined; /* without one: it starts and reaches no other process (confine.c) */
  /* 0: no limit. wall_seconds is for programs of the kit's and the system's. sleep_seconds: of wall
   * time in which neither it nor any other program under way has anything to do: however busy the
   * machine is, one that computes or waits for a processor does not sleep. */
  double wall_seconds, sleep_seconds;
  uint64_t cpu_seconds, memory_bytes, file_bytes;
};

struct process_end {
  int start_error;     /* errno if it could not be started, else 0 */
  bool timed_out;      /* it was ended, because it took or slept too long */
  int signal;          /* that ended it, or 0 */
  int exit_code;       /* if no signal did */
  int interrupted;     /* the signal to us for which it was ended (spares_us), or 0 */
  uint64_t peak_bytes; /* resident */
  double cpu_seconds;  /* that it took, at least */
  bool out_of_memory;  /* all its processes together had more than it may */
  int product_error;   /* errno if the sandbox's product could not be fetched, else 0 */
};

void process_run(const struct process *process, struct process_end *end);
/* Runs a program for what it prints, 16 MiB at most: the caller's. The process needs no environment
 * and no output_fd. */
char *process_output(struct process process, struct process_end *end);

/* The same in two steps, so that others may be run in between. process_stop ends one that nobody
 * needs any more (end may be NULL). */
enum { PROCESSES_UNDER_WAY = 8 };
struct box;
struct process_under_way {
  int pid, start_error;
  struct box *box; /* of one in a sandbox */
  bool spares_us;  /* to be set: Ctrl-C ends it, but not the grader, which has more to tell */
  double deadline; /* 0: none */
  double sleep, may_sleep; /* seconds that it has slept and may sleep; may_sleep 0: any number */
};
void process_start(const struct process *process, struct process_under_way *under_way);
void process_finish(struct process_under_way *under_way, struct process_end *end);
void process_stop(struct process_under_way *under_way, struct process_end *end);
/* It may sleep for so many seconds from now on, if not less. */
void process_hurry(struct process_under_way *under_way, double seconds);

/* Sleeps; Ctrl-C ends the grader as in process_run. */
void process_pause(double seconds);

/* From now on Ctrl-C, SIGTERM and SIGHUP are taken up only where a program is waited for, which
 * then ends the grader through exit(); afterwards they act as usual again. */
void process_hold_signals(void);
void process_release_signals(void);

/* PATH, LANG, LC_ALL, CLANGXX, KIT_* and the sanitizers' options out of our environment, and
 * TMPDIR. NULL-terminated; release with process_free_environment. */
char **process_environment(const char *tmpdir);
void process_free_environment(char **environment);

/* A memory file, closed at exec. Ends the program if there is none. */
int memory_file(const char *name);
/* The descriptor under a number that is out of the way of those that a child gets; -1 for -1, or if
 * there is none. */
int high_fd(int fd);
/* A pipe of two such. Ends the program if there is none. */
void high_pipe(int fds[2]);

/* The path of a program of this name, as a shell finds it; NULL: there is none. The caller's. */
char *program_find(const char *name);

/* "SIGSEGV: it used an address that is not mapped ..." */
const char *signal_in_words(int signal);

#endif
