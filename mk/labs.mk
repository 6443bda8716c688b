# labs.mk: a lab's runner, build/sim/labN and build/gpu/labN: the student's file with the harness.
# harness/compile knows the flags; it names the student's errors, not ours.

HARNESS_O := $(call objects,harness/base/*.c harness/runner/*.c harness/problems/*.c)
HEADERS   := $(wildcard harness/base/*.h harness/runner/*.h harness/problems/*.h \
               harness/sim/include/*)

$(HARNESS_O) $(B)/harness/gpu/calls.o: CPPFLAGS += $(SIM_CUDA)
$(B)/libharness.a: $(filter-out %/runner/runner.o,$(HARNESS_O))

lab_file = $(firstword $(wildcard labs/$(1)_*/$(1).cu labs/$(1)_*/*.cu))
define runner
build/$(2)/$(1): $$(call lab_file,$(1)) $$(wildcard labs/$(1)_*/lab.conf) \
    harness/compile $(HEADERS) $(3)
	$$(say) CUDA '$$< ($(2))'
	$$(Q)mkdir -p build/$(2) && harness/compile --backend $(2) --lab $(1) --source $$< --output $$@
endef
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),sim,$(HARNESS_O) $(B)/libremote.a $(B)/device)))
$(foreach lab,$(LABS),$(eval $(call runner,$(lab),gpu,$(GPU_O) build/libgpu.a)))
