# fuzz.mk: the device once more, for libFuzzer: clang's (package libclang-rt-14-dev, or of the clang
# that FUZZ_CC names). See tests/fuzz/.

FUZZ_CC    ?= clang
FUZZ_FLAGS := -std=gnu17 -O1 -g1 -pthread -fno-omit-frame-pointer -ffp-contract=off \
              -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_O     := $(patsubst $(B)/%,build/fuzz/%,$(DEVICE_O) $(SERVER_O))
FUZZ_LIBS  := -Wl,-Bstatic -ljansson -linih -Wl,-Bdynamic -lm
fuzz_compile = $(Q)mkdir -p $(@D) && $(FUZZ_CC) $(CPPFLAGS) $(SIM_CUDA) $(FUZZ_FLAGS) \
                 -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

.PHONY: fuzz replay
.SECONDARY: $(FUZZ_O) build/fuzz/tests/fuzz/fuzz_ptx.o build/fuzz/tests/fuzz/fuzz_wire.o

fuzz: build/fuzz/fuzz_ptx build/fuzz/fuzz_wire build/fuzz/kernels
	@echo 'Next: tests/fuzz/run SECONDS JOBS'

build/fuzz/harness/sim/exec/exec-%.o: harness/sim/exec/exec.c | build/ready
	$(say) FUZZ '$< ($*)'
	$(fuzz_compile) $(call isa_flags,$*)
build/fuzz/harness/sim/exec/isa.o: CPPFLAGS += $(isa_table)
build/fuzz/%.o: %.c | build/ready
	$(say) FUZZ $<
	$(fuzz_compile)
build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZ_O)
	$(say) LINK $@
	$(Q)$(FUZZ_CC)++ $(FUZZ_FLAGS) -fsanitize=fuzzer -static-libstdc++ -static-libgcc \
	  $(filter-out %/job.o,$^) $(FUZZ_LIBS) -o $@

build/fuzz/record: tests/fuzz/record.c
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $< -o $@

# The same without libFuzzer, once over the seeds: part of make test.
replay: $(B)/fuzz/replay_ptx $(B)/fuzz/replay_wire
$(B)/fuzz/replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(SIM_CUDA) $(CFLAGS) -MMD -MP $^ \
	  -ljansson -linih -lstdc++ -lm -o $@

# Random kernels against a scalar interpreter: no libFuzzer, but a program that needs nothing but
# the C library, so that it runs on a machine with a GPU, too.
KERNELS_C := $(wildcard tests/fuzz/kernel*.c)
build/fuzz/kernels: KERNELS_STATIC := -Wl,-Bstatic
build/fuzz/kernels: KERNELS_SHARED := -Wl,-Bdynamic
build/fuzz/kernels $(B)/tests/kernels: $(KERNELS_C) \
    $(wildcard tests/fuzz/*kernel*.h tests/unit/sim_r*.h) tests/unit/sim_oracle.h $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(SIM_CUDA) $(CFLAGS) $(KERNELS_C) $(B)/libsim.a \
	  $(KERNELS_STATIC) -ljansson -linih -lstdc++ $(KERNELS_SHARED) -lm -ldl -o $@

-include $(FUZZ_O:.o=.d) $(wildcard build/fuzz/tests/fuzz/*.d)
