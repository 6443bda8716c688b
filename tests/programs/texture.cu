// Textures and surfaces: what each fetch returns against the formulas of the CUDA C++ Programming
// Guide, "Texture Fetching". Ends with 0 if all are right.
#include <cmath>
#include <cstdio>
#include <vector>

static int failures;

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t error = call;                                                    \
    if (error) failures++, printf("%s: %s\n", #call, cudaGetErrorString(error)); \
  } while (0)

static void expect(const char *what, int i, float got, float wanted) {
  if (got == wanted || std::fabs(got - wanted) <= 1e-5f * std::fabs(wanted)) return;
  if (failures++ < 20) printf("%s: %d is %.9g, not %.9g\n", what, i, got, wanted);
}

enum { WIDTH = 13, HEIGHT = 7, LAYERS = 3, COUNT = 400 };

static __host__ __device__ float texel(int x, int y, int layer) {
  return (float)(x * x + 10 * y + 1000 * layer);
}

__global__ void sample(cudaTextureObject_t object, float scale, float y, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) to[i] = tex2D<float>(object, (i * 0.171875f - 20.0078125f) * scale, y);
}

__global__ void sample_more(cudaTextureObject_t plain, cudaTextureObject_t bytes,
                            cudaTextureObject_t layers, cudaTextureObject_t volume,
                            cudaTextureObject_t line, float *to) {
  to[0] = tex2DLayered<float>(layers, 3.5f, 2.5f, 2);
  to[1] = tex3D<float>(volume, 4.5f, 1.5f, 1.5f);
  to[2] = tex1Dfetch<float>(line, 5);
  to[3] = tex1Dfetch<float>(line, -1);
  to[4] = tex1Dfetch<float>(line, WIDTH);
  float4 four = tex2D<float4>(bytes, 1.5f, 0.5f);
  to[5] = four.x, to[6] = four.w;
  four = tex2Dgather<float4>(plain, 5, 3, 0);
  to[7] = four.x, to[8] = four.y, to[9] = four.z, to[10] = four.w;
  to[11] = tex2DLod<float>(plain, 1.5f, 1.5f, 3);
}

__global__ void through_surface(cudaSurfaceObject_t surface, float *to) {
  int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(texel(x, y, 0), surface, x * 4, y);
  surf2Dwrite(1.0f, surface, (x + WIDTH) * 4, y, cudaBoundaryModeZero);
  __syncthreads();
  float value;
  surf2Dread(&value, surface, (WIDTH - 1 - x) * 4, HEIGHT - 1 - y);
  to[y * WIDTH + x] = value + surf2Dread<float>(surface, -4, y, cudaBoundaryModeZero) +
                      surf2Dread<float>(surface, 1000, 0, cudaBoundaryModeClamp);
}

static cudaTextureObject_t object_of(cudaResourceDesc resource, cudaTextureFilterMode filter,
                                     cudaTextureAddressMode mode, bool normalized,
                                     cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc desc = {};
  for (int i = 0; i < 3; i++) desc.addressMode[i] = mode;
  desc.filterMode = filter;
  desc.readMode = read;
  desc.normalizedCoords = normalized;
  desc.borderColor[0] = -5;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &desc, nullptr));
  return object;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/* The texel at i, in row 2, as the address mode says. */
static float addressed(int i, cudaTextureAddressMode mode) {
  int period = ((i % (2 * WIDTH)) + 2 * WIDTH) % (2 * WIDTH);
  if (i >= 0 && i < WIDTH) return texel(i, 2, 0);
  switch (mode) {
    case cudaAddressModeWrap:
      return texel(period % WIDTH, 2, 0);
    case cudaAddressModeMirror:
      return texel(period < WIDTH ? period : 2 * WIDTH - 1 - period, 2, 0);
    case cudaAddressModeClamp:
      return texel(i < 0 ? 0 : WIDTH - 1, 2, 0);
    default:
      return -5;
  }
}

static void check_sampling(cudaArray_t array, cudaTextureFilterMode filter,
                           cudaTextureAddressMode mode, bool normalized, float *on_device) {
  cudaTextureObject_t object = object_of(resource_of(array), filter, mode, normalized);
  float got[COUNT], scale = normalized ? 1.0f / WIDTH : 1;
  sample<<<(COUNT + 127) / 128, 128>>>(object, scale, normalized ? 2.5f / HEIGHT : 2.5f, on_device);
  CHECK(cudaMemcpy(got, on_device, sizeof got, cudaMemcpyDeviceToHost));
  bool bordered = mode == cudaAddressModeBorder || mode == cudaAddressModeClamp;
  cudaTextureAddressMode meant = normalized || bordered ? mode : cudaAddressModeClamp;
  for (int i = 0; i < COUNT; i++) {
    float x = (i * 0.171875f - 20.0078125f) * scale;
    if (normalized) x *= WIDTH;
    float wanted = addressed((int)std::floor(x), meant);
    if (filter == cudaFilterModeLinear) {
      int fixed = (int)std::floor(x * 256.0 + 0.5) - 128, first = fixed >> 8;
      float weight = (fixed & 255) / 256.0f;
      wanted = (1 - weight) * addressed(first, meant) + weight * addressed(first + 1, meant);
    }
    expect(normalized ? "normalised" : "sampled", 1000 * mode + i, got[i], wanted);
  }
  CHECK(cudaDestroyTextureObject(object));
}

int main() {
  std::vector<float> host(WIDTH * HEIGHT * LAYERS);
  for (int i = 0; i < WIDTH * HEIGHT * LAYERS; i++)
    host[i] = texel(i % WIDTH, i / WIDTH % HEIGHT, i / WIDTH / HEIGHT);
  float *on_device, got[COUNT];
  CHECK(cudaMalloc(&on_device, sizeof got));
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), WIDTH * 4, WIDTH * 4, HEIGHT,
                            cudaMemcpyHostToDevice));
  for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; mode++)
    for (int kind = 0; kind < 4; kind++)
      check_sampling(array, kind & 1 ? cudaFilterModeLinear : cudaFilterModePoint,
                     (cudaTextureAddressMode)mode, kind & 2, on_device);

  cudaArray_t layered, volume, bytes;
  cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, LAYERS);
  CHECK(cudaMalloc3DArray(&layered, &desc, extent, cudaArrayLayered));
  CHECK(cudaMalloc3DArray(&volume, &desc, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), WIDTH * 4, WIDTH, HEIGHT);
  copy.dstArray = layered;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms across = {};
  across.srcArray = layered;
  across.dstArray = volume;
  across.extent = extent;
  across.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&across));
  uchar4 colours[2] = {{0, 0, 0, 0}, {255, 0, 0, 51}};
  cudaChannelFormatDesc byte_desc = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&bytes, &byte_desc, 2, 1));
  CHECK(cudaMemcpyToArray(bytes, 0, 0, colours, sizeof colours, cudaMemcpyHostToDevice));
  float *line;
  CHECK(cudaMalloc(&line, WIDTH * 4));
  CHECK(cudaMemcpy(line, host.data(), WIDTH * 4, cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = line;
  linear.res.linear.desc = desc;
  linear.res.linear.sizeInBytes = WIDTH * 4;
  cudaTextureObject_t objects[] = {
      object_of(resource_of(array), cudaFilterModePoint, cudaAddressModeClamp, false),
      object_of(resource_of(bytes), cudaFilterModePoint, cudaAddressModeClamp, false,
                cudaReadModeNormalizedFloat),
      object_of(resource_of(layered), cudaFilterModeLinear, cudaAddressModeClamp, false),
      object_of(resource_of(volume), cudaFilterModePoint, cudaAddressModeClamp, false),
      object_of(linear, cudaFilterModePoint, cudaAddressModeClamp, false)};
  sample_more<<<1, 1>>>(objects[0], objects[1], objects[2], objects[3], objects[4], on_device);
  CHECK(cudaMemcpy(got, on_device, sizeof got, cudaMemcpyDeviceToHost));
  float wanted[] = {texel(3, 2, 2),
                    texel(4, 1, 1),
                    texel(5, 0, 0),
                    0,
                    0,
                    1,
                    51 / 255.0f,
                    texel(4, 3, 0),
                    texel(5, 3, 0),
                    texel(5, 2, 0),
                    texel(4, 2, 0),
                    texel(1, 1, 0)};
  for (int i = 0; i < 12; i++) expect("fetched", i, got[i], wanted[i]);

  cudaSurfaceObject_t surface;
  cudaResourceDesc writable = resource_of(array);
  CHECK(cudaCreateSurfaceObject(&surface, &writable));
  through_surface<<<1, dim3(WIDTH, HEIGHT)>>>(surface, on_device);
  CHECK(cudaMemcpy(got, on_device, WIDTH * HEIGHT * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    expect("surface", i, got[i],
           texel(WIDTH - 1 - i % WIDTH, HEIGHT - 1 - i / WIDTH, 0) + texel(WIDTH - 1, 0, 0));

  cudaExtent size;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&desc, &size, &flags, volume));
  if (size.depth != LAYERS || flags) failures++, printf("cudaArrayGetInfo\n");
  cudaResourceDesc unwritable = resource_of(bytes);
  if (cudaCreateSurfaceObject(&surface, &unwritable) != cudaSuccess)
    failures++, printf("a surface of an array without cudaArraySurfaceLoadStore\n");
  cudaGetLastError();
  for (cudaTextureObject_t object : objects) CHECK(cudaDestroyTextureObject(object));
  for (cudaArray_t each : {array, layered, volume, bytes}) CHECK(cudaFreeArray(each));
  return failures != 0;
}
