# gpu.mk: the harness on NVIDIA's runtime, and programs that measure what a GPU can do at most.

# A machine with a GPU and nvcc builds every lab for both: KIT_GPU=yes or no decides otherwise.
KIT_GPU   ?= $(if $(and $(wildcard /dev/nvidia[0-9]),$(shell command -v nvcc 2>/dev/null)),yes,no)
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null)))
BACKENDS  := sim $(filter gpu,$(KIT_GPU:yes=gpu))
GPU_O     := $(patsubst %.c,build/gpu/%.o,$(wildcard harness/base/*.c harness/runner/*.c \
               harness/gpu/*.c) $(PROBLEM_C))
# What bounds a lab's times, by programs of their own: build/gpu/ceiling-NAME. Some need cuBLAS.
CUBLAS     := $(and $(wildcard $(CUDA_HOME)/include/cublas_v2.h),$(wildcard $(addsuffix \
               /libcublas.so,\
                $(CUDA_HOME)/lib64 $(CUDA_HOME)/targets/*/lib $(CUDA_HOME)/lib/*)))
CEILING_CU := $(if $(filter gpu,$(BACKENDS)),$(wildcard harness/problems/*/ceiling.cu))
CUBLAS_CU  := $(if $(CEILING_CU),$(shell grep -l cublas_v2.h $(CEILING_CU)))
CEILINGS   := $(patsubst harness/problems/%/ceiling.cu,build/gpu/ceiling-%,$(filter-out $(if \
               $(CUBLAS),,$(CUBLAS_CU)),$(CEILING_CU)))

build/gpu/%.o: %.c | build/ready
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) -I$(CUDA_HOME)/include $(CFLAGS) -MMD -MP -c $< -o $@

# What a timeline is measured with (harness/gpu/activity.c); the library is opened when one is asked
# for.
CUPTI_FOLDERS := $(wildcard $(addprefix $(CUDA_HOME)/,lib64 extras/CUPTI/lib64 targets/*/lib lib))
CUPTI         := $(firstword $(wildcard $(addsuffix /libcupti.so.1[0-9],$(CUPTI_FOLDERS)) \
                   $(addsuffix /libcupti.so,$(CUPTI_FOLDERS))))
build/gpu/harness/gpu/activity.o: CPPFLAGS += $(patsubst %,-isystem %,$(wildcard \
  $(CUDA_HOME)/include $(CUDA_HOME)/extras/CUPTI/include)) -DKIT_CUPTI='"$(CUPTI)"'

build/libgpu.a: $(filter build/gpu/harness/gpu/%,$(GPU_O))
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

build/gpu/%/ceiling.o: %/ceiling.cu harness/compile
	$(say) CUDA $<
	$(Q)mkdir -p $(@D) && harness/compile --backend gpu --source $< --object $@

define ceiling
build/gpu/ceiling-$(1): build/gpu/harness/problems/$(1)/ceiling.o \
               build/gpu/harness/problems/$(1)/$(1).o \
    $$(filter build/gpu/harness/base/% build/gpu/harness/runner/%,$$(GPU_O)) build/libgpu.a
	$$(say) LINK $$@
	$$(Q)nvcc -cudart static -ccbin $$(CXX) $$^ $$(if $$(filter \
	  harness/problems/$(1)/%,$$(CUBLAS_CU)),$$(addprefix -L,$$(dir $$(CUBLAS))) \
	  -lcublas -Xlinker -rpath$$(comma)$$(abspath $$(dir $$(firstword $$(CUBLAS))))) -ljansson \
	  -lpthread -ldl -lm -o $$@
endef
$(foreach name,$(CEILINGS:build/gpu/ceiling-%=%),$(eval $(call ceiling,$(name))))

-include $(GPU_O:.o=.d)
