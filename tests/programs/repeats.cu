// Launches that look like earlier ones but must do something else, as something that they read has
// changed. Prints what is wrong, and how many were right.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 512, TIMES = 4;
static int right, wrong;
__constant__ int factor;
__device__ int shared_by_name[N];
__managed__ int managed_by_name[N];
struct arrays {
  const int *in;
  int *out;
};

__global__ void twice(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}
__global__ void times_factor(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = factor * in[i];
}
__global__ void of_struct(arrays a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a.out[i] = 2 * a.in[i];
}
__global__ void of_variable(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * shared_by_name[i];
}
__global__ void of_managed_variable(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * managed_by_name[i];
}
__global__ void of_texture(cudaTextureObject_t in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * tex1Dfetch<int>(in, i);
}
__global__ void increment(int *array) { array[blockIdx.x * blockDim.x + threadIdx.x]++; }
__global__ void says(int round) {
  if (threadIdx.x == 0) printf("hello\n");
}

static void expect(const char *what, int got, int wanted) {
  if (got == wanted) {
    right++;
    return;
  }
  wrong++;
  printf("%s: %d, should be %d\n", what, got, wanted);
}
static int first(const int *device) {
  int value;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
static void put(int *device, int value) {
  cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice);
}
static void clear(int *device) { cudaMemset(device, 0, N * sizeof(int)); }
static cudaTextureObject_t texture_of(int *array) {
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = array;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = N * sizeof(int);
  cudaCreateTextureObject(&texture, &resource, &how, NULL);
  return texture;
}

int main() {
  int *in, *other, *ones, *out, *managed, *cleared, *host, *mapped;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&other, N * sizeof(int));
  cudaMalloc(&ones, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMallocManaged(&managed, N * sizeof(int));
  cudaMallocManaged(&cleared, N * sizeof(int));
  cudaHostAlloc(&host, N * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  clear(in);
  clear(other);
  for (int i = 0; i < N; i++) managed[i] = host[i] = managed_by_name[i] = 0;
  for (int i = 0; i < N; i++) cleared[i] = 1;
  cudaMemcpy(ones, cleared, N * sizeof(int), cudaMemcpyDefault);

  for (int round = 1; round < 5; round++) {
    put(in, round);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      twice<<<2, N / 2>>>(in, out);
    }
    expect("input copied", first(out), 2 * round);
    put(other, 10 * round);
    cudaMemcpy(in, other, N * sizeof(int), cudaMemcpyDeviceToDevice);
    twice<<<2, N / 2>>>(in, out);
    expect("input copied on the device", first(out), 20 * round);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      of_struct<<<2, N / 2>>>(arrays{round % 2 ? in : other, out});
    }
    expect("pointers in a struct", first(out), 20 * round);

    cudaMemcpyToSymbol(factor, &round, sizeof round);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      times_factor<<<2, N / 2>>>(ones, out);
    }
    expect("constant", first(out), round);
    cudaMemcpyToSymbol(shared_by_name, &round, sizeof round);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      of_variable<<<2, N / 2>>>(out);
    }
    expect("variable", first(out), 2 * round);

    managed[0] = round;
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      twice<<<2, N / 2>>>(managed, out);
    }
    cudaDeviceSynchronize();
    expect("managed", first(out), 2 * round);
    for (int i = 0; i < TIMES; i++) twice<<<2, N / 2>>>(in, managed);
    cudaDeviceSynchronize();
    expect("managed output", managed[0], 20 * round);
    for (int i = 0; i < TIMES; i++) {
      for (int k = 0; k < N; k++) cleared[k] = 0;
      twice<<<2, N / 2>>>(ones, cleared);
      cudaDeviceSynchronize();
      expect("managed output that the host clears", cleared[0], 2);
    }
    managed_by_name[0] = round;
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      of_managed_variable<<<2, N / 2>>>(out);
    }
    cudaDeviceSynchronize();
    expect("managed variable", first(out), 2 * round);
    host[0] = round;
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      twice<<<2, N / 2>>>(mapped, out);
    }
    cudaDeviceSynchronize();
    expect("mapped", first(out), 2 * round);

    put(in, round);
    cudaTextureObject_t texture = texture_of(round % 2 ? in : other);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      of_texture<<<2, N / 2>>>(texture, out);
    }
    expect("texture", first(out), round % 2 ? 2 * round : 20 * round);
    cudaDestroyTextureObject(texture);

    int *reused;
    cudaMalloc(&reused, N * sizeof(int));
    cudaMemset(reused, round, N * sizeof(int));
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      twice<<<2, N / 2>>>(reused, out);
    }
    expect("freed", first(out), 2 * 0x01010101 * round);
    cudaFree(reused);

    put(in, 0);
    for (int i = 0; i < TIMES; i++) increment<<<2, N / 2>>>(in);
    expect("in place", first(in), TIMES);

    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    for (int i = 0; i < TIMES; i++) {
      clear(out);
      twice<<<2, N / 2, 0, streams[0]>>>(other, out);
    }
    cudaStreamSynchronize(streams[0]);
    expect("stream", first(out), 20 * round);
    host[0] = -round;
    cudaMemcpyAsync(other, host, sizeof(int), cudaMemcpyHostToDevice, streams[1]);
    cudaStreamSynchronize(streams[1]);
    twice<<<2, N / 2, 0, streams[0]>>>(other, out);
    cudaStreamSynchronize(streams[0]);
    expect("copy in another stream", first(out), -2 * round);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(streams[i]);
    says<<<1, 32>>>(0);
    cudaDeviceSynchronize();
  }
  if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
  printf("%d right\n", right);
  return wrong != 0;
}
