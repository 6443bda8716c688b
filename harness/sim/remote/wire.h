/* wire.h: the protocol between a runner (client) and the device's process (server).
 *
 * Messages over a SOCK_STREAM socket: a type, a size, and values one after another, without gaps,
 * in the machine's byte order (both ends are of one build). The server trusts nothing that it
 * receives: a missing value, a text that is too long, bytes left over or a message out of place
 * ends the conversation.
 *
 * The bytes of copies do not go through the socket but through the window, WIRE_WINDOW_BYTES of
 * memory that both have mapped. The server copies bytes out of it and into it and interprets none
 * of them; its size is sealed, so that no access of the server's can fault.
 *
 * Server to client; each begins with the device's sticky error (i32):
 *
 *   WELCOME         first; carries the window's descriptor. u32 WIRE_VERSION, struct device_info,
 *                   u64 key of seals
 *   RESULT          answers a request. i32 code (cudaError_t), then what is behind the request's ->
 *   PRINTED         what a kernel has printed. text
 *   CALL            of a job: call the submission. text JSON: {"problem":"matmul",
 *                   "entry":"matmul" or null, "dims":{"M":64,..}, "arrays":{"A":ADDRESS,..},
 *                   "fresh":false}; fresh: the device was replaced since the last call
 *   GOODBYE         of a job: it is complete
 *
 * Client to server; each behind a seal (struct wire_seal). Requests, each answered by a RESULT:
 *
 *   MALLOC          u64 bytes, i32 line -> u64 address
 *   MALLOC_MANAGED  u64 bytes, i32 line -> u64 address; carries the descriptor of its pages
 *   FREE            u64 address
 *   WRITE           u64 to, u64 pitch, u64 width, u64 rows, issue -> u64 copy; the window holds the
 *                   first bytes, as many as fit
 *   READ            u64 from, u64 pitch, u64 width, u64 rows, issue -> u64 copy; the same
 *   MORE            the next bytes of that copy, as many as the window holds
 *   COPY            u64 to, u64 pitch, u64 from, u64 pitch, u64 width, u64 rows, issue
 *   FILL            u64 address, u64 pitch, u64 width, u64 rows, u32 value, issue
 *     issue         struct device_issue: u32 stream, i32 line, u32 flags (1: the host waits,
 *                   2: staged, 4: of a library's call, 8: pageable), u64 host, u64 host_pitch
 *   MEMORY          -> u64 free, u64 total
 *   HEAP            u64 bytes: of kernels' malloc
 *   PENDING         u64 launches: that may wait to run, of kernels
 *   CONNECTIONS     by hand: u32 of kernels, u32 of copies: of streams with the device; 0: as it is
 *   MAPPING         by hand: u32 enum mapping_call, u32 access, u64 address, u64 bytes, u64 handle,
 *                   i32 line -> u64 address or handle
 *   FIND_ARRAY      u64 address -> u64 start, u64 bytes
 *   GRAPH_MEMORY    u32 enum graph_memory_call, u64 bytes, u64 address, i32 line -> u64 address
 *   MODULE          text PTX -> i32 module, text error. In a job only before READY; it is loaded on
 *                   every device of the process
 *   SYMBOL          i32 module, text name -> u64 address, u64 bytes
 *   KERNEL          i32 module, text name -> struct kernel_info
 *   SHARED          i32 module, text name, u64 bytes
 *   LAUNCH          i32 module, text name, 3 u32 grid, 3 u32 block, u64 shared_bytes, text params,
 *                   i32 line, u32 stream, u32 flags (1: cooperative, 2: beside_host) -> u32 whether
 *                   some launch waits for others
 *   GO_ON           by hand: u32 enum device_patience, no more than DEVICE_GIVES_UP -> u32 whether
 *                   one has moved, u32 number of those that wait, u32 stream of each
 *   LIBRARY         by hand: text function, i32 line, u32 stream, u32 flags (1: it goes on, 2: on
 *                   tensor cores), f64 operations, f64 bytes, u32 operands, each: text name, u64
 *                   address, u64 pitch, u64 width, u64 rows, u64 element, u32 flags (1: reads,
 *                   2: writes) -> u32 whether it runs
 *   STREAM          u32 non_blocking, i32 priority, i32 line (-1: made by the runtime itself) ->
 *                   u32 stream
 *   STREAM_END, STREAM_SYNC, STREAM_QUERY   u32 stream
 *   HOST_FUNCTION   u32 stream
 *   STREAM_WAIT     u32 stream, event
 *   EVENT           i32 line -> u32 number
 *   RECORD          u32 stream, event (0, 0: a new one), u32 timed -> event
 *   EVENT_END, EVENT_SYNC, EVENT_QUERY      event
 *   ELAPSED         event, event -> f64 ns
 *   PREFETCH        u64 address, u64 bytes, u32 whether to the device, u32 stream, i32 line
 *   PIN             memory of the host: i32 line, u32 enum timeline_pin, u64 bytes
 *     event         struct device_event: u32 number, u32 mark
 *   SYNC            the host waits for everything
 *   DONE            u64 copy -> u32: the host has waited for it
 *   TOUCH           host code touched a copy's buffer too early: i32 line, u32 flags (1: the copy
 *                   goes to the device, 2: the host wrote), u64 offset
 *   ARRAY_USE       u64 address -> u32 enum array_use
 *   HOST_ACCESS     host code has touched a managed array that work still uses: u64 address, u32
 *                   whether it was a write
 *   FILE            text path -> u32 the number of a source file (source_places.h)
 *   VARIABLE_PAGES  u64 address of a variable in managed memory; carries the descriptor of its
 * pages END             by hand: the program ends, and what was found is told -> u32 faults RESET
 * by hand: a fresh device, without modules
 *
 * and four without an answer:
 *
 *   HAZARD          found by the runtime: u32 kind (only unsupported, launch or call), i32 line,
 *                   text message
 *   CRASH           host code crashed: text message, text of u64 places in the program
 *   READY           of a job: main has begun, and the first call may come
 *   RETURNED        of a job: the call returned. i32 error, u32 whether the submission's function
 *                   itself returned it, text: the API function that returned it
 */
#ifndef KIT_WIRE_H
#define KIT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WIRE_VERSION = 17,
  WIRE_WINDOW_BYTES = 1 << 20,
  WIRE_MAX_BYTES = 64 << 10,      /* of a message without PTX or JSON */
  WIRE_MAX_TEXT_BYTES = 64 << 20, /* of those */
  WIRE_MAX_NAME = 16 << 10,       /* bytes of a kernel's or a variable's name */
};

/* The numbers are those in tests/fuzz/corpus/wire. */
enum wire_type {
  WIRE_WELCOME = 1,
  WIRE_RESULT,
  WIRE_PRINTED,
  WIRE_CALL,
  WIRE_GOODBYE,
  WIRE_MALLOC = 32,
  WIRE_FREE,
  WIRE_WRITE,
  WIRE_READ,
  WIRE_MORE,
  WIRE_COPY,
  WIRE_FILL,
  WIRE_MEMORY,
  WIRE_MODULE = 41,
  WIRE_SYMBOL,
  WIRE_KERNEL,
  WIRE_SHARED,
  WIRE_LAUNCH,
  WIRE_RESET,
  WIRE_HAZARD,
  WIRE_CRASH,
  WIRE_RETURNED,
  WIRE_STREAM,
  WIRE_STREAM_END,
  WIRE_STREAM_SYNC,
  WIRE_STREAM_WAIT,
  WIRE_RECORD,
  WIRE_EVENT_END,
  WIRE_EVENT_SYNC,
  WIRE_SYNC,
  WIRE_DONE,
  WIRE_TOUCH,
  WIRE_MALLOC_MANAGED,
  WIRE_ARRAY_USE,
  WIRE_HOST_ACCESS,
  WIRE_READY,
  WIRE_EVENT,
  WIRE_EVENT_QUERY,
  WIRE_STREAM_QUERY,
  WIRE_FILE,
  WIRE_END,
  WIRE_VARIABLE_PAGES,
  WIRE_HEAP,
  WIRE_PENDING,
  WIRE_LIBRARY,
  WIRE_GO_ON,
  WIRE_MAPPING,
  WIRE_FIND_ARRAY,
  WIRE_GRAPH_MEMORY,
  WIRE_HOST_FUNCTION,
  WIRE_ELAPSED,
  WIRE_PREFETCH,
  WIRE_PIN,
  WIRE_CONNECTIONS,
};

struct wire_header {
  uint32_t type, bytes; /* of payload, which follows */
};

/* Precedes each message from a client: a tag that only the library with the key can make, so that
 * anything else that writes to the runner's socket is detected. */
struct wire_seal {
  uint64_t tag;
  uint32_t thread; /* of the host, in the order in which they first used the device */
  uint32_t zero;
};
/* number: of the message, from 1 on; 0: of a crash, which may come at any moment. */
uint64_t wire_tag(uint64_t key, uint64_t number, uint32_t type, uint32_t bytes);

/* A message under construction: its header, then its values. Starts as {0}; wire_begin reuses it.
 * If memory runs out or it grows too large, failed is set and it cannot be sent. */
struct wire_writer {
  unsigned char *data;
  size_t length, room;
  bool failed;
};
void wire_begin(struct wire_writer *writer, enum wire_type type);
void wire_put(struct wire_writer *writer, const void *value, size_t bytes);
void wire_put_i32(struct wire_writer *writer, int32_t value);
void wire_put_u32(struct wire_writer *writer, uint32_t value);
void wire_put_u64(struct wire_writer *writer, uint64_t value);
void wire_put_f64(struct wire_writer *writer, double value);
void wire_put_text(struct wire_writer *writer, const void *text, size_t length);
void wire_free(struct wire_writer *writer);

/* The values of a received message. Once one is missing or out of bounds, bad is set and all that
 * follow are 0 or empty. */
struct wire_reader {
  const unsigned char *at;
  size_t left;
  bool bad;
};
void wire_get(struct wire_reader *reader, void *value, size_t bytes);
int32_t wire_get_i32(struct wire_reader *reader);
uint32_t wire_get_u32(struct wire_reader *reader);
uint64_t wire_get_u64(struct wire_reader *reader);
double wire_get_f64(struct wire_reader *reader);
/* At most `max` bytes, inside the message: valid as long as it is. */
const void *wire_get_text(struct wire_reader *reader, size_t max, size_t *length);
/* The same as a string of room bytes, NUL included; bad if it is longer or has a NUL in it. */
void wire_get_string(struct wire_reader *reader, char *to, size_t room);
/* Were all values there, and is nothing left? */
bool wire_complete(const struct wire_reader *reader);

/* Sends a whole message. passed: a descriptor to pass along, or -1. Returns 0, or -1 and errno. */
int wire_send(int socket, struct wire_writer *writer, int passed);

/* The same behind a seal. */
int wire_send_sealed(int socket, struct wire_writer *writer, uint64_t key, uint64_t number,
                     uint32_t thread);
/* Receives the seal of the next message; returns as wire_receive. */
int wire_receive_seal(int socket, struct wire_seal *seal);

/* A reusable buffer for received messages; starts as {0}. */
struct wire_inbox {
  struct wire_header header;
  unsigned char *payload;
  size_t room;
};
/* Receives the next message. passed: receives a descriptor that comes along (or -1); NULL: none is
 * taken. limit: on the payload, by type. Returns 1, 0 if the other end has closed, -1 if the
 * message is too large or cut, or memory runs out. */
int wire_receive(int socket, struct wire_inbox *inbox, size_t (*limit)(uint32_t type), int *passed);
/* The same in two steps, with a look at the header between them. */
int wire_receive_header(int socket, struct wire_inbox *inbox, int *passed);
int wire_receive_payload(int socket, struct wire_inbox *inbox, size_t (*limit)(uint32_t type));
void wire_inbox_free(struct wire_inbox *inbox);

/* The largest payload that a client may send under this type; 0 also for those without values. */
size_t wire_limit_in(uint32_t type);
/* ... and a server. */
size_t wire_limit_out(uint32_t type);

#endif
