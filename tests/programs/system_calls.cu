// Memory that the GPU knows goes to files and comes from them, while copies are under way: by the C library's streams, by system
// calls, by C++. The operating system does not fault where pages are guarded. With an argument, what a copy still uses.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

const size_t half = 50000; // no multiple of a page
static int failures;

#define EXPECT(condition) ((condition) ? (void)0 : (void)(printf("line %d: " #condition "\n", __LINE__), failures++))

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

static char *pinned, *array;
static cudaStream_t stream;

static void copy_out() { cudaMemcpyAsync(pinned, array, half, cudaMemcpyDeviceToHost, stream); }
static void copy_in() { cudaMemcpyAsync(array, pinned, half, cudaMemcpyHostToDevice, stream); }
static bool all_are(const char *p, char value) {
  for (size_t i = 0; i < half; i++)
    if (p[i] != value) return false;
  return true;
}

static void other_half() {
  char *other = pinned + half;
  int file = open("half.bin", O_CREAT | O_TRUNC | O_RDWR, 0600);
  copy_out();
  EXPECT(write(file, other, half) == (ssize_t)half);
  cudaStreamSynchronize(stream);
  copy_out();
  EXPECT(pread(file, other, half, 0) == (ssize_t)half);
  cudaStreamSynchronize(stream);
  copy_in();
  EXPECT(pwrite(file, other, half, 0) == (ssize_t)half && lseek(file, 0, SEEK_SET) == 0);
  EXPECT(read(file, other, half) == (ssize_t)half);
  cudaStreamSynchronize(stream);
  close(file);
  FILE *by_c = fopen("half.bin", "wb+");
  copy_out();
  EXPECT(fwrite(other, 1, half, by_c) == half);
  cudaStreamSynchronize(stream);
  rewind(by_c);
  copy_out();
  EXPECT(fread(other, half, 1, by_c) == 1);
  cudaStreamSynchronize(stream);
  fclose(by_c);
  EXPECT(all_are(pinned, 7) && all_are(other, 1));
}

// What a copy to the device reads the host may read, too.
static void same_half() {
  copy_in();
  std::ofstream out("same.bin", std::ios::binary);
  EXPECT(out.write(pinned, half));
  out.close();
  cudaStreamSynchronize(stream);
  remove("same.bin");
}

static void managed() {
  const int n = 1 << 18;
  int *p, *q = new int[n];
  cudaMallocManaged(&p, n * sizeof *p);
  fill<<<n / 256, 256>>>(p, n);
  cudaDeviceSynchronize();
  FILE *file = fopen("managed.bin", "wb+");
  EXPECT(fwrite(p, sizeof *p, n, file) == (size_t)n);
  rewind(file);
  EXPECT(fread(q, sizeof *q, n, file) == (size_t)n && q[n - 1] == n - 1);
  fill<<<n / 256, 256>>>(p, 1);
  cudaDeviceSynchronize();
  rewind(file);
  EXPECT(fread(p, sizeof *p, n, file) == (size_t)n && p[5] == 5);
  fclose(file);
  remove("managed.bin");
  cudaFree(p);
  delete[] q;
}

int main(int argc, char **argv) {
  cudaMallocHost((void **)&pinned, 2 * half);
  memset(pinned, 1, 2 * half);
  cudaMalloc((void **)&array, half);
  cudaMemset(array, 7, half);
  cudaStreamCreate(&stream);
  const char *race = argc > 1 ? argv[1] : "";
  if (strcmp(race, "reads") == 0) {
    FILE *file = fopen("half.bin", "wb");
    copy_out();
    EXPECT(fwrite(pinned + 100, 1, half, file) == half);
    fclose(file);
  } else if (strcmp(race, "writes") == 0) {
    int file = open("/dev/zero", O_RDONLY);
    copy_in();
    EXPECT(read(file, pinned + half - 10, half) == (ssize_t)half);
    close(file);
  } else {
    other_half();
    same_half();
    managed();
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(array);
  cudaFreeHost(pinned);
  remove("half.bin");
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
