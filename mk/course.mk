# course.mk: what instructors make: skeletons, students' copies, handouts, charts and their data.

.PHONY: newlab newfamily class-demo skeletons data data-cpu data-gpu plots handouts dist gradescope

# A student's copy (make dist) has no solutions, and nothing that needs them.
COURSE := class class-demo bench counters times model calibrate agreement newlab newfamily \
               skeletons data data-cpu data-gpu plots handouts dist gradescope
ifeq ($(wildcard solutions),)
  ifneq ($(filter $(COURSE),$(MAKECMDGOALS)),)
    $(error make $(firstword $(filter $(COURSE),$(MAKECMDGOALS))): this is a student's copy of \
      the kit, without solutions and what needs them)
  endif
endif

help-course:
	@echo 'make lint      look at how files are written; make format writes C as it must be'
	@echo 'make class     build what grades a whole class (./grade class does; needs ./setup --class)'
	@echo 'make class-demo  an invented class of 120, graded and drawn: build/class-demo/grades/report'
	@echo '               (some minutes; again: goes on)'
	@echo 'make bench     how fast the simulator is'
	@echo 'make counters  the simulator'"'"'s counters against those measured on an H100'
	@echo 'make times     the modelled times of those launches against Nsight Compute'"'"'s: seconds'
	@echo 'make model     the modelled time against those of some three hundred launches on an H200,'
	@echo '               and a chart of it'
	@echo 'make calibrate describe the GPU of this machine, for the model of time: a few seconds'
	@echo 'make agreement the simulator'"'"'s grades against those recorded on a GPU (some minutes)'
	@echo 'make handouts  what learners read: build/handouts/*.html and *.pdf (some minutes at first;'
	@echo '               ./setup --all)'
	@echo 'make plots     draw all charts from plots/data/ into build/plots/'
	@echo 'make data      write plots/data/sim/ anew with the simulator (make data-cpu: what the CPU'
	@echo '               takes, some minutes; make data-gpu: what a GPU takes, into a folder named'
	@echo '               after it)'
	@echo 'make newlab FROM=lab2 NAME=lab9_mine   start a lab from a copy of one'
	@echo 'make newfamily NAME=reduce   start a problem family, with a lab on it'
	@echo 'make skeletons write the labs'"'"' skeletons anew from solutions/'
	@echo 'make gradescope LAB=lab2   an autograder for Gradescope: build/gradescope/lab2.zip'
	@echo 'make dist      the students'"'"' copy, without solutions, as an archive: build/dist/'
	@echo '               (DIST_LABS="lab1 lab2")'

# 120 invented students hand in what the kit ships, right and wrong; some of it cannot be read, so
# that status 1 is as it should be. Stopped and started again it goes on where it was.
class-demo: $(B)/class
	$(Q)tests/class/make-class build/class-demo
	$(Q)$(B)/class build/class-demo/handed-in --state build/class-demo/grades \
	  --roster build/class-demo/roster.csv --seed 1 --due 2026-03-08T23:59Z --report || [ $$? -eq 1 ]

# FROM=lab2 NAME=lab9_mine: a lab from a copy of one. NAME=reduce: a problem family that works, with
# a lab on it.
newlab:
	@mk/newlab '$(FROM)' '$(NAME)'
newfamily:
	@mk/newfamily '$(NAME)'

# A file that differs from the new skeleton (somebody's work) is kept beside it as labN.cu.old.
skeletons:
	$(Q)for solution in solutions/lab*_*/lab*.cu; do \
	  lab=labs/$${solution#solutions/}; \
	  mkdir -p build && harness/skeleton $$solution >build/skeleton.cu || exit; \
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

# What learners read, with the kit's own numbers. It stops if a chart's data is not what `make data`
# would write now.
handouts: build/grade build/record plots
	$(Q)handouts/build

data: build/record build/grade
	$(Q)plots/record

# Measurements of this machine: of its GPU, and of its CPU while nothing else runs.
data-gpu: $(B)/grade build/cpu-matmul
	$(Q)plots/record-gpu $(FOLDER)

data-cpu: build/cpu-matmul
	$(Q)plots/record-cpu && cat plots/data/cpu.tsv

build/record: plots/record.c $(B)/libgrader.a $(B)/libharness.a $(B)/libsim.a
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP \
	  $< $(filter %.a,$^) -ljansson -linih -lseccomp -lm -o $@

-include build/record.d
