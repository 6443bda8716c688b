# Makefile of the CUDA lab kit. `make` alone says what to type next, `make help` lists everything.
#
# What is built, all of it under build/:
#   libsim.a      the simulated CUDA runtime with its device  from harness/sim/*/*.c, for tests
#   libremote.a   the same runtime, the device elsewhere      from harness/sim/{runtime,remote}/*.c, for runners
#   device        the simulated device, a program of its own  from harness/sim/*/*.c
#   harness/*.o   what a lab's runner is linked with          from harness/*.c, harness/problems/*.c
#   sim/labN      a lab's runner: the student's file + those  by harness/compile
#   grade         the grader that ./grade starts              from grader/*.c, grader/*/*.c
#   class         what grades a whole class (./grade class)   from grader/class/*.c
#   class-command its command line, which needs no libraries  from grader/class/command*.c
#   launch        starts a submission within its sandbox      from grader/sandbox/launch/*.c
#   tests/test_*  unit tests                                  from tests/unit/test_*.c
#   gpu/...       the harness and its runtime for a real GPU, where there is one
#   san/...       the same under AddressSanitizer and UndefinedBehaviorSanitizer (SAN=1)
#
# Options: V=1 shows every command, CC=clang picks the C compiler, WERROR=1 makes warnings errors.

.DEFAULT_GOAL := next
.DELETE_ON_ERROR:
.SUFFIXES:
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-print-directory --no-builtin-rules

Q    := $(if $(V),,@)
say   = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),@:,@printf '  %-5s %s\n')

# --- flags ------------------------------------------------------------------------------------------------------------
B        := build$(if $(SAN),/san)
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wno-missing-field-initializers -Wno-format-truncation -Wno-unknown-warning-option -Wno-pass-failed
comma    := ,
SANITIZE := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# -O1 where nobody waits for the code: building everything from clean takes a student's time, too.
CFLAGS   := -std=gnu17 -O1 -g1 -pthread $(WARN) $(if $(WERROR)$(SAN),-Werror) $(SANITIZE)
CPPFLAGS := -D_GNU_SOURCE
compile   = $(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# The interpreter's inner loops are compiled once an instruction set; the library picks at run time. Floating-point
# results must not depend on which: no contraction anywhere in the simulator.
# -fno-tree-slp-vectorize: packing two counters into one register makes every access wait for a store that cannot be forwarded.
ISAS        := $(if $(filter x86_64,$(shell uname -m)),avx512 avx2 sse2,generic)
ISA_avx512  := -march=x86-64-v4 -mprefer-vector-width=512
ISA_avx2    := -mavx2 -mfma

# --- files ------------------------------------------------------------------------------------------------------------
SIM_DIRS  := $(sort $(dir $(wildcard harness/sim/*/*.c)))
SIM_C     := $(filter-out %/exec.c,$(wildcard harness/sim/*/*.c))
SIM_O     := $(ISAS:%=$(B)/harness/sim/exec/exec-%.o) $(SIM_C:%.c=$(B)/%.o)
# The device itself; the runtime on top of it; what connects the two if they are in two processes.
DEVICE_O  := $(foreach part,ptx decode exec device model,$(filter $(B)/harness/sim/$(part)/%,$(SIM_O)))
RUNTIME_O := $(filter $(B)/harness/sim/runtime/%,$(SIM_O))
CLIENT_O  := $(addprefix $(B)/harness/sim/,$(addsuffix .o,remote/client remote/spawn remote/wire remote/backend_calls \
               device/address device/error_names device/hazard device/report_json device/counters model/occupancy))
SERVER_O  := $(addprefix $(B)/harness/sim/remote/,server.o job.o call_totals.o shortage.o transfer_log.o wire.o)
HARNESS_O := $(patsubst %.c,$(B)/%.o,$(wildcard harness/*.c harness/problems/*.c))
GRADER_O  := $(patsubst %.c,$(B)/%.o,$(filter-out grader/class/%,$(wildcard grader/*.c grader/*/*.c)))
LAUNCH_O  := $(patsubst %.c,$(B)/%.o,$(wildcard grader/sandbox/launch/*.c))
CLASS_O   := $(patsubst %.c,$(B)/%.o,$(wildcard grader/class/*.c))
COMMAND_O := $(patsubst %,$(B)/grader/%.o,class/command_main class/command class/slurm_options option text)
# Grading a class needs libarchive and SQLite (./setup --class), which nothing else does.
KIT_CLASS ?= $(if $(and $(firstword $(wildcard $(addsuffix /archive.h,/usr/include /usr/local/include))),\
               $(firstword $(wildcard $(addsuffix /sqlite3.h,/usr/include /usr/local/include)))),yes,no)
UNIT_C    := $(filter-out $(if $(filter yes,$(KIT_CLASS)),,tests/unit/test_class_%),$(wildcard tests/unit/test_*.c))
UNIT      := $(patsubst tests/unit/%.c,$(B)/tests/%,$(UNIT_C))
E2E       := $(patsubst tests/e2e/%.c,build/%,$(wildcard tests/e2e/*.c))
LAB_DIRS  := $(wildcard labs/lab*_*)
# A machine with a GPU and nvcc builds every lab for both: KIT_GPU=yes or no decides otherwise.
KIT_GPU   ?= $(if $(and $(wildcard /dev/nvidia[0-9]),$(shell command -v nvcc 2>/dev/null)),yes,no)
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null)))
BACKENDS  := sim $(filter gpu,$(KIT_GPU:yes=gpu))
GPU_O     := $(patsubst %.c,build/gpu/%.o,$(wildcard harness/*.c harness/problems/*.c harness/gpu/*.c))
# What bounds a lab's times, measured by programs of their own; that of products needs cuBLAS.
CUBLAS    := $(and $(wildcard $(CUDA_HOME)/include/cublas_v2.h),$(wildcard $(addsuffix /libcublas.so,\
               $(CUDA_HOME)/lib64 $(CUDA_HOME)/targets/*/lib $(CUDA_HOME)/lib/*)))
CEILINGS  := build/gpu/ceiling-transpose $(if $(CUBLAS),build/gpu/ceiling-matmul)
LABS      := $(sort $(foreach dir,$(LAB_DIRS),$(firstword $(subst _, ,$(notdir $(dir))))))
HEADERS   := $(wildcard harness/*.h harness/problems/*.h harness/sim/include/*)

# Headers are included by name, whatever folder they are in; only tests see both the simulator and the grader.
SIM_INCLUDE    := -Iharness $(SIM_DIRS:%/=-I%) -Iharness/sim/include
GRADER_INCLUDE := -Igrader $(patsubst %/,-I%,$(sort $(dir $(wildcard grader/*/*.c)))) -Iharness -Iharness/sim/device

# --- for people -------------------------------------------------------------------------------------------------------
.PHONY: next help help-teaching labs $(LABS) grade class class-demo test unit bench counters times model calibrate agreement skeletons data data-cpu \
        data-gpu plots handouts dist gradescope clean

next:
	@./setup --check >/dev/null 2>&1 && \
	  echo 'Next: edit labs/lab1_*/lab1.cu, then   make lab1 && ./grade lab1   (make help: everything else)' || \
	  echo 'Next: ./setup   (it installs what is missing: see ./setup --check)'

# A student's copy (make dist) has no solutions, and nothing that needs them.
TEACHING := bench counters model calibrate agreement skeletons data data-cpu data-gpu plots handouts class dist gradescope
ifeq ($(wildcard solutions),)
  ifneq ($(filter $(TEACHING),$(MAKECMDGOALS)),)
    $(error make $(firstword $(filter $(TEACHING),$(MAKECMDGOALS))): this is a student's copy of the kit, without solutions and what needs them)
  endif
endif

help:
	@echo 'make lab1      build lab 1 from labs/lab1_*/lab1.cu; then ./grade lab1. Labs here: $(LABS)'
	@echo 'make labs      build every lab'
	@echo 'make grade     build the grader (./grade does it by itself)'
	@echo 'make test      run all tests (some minutes)'
	@echo 'make clean     remove build/'
	@echo 'Options: V=1 shows commands, CC=clang, WERROR=1, SAN=1 (build/san, with sanitizers)'
	@[ ! -d solutions ] || $(MAKE) -s help-teaching
help-teaching:
	@echo 'make class     build what grades a whole class (./grade class does it by itself; needs ./setup --class)'
	@echo 'make class-demo  an invented class of 120, graded and drawn: build/class-demo/grades/report (some minutes; again: goes on)'
	@echo 'make bench     how fast the simulator is'
	@echo 'make counters  the simulator'"'"'s counters against those measured on an H100'
	@echo 'make times     the modelled times of those launches against Nsight Compute'"'"'s: seconds'
	@echo 'make model     the modelled time against those of some three hundred launches on an H200, and a chart of it'
	@echo 'make calibrate describe the GPU of this machine, for the model of time: a few seconds'
	@echo 'make agreement the simulator'"'"'s grades against those recorded on a GPU (some minutes)'
	@echo 'make handouts  what learners read: build/handouts/*.html and *.pdf (some minutes at first; ./setup --all)'
	@echo 'make plots     draw all charts from plots/data/ into build/plots/'
	@echo 'make data      write plots/data/sim/ anew with the simulator (make data-cpu: what the CPU takes, some minutes;'
	@echo '               make data-gpu: what a GPU takes, into a folder named after it)'
	@echo 'make skeletons write the labs'"'"' skeletons anew from solutions/'
	@echo 'make gradescope LAB=lab2   an autograder for Gradescope: build/gradescope/lab2.zip'
	@echo 'make dist      the students'"'"' copy, without solutions, as an archive: build/dist/ (DIST_LABS="lab1 lab2")'

labs: $(LABS)
$(foreach lab,$(LABS),$(eval $(lab): $(BACKENDS:%=build/%/$(lab))))
$(LABS):
	@echo 'Built build/sim/$@. Next: ./grade $@'

grade: $(B)/grade
class: $(B)/class

# 120 invented students hand in what the kit ships, right and wrong; some of it cannot be read, so that status 1 is as it should be.
# Stopped and started again it goes on where it was.
class-demo: $(B)/class
	$(Q)tests/class/make-class build/class-demo
	$(Q)$(B)/class build/class-demo/handed-in --state build/class-demo/grades --roster build/class-demo/roster.csv --seed 1 \
	  --due 2026-03-08T23:59Z --report || [ $$? -eq 1 ]

bench: build/bench $(HARNESS_O) $(B)/libremote.a $(B)/device
	@build/bench && tests/bench/remote

# The simulator against an H100, see tests/counters/README.md; the last table is the one that the kit was built on.
counters: build/counters
	$(Q)cd tests/counters && status=0; for table in styles.tsv patterns.tsv recorded:counters.tsv; do \
	  echo "tests/counters/$${table#*:}"; \
	  ../../build/counters $${table%%[:.]*} $${table#*:} known.tsv || status=$$?; done; exit $$status
# The modelled times of the last table's launches, for which a sample of their blocks is enough.
times: build/counters
	$(Q)cd tests/counters && KIT_SIM_SAMPLE=1 ../../build/counters --times recorded counters.tsv

# The modelled time against one measured, see tests/model/README.md: GPU says on which, OPTIONS are those of build/model. A
# description that was measured together with the launches comes before the simulator's own.
GPU     ?= h200
OPTIONS ?=
DESCRIPTION = $(firstword $(wildcard plots/data/$(GPU)/gpu.ini) harness/sim/gpus/$(GPU).ini)
model: build/model
	$(Q)mkdir -p build/tables/$(GPU) && KIT_SIM_SAMPLE=1 KIT_SIM_GPU=$(DESCRIPTION) \
	  build/model $(OPTIONS) --tsv build/tables/$(GPU)/model.tsv plots/data/$(GPU)/launches.tsv
	$(Q)! command -v gnuplot >/dev/null || plots/draw build/plots build/tables/$(GPU)/model.tsv

# The GPU of this machine, measured and described as harness/sim/gpus/*.ini are.
calibrate:
	$(Q)command -v nvcc >/dev/null || { echo 'make calibrate: this needs nvcc and a GPU' >&2; exit 2; }
	$(Q)mkdir -p build && nvcc -O3 -std=c++17 -arch=$(or $(ARCH),native) -o build/calibrate harness/sim/gpus/calibrate.cu
	$(Q)build/calibrate build/calibration.tsv >build/gpu.ini.new && mv -f build/gpu.ini.new build/gpu.ini
	@echo 'Wrote build/gpu.ini, and build/calibration.tsv with every measurement. KIT_SIM_GPU=build/gpu.ini makes the simulator'
	@echo 'that GPU; to keep it, copy both to harness/sim/gpus/ as NAME.ini and NAME.tsv.'

# The simulator's grades, for the GPU described in harness/sim/gpus/, against those that tests/gpu/verdicts has recorded on one.
VERDICTS = $(wildcard plots/data/*/verdicts.tsv)
agreement: build/grade build/verdicts build/agreement
	$(Q)[ -n "$(VERDICTS)" ] || { echo 'No GPU has graded yet: on a machine with one, run tests/gpu/verdicts' >&2; exit 2; }
	$(Q)status=0; for recorded in $(VERDICTS); do \
	  gpu=$${recorded%/*} gpu=$${gpu##*/}; here=build/verdicts-$$gpu.tsv; \
	  KIT_SIM_GPU=$$PWD/harness/sim/gpus/$$gpu.ini build/verdicts -r $$here >build/verdicts.log || \
	    { grep '^FAIL' build/verdicts.log; exit 2; }; \
	  sed -n 's/^# source: /Recorded: /p' $$recorded; build/agreement $$recorded $$here || status=1; done; exit $$status

test: CFLAGS += -Werror
test: unit grade labs $(if $(wildcard solutions),$(E2E) build/record build/tests/kernels $(if $(filter yes,$(KIT_CLASS)),class build/class-replay build/class-property))
	+$(Q)[ ! -d solutions ] || $(MAKE) SAN=1 unit replay build/san/tests/kernels
	$(Q)tests/run

unit: $(UNIT)

# A file that differs from the new skeleton (somebody's work) is kept beside it as labN.cu.old.
skeletons:
	$(Q)for solution in solutions/lab*_*/lab*.cu; do \
	  lab=labs/$${solution#solutions/}; mkdir -p build && harness/skeleton $$solution >build/skeleton.cu || exit; \
	  cmp -s build/skeleton.cu $$lab && continue; \
	  [ ! -e $$lab ] || cp $$lab $$lab.old; cp build/skeleton.cu $$lab; echo "Wrote $$lab"; done

plots:
	$(Q)plots/draw

# What students get. See docs/instructors.md.
dist: build/grade
	$(Q)DIST_LABS='$(DIST_LABS)' dist/make
# What grades a lab on Gradescope, as they want it.
gradescope: build/grade
	$(Q)gradescope/make '$(LAB)'

# What learners read, with the kit's own numbers. It stops if a chart's data is not what `make data` would write now.
handouts: build/grade build/record plots
	$(Q)handouts/build

data: build/record build/grade
	$(Q)plots/record

# Measurements of this machine: of one thread while nothing else runs, and of its GPU.
data-gpu: $(B)/grade build/cpu
	$(Q)plots/record-gpu $(FOLDER)

data-cpu: build/cpu
	$(Q)build/cpu >build/cpu.tsv && mv -f build/cpu.tsv plots/data/cpu.tsv && cat plots/data/cpu.tsv

clean:
	rm -rf build

# --- rules ------------------------------------------------------------------------------------------------------------
# Stops with one sentence where the compilers and libraries are not there.
build/ready: setup
	@mkdir -p build; ./setup --check >/dev/null 2>&1 || \
	  { echo 'Something that the kit needs is missing: run ./setup (or ./setup --check to see what)' >&2; exit 1; }
	@touch $@

build/class-ready:
	@mkdir -p build; ./setup --class --check >/dev/null 2>&1 || \
	  { echo 'Grading a class needs libraries that are missing: run ./setup --class' >&2; exit 1; }
	@touch $@

$(B)/%.o: %.c | build/ready
	$(say) CC $<
	$(compile)

$(B)/harness/sim/exec/exec-%.o: harness/sim/exec/exec.c | build/ready
	$(say) CC '$< ($*)'
	$(compile) -O3 -fno-tree-slp-vectorize $(ISA_$*) -DKIT_ISA=$*

$(B)/harness/sim/device/gpu.o: $(wildcard harness/sim/gpus/*.ini) # which it includes as bytes
$(B)/grader/show/html.o: grader/show/page.css
$(B)/grader/class/report_html.o: grader/show/page.css grader/class/report.css
$(B)/libdevice.a: $(DEVICE_O)
$(B)/libsim.a: $(DEVICE_O) $(RUNTIME_O) $(SERVER_O) $(B)/harness/gpu/calls.o
$(B)/harness/gpu/calls.o: CPPFLAGS += -Iharness
$(B)/libremote.a: $(RUNTIME_O) $(CLIENT_O)
$(B)/harness/sim/remote/spawn.o: CPPFLAGS += -DKIT_BUILT_DEVICE='"$(abspath $(B)/device)"'
$(B)/libharness.a: $(filter-out %/runner.o,$(HARNESS_O))
$(B)/libgrader.a: $(filter-out %/main.o,$(GRADER_O))
$(B)/%.a:
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(SIM_O): CFLAGS += -ffp-contract=off
$(addprefix $(B)/harness/sim/exec/,access.o pattern.o race.o race_parts.o race_store.o race_atomic.o unwritten.o crowd.o sync.o \
  knowledge.o): CFLAGS += -O2
$(filter $(B)/harness/sim/model/%,$(SIM_O)): CFLAGS += -O2
$(SIM_O) $(HARNESS_O): CPPFLAGS += $(SIM_INCLUDE)
$(GRADER_O) $(LAUNCH_O) $(CLASS_O): CPPFLAGS += $(GRADER_INCLUDE)

# What runners are linked with is built along with the grader, which builds a runner for every file it grades.
SHARED_O := $(B)/harness/exchange.o $(B)/harness/statistics.o
$(B)/grade: $(GRADER_O) $(SHARED_O) $(HARNESS_O) $(B)/libdevice.a $(B)/libremote.a $(B)/device build/launch build/headers/made $(if $(filter gpu,$(BACKENDS)),$(GPU_O) build/libgpu.a $(CEILINGS))
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(GRADER_O) $(SHARED_O) $(B)/libdevice.a -ljansson -linih -lseccomp -lm -o $@

# Static where the libraries are there for it: it starts once a case, and so takes 1 ms less.
build/launch: $(patsubst %,build/grader/sandbox/%.o,launch/launch inside landlock confine)
	$(say) LINK $@
	$(Q)$(CC) -static $^ -lseccomp -o $@.new 2>/dev/null || $(CC) $^ -lseccomp -o $@.new
	$(Q)mv -f $@.new $@ # gradings under way have it whole

$(B)/device: $(addprefix $(B)/harness/sim/remote/,main.o allocations.o) $(SERVER_O) $(B)/harness/exchange.o $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc) $^ -ljansson -linih -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm -o $@ # libstdc++: it starts faster so

# Our CUDA headers, compiled: every submission begins with them.
build/headers/made: harness/compile $(wildcard harness/sim/include/*.h harness/sim/include/*/*) | build/ready
	$(say) CXX 'harness/sim/include (headers)'
	$(Q)harness/compile --headers && touch $@

CLASS_LIBRARIES := -larchive -lgit2 -lsqlite3 -lutf8proc -lyaml -ljansson -linih -lseccomp -lm
$(B)/libclass.a: $(filter-out %/class.o %/command_main.o,$(CLASS_O))
$(filter-out $(COMMAND_O),$(CLASS_O)): | build/class-ready
$(B)/class: $(B)/grader/class/class.o $(B)/libclass.a $(B)/libgrader.a $(SHARED_O) $(B)/libdevice.a $(B)/grade
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(filter-out %/grade,$^) $(CLASS_LIBRARIES) -o $@

# The same with an engine that replays recorded grades, for tests of everything around it: tests/class/replay.c.
$(B)/tests/class/%.o: CPPFLAGS += $(GRADER_INCLUDE)
# The parts that replay_times.c times.
TIMED_PARTS := entries_read handed_read import_run history_record collect_run collect_tell submitters_tell export_canvas \
               export_moodle export_jsonl class_report
$(B)/class-replay: $(B)/tests/class/replay.o $(B)/tests/class/replay_times.o $(B)/grader/class/class.o $(B)/libclass.a \
    $(B)/libgrader.a $(SHARED_O) $(B)/libdevice.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(TIMED_PARTS:%=-Wl$(comma)--wrap=%) $^ $(CLASS_LIBRARIES) -o $@

PROPERTY_O := $(patsubst %.c,$(B)/%.o,$(wildcard tests/class/property*.c))
$(B)/class-property: $(PROPERTY_O) $(B)/libclass.a $(B)/libgrader.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $^ $(CLASS_LIBRARIES) -o $@

$(B)/class-command: $(COMMAND_O)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $^ -o $@

# The same harness on NVIDIA's runtime.
build/gpu/%.o: %.c | build/ready
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) -Iharness -I$(CUDA_HOME)/include $(CFLAGS) -MMD -MP -c $< -o $@
build/libgpu.a: $(filter build/gpu/harness/gpu/%,$(GPU_O))
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

build/gpu/ceilings/%.o: harness/ceilings/%.cu harness/compile $(HEADERS)
	$(say) CUDA $<
	$(Q)mkdir -p $(@D) && harness/compile --backend gpu --source $< --object $@
build/gpu/ceiling-%: build/gpu/ceilings/%.o build/gpu/harness/problems/%.o \
    $(filter-out build/gpu/harness/problems/% build/gpu/harness/gpu/%,$(GPU_O)) build/libgpu.a
	$(say) LINK $@
	$(Q)nvcc -cudart static -ccbin $(CXX) $^ $(if $(filter %-matmul,$@),$(addprefix -L,$(dir $(CUBLAS))) -lcublas \
	  -Xlinker -rpath$(comma)$(abspath $(dir $(firstword $(CUBLAS))))) -ljansson -lpthread -ldl -lm -o $@

.PRECIOUS: build/gpu/ceilings/%.o

# A lab's runner: harness/compile knows the flags; it names the student's errors, not ours.
lab_file = $(firstword $(wildcard labs/$(1)_*/$(1).cu labs/$(1)_*/*.cu))
define runner
build/$(2)/$(1): $$(call lab_file,$(1)) $$(wildcard labs/$(1)_*/lab.conf) harness/compile $(HEADERS) $(3)
	$$(say) CUDA '$$< ($(2))'
	$$(Q)mkdir -p build/$(2) && harness/compile --backend $(2) --lab $(1) --source $$< --output $$@
endef
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),sim,$(HARNESS_O) $(B)/libremote.a $(B)/device)))
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),gpu,$(GPU_O) build/libgpu.a)))

$(B)/tests/%: tests/unit/%.c $(B)/libgrader.a $(B)/libharness.a $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(GRADER_INCLUDE) $(SIM_INCLUDE) $(CFLAGS) -MMD -MP \
	  $< $(filter %/libclass.a,$^) $(filter-out %/libclass.a,$(filter %.a,$^)) $(LIBRARIES) \
	  -lcmocka -ljansson -linih -lseccomp -lstdc++ -lm -o $@
$(filter $(B)/tests/test_class_%,$(UNIT)): $(B)/libclass.a
$(filter $(B)/tests/test_class_%,$(UNIT)): LIBRARIES := -larchive -lgit2 -lsqlite3 -lutf8proc -lyaml

$(B)/tests/test_grader_sandbox: build/launch

$(E2E): build/%: tests/e2e/%.c $(B)/libgrader.a $(B)/libharness.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(GRADER_INCLUDE) $(CFLAGS) -MMD -MP \
	  $< $(filter %.a,$^) -ljansson -linih -lseccomp -lm -o $@

build/record: plots/record.c $(B)/libgrader.a $(B)/libharness.a $(B)/libsim.a
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(GRADER_INCLUDE) $(CFLAGS) -MMD -MP \
	  $< $(filter %.a,$^) -ljansson -linih -lseccomp -lm -o $@

# As a student would compile a first program in C.
build/cpu: plots/cpu.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && gcc -std=gnu17 -O2 $(WARN) $< -lm -o $@

# Programs in C with launches in CUDA, on the simulator without a runner.
build/tests/%.o: tests/%.cu harness/compile $(HEADERS) $(wildcard tests/*/*.h tests/counters/kernels.cu)
	$(say) CUDA $<
	$(Q)mkdir -p $(@D) && harness/compile --source $< --object $@

build/bench: build/tests/bench/bench.o build/tests/bench/kernels.o
build/counters: $(patsubst %,build/tests/counters/%.o,compare recorded patterns styles)
build/model: $(patsubst tests/%.cu,build/tests/%.o,$(wildcard tests/model/*/*.cu)) build/tests/model/suite.o
build/model build/model-small: build/tests/model/model.o
build/model-small: build/tests/e2e/model/small.o # a suite of a few launches, for tests/e2e/model.sh
build/tests/e2e/model/small.o: tests/model/suite.cu
build/bench build/counters build/model build/model-small: build/libsim.a
	$(say) LINK $@
	$(Q)clang++ $(filter %.o,$^) build/libsim.a -ljansson -linih -lpthread -lm -o $@
build/tests/%.o: CPPFLAGS += $(SIM_INCLUDE)

# Every arithmetic instruction against an H100, see tests/arithmetic/README.md. Libraries that a machine with a GPU may lack are
# linked in.
build/tests/arithmetic/%.o: CPPFLAGS += $(SIM_INCLUDE) -Itests/unit
build/tests/arithmetic/%.o: CFLAGS += -ffp-contract=off
build/arithmetic: $(patsubst %.c,build/%.o,$(wildcard tests/arithmetic/*.c)) build/libsim.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $^ -Wl,-Bstatic -ljansson -linih -lstdc++ -Wl,-Bdynamic -ldl -lm -o $@

# --- fuzzing ----------------------------------------------------------------------------------------------------------
# The device once more, for libFuzzer: clang's (package libclang-rt-14-dev, or of the clang that FUZZ_CC names).
FUZZ_CC    ?= clang
FUZZ_FLAGS := -std=gnu17 -O1 -g1 -pthread -fno-omit-frame-pointer -ffp-contract=off -fsanitize=address,undefined \
              -fno-sanitize-recover=undefined
FUZZ_O     := $(patsubst $(B)/%,build/fuzz/%,$(DEVICE_O) $(SERVER_O))
FUZZ_LIBS  := -Wl,-Bstatic -ljansson -linih -Wl,-Bdynamic -lm
fuzz: build/fuzz/fuzz_ptx build/fuzz/fuzz_wire build/fuzz/kernels
	@echo 'Next: tests/fuzz/run SECONDS JOBS'
build/fuzz/harness/sim/exec/exec-%.o: harness/sim/exec/exec.c | build/ready
	$(say) FUZZ '$< ($*)'
	$(Q)mkdir -p $(@D) && $(FUZZ_CC) -D_GNU_SOURCE $(SIM_INCLUDE) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(ISA_$*) \
	  -DKIT_ISA=$* -MMD -MP -c $< -o $@
build/fuzz/%.o: %.c | build/ready
	$(say) FUZZ $<
	$(Q)mkdir -p $(@D) && $(FUZZ_CC) -D_GNU_SOURCE $(SIM_INCLUDE) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@
build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZ_O)
	$(say) LINK $@
	$(Q)$(FUZZ_CC)++ $(FUZZ_FLAGS) -fsanitize=fuzzer -static-libstdc++ -static-libgcc $(filter-out %/job.o,$^) $(FUZZ_LIBS) -o $@
build/fuzz/record: tests/fuzz/record.c
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $< -o $@
# The same without libFuzzer, once over the seeds: part of make test.
replay: $(B)/fuzz/replay_ptx $(B)/fuzz/replay_wire
$(B)/fuzz/replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(SIM_INCLUDE) $(CFLAGS) -MMD -MP $^ -ljansson -linih -lstdc++ -lm -o $@
# Random kernels against a scalar interpreter: no libFuzzer, and a program that runs anywhere by itself.
KERNELS_C := $(wildcard tests/fuzz/kernel*.c)
build/fuzz/kernels: KERNELS_STATIC := -static
build/fuzz/kernels $(B)/tests/kernels: $(KERNELS_C) $(wildcard tests/fuzz/kernel*.h tests/unit/sim_r*.h) \
    tests/unit/sim_oracle.h $(B)/libsim.a
	$(say) TEST $@
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) -Itests/unit $(SIM_INCLUDE) $(CFLAGS) $(KERNELS_C) $(B)/libsim.a \
	  $(KERNELS_STATIC) -ljansson -linih -lstdc++ -lm -o $@
.PHONY: fuzz replay
.SECONDARY: $(FUZZ_O) build/fuzz/tests/fuzz/fuzz_ptx.o build/fuzz/tests/fuzz/fuzz_wire.o

-include $(wildcard build/tests/class/*.d build/san/tests/class/*.d build/fuzz/*/*/*/*.d build/fuzz/*/*/*.d build/tests/*/*.d $(SIM_O:.o=.d) $(HARNESS_O:.o=.d) $(GRADER_O:.o=.d) $(LAUNCH_O:.o=.d) $(CLASS_O:.o=.d) $(UNIT:=.d) $(E2E:=.d) build/record.d)
