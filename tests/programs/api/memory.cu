// memory.cu: codes of calls that allocate, copy and fill.
#include "codes.h"

__device__ int variable[4];
__constant__ int constant[4];
static int host_variable[4];

int main() {
  int *device, *other, plain[64] = {0}, *pinned, *mapped;
  void *p = plain;
  size_t size, pitch;
  CODE(cudaMalloc((void **)NULL, 4));
  CODE(cudaMalloc(&p, 0));
  VALUE(p == NULL);
  p = plain;
  CODE(cudaMalloc(&p, (size_t)1 << 50));
  VALUE(p == plain);
  CODE(cudaMalloc(&device, 1024));
  CODE(cudaMalloc(&other, 1024));
  CODE(cudaFree(NULL));
  CODE(cudaFree(plain));
  CODE(cudaFree(device + 1));
  CODE(cudaFree((void *)8));
  CODE(cudaFree(other));
  CODE(cudaFree(other));
  CODE(cudaMallocPitch((void **)NULL, &pitch, 4, 4));
  CODE(cudaMallocPitch(&p, NULL, 4, 4));
  CODE(cudaMallocPitch(&p, &pitch, 0, 4));
  VALUE(p == NULL);
  CODE(cudaMallocPitch(&p, &pitch, 4, 0));
  VALUE(p == NULL);
  CODE(cudaMallocPitch(&p, &pitch, 100, 4));
  VALUE(pitch);
  CODE(cudaFree(p));
  CODE(cudaMallocPitch(&p, &pitch, 1000, 4));
  VALUE(pitch);
  CODE(cudaFree(p));
  CODE(cudaMallocPitch(&p, &pitch, (size_t)1 << 62, 8));
  cudaPitchedPtr pitched = make_cudaPitchedPtr(NULL, 0, 0, 0);
  CODE(cudaMalloc3D(NULL, make_cudaExtent(1, 1, 1)));
  CODE(cudaMalloc3D(&pitched, make_cudaExtent(0, 4, 4)));
  VALUE(pitched.ptr == NULL);
  CODE(cudaMalloc3D(&pitched, make_cudaExtent(100, 4, 3)));
  VALUE(pitched.pitch);
  VALUE(pitched.xsize);
  VALUE(pitched.ysize);
  CODE(cudaMemset3D(pitched, 1, make_cudaExtent(100, 4, 3)));
  CODE(cudaMemset3D(pitched, 1, make_cudaExtent(1000, 4, 3)));
  CODE(cudaMemset3D(pitched, 1, make_cudaExtent(100, 4, 4)));
  CODE(cudaMemset3D(pitched, 1, make_cudaExtent(0, 4, 4)));
  CODE(cudaMemcpy3D(NULL));
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  CODE(cudaMemcpy3D(&copy));
  copy.srcPtr = pitched;
  copy.dstPtr = make_cudaPitchedPtr(plain, 10, 10, 2);
  copy.extent = make_cudaExtent(10, 2, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  CODE(cudaMemcpy3D(&copy));
  VALUE(plain[0]);
  copy.kind = cudaMemcpyHostToDevice;
  CODE(cudaMemcpy3D(&copy));
  copy.kind = (cudaMemcpyKind)9;
  CODE(cudaMemcpy3D(&copy));
  copy.kind = cudaMemcpyDeviceToHost;
  copy.extent = make_cudaExtent(11, 2, 3);
  CODE(cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(10, 2, 4);
  CODE(cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(10, 0, 4);
  CODE(cudaMemcpy3D(&copy));
  CODE(cudaFree(pitched.ptr));

  CODE(cudaMemcpy(device, plain, 64, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy(NULL, plain, 64, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy(device, NULL, 64, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy(device, plain, 64, (cudaMemcpyKind)9));
  CODE(cudaMemcpy(device, plain, 64, cudaMemcpyDeviceToHost));
  CODE(cudaMemcpy(plain, device, 64, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy(plain, device, 64, cudaMemcpyDefault));
  CODE(cudaMemcpy(plain, plain + 32, 64, cudaMemcpyDefault));
  CODE(cudaMemcpy(plain, plain + 32, 64, cudaMemcpyHostToHost));
  CODE(cudaMemcpy(device, plain, 64, cudaMemcpyDeviceToDevice));
  CODE(cudaMemcpy(other, plain, 64, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy2D(device, 8, plain, 32, 16, 2, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy2D(device, 32, plain, 8, 16, 2, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy2D(device, 8, plain, 8, 0, 2, cudaMemcpyHostToDevice));
  CODE(cudaMemcpy2D(device, 8, plain, 8, 8, 2, (cudaMemcpyKind)9));
  CODE(cudaMemcpyPeer(device, 0, device + 64, 0, 64));
  CODE(cudaMemcpyPeer(device, 1, device + 64, 0, 64));
  CODE(cudaMemcpyPeer(device, 0, plain, 0, 64));
  CODE(cudaMemcpyPeerAsync(device, 0, device + 64, 0, 64, 0));
  CODE(cudaMemset(NULL, 0, 4));
  CODE(cudaMemset(NULL, 0, 0));
  CODE(cudaMemset(plain, 0, 4));
  CODE(cudaMemset(other, 0, 4));
  CODE(cudaMemset2D(device, 8, 0, 16, 2));
  CODE(cudaMemset2D(device, 16, 0, 16, 2));
  CODE(cudaMemset2DAsync(device, 16, 0, 16, 2, 0));

  CODE(cudaMemcpyToSymbol(variable, plain, 16));
  CODE(cudaMemcpyToSymbol(variable, plain, 17));
  CODE(cudaMemcpyToSymbol(variable, plain, 8, 12));
  CODE(cudaMemcpyToSymbol(constant, plain, 16, 0, cudaMemcpyDeviceToHost));
  CODE(cudaMemcpyFromSymbol(plain, variable, 16, 0, cudaMemcpyHostToDevice));
  CODE(cudaMemcpyToSymbol(host_variable, plain, 16));
  CODE(cudaMemcpyToSymbol((const void *)NULL, plain, 16));
  CODE(cudaGetSymbolAddress(&p, host_variable));
  CODE(cudaGetSymbolAddress((void **)NULL, variable));
  CODE(cudaGetSymbolSize(&size, constant));
  VALUE(size);
  CODE(cudaGetSymbolSize(&size, host_variable));
  CODE(cudaFree((CODE(cudaGetSymbolAddress(&p, variable)), p)));

  unsigned int flags = 99;
  CODE(cudaMallocHost((void **)NULL, 4));
  p = plain;
  CODE(cudaMallocHost(&p, 0));
  VALUE(p == NULL);
  CODE(cudaMallocHost(&pinned, 4096));
  CODE(cudaHostAlloc(&mapped, 4096, cudaHostAllocMapped | cudaHostAllocPortable));
  CODE(cudaHostAlloc(&p, 4096, 0x100));
  CODE(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);
  CODE(cudaHostGetFlags(&flags, mapped));
  VALUE(flags);
  CODE(cudaHostGetFlags(&flags, mapped + 1));
  CODE(cudaHostGetFlags(&flags, plain));
  CODE(cudaHostGetFlags(&flags, device));
  CODE(cudaHostGetFlags(NULL, pinned));
  CODE(cudaHostGetDevicePointer(&p, pinned, 0));
  VALUE(p == pinned);
  CODE(cudaHostGetDevicePointer(&p, mapped, 0));
  VALUE(p == mapped);
  CODE(cudaHostGetDevicePointer(&p, mapped + 5, 0));
  VALUE(p == mapped + 5);
  CODE(cudaHostGetDevicePointer(&p, mapped, 1));
  CODE(cudaHostGetDevicePointer(&p, plain, 0));
  CODE(cudaHostGetDevicePointer(&p, NULL, 0));
  CODE(cudaHostGetDevicePointer(&p, device, 0));
  CODE(cudaFreeHost(NULL));
  CODE(cudaFreeHost(plain));
  CODE(cudaFreeHost(device));
  CODE(cudaFreeHost(pinned + 1));
  CODE(cudaFree(pinned));
  CODE(cudaHostUnregister(mapped));
  CODE(cudaFreeHost(mapped));
  CODE(cudaFreeHost(mapped));

  char *block = (char *)aligned_alloc(4096, 5 * 4096);
  CODE(cudaHostRegister(NULL, 4096, 0));
  CODE(cudaHostRegister(block, 0, 0));
  CODE(cudaHostRegister(block, 4096, 0x1000));
  CODE(cudaHostRegister(device, 64, 0));
  CODE(cudaHostRegister(block, 8192, cudaHostRegisterPortable));
  CODE(cudaHostRegister(block, 8192, 0));
  CODE(cudaHostRegister(block + 4096, 8192, 0));
  CODE(cudaHostGetFlags(&flags, block));
  VALUE(flags);
  CODE(cudaHostGetDevicePointer(&p, block + 100, 0));
  VALUE(p == block + 100);
  CODE(cudaFreeHost(block));
  CODE(cudaHostUnregister(block + 4096));
  CODE(cudaHostUnregister(block));
  CODE(cudaHostUnregister(block));
  CODE(cudaHostUnregister(NULL));
  CODE(cudaHostUnregister(plain));
  CODE(cudaHostRegister(block + 100, 200, cudaHostRegisterMapped));
  CODE(cudaHostUnregister(block + 100));

  cudaPointerAttributes of;
  CODE(cudaPointerGetAttributes(NULL, device));
#define KIND(pointer)                                  \
  memset(&of, 0x55, sizeof of);                        \
  CODE(cudaPointerGetAttributes(&of, pointer));        \
  VALUE(of.type);                                      \
  VALUE(of.device);                                    \
  VALUE(of.devicePointer ? of.devicePointer == (void *)(pointer) : -1); \
  VALUE(of.hostPointer ? of.hostPointer == (void *)(pointer) : -1)
  CODE(cudaMallocManaged(&p, 64));
  CODE(cudaMallocHost(&pinned, 64));
  KIND(device + 3);
  KIND(plain);
  KIND(pinned + 3);
  KIND(p);
  KIND((void *)NULL);
  KIND(other);
}
