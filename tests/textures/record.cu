// record.cu: what a GPU makes of texture fetches, bit for bit, and the codes of calls that fail.
//
//   nvcc -arch=sm_90 -o record tests/textures/record.cu && ./record >rows
//   tests/textures/sums rows >tests/textures/h100.tsv
//
// A row is NAME, a number, and bits of a float or a cudaError_t, in hexadecimal. Calls with a null
// pointer, and freeing an array twice, are left out: an H100 ended an earlier version early,
// probably at one of these.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>
#include <vector>

typedef cudaTextureFilterMode filter_mode;
typedef cudaTextureAddressMode address_mode;
enum { POINTS = 2048 };

__global__ void fetch_1d(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = tex1D<float>(t, start + i * step);
}
__global__ void fetch_2d(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = tex2D<float>(t, start + i * step, start + (i * 37 % POINTS) * step);
}
__global__ void fetch_3d(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = tex3D<float>(t, start + i * step, start + (i * 37 % POINTS) * step,
                       start + (i * 91 % POINTS) * step);
}
__global__ void fetch_cube(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = texCubemap<float>(t, start + i * step, start + (i * 37 % POINTS) * step,
                            start + (i * 91 % POINTS) * step);
}
__global__ void fetch_layer(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = tex1DLayered<float>(t, start + i * step, i % 8 - 2);
}
__global__ void gather(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = tex2Dgather<float4>(t, start + i * step, start + (i * 37 % POINTS) * step, 0);
  to[i] = i % 4 == 0 ? v.x : i % 4 == 1 ? v.y : i % 4 == 2 ? v.z : v.w;
}
__global__ void fetch_linear(cudaTextureObject_t t, float start, float step, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = tex1Dfetch<float>(t, i - 100);
}
__global__ void trap(cudaSurfaceObject_t s) { surf1Dwrite(1.0f, s, 1 << 20); }

typedef void kernel(cudaTextureObject_t, float, float, float *);

static unsigned seed = 1;
static float random_value() {
  seed = seed * 1664525u + 1013904223u;
  return (float)(seed >> 8) / (1 << 20) - 8;
}

static void code(const char *name, int error) { printf("%s\t0\t%x\n", name, (unsigned)error); }

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

template <class T>
static cudaChannelFormatDesc channels_of() {
  return cudaCreateChannelDesc<T>();
}
template <>
cudaChannelFormatDesc channels_of<__half>() {
  return cudaCreateChannelDescHalf();
}

template <class T>
static cudaArray_t make_array(int w, int h, int d, unsigned flags) {
  std::vector<T> values((size_t)w * (h ? h : 1) * (d ? d : 1));
  for (T &value : values) value = (T)(sizeof(T) == 4 ? random_value() : random_value() * 4000);
  cudaChannelFormatDesc desc = channels_of<T>();
  cudaArray_t array;
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  int error = cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h, d), flags);
  copy.srcPtr = make_cudaPitchedPtr(values.data(), w * sizeof(T), w, h ? h : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
  copy.kind = cudaMemcpyHostToDevice;
  if (!error) error = cudaMemcpy3D(&copy);
  if (error) code("setup", error);
  return array;
}

static void record(const char *name, kernel *k, const cudaResourceDesc &resource,
                   filter_mode filter, address_mode mode, bool normalized, cudaTextureReadMode read,
                   float start, float step) {
  cudaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  for (int i = 0; i < 3; i++) desc.addressMode[i] = mode;
  desc.filterMode = filter;
  desc.readMode = read;
  desc.normalizedCoords = normalized;
  desc.borderColor[0] = -3.25f;
  cudaTextureObject_t object = 0;
  int error = cudaCreateTextureObject(&object, &resource, &desc, 0);
  static float *to, got[POINTS];
  if (!to) cudaMalloc(&to, sizeof got);
  if (!error) {
    k<<<POINTS / 256, 256>>>(object, start, step, to);
    error = cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost);
    cudaDestroyTextureObject(object);
  }
  if (error) return code(name, error);
  for (int i = 0; i < POINTS; i++) {
    unsigned bits;
    memcpy(&bits, &got[i], sizeof bits);
    printf("%s\t%d\t%08x\n", name, i, bits);
  }
}

static void record_calls(cudaArray_t plain, cudaArray_t integers) {
  cudaResourceDesc resource = resource_of(integers);
  cudaTextureDesc desc;
  cudaTextureObject_t object = 0;
  memset(&desc, 0, sizeof desc);
  desc.filterMode = cudaFilterModeLinear;
  code("linear_filter_of_ints", cudaCreateTextureObject(&object, &resource, &desc, 0));
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeNormalizedFloat;
  code("normalized_ints", cudaCreateTextureObject(&object, &resource, &desc, 0));
  desc.readMode = cudaReadModeElementType;
  desc.addressMode[0] = cudaAddressModeWrap;
  code("wrap_unnormalized", cudaCreateTextureObject(&object, &resource, &desc, 0));
  code("destroy", cudaDestroyTextureObject(object));
  code("destroy_zero", cudaDestroyTextureObject(0));
  resource = resource_of(plain);
  code("surface_without_flag", cudaCreateSurfaceObject(&object, &resource));
  char *memory;
  cudaMalloc(&memory, 4096);
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 256;
  resource.res.linear.devPtr = memory + 16;
  code("linear_misaligned", cudaCreateTextureObject(&object, &resource, &desc, 0));
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  code("three_channels", cudaCreateTextureObject(&object, &resource, &desc, 0));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = 40;
  code("pitch_misaligned", cudaCreateTextureObject(&object, &resource, &desc, 0));
  cudaArray_t array;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>(),
                        three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  code("array_width_0", cudaMallocArray(&array, &channels, 0, 4));
  code("array_three_channels", cudaMallocArray(&array, &three, 4, 4));
  code("array_layered_flag", cudaMallocArray(&array, &channels, 4, 4, cudaArrayLayered));
  code("array_too_wide", cudaMallocArray(&array, &channels, 1 << 24, 4));
  code("cube_not_square",
       cudaMalloc3DArray(&array, &channels, make_cudaExtent(4, 8, 6), cudaArrayCubemap));
  code("copy_beyond",
       cudaMemcpy2DToArray(plain, 4, 0, memory, 1024, 1 << 20, 1, cudaMemcpyDeviceToDevice));
  cudaMallocArray(&array, &channels, 4, 4);
  code("free", cudaFreeArray(array));
  code("free_null", cudaFreeArray(0));
  cudaGetLastError();
}

// Formats and sizes of their own.
static void record_others() {
  const filter_mode linear = cudaFilterModeLinear;
  const address_mode clamp = cudaAddressModeClamp;
  record("signed_bytes_linear", fetch_2d, resource_of(make_array<signed char>(37, 23, 0, 0)),
         linear, clamp, 0, cudaReadModeNormalizedFloat, -1, 0.0183f);
  record("halves_linear", fetch_2d, resource_of(make_array<__half>(37, 23, 0, 0)), linear, clamp, 0,
         cudaReadModeElementType, -1, 0.0183f);
  record("wide_normalized", fetch_1d, resource_of(make_array<float>(30000, 0, 0, 0)), linear, clamp,
         1, cudaReadModeElementType, 0.3f, 1e-6f);
  record("bytes_border", fetch_2d, resource_of(make_array<unsigned char>(37, 23, 0, 0)), linear,
         cudaAddressModeBorder, 0, cudaReadModeNormalizedFloat, -1, 0.0183f);
}

int main() {
  setvbuf(stdout, 0, _IOLBF, 0);
  const cudaTextureReadMode as_is = cudaReadModeElementType, fraction = cudaReadModeNormalizedFloat;
  const filter_mode point = cudaFilterModePoint, linear = cudaFilterModeLinear;
  cudaArray_t line = make_array<float>(37, 0, 0, 0),
              plane = make_array<float>(37, 23, 0, cudaArrayTextureGather),
              volume = make_array<float>(17, 13, 11, 0),
              cube = make_array<float>(8, 8, 6, cudaArrayCubemap),
              layers = make_array<float>(16, 0, 4, cudaArrayLayered),
              bytes = make_array<unsigned char>(37, 23, 0, 0),
              shorts = make_array<short>(37, 23, 0, 0), ints = make_array<int>(16, 16, 0, 0);
  static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
  char name[64];
  record("weights", fetch_1d, resource_of(line), linear, cudaAddressModeClamp, 0, as_is, 3.5f,
         1.0f / 2048);
  record("weights_far", fetch_1d, resource_of(line), linear, cudaAddressModeClamp, 0, as_is, 33.5f,
         1.0f / 2048);
  record("weights_normalized", fetch_1d, resource_of(line), linear, cudaAddressModeClamp, 1, as_is,
         0.1f, 1.0f / 65536);
  record("edges", fetch_1d, resource_of(line), point, cudaAddressModeClamp, 0, as_is, 4.999f,
         1e-6f);
  record("edges_normalized", fetch_1d, resource_of(line), point, cudaAddressModeClamp, 1, as_is,
         5 / 37.0f - 1e-4f, 1e-7f);
  for (int mode = 0; mode < 4; mode++)
    for (int kind = 0; kind < 4; kind++) {
      bool normalized = kind & 2;
      float scale = normalized ? 1 / 37.0f : 1;
      snprintf(name, sizeof name, "%s_%s%s", modes[mode], kind & 1 ? "linear" : "point",
               normalized ? "_normalized" : "");
      record(name, fetch_2d, resource_of(plane), kind & 1 ? linear : point, (address_mode)mode,
             normalized, as_is, -60 * scale, 0.0771f * scale);
    }
  record("volume", fetch_3d, resource_of(volume), linear, cudaAddressModeBorder, 0, as_is, -1,
         0.0091f);
  record("cube_point", fetch_cube, resource_of(cube), point, cudaAddressModeClamp, 1, as_is, -1,
         0.000977f);
  record("cube_linear", fetch_cube, resource_of(cube), linear, cudaAddressModeClamp, 1, as_is, -1,
         0.000977f);
  record("layers", fetch_layer, resource_of(layers), linear, cudaAddressModeClamp, 0, as_is, -2,
         0.0103f);
  record("gather", gather, resource_of(plane), point, cudaAddressModeClamp, 0, as_is, -2, 0.0203f);
  record("bytes", fetch_2d, resource_of(bytes), point, cudaAddressModeClamp, 0, fraction, -1,
         0.0183f);
  record("bytes_linear", fetch_2d, resource_of(bytes), linear, cudaAddressModeClamp, 0, fraction,
         -1, 0.0183f);
  record("shorts", fetch_2d, resource_of(shorts), point, cudaAddressModeClamp, 0, fraction, -1,
         0.0183f);
  record("shorts_linear", fetch_2d, resource_of(shorts), linear, cudaAddressModeClamp, 0, fraction,
         -1, 0.0183f);
  std::vector<float> values(1000);
  for (float &value : values) value = random_value();
  float *memory;
  cudaMalloc(&memory, 4000);
  cudaMemcpy(memory, values.data(), 4000, cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 4000;
  record("linear_memory", fetch_linear, resource, point, cudaAddressModeClamp, 0, as_is, 0, 1);
  record_others();
  record_calls(line, ints);
  cudaArray_t small = make_array<float>(16, 0, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface = 0;
  resource = resource_of(small);
  code("surface", cudaCreateSurfaceObject(&surface, &resource));
  trap<<<1, 1>>>(surface);
  code("trap", cudaDeviceSynchronize());
}
