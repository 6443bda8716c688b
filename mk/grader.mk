# grader.mk: the grader that ./grade starts, and what starts a submission inside its sandbox.

GRADER_O := $(call objects,grader/*.c $(filter-out grader/class/%,$(wildcard grader/*/*.c)) \
               harness/problems/*.c $(filter-out %/cpu.c,$(wildcard harness/problems/*/*.c)))
# Both of a runner and of the grader.
SHARED_O := $(B)/harness/base/exchange.o $(B)/harness/base/statistics.o

# A grading waits for compilers and simulated devices, not for this code; whoever builds it waits.
# gcc's warnings need -O1.
$(filter $(B)/grader/%,$(GRADER_O)): CFLAGS += $(if $(STRICT),,-O0)
# But for what looks at every word that the host moved, and hashes what references depend on.
$(patsubst %,$(B)/grader/%.o,run/host_words run/provenance run/transfer_records base/text): \
  CFLAGS += -O2
$(B)/grader/run/host_words.o: CFLAGS += -O3
# The checks compute large products, under sanitizers too.
$(filter $(B)/harness/problems/%,$(GRADER_O)): CFLAGS += -O2

$(B)/libgrader.a: $(filter-out %/grader/main.o,$(GRADER_O))
$(B)/grader/show/html_text.o: grader/show/page.css
# The table of families: the folder changes when one comes or goes.
$(B)/harness/problems/family.o: CPPFLAGS += \
               -DKIT_FAMILIES='$(foreach name,$(FAMILIES),FAMILY($(name)))'
$(B)/harness/problems/family.o: harness/problems

# What runners are linked with is built with the grader, which builds one for every file it grades.
$(B)/grade: $(GRADER_O) $(SHARED_O) $(HARNESS_O) $(B)/libdevice.a $(B)/libremote.a \
    $(B)/device build/launch $(if $(filter gpu,$(BACKENDS)),$(GPU_O) build/libgpu.a $(CEILINGS)) \
    | build/headers/made
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(GRADER_O) $(SHARED_O) $(B)/libdevice.a -ljansson -linih \
	  -lseccomp -lm -o $@

# Static where the libraries are there for it: it starts once a case, and so takes 1 ms less.
build/launch: $(patsubst %,build/grader/sandbox/%.o,launch/launch inside landlock confine)
	$(say) LINK $@
	$(Q)$(CC) -static $^ -lseccomp -o $@.new 2>/dev/null || $(CC) $^ -lseccomp -o $@.new
	$(Q)mv -f $@.new $@ # gradings under way have it whole
