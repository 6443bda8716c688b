# class.mk: what grades a class (./grade class), and its command line, which needs no libraries.

# Grading a class needs libarchive and SQLite (./setup --class), which nothing else does.
KIT_CLASS ?= $(if $(and $(call header,archive.h),$(call header,sqlite3.h)),yes,no)
CLASS_O   := $(call objects,grader/class/*.c grader/class/*/*.c)
COMMAND_O := $(patsubst %,$(B)/grader/%.o,class/command_main class/command \
               class/engine/slurm_options base/option base/text)
CLASS_LIBRARIES := -larchive -lcrypto -lgit2 -lsqlite3 -lutf8proc -lyaml -ljansson -linih \
               -lseccomp -lm

build/class-ready: setup
	@mkdir -p build; ./setup --class --check >/dev/null 2>&1 || \
	  { echo 'Grading a class needs libraries that are missing: run ./setup --class' >&2; exit 1; }
	@touch $@

$(filter-out $(COMMAND_O),$(CLASS_O)): | build/class-ready
$(B)/grader/class/report/report_html.o: grader/class/report/report.css
$(B)/libclass.a: $(filter-out %/class/class.o %/command_main.o,$(CLASS_O))

$(B)/class: $(B)/grader/class/class.o $(B)/libclass.a $(B)/libgrader.a $(SHARED_O) \
    $(B)/libdevice.a $(B)/grade
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out %/grade,$^) $(CLASS_LIBRARIES) -o $@

$(B)/class-command: $(COMMAND_O)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@
