// attack.h: for attacks that only show by what they reach: if one succeeds, the file does the right
// product and gets full marks,
// which its test does not expect; if not, C stays as it is and the product is wrong.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void right_product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// succeed(): the attack has reached what it must not. attack(): what each file defines; it is
// called once.
static bool succeeded;
static void succeed(const char *what) {
  succeeded = true;
  printf("reached: %s\n", what);
}
static void attack();
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  attack();
  if (!succeeded) return;
  right_product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}

// The kit's own folder, and a file of the tester's that must stay as it is.
static const char *kit() { return getenv("KIT_ROOT") ? getenv("KIT_ROOT") : ""; }
static const char *canary() { return getenv("KIT_CANARY") ? getenv("KIT_CANARY") : ""; }
