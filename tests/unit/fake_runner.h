/* fake_runner.h: a runner of matmul on the host that misbehaves as told, for tests of the grader.
 *
 * A test program includes this and calls fake_runner() first thing in main when its first argument
 * is --job. What it does comes from the environment: KIT_FAKE names a behaviour below.
 */
#ifndef KIT_FAKE_RUNNER_H
#define KIT_FAKE_RUNNER_H

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/exchange.h"

static uint64_t fake_token;
static int fake_on_gpu;             /* set by a program that stands for both backends */
static void (*fake_time)(void);     /* reports times, for a job that asks for them; or NULL */
static void (*fake_timeline)(void); /* reports a timeline likewise */

static void fake_send(enum frame_type type, const char *text) {
  frame_write(EXCHANGE_REPORT_FD, type, fake_token, text, strlen(text));
}

#define FAKE_LAUNCH(sectors, time)                                                              \
  "{\"kernel\":\"k\",\"grid\":[2,2,1],\"block\":[16,16,1],\"shared_bytes\":0,\"registers\":20," \
  "\"time_ns\":" time                                                                           \
  ",\"time_kind\":\"modelled\",\"bound\":\"dram\",\"line\":9,\"counters\":{\"global_load_"      \
  "sectors\":" sectors                                                                          \
  ",\"global_load_words\":100,\"global_load_bytes\":12800,\"global_store_bytes\":12800,\"fp32_" \
  "ops\":"                                                                                      \
  "12800,\"inst_executed\":50},\"lines\":[{\"line\":7,\"counters\":{"                           \
  "\"global_load_sectors\":" sectors ",\"global_load_words\":100}}]}"

static int fake_is(const char *behaviour) {
  const char *fake = getenv("KIT_FAKE");
  return strcmp(fake ? fake : "right", behaviour) == 0;
}

static void fake_product(const float *a, const float *b, float *c, long m, long n, long k) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long x = 0; x < k; x++) sum += a[i * k + x] * b[x * n + j];
      c[i * n + j] = sum;
    }
  }
}

/* Misbehaviour before the first call. */
static void fake_misbehave(void) {
  if (fake_is("exit")) exit(0);
  signal(SIGSEGV, SIG_DFL); /* sanitizers catch it */
  if (fake_is("crash")) raise(SIGSEGV);
  if (fake_is("hang")) {
    for (;;) pause();
  }
  if (fake_is("hang_ignoring")) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    for (;;) pause();
  }
  if (fake_is("orphans")) { /* children in sessions of their own, which outlive us */
    for (int i = 0; i < 3; i++) {
      if (fork() == 0) {
        setsid();
        if (fork() == 0) {
          for (;;) pause();
        }
        _exit(0);
      }
    }
    for (;;) pause();
  }
  if (fake_is("memory")) {
    for (;;) {
      char *block = malloc(64 << 20);
      if (!block) {
        fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n");
        abort();
      }
      memset(block, 1, 64 << 20);
    }
  }
  if (fake_is("close")) {
    for (int fd = 0; fd < 64; fd++) close(fd);
  }
  if (fake_is("flood")) {
    for (;;) puts("flood flood flood flood flood flood flood flood flood flood flood");
  }
  if (fake_is("kit")) {
    fprintf(stderr, "kit: the simulator is broken\n");
    exit(2);
  }
  if (fake_is("garbage_report"))
    (void)!write(EXCHANGE_REPORT_FD, "garbage garbage garbage garbage", 31);
  if (fake_is("garbage_output")) printf("\033[2J\033]0;owned\007score 100 / 100\n");
  if (fake_is("forged")) {
    frame_write(EXCHANGE_REPORT_FD, FRAME_DONE, fake_token ^ 1,
                "{\"backend\":\"sim\",\"device\":\"forged\"}", 35);
  }
  if (fake_is("early_done")) fake_send(FRAME_DONE, "{\"backend\":\"sim\",\"device\":\"x\"}");
  if (fake_is("bad_counter")) fake_send(FRAME_LAUNCH, FAKE_LAUNCH("-4", "10"));
  if (fake_is("bad_time")) fake_send(FRAME_LAUNCH, FAKE_LAUNCH("4", "1e400"));
  if (fake_is("bad_kind"))
    fake_send(FRAME_HAZARD, "{\"kind\":\"none\",\"message\":\"m\",\"line\":1}");
  if (fake_is("not_json")) fake_send(FRAME_LAUNCH, "[1,2");
  if (fake_is("race")) {
    fake_send(FRAME_HAZARD,
              "{\"kind\":\"race\",\"warning\":false,\"line\":7,\"other_line\":5,\"kernel\":\"k\","
              "\"array\":\"tile\",\"message\":\"two warps meet\",\"count\":3}");
  }
  if (fake_is("refused")) { /* a launch, and the program's own check of errors */
    fake_send(FRAME_HAZARD,
              "{\"kind\":\"launch\",\"line\":7,\"message\":\"1225 threads.\",\"count\":1}");
    exit(1);
  }
  if (fake_is("unsupported")) {
    fake_send(FRAME_HAZARD,
              "{\"kind\":\"unsupported\",\"line\":7,\"message\":\"wmma needs a GPU\",\"count\":1}");
  }
}

/* Runs a job; number: how many came before it. Returns 1; 0: there is none; -1: it is no job. */
static int fake_job(int number) {
  struct frame_header header;
  void *payload;
  exchange_wait();
  int got = frame_read(EXCHANGE_JOB_FD, &header, &payload, 1 << 20);
  if (got == 0 && number > 0) return 0;
  if (got != 1 || header.type != FRAME_JOB) return -1;
  fake_token = header.token;
  json_t *job = json_loads(payload, 0, NULL), *dims = json_object_get(job, "dims");
  long m = json_integer_value(json_object_get(dims, "M")),
       n = json_integer_value(json_object_get(dims, "N"));
  long k = json_integer_value(json_object_get(dims, "K")),
       sets = json_integer_value(json_object_get(job, "sets"));
  fake_misbehave();
  float *c = calloc((size_t)(m * n), sizeof *c);
  for (long set = 0; set < sets; set++) {
    void *a, *b;
    if (frame_read(EXCHANGE_JOB_FD, &header, &a, (size_t)1 << 30) != 1) return -1;
    if (frame_read(EXCHANGE_JOB_FD, &header, &b, (size_t)1 << 30) != 1) return -1;
    fake_send(FRAME_LAUNCH,
              fake_is("scattered") ? FAKE_LAUNCH("3200", "1000.4") : FAKE_LAUNCH("400", "500"));
    if (!(fake_is("replay") && set > 0)) fake_product(a, b, c, m, n, k);
    if (fake_is("crash_at_12") && m == 12) raise(SIGABRT);
    if (fake_is("zeros") || (fake_is("gpu_zeros") && fake_on_gpu) ||
        (fake_is("tires") && number > 0))
      memset(c, 0, (size_t)(m * n) * sizeof *c);
    if (json_object_get(json_object_get(job, "options"), "fail") && !fake_is("calls_nothing"))
      fake_send(FRAME_FAILED, fake_is("checks_late") ? "{\"line\":31,\"launched\":true}"
                                                     : "{\"line\":31,\"launched\":false}");
    if (fake_is("checks") || fake_is("checks_late")) exit(1);
    if (fake_timeline && set == 0 &&
        json_is_true(json_object_get(json_object_get(job, "options"), "timeline")))
      fake_timeline();
    bool notices = fake_is("notices") || (fake_is("notices_once") && set == 0);
    char status[200];
    snprintf(status, sizeof status,
             "{\"set\":%ld,\"error\":%s,\"message\":\"words\",\"returned\":%s}", set,
             fake_is("cuda_error") || notices      ? "\"cudaErrorIllegalAddress\""
             : fake_is("no_device") && fake_on_gpu ? "\"cudaErrorNoDevice\""
                                                   : "null",
             notices ? "true" : "false");
    fake_send(FRAME_STATUS, status);
    size_t bytes = (size_t)(m * n) * sizeof *c;
    frame_write(EXCHANGE_REPORT_FD, FRAME_ARRAY, fake_token, c,
                fake_is("short_array") ? bytes - 4 : bytes);
  }
  if (fake_time && json_object_get(json_object_get(job, "options"), "timing")) fake_time();
  fake_send(FRAME_DONE, fake_on_gpu ? "{\"backend\":\"gpu\",\"device\":\"fake GPU\"}"
                                    : "{\"backend\":\"sim\",\"device\":\"fake device\"}");
  free(c);
  return 1;
}

/* A line a process in the file KIT_FAKE_LOG. */
static void fake_log(void) {
  const char *path = getenv("KIT_FAKE_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fputs("started\n", file);
  fclose(file);
}

static int fake_runner(void) {
  fake_log();
  for (int number = 0;; number++) {
    int done = fake_job(number);
    if (done > 0) continue;
    if (fake_is("late_crash")) raise(SIGABRT);
    return done < 0 ? 2 : 0;
  }
}

#endif
