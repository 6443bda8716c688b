/* cuda13.h: names that CUDA 13 no longer has, for programs written before it. */
#pragma once
#include <cuda_runtime.h>
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define clockRate minor
#define deviceOverlap minor
#define kernelExecTimeoutEnabled minor
#define computeMode minor
