/* kit_namespace.h: cuda::std is what the host's library has. clang compiles what is constexpr there
 * for the device, too: type_traits, utility, limits, array, tuple, most of functional and
 * algorithm. */
#ifndef KIT_CUDA_STD_H
#define KIT_CUDA_STD_H

#include <cstddef>
#include <cstdint>

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda

#endif
