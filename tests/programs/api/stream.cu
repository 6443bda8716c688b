// stream.cu: codes of calls about streams, host functions and events.
#include "codes.h"

static int called;
static void CUDART_CB call(void *data) { called += *(int *)data; }
static void CUDART_CB call_back(cudaStream_t, cudaError_t status, void *data) {
  called += status == cudaSuccess ? *(int *)data : -1000;
}

int main() {
  cudaStream_t stream, made;
  cudaEvent_t first, second, untimed;
  int value = 99, five = 5;
  unsigned int flags = 99;
  float ms;
  CODE(cudaStreamCreate((cudaStream_t *)NULL));
  CODE(cudaStreamCreateWithFlags(&made, 99));
  CODE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CODE(cudaStreamGetFlags(stream, &flags));
  VALUE(flags);
  CODE(cudaStreamGetPriority(stream, &value));
  VALUE(value);
  CODE(cudaStreamGetFlags(stream, NULL));
  CODE(cudaStreamGetPriority(stream, NULL));
  CODE(cudaStreamGetFlags(0, &flags));
  VALUE(flags);
  CODE(cudaStreamGetPriority(0, &value));
  VALUE(value);
  CODE(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  VALUE(flags);
  for (int priority = -9; priority <= 3; priority += 3) {
    CODE(cudaStreamCreateWithPriority(&made, cudaStreamDefault, priority));
    CODE(cudaStreamGetPriority(made, &value));
    VALUE(value);
    CODE(cudaStreamDestroy(made));
  }
  CODE(cudaStreamCreateWithPriority(&made, 99, 0));
  CODE(cudaStreamDestroy(0));
  CODE(cudaStreamDestroy(cudaStreamLegacy));
  CODE(cudaStreamDestroy(cudaStreamPerThread));
  CODE(cudaStreamQuery(0));
  CODE(cudaStreamSynchronize(cudaStreamPerThread));
  CODE(cudaStreamWaitEvent(stream, NULL, 0));
  CODE(cudaStreamAddCallback(stream, call_back, &five, 0));
  CODE(cudaStreamSynchronize(stream));
  VALUE(called);
  CODE(cudaStreamAddCallback(stream, call_back, &five, 1));
  CODE(cudaStreamAddCallback(stream, NULL, &five, 0));
  CODE(cudaLaunchHostFunc(stream, call, &five));
  CODE(cudaStreamSynchronize(stream));
  VALUE(called);
  CODE(cudaLaunchHostFunc(stream, NULL, &five));
  CODE(cudaLaunchHostFunc(0, call, &five));
  CODE(cudaDeviceSynchronize());
  VALUE(called);
  cudaStreamCaptureStatus capture = (cudaStreamCaptureStatus)9;
  CODE(cudaStreamIsCapturing(stream, &capture));
  VALUE(capture);

  CODE(cudaEventCreate((cudaEvent_t *)NULL));
  CODE(cudaEventCreateWithFlags(&first, 0xff));
  CODE(cudaEventCreateWithFlags(&first, cudaEventInterprocess));
  CODE(cudaEventCreateWithFlags(&first, cudaEventBlockingSync));
  CODE(cudaEventCreate(&second));
  CODE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CODE(cudaEventQuery(first));
  CODE(cudaEventSynchronize(first));
  CODE(cudaEventElapsedTime(&ms, first, second));
  CODE(cudaEventRecord(first, stream));
  CODE(cudaEventElapsedTime(&ms, first, second));
  CODE(cudaEventElapsedTime(NULL, first, second));
  CODE(cudaEventRecordWithFlags(second, stream, cudaEventRecordDefault));
  CODE(cudaEventRecordWithFlags(second, stream, 99));
  CODE(cudaEventRecord(untimed, stream));
  CODE(cudaEventSynchronize(untimed));
  CODE(cudaEventElapsedTime(&ms, first, untimed));
  CODE(cudaEventElapsedTime(&ms, first, second));
  CODE(cudaEventElapsedTime(&ms, NULL, second));
  CODE(cudaEventRecord(NULL, stream));
  CODE(cudaEventQuery(NULL));
  CODE(cudaEventSynchronize(NULL));
  CODE(cudaEventDestroy(NULL));
  CODE(cudaStreamWaitEvent(stream, first, 99));
  CODE(cudaStreamWaitEvent(0, untimed, 0));
  CODE(cudaEventDestroy(untimed));
  CODE(cudaStreamDestroy(stream));
}
