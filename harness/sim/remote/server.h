/* server.h: a device that answers a client's messages (wire.h).
 *
 * The client is a runner, which holds a submission's native code. Whatever it sends is answered, or
 * ends the conversation: server_handle never crashes, and keeps within the device's budgets. */
#ifndef KIT_SERVER_H
#define KIT_SERVER_H

#include <jansson.h>

#include "harness/sim/base/shared_pages.h"
#include "harness/sim/device/device.h"
#include "harness/sim/remote/progress_line.h"
#include "harness/sim/remote/transfer_log.h"
#include "harness/sim/remote/wire.h"

/* Receives launches and hazards. Members may be NULL. */
struct server_listener {
  void *context;
  void (*launched)(void *context, const struct launch_report *report);
  void (*hazard)(void *context, json_t *hazard); /* borrows the object */
};

/* The progress of a copy that does not fit into the window. */
struct server_copy {
  bool to_device;
  struct transfer_rows rows; /* on the device */
  size_t done, bytes;        /* bytes: in total; 0: no copy is in progress */
};

struct program;
struct timeline_trace;
struct server {
  int socket; /* -1: answers go nowhere */
  struct device_options options;
  struct device *device;
  struct shared_pages window;
  struct server_listener listener;
  bool job;                       /* of the grader's; else the runner was started by hand */
  struct program *program;        /* then: what it did (program_report.h) */
  struct progress_line *progress; /* NULL: none */
  struct timeline_trace *trace;   /* NULL: none */
  bool accesses;                  /* launches report theirs */
  struct server_copy copy;
  struct transfer_log log;
  uint64_t key, number;  /* for the client's seals; number: of the last one */
  bool ready;            /* of a job: READY has come */
  struct server_module { /* loaded by the client; the next device of a job loads them, too */
    char *text;
    size_t length;
  } * modules;
  int module_count, module_room;
  const char *refused; /* why a message was refused; NULL: no special reason */
  int findings;        /* reported by the client itself */
  bool broken;         /* an answer could not be sent */
  /* The last RETURNED. */
  int returned_error;
  bool returned_itself;
  char returned_function[160];
  struct wire_writer out;
  struct wire_inbox in;
};

enum server_end {
  SERVER_GOES_ON,
  SERVER_READY,    /* of a job: the first call may come */
  SERVER_RETURNED, /* the call came back */
  SERVER_CLOSED,   /* the client has closed its end */
  SERVER_REFUSED,  /* it sent an invalid message, or one out of place */
  SERVER_SPENT,    /* of a job: it has exceeded the budget, which was reported */
};

/* Opens the device and the window and welcomes the client. False, with a message, if that fails. */
bool server_open(struct server *server, char *error, size_t size);
void server_close(struct server *server);

/* Replaces the device by a fresh one; of a job with the same modules, by hand without any. False if
 * memory runs out. */
bool server_renew(struct server *server);

/* Handles one message from the client. in_call: a job's call is in progress and may return. */
enum server_end server_handle(struct server *server, uint32_t type, const void *payload,
                              size_t bytes, bool in_call);
/* Answers messages until something other than SERVER_GOES_ON results. */
enum server_end server_serve(struct server *server, bool in_call);

/* Job only: request a call (JSON), and end the calls. False: the client is gone. */
bool server_call(struct server *server, const char *call);
bool server_goodbye(struct server *server);

/* Has memory run out for the device's process? Race tags, origins of words, hazards and much else
 * take memory as a submission uses its arrays. What could not be noted for lack of it would go
 * unseen, so that a job ends in place of going on without. In build/device every allocation that
 * fails is noted (allocations.c), wherever it is made. */
void shortage_note(void);
bool shortage_is_noted(void);
/* Resets the flag: what failed was an array of the submission's, which gets an error code. */
void shortage_forgive(void);

/* machine_memory.c: is there memory for an array that a call at this line asks for? False, and a
 * hazard: there is not. True in a job, which has limits of its own, and if the GPU has none. */
bool machine_has_room(struct server *server, uint64_t bytes, int line, bool managed);

/* job.c: runs the jobs of EXCHANGE_JOB_FD with the runner at the other end of EXCHANGE_DEVICE_FD.
 * Returns the exit status of the process, or ends it: 0 if the report is complete, EXCHANGE_ENDED
 * if the runner must also be killed, 2 for the kit's or the machine's fault, told on stderr. */
int job_run(void);

#endif
