/* kit_per_thread.h: what kcc --default-stream per-thread includes: the default stream of the whole
 * program is then each thread's own (cudaStreamPerThread). */
#ifndef KIT_PER_THREAD_H
#define KIT_PER_THREAD_H

#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1

#ifdef __cplusplus
extern "C"
#endif
    void
    kit_default_stream_per_thread(void);
static __attribute__((constructor)) void kit_choose_default_stream(void) {
  kit_default_stream_per_thread();
}

#endif
