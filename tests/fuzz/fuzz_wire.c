/* fuzz_wire.c: any bytes as what a runner says to the device's process (remote/wire.h).
 *
 *     make fuzz && build/fuzz/fuzz_wire CORPUS    libFuzzer; tests/fuzz/run uses several cores
 *
 * An input is what a runner writes into its socket: messages behind seals, one after the other.
 * They go to the server's handler until one is refused. What must hold: an answer or a refusal,
 * never a crash, a leak, or a second of work.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/device/state.h"
#include "harness/sim/remote/server.h"
#include "tests/fuzz/fuzz.h"

static bool forget(void *context, const void *bytes, size_t count) {
  (void)context, (void)bytes, (void)count;
  return true;
}

/* A grid of thousands of blocks is no finding, and takes as long as it takes. */
static void bound_grids(struct device *device) {
  for (int i = 0; i < 3; i++) device->gpu.info.max_grid[i] = 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char error[200];
  struct server server = {
      .socket = -1,
      .options = {.threads = 1, .budget.instructions = 2000, .memory_limit = 16 << 20},
      .accesses = true,
  };
  /* By hand or in a job: the client may reset the device in the one, return in the other. */
  bool in_job = size % 2;
  if (in_job) {
    server.job = true;
    server.log = (struct transfer_log){.on = true, .key = 1, .flush = forget};
    server.options.origins = true;
  }
  if (server_open(&server, error, sizeof error)) {
    struct wire_seal seal; /* of any value */
    struct wire_header header;
    while (size >= sizeof seal + sizeof header) {
      memcpy(&header, data + sizeof seal, sizeof header);
      data += sizeof seal + sizeof header;
      size -= sizeof seal + sizeof header;
      if (header.bytes > wire_limit_in(header.type) || header.bytes > size) break;
      /* A copy of its own, so that reading past its end is seen. */
      struct wire_inbox inbox = {header, malloc(header.bytes), header.bytes};
      if (header.bytes) memcpy(inbox.payload, data, header.bytes);
      bound_grids(server.device);
      enum server_end end =
          server_handle(&server, header.type, inbox.payload, header.bytes, in_job);
      wire_inbox_free(&inbox);
      if (end == SERVER_REFUSED || end == SERVER_CLOSED) break;
      data += header.bytes;
      size -= header.bytes;
    }
  }
  server_close(&server);
  return 0;
}
