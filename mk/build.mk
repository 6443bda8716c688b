# build.mk: compilers and flags; how one .c becomes one .o, and what must be installed for that.
#
# $(B) is build, or build/san with SAN=1: under AddressSanitizer and UndefinedBehaviorSanitizer.

Q    := $(if $(V),,@)
say   = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),@:,@printf '  %-5s %s\n')

B        := build$(if $(SAN),/san)
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wno-missing-field-initializers -Wno-format-truncation -Wno-unknown-warning-option \
            -Wno-pass-failed
comma    := ,
SANITIZE := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined \
              -fno-omit-frame-pointer)
# Little of the code is waited for; building everything from clean is, by every student once: -O1,
# and -O0 for what a grading spends no time in.
CFLAGS   := -std=gnu17 -O1 -g1 -pthread $(WARN) $(if $(WERROR)$(SAN),-Werror) $(SANITIZE)
# Headers are included by their path from here. Only CUDA's own are found elsewhere: the
# simulator's, or the Toolkit's.
CPPFLAGS := -D_GNU_SOURCE -I.
SIM_CUDA := -Iharness/sim/include
compile   = $(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
# Where an optional library's header is; nothing where it is not installed.
header    = $(firstword $(wildcard $(addsuffix /$(1),/usr/include /usr/local/include)))
objects   = $(sort $(foreach file,$(wildcard $(1)),$(call object,$(file))))

# Half of what a small file takes to compile is its headers, so these folders are compiled as one
# file each, FOLDER/all.c; under sanitizers, every file by itself, so that none leans on another.
# Files that have flags of their own, or whose names are taken by a neighbour's, are ALONE.
TOGETHER := $(addprefix grader/,base check grading lab run sandbox score show) \
            $(addprefix harness/sim/,decode exec model ptx)
ALONE     = $(addprefix grader/,check/matmul check/transpose grading/reference_shipped run/run \
              run/stopwatch run/sweep sandbox/process sandbox/sandbox sandbox/system_paths) \
            $(addprefix grader/show/,chart_fonts gradescope_results html page_faults page_header \
              page_launch page_remark page_score page_source table) \
            $(addprefix harness/sim/,decode/decode_special decode/poll ptx/ptx_variable) \
            $(addprefix harness/sim/exec/,cold exec launch paths schedule stream_race watch $(HOT))
by_itself = $(SAN)$(filter $(ALONE),$(1:.c=))$(filter-out $(TOGETHER:=/),$(dir $(1)))
object    = $(B)/$(if $(call by_itself,$(1)),$(1:.c=.o),$(dir $(1))all.o)

# Stops with one sentence where the compilers and libraries are not there.
build/ready: setup
	@mkdir -p build
	@[ -e $@ ] || echo 'Building the kit, once: the simulator and the grader' >&2
	@./setup --check >/dev/null 2>&1 || \
	  { echo 'Something that the kit needs is missing: run ./setup' >&2; exit 1; }
	@touch $@

$(B)/%.o: %.c | build/ready
	$(say) CC $<
	$(compile)

# A folder changes when a file comes or goes, an editor's, too.
$(TOGETHER:%=$(B)/%/all.c): $(B)/%/all.c: % mk/build.mk
	$(Q)mkdir -p $(@D) && \
	  printf '#include "%s"\n' $(filter-out $(ALONE:=.c),$(wildcard $*/*.c)) >$@.new
	$(Q)if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(B)/%/all.o: $(B)/%/all.c | build/ready
	$(say) CC '$*/*.c'
	$(compile)

$(B)/%.a:
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

-include $(patsubst %.o,%.d,$(wildcard \
  $(foreach depth,*.o */*.o */*/*.o,$(B)/harness/$(depth) $(B)/grader/$(depth))))
