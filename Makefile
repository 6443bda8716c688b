# Makefile of the CUDA lab kit. `make` alone says what to type next, `make help` lists everything.
#
# All that is built lies under build/. The rules are in mk/, by what they build:
#   mk/build.mk     compilers, flags, and how one .c becomes one .o
#   mk/sim.mk       the simulated GPU and CUDA's runtime on it: libsim.a, libremote.a, device
#   mk/labs.mk      a lab's runner: the student's file with the harness
#   mk/gpu.mk       the same on a real GPU, and what that GPU can do at most
#   mk/cpu.mk       what this machine's CPU takes for the same problems
#   mk/grader.mk    ./grade
#   mk/class.mk     ./grade class
#   mk/tests.mk     unit tests and what end-to-end tests need; mk/fuzz.mk: fuzzers
#   mk/measure.mk   the simulator against real GPUs: counters, times, speed
#   mk/course.mk    what instructors make: handouts, charts, students' copies
#
# Options: V=1 shows every command, CC=clang picks the C compiler, WERROR=1 makes warnings errors,
# ISAS=all builds the simulator for every processor, not only for this one (mk/sim.mk).

.DEFAULT_GOAL := next
.DELETE_ON_ERROR:
.SUFFIXES:
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-print-directory --no-builtin-rules

LABS := $(sort $(foreach lab,$(notdir $(wildcard labs/lab*_*)),$(firstword $(subst _, ,$(lab)))))

.PHONY: next help help-course labs $(LABS) grade class clean

next:
	@./setup --check >/dev/null 2>&1 && \
	  echo 'Next: edit labs/lab1_*/lab1.cu, then make lab1 && ./grade lab1 (make help: the rest)' || \
	  echo 'Next: ./setup   (it installs what is missing: see ./setup --check)'

help:
	@echo 'make lab1      build lab 1 from labs/lab1_*/lab1.cu; then ./grade lab1. Labs here: $(LABS)'
	@echo 'make labs      build every lab'
	@echo 'make lab2.ptx  the kernels of a lab as the simulator executes them: build/lab2.ptx;'
	@echo '               make lab2.sass: as a GPU does, where nvcc is (FILE=x.cu: of another file)'
	@echo 'make grade     build the grader (./grade does it by itself)'
	@echo 'make install   install kcc, which compiles any CUDA program for the simulated GPU'
	@echo 'make test      run the tests (some minutes; make test-quick: a minute;'
	@echo '               make test-all: also what compares whole tables, or grades every file)'
	@echo 'make clean     remove build/'
	@echo 'Options: V=1 shows commands, CC=clang, WERROR=1, SAN=1 (build/san, with sanitizers),'
	@echo '         ISAS=all (a simulator that is fast on other machines, too)'
	@[ ! -d solutions ] || $(MAKE) -s help-course

include $(patsubst %,mk/%.mk,build sim gpu cpu labs programs grader class tests fuzz measure course)

labs: $(LABS)
# With the grader, which comes next: all that has to be built once is built at once.
$(foreach lab,$(LABS),$(eval $(lab): $(BACKENDS:%=build/%/$(lab)) $(B)/grade))
$(foreach lab,$(filter-out labs $(LABS) $(LISTINGS),$(filter lab%,$(MAKECMDGOALS))),\
  $(error make $(lab): there is no such lab; there are: $(LABS)))
$(LABS):
	@echo 'Built build/sim/$@. Next: ./grade $@'

grade: $(B)/grade
class: $(B)/class

clean:
	rm -rf build
