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
# Tests build with -Werror, too.
STRICT   := $(WERROR)$(SAN)$(filter test test-all test-quick,$(MAKECMDGOALS))
# -O1 where nobody waits for the code: building everything from clean takes a student's time, too.
OPTIMIZE := $(if $(SAN),-O0,-O1)
LDFLAGS  := $(if $(shell command -v ld.gold),-fuse-ld=gold) # several times as fast as ld
CFLAGS   := -std=gnu17 $(OPTIMIZE) -g1 -pthread $(WARN) $(if $(STRICT),-Werror) $(SANITIZE)
# Headers are included by their path from here. Only CUDA's own are found elsewhere: the
# simulator's, or the Toolkit's.
CPPFLAGS := -D_GNU_SOURCE -I.
SIM_CUDA := -Iharness/sim/include
compile   = $(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
# Where an optional library's header is; nothing where it is not installed.
header    = $(firstword $(wildcard $(addsuffix /$(1),/usr/include /usr/local/include)))
# What a grading spends its time in. Under sanitizers compiling that takes longer than running it.
FAST     := $(if $(SAN),-O1,-O2)
objects   = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))

# A problem family is a folder. NAME/NAME.c is linked to runners, too; the rest, which knows what is
# right, to the grader only.
FAMILIES  := $(patsubst harness/problems/%/,%,$(sort $(wildcard harness/problems/*/)))
PROBLEM_C := $(foreach name,$(FAMILIES),harness/problems/$(name)/$(name).c)

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

$(B)/%.a:
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

-include $(patsubst %.o,%.d,$(wildcard \
  $(foreach depth,*.o */*.o */*/*.o,$(B)/harness/$(depth) $(B)/grader/$(depth))))
