# sim.mk: the simulated GPU, and CUDA's runtime on it.
#
#   libdevice.a   the device itself
#   libsim.a      the runtime with its device, for tests
#   libremote.a   the runtime, whose device is another process, for runners
#   libcublas.a   cuBLAS on that runtime, for programs (mk/programs.mk)
#   device        the device as a program of its own
#   headers       CUDA's headers, compiled: every submission begins with them

# The interpreter's inner loops are compiled once for each instruction set, which takes longer than
# any other file; exec/isa.c picks at run time. Here they are, the fastest first, and what each
# needs of a processor, in the words of gcc and of /proc/cpuinfo. The last one runs everywhere.
ALL_ISAS   := $(if $(filter x86_64,$(shell uname -m)),avx2 sse2,generic)
NEEDS_avx2 := avx2 fma

# Built are the last, so that the kit works on any other machine, too, the fastest that this machine
# runs, and what is there from other machines. ISAS=all builds all, at once for all machines of a
# cluster; and so do tests, which compare them. Under sanitizers make test has the fastest alone.
HERE     := $(shell grep -m 1 ^flags /proc/cpuinfo 2>/dev/null)
FASTEST  := $(firstword $(foreach isa,$(ALL_ISAS),\
              $(if $(filter-out $(HERE),$(NEEDS_$(isa))),,$(isa))))
ISAS_NOW := $(shell cat $(B)/isas 2>/dev/null)
ISAS     ?= $(if $(SAN),$(if $(ALL),all,$(FASTEST)),$(if $(STRICT),all,\
              $(FASTEST) $(filter $(ALL_ISAS),$(ISAS_NOW))))
ifneq ($(filter-out all $(ALL_ISAS),$(ISAS)),)
  $(error ISAS=$(ISAS): there are: all $(ALL_ISAS))
endif
BUILT_ISAS := $(if $(filter all,$(ISAS)),$(ALL_ISAS),\
                $(filter $(ISAS) $(if $(SAN),,$(lastword $(ALL_ISAS))),$(ALL_ISAS)))
isa_flags   = $(addprefix -m,$(NEEDS_$(1))) -DKIT_ISA=$(1)
isa_table  := -DKIT_ISAS='$(foreach isa,$(BUILT_ISAS),ISA($(isa)))'

# Floating-point results must not depend on the instruction set: no contraction anywhere in the
# simulator. -fno-tree-slp-vectorize: packing two counters into one register makes every access wait
# for a store that cannot be forwarded.
SIM       := $(B)/harness/sim
SIM_O     := $(BUILT_ISAS:%=$(SIM)/exec/exec-%.o) \
             $(filter-out %/exec/exec.o,$(call objects,harness/sim/*/*.c))
DEVICE_O  := $(foreach part,base ptx decode exec model timeline device,\
               $(filter $(SIM)/$(part)/%,$(SIM_O)))
RUNTIME_O := $(filter $(SIM)/runtime/%,$(SIM_O))
CLIENT_O  := $(patsubst %,$(SIM)/%.o,remote/client remote/device_process remote/wire base/error \
             base/occupancy base/capability base/gpu_words)
SERVER_O  := $(patsubst %,$(SIM)/remote/%.o,server job program_report progress_line call_totals \
             transfer_log machine_memory timeline_trace wire) $(B)/harness/base/trace_events.o

$(SIM_O): CPPFLAGS += $(SIM_CUDA)
$(SIM_O): CFLAGS += -ffp-contract=off
# What a launch spends its time in, exec.c aside.
$(patsubst %,$(SIM)/exec/%.o,access pattern race race_parts race_store race_atomic unwritten \
  map sync knowledge trace tensor async mbarrier stream_race texture cold control schedule watch) \
$(SIM)/base/memory.o \
$(filter $(SIM)/model/%,$(SIM_O)): CFLAGS += $(FAST)
# Choices are made for all lanes at once: comparisons must not trap.
$(SIM)/exec/half.o: CFLAGS += $(if $(SAN),,-O3) -fno-tree-slp-vectorize -fno-trapping-math
$(SIM)/libraries/multiply.o: CFLAGS += -O3
# What it spends none in. gcc's warnings need -O1.
COLD := $(foreach part,ptx decode runtime remote,$(filter $(SIM)/$(part)/%,$(SIM_O))) \
        $(SIM)/remote/main.o $(SERVER_O)
$(COLD): CFLAGS += $(if $(STRICT),,-O0)
# Programs ask for millions of numbers.
$(patsubst %,$(SIM)/runtime/curand_%.o,sequence values pseudo mtgp sobol vectors poisson): \
  CFLAGS += $(FAST)
$(SIM)/base/xorwow.o: CFLAGS += $(FAST)
$(SIM)/runtime/curand_mt19937.o: CFLAGS += -O3 # long sums of words
$(SIM)/runtime/curand_vectors.o: harness/sim/runtime/joe_kuo.txt # which it includes as bytes
$(SIM)/remote/device_process.o: CPPFLAGS += -DKIT_BUILT_DEVICE='"$(abspath $(B)/device)"'
$(SIM)/base/gpu.o: $(wildcard harness/sim/gpus/*.ini) # which it includes as bytes

$(SIM)/exec/exec-%.o: harness/sim/exec/exec.c | build/ready
	$(say) CC '$< ($*)'
	$(compile) $(if $(SAN),-O1,-O3) -fno-tree-slp-vectorize -fno-trapping-math -fno-math-errno \
	  $(call isa_flags,$*)
$(SIM)/exec/isa.o: CPPFLAGS += $(isa_table)
$(SIM)/exec/isa.o build/fuzz/harness/sim/exec/isa.o: $(B)/isas
$(B)/isas: | build/ready
	$(Q)mkdir -p $(@D) && echo '$(BUILT_ISAS)' >$@
ifneq ($(ISAS_NOW),$(BUILT_ISAS))
.PHONY: $(B)/isas
endif

$(B)/libdevice.a: $(DEVICE_O)
$(B)/libsim.a: $(DEVICE_O) $(RUNTIME_O) $(SERVER_O) $(B)/harness/gpu/calls.o
$(B)/libremote.a: $(RUNTIME_O) $(CLIENT_O)
$(B)/libcublas.a: $(filter $(SIM)/libraries/%,$(SIM_O))

# libstdc++ is linked in: the program starts faster so.
$(B)/device: $(SIM)/remote/main.o $(SIM)/remote/allocations.o $(SERVER_O) \
    $(patsubst %,$(B)/harness/base/%.o,exchange job) $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc) $^ \
	  -ljansson -linih -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm -o $@

build/headers/made: harness/compile harness/clang.sh \
    $(wildcard harness/sim/include/*.h harness/sim/include/*/*) | build/ready
	$(say) CXX 'harness/sim/include (headers)'
	$(Q)harness/compile --headers
# Again, where the kit has been copied or moved since, or clang is another one.
ifneq ($(shell cat build/headers/made 2>/dev/null),$(shell harness/compile --made-for 2>/dev/null))
.PHONY: build/headers/made
endif
