# labs.mk: a lab's runner, build/sim/labN and build/gpu/labN: the student's file with the harness.
# harness/compile knows the flags; it names the student's errors, not ours.

HARNESS_O := $(call objects,harness/base/*.c harness/runner/*.c $(PROBLEM_C))
HEADERS   := $(wildcard harness/base/*.h harness/runner/*.h harness/problems/problem.h \
               $(PROBLEM_C:.c=.h) harness/sim/include/*)

# harness/compile links whatever lies in these folders: objects of files that are no more must not.
GONE_O := $(filter-out $(HARNESS_O) $(GPU_O),$(wildcard $(foreach folder,base \
               runner,$(B)/harness/$(folder)/*.o build/gpu/harness/$(folder)/*.o)))
$(if $(GONE_O),$(shell rm -f $(GONE_O)))

$(HARNESS_O) $(B)/harness/gpu/calls.o: CPPFLAGS += $(SIM_CUDA)
$(B)/libharness.a: $(filter-out %/runner/runner.o,$(HARNESS_O))

lab_file = $(firstword $(wildcard labs/$(1)_*/$(1).cu labs/$(1)_*/*.cu))
define runner
build/$(2)/$(1): $$(call lab_file,$(1)) $$(wildcard labs/$(1)_*/lab.conf) \
    harness/compile harness/clang.sh $(wildcard harness/ir/*.awk) $(HEADERS) $(3)
	$$(say) CUDA '$$< ($(2))'
	$$(Q)mkdir -p build/$(2) && harness/compile --backend $(2) --lab $(1) --source $$< --output $$@
endef
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),sim,$(HARNESS_O) $(B)/libremote.a $(B)/device)))
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),gpu,$(GPU_O) build/libgpu.a)))
# With CUDA's headers compiled it takes half the time.
$(LABS:%=build/sim/%): | build/headers/made

# make lab2.ptx, make lab2.sass: a lab's kernels as the simulator executes them, and as a GPU does,
# in build/; FILE=solutions/lab2_tiled/lab2.cu: those of another file. Always anew: FILE may differ.
LISTINGS := $(foreach lab,$(LABS),$(lab).ptx $(lab).sass)
.PHONY: $(LISTINGS)
$(LISTINGS): | build/headers/made
	$(Q)harness/compile --lab $(basename $@) --$(subst .,,$(suffix $@)) build/$@ \
	  --source '$(if $(FILE),$(FILE),$(call lab_file,$(basename $@)))'
	@echo 'Wrote build/$@'
