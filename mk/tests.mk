# tests.mk: make test, make test-all, and the programs that they run.

# Unit tests need cmocka (./setup --all), which nothing else does.
KIT_CMOCKA ?= $(if $(call header,cmocka.h),yes,no)
UNIT_C := $(filter-out $(if $(filter yes,$(KIT_CLASS)),,tests/unit/test_class_%),\
            $(wildcard tests/unit/test_*.c))
# What make test leaves to make test-all: a unit test's head says which of its two runs (tests/run).
ALL    ?= $(if $(filter test,$(MAKECMDGOALS)),,yes)
RUN    := $(if $(SAN),under sanitizers,as it is shipped)
LATER  := $(if $(ALL),,$(shell grep -l '^ \* test-all: $(RUN)' /dev/null $(UNIT_C)))
UNIT_C := $(filter-out $(LATER),$(UNIT_C))
UNIT   := $(if $(filter yes,$(KIT_CMOCKA)),$(patsubst tests/unit/%.c,$(B)/tests/%,$(UNIT_C)))
# Under sanitizers all are run. As it is shipped, too, what is compiled otherwise then: the
# simulator's inner loops, and tests that do less under sanitizers.
SHIPPED := $(filter $(B)/tests/test_sim_% $(B)/tests/test_grader_run,$(UNIT))
E2E    := $(patsubst tests/e2e/%.c,build/%,$(wildcard tests/e2e/*.c))
# What needs solutions, which a student's copy has not; and of that, what needs ./setup --class.
TEACHER_TESTS := $(E2E) build/record build/supported build/libcublas.a build/tests/kernels \
                 $(if $(filter yes,$(KIT_CLASS)),class build/class-replay build/class-property)

.PHONY: test test-all test-quick unit lint format compile_commands.json
test test-all: grade labs $(if $(wildcard solutions),$(SHIPPED) $(TEACHER_TESTS),unit)
	+$(Q)[ ! -d solutions ] || $(MAKE) SAN=1 ALL=$(ALL) unit replay build/san/tests/kernels
	$(Q)KIT_CMOCKA=$(KIT_CMOCKA) tests/run $(if $(filter test-all,$@),--all)

# In a minute, for whoever is writing: unit tests as they are shipped, and a grading for each lab.
test-quick: unit grade build/verdicts
	$(Q)KIT_CMOCKA=$(KIT_CMOCKA) tests/run --quick

unit: $(UNIT)
	@[ $(KIT_CMOCKA) = yes ] || echo 'No unit tests: cmocka is not installed (./setup --all)'

lint:
	$(Q)tests/e2e/lint.sh && tests/e2e/shape.sh
format:
	$(Q)tests/e2e/lint.sh --format

# How each .c is compiled, for clangd and other tools that read code.
compile_commands.json:
	$(Q)find harness grader plots tests -name '*.c' | LC_ALL=C sort | awk -v folder='$(CURDIR)' \
	  -v command='$(CC) $(CPPFLAGS) $(SIM_CUDA) $(CFLAGS) -DKIT_BUILT_DEVICE=\\\\\\\"device\\\\\\\"' \
	  '{ printf "%s\n{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s -c %s\"}", \
	       (NR == 1 ? "[" : ","), folder, $$1, command, $$1 } END { print "\n]" }' >$@

# Unit tests are linked with everything but the main files.
$(B)/tests/%: tests/unit/%.c $(B)/libgrader.a $(B)/libharness.a $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(SIM_CUDA) $(CFLAGS) $(LDFLAGS) -MMD -MP \
	  $< $(filter %/libclass.a,$^) $(filter-out %/libclass.a,$(filter %.a,$^)) $(LIBRARIES) \
	  -lcmocka -ljansson -linih -lseccomp -lstdc++ -lm -o $@
$(filter $(B)/tests/test_class_%,$(UNIT)): $(B)/libclass.a
$(filter $(B)/tests/test_class_%,$(UNIT)): LIBRARIES := $(CLASS_LIBRARIES)
$(B)/tests/test_grader_sandbox: build/launch
# NVIDIA's calculator, to compare with, where the CUDA Toolkit is installed.
CUDA_OCCUPANCY := $(wildcard $(addsuffix /include/cuda_occupancy.h,$(CUDA_HOME)))
$(B)/tests/test_sim_occupancy: CPPFLAGS += $(CUDA_OCCUPANCY:%=-DKIT_CUDA_OCCUPANCY='"%"')
# Large products and sums.
$(patsubst %,$(B)/tests/test_%,grader_check grader_transpose grader_summation grader_gram \
  sim_half): CFLAGS += -O1

$(E2E): build/%: tests/e2e/%.c $(B)/libgrader.a $(B)/libharness.a $(B)/libdevice.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP \
	  $(filter %.c,$^) $(filter %.a,$^) -ljansson -linih -lseccomp -lm -o $@
build/verdicts: tests/e2e/lib/expectation.c tests/e2e/lib/expectation.h

# ./grade class with an engine that replays recorded grades, for tests of everything around it:
# tests/class/replay.c. The parts that replay_times.c times.
TIMED_PARTS := entries_read handed_read import_run history_record collect_run collect_report \
               submitters_report export_canvas \
               export_moodle export_jsonl class_report
$(B)/class-replay: $(B)/tests/class/replay.o $(B)/tests/class/replay_times.o \
               $(B)/grader/class/class.o $(B)/libclass.a \
    $(B)/libgrader.a $(SHARED_O) $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(TIMED_PARTS:%=-Wl$(comma)--wrap=%) $^ $(CLASS_LIBRARIES) -o $@

# Random classes: tests/class/property.c.
$(B)/class-property: $(call objects,tests/class/property*.c) $(B)/libclass.a $(B)/libgrader.a \
    $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(CLASS_LIBRARIES) -o $@

-include $(UNIT:=.d) $(E2E:=.d) $(wildcard $(B)/tests/class/*.d)
