# sim.mk: the simulated GPU, and CUDA's runtime on it.
#
#   libdevice.a   the device itself
#   libsim.a      the runtime with its device, for tests
#   libremote.a   the runtime, whose device is another process, for runners
#   device        the device as a program of its own
#   headers       CUDA's headers, compiled: every submission begins with them

# The interpreter's inner loops are compiled once for each instruction set; exec/isa.c picks at run
# time. Floating-point results must not depend on which: no contraction anywhere in the simulator.
# -fno-tree-slp-vectorize: packing two counters into one register makes every access wait for a
# store that cannot be forwarded.
ISAS     := $(if $(filter x86_64,$(shell uname -m)),avx2 sse2,generic)
ISA_avx2 := -mavx2 -mfma

SIM       := $(B)/harness/sim
SIM_O     := $(ISAS:%=$(SIM)/exec/exec-%.o) \
             $(filter-out %/exec/exec.o,$(call objects,harness/sim/*/*.c))
DEVICE_O  := $(foreach part,base ptx decode exec model device,$(filter $(SIM)/$(part)/%,$(SIM_O)))
RUNTIME_O := $(filter $(SIM)/runtime/%,$(SIM_O))
CLIENT_O  := $(patsubst %,$(SIM)/%.o,remote/client remote/wire base/error base/occupancy)
SERVER_O  := $(patsubst %,$(SIM)/remote/%.o,server job call_totals transfer_log wire)

$(SIM_O): CPPFLAGS += $(SIM_CUDA)
$(SIM_O): CFLAGS += -ffp-contract=off
# What a launch spends its time in, exec.c aside.
$(patsubst %,$(SIM)/exec/%.o,access pattern race race_parts race_store race_atomic unwritten \
  map sync knowledge trace) \
$(filter $(SIM)/model/%,$(SIM_O)): CFLAGS += -O2
# What it spends none in. gcc's warnings need -O1.
COLD := $(foreach part,ptx decode runtime remote,$(filter $(SIM)/$(part)/%,$(SIM_O))) \
        $(SIM)/remote/main.o $(SERVER_O)
$(COLD): CFLAGS += $(if $(STRICT),,-O0)
$(SIM)/remote/client.o: CPPFLAGS += -DKIT_BUILT_DEVICE='"$(abspath $(B)/device)"'
$(SIM)/base/gpu.o: $(wildcard harness/sim/gpus/*.ini) # which it includes as bytes

$(SIM)/exec/exec-%.o: harness/sim/exec/exec.c | build/ready
	$(say) CC '$< ($*)'
	$(compile) -O3 -fno-tree-slp-vectorize $(ISA_$*) -DKIT_ISA=$*

$(B)/libdevice.a: $(DEVICE_O)
$(B)/libsim.a: $(DEVICE_O) $(RUNTIME_O) $(SERVER_O) $(B)/harness/gpu/calls.o
$(B)/libremote.a: $(RUNTIME_O) $(CLIENT_O)

# libstdc++ is linked in: the program starts faster so.
$(B)/device: $(SIM)/remote/main.o $(SIM)/remote/allocations.o $(SERVER_O) \
    $(patsubst %,$(B)/harness/base/%.o,exchange job) $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc) $^ \
	  -ljansson -linih -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm -o $@

build/headers/made: harness/compile \
    $(wildcard harness/sim/include/*.h harness/sim/include/*/*) | build/ready
	$(say) CXX 'harness/sim/include (headers)'
	$(Q)harness/compile --headers
# Again, where the kit has been copied or moved since, or clang is another one.
ifneq ($(shell cat build/headers/made 2>/dev/null),$(shell harness/compile --made-for 2>/dev/null))
.PHONY: build/headers/made
endif
