# cpu.mk: programs that time a problem on this machine's CPU, build/cpu-NAME, for each family that
# has a cpu.c. They are compiled for this very CPU; ./grade --sizes has make build the one it needs.

CPU_CODES := $(patsubst harness/problems/%/cpu.c,build/cpu-%,$(wildcard harness/problems/*/cpu.c))
CPU_FLAGS := -O3 -march=native

$(CPU_CODES): build/cpu-%: harness/problems/%/cpu.c harness/cpu/cpu.c harness/base/statistics.c \
    harness/problems/cpu_code.h harness/problems/problem.h | build/ready
	$(say) CC $<
	$(Q)gcc $(CPPFLAGS) -std=gnu17 $(CPU_FLAGS) -DKIT_FLAGS='"$(CPU_FLAGS)"' -fopenmp $(WARN) \
	  $(if $(STRICT),-Werror) $(filter %.c,$^) $(<D)/$*.c -ljansson -ldl -lm -o $@.new
	$(Q)mv -f $@.new $@ # one that is under way stays whole
