# measure.mk: the simulator against real GPUs, and how fast it is itself.

.PHONY: bench counters times model calibrate agreement

bench: build/bench $(HARNESS_O) $(B)/libremote.a $(B)/device
	@build/bench && tests/bench/remote

# The simulator against an H100, see tests/counters/README.md; the last table is the one that the
# kit was built on.
counters: build/counters
	$(Q)cd tests/counters && status=0; \
	for table in styles.tsv labs.tsv patterns.tsv recorded:counters.tsv; do \
	  echo "tests/counters/$${table#*:}"; \
	  ../../build/counters $${table%%[:.]*} $${table#*:} known.tsv || status=$$?; done; exit $$status
# The modelled times of the last table's launches, for which a sample of their blocks is enough.
times: build/counters
	$(Q)cd tests/counters && KIT_SIM_SAMPLE=1 ../../build/counters --times recorded counters.tsv

# The modelled time against one measured, see tests/model/README.md: GPU says on which, OPTIONS are
# those of build/model. A description measured with the launches comes before the simulator's own.
GPU     ?= h200
OPTIONS ?=
DESCRIPTION = $(firstword $(wildcard plots/data/$(GPU)/gpu.ini) harness/sim/gpus/$(GPU).ini)
# Pages quote the figures of all launches on an H200.
ACCURACY = $(if $(OPTIONS)$(filter-out h200,$(GPU)),,--header grader/show/model_accuracy.h)
model: build/model
	$(Q)mkdir -p build/tables/$(GPU) && KIT_SIM_SAMPLE=1 KIT_SIM_GPU=$(DESCRIPTION) \
	  build/model $(OPTIONS) --tsv build/tables/$(GPU)/model.tsv $(ACCURACY) \
	  plots/data/$(GPU)/launches.tsv
	@for round in tests/model/blind/rounds/*-$(GPU).tsv; do printf 'blind round %s, at first sight: ' \
	  "$$(basename $$round -$(GPU).tsv)"; awk -v SHORT=1 -f tests/model/blind/report.awk $$round; done
	$(Q)! command -v gnuplot >/dev/null || plots/draw build/plots build/tables/$(GPU)/model.tsv

# The GPU of this machine, measured and described as harness/sim/gpus/*.ini are.
calibrate: build/measure/calibrate
	$(Q)build/measure/calibrate build/calibration.tsv >build/gpu.ini.new && \
	  mv -f build/gpu.ini.new build/gpu.ini
	@echo 'Wrote build/gpu.ini, and build/calibration.tsv with every measurement.'
	@echo 'KIT_SIM_GPU=build/gpu.ini makes the simulator that GPU; to keep it, copy both to'
	@echo 'harness/sim/gpus/ as NAME.ini and NAME.tsv.'

# The programs of tests/model/measure, for a GPU; ARCH=sm_90 builds them for one elsewhere.
.PHONY: measure-programs
measure-programs: build/measure/calibrate build/measure/time
GPU_CXX = nvcc -O3 -lineinfo -std=c++17 -cudart static -arch=$(or $(ARCH),native)
measured_objects = $(patsubst %.cu,build/measure/%.o,$(wildcard $(1)))
build/measure/calibrate: $(call measured_objects,harness/sim/gpus/*.cu)
build/measure/time: $(call measured_objects,tests/model/*.cu tests/model/families/*.cu)
build/measure/calibrate build/measure/time:
	$(Q)$(GPU_CXX) -o $@ $^
build/measure/%.o: %.cu harness/sim/gpus/calibrate.cuh tests/model/suite.h
	$(Q)command -v nvcc >/dev/null || { echo 'make: $@: this needs nvcc' >&2; exit 2; }
	$(Q)mkdir -p $(@D) && $(GPU_CXX) -c -o $@ $<

# The simulator's grades, for the GPU described in harness/sim/gpus/, against those that
# tests/gpu/verdicts has recorded on one.
VERDICTS = $(wildcard plots/data/*/verdicts.tsv)
agreement: build/grade build/verdicts build/agreement
	$(Q)[ -n "$(VERDICTS)" ] || \
	  { echo 'No GPU has graded yet: on a machine with one, run tests/gpu/verdicts' >&2; exit 2; }
	$(Q)status=0; for recorded in $(VERDICTS); do \
	  gpu=$${recorded%/*} gpu=$${gpu##*/}; here=build/verdicts-$$gpu.tsv; \
	  KIT_SIM_GPU=$$PWD/harness/sim/gpus/$$gpu.ini build/verdicts -r $$here >build/verdicts.log || \
	    { grep '^FAIL' build/verdicts.log; exit 2; }; \
	  sed -n 's/^# source: /Recorded: /p' $$recorded; \
	  build/agreement $$recorded $$here || status=1; done; exit $$status

# Programs in C with launches in CUDA, on the simulator without a runner.
build/tests/%.o: tests/%.cu harness/compile harness/clang.sh $(HEADERS) \
    $(wildcard harness/ir/*.awk tests/*/*.h tests/counters/kernels.cu)
	$(say) CUDA $<
	$(Q)mkdir -p $(@D) && harness/compile --source $< --object $@

build/bench: $(patsubst %,build/tests/bench/%.o,bench kernels floors)
build/tests/bench/floors.o: CFLAGS += -O3
build/counters: $(patsubst %,build/tests/counters/%.o,compare recorded patterns styles labs)
build/model: $(patsubst tests/%.cu,build/tests/%.o,$(wildcard tests/model/*/*.cu)) \
    build/tests/model/suite.o
build/model build/model-small: build/tests/model/model.o
build/model-small: build/tests/e2e/model/small.o # a suite of a few launches, for tests/e2e/model.sh
build/tests/e2e/model/small.o: tests/model/suite.cu
build/bench build/counters build/model build/model-small: build/libsim.a
	$(say) LINK $@
	$(Q)clang++ $(filter %.o,$^) build/libsim.a -ljansson -linih -lpthread -lm -o $@
build/tests/%.o: CPPFLAGS += $(SIM_CUDA)

# Every arithmetic instruction against an H100, see tests/arithmetic/README.md. Libraries that a
# machine with a GPU may lack are linked in.
build/tests/arithmetic/%.o: CPPFLAGS += $(SIM_CUDA)
build/tests/arithmetic/%.o: CFLAGS += -ffp-contract=off -O2
build/arithmetic: $(patsubst %.c,build/%.o,$(wildcard tests/arithmetic/*.c)) build/libsim.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $^ -Wl,-Bstatic -ljansson -linih -lstdc++ -Wl,-Bdynamic -ldl -lm -o $@

-include $(wildcard build/tests/*/*.d)

# The tables of a page, from the code (tests/supported/write).
.PHONY: docs/simulator.md
docs/simulator.md: build/supported build/libremote.a build/libcublas.a
	$(Q)tests/supported/write >build/simulator.md && cp build/simulator.md $@
build/supported: build/tests/supported/opcodes.o build/libgrader.a build/libsim.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $^ -ljansson -linih -lstdc++ -lpthread -lm -o $@
