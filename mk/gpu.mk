# gpu.mk: the harness on NVIDIA's runtime, and programs that measure what a GPU can do at most.

# A machine with a GPU and nvcc builds every lab for both: KIT_GPU=yes or no decides otherwise.
KIT_GPU   ?= $(if $(and $(wildcard /dev/nvidia[0-9]),$(shell command -v nvcc 2>/dev/null)),yes,no)
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null)))
BACKENDS  := sim $(filter gpu,$(KIT_GPU:yes=gpu))
GPU_O     := $(patsubst %.c,build/gpu/%.o,\
               $(wildcard $(patsubst %,harness/%/*.c,base runner problems gpu)))
# What bounds a lab's times, measured by programs of their own; that of products needs cuBLAS.
CUBLAS    := $(and $(wildcard $(CUDA_HOME)/include/cublas_v2.h),\
               $(wildcard $(patsubst %,$(CUDA_HOME)/%/libcublas.so,lib64 targets/*/lib lib/*)))
CEILINGS  := build/gpu/ceiling-transpose $(if $(CUBLAS),build/gpu/ceiling-matmul)

build/gpu/%.o: %.c | build/ready
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) -I$(CUDA_HOME)/include $(CFLAGS) -MMD -MP -c $< -o $@

build/libgpu.a: $(filter build/gpu/harness/gpu/%,$(GPU_O))
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

build/gpu/ceilings/%.o: harness/ceilings/%.cu harness/compile
	$(say) CUDA $<
	$(Q)mkdir -p $(@D) && harness/compile --backend gpu --source $< --object $@

build/gpu/ceiling-%: build/gpu/ceilings/%.o build/gpu/harness/problems/%.o \
    $(filter-out build/gpu/harness/problems/% build/gpu/harness/gpu/%,$(GPU_O)) build/libgpu.a
	$(say) LINK $@
	$(Q)nvcc -cudart static -ccbin $(CXX) $^ \
	  $(if $(filter %-matmul,$@),$(addprefix -L,$(dir $(CUBLAS))) -lcublas \
	    -Xlinker -rpath$(comma)$(abspath $(dir $(firstword $(CUBLAS))))) \
	  -ljansson -lpthread -ldl -lm -o $@

.PRECIOUS: build/gpu/ceilings/%.o
-include $(GPU_O:.o=.d)
