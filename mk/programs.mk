# programs.mk: CUDA programs with a main of their own: kcc, and a folder that looks like the CUDA
# Toolkit's to those who look for one.
#
#   build/cuda/bin/nvcc      kcc; build/cuda/include: the headers
#   build/cuda/lib64         libcudart and libcurand, which link the simulator's runtime: for a host
#                            linker that is called with -lcudart
#   make install             kcc and what it needs, under PREFIX (/usr/local), below DESTDIR

.PHONY: cuda install
PREFIX ?= /usr/local
INSTALLED := $(PREFIX)/lib/cuda-lab-kit
PROGRAM_O := $(filter $(B)/harness/base/%,$(HARNESS_O))
RUNTIME_LIBRARIES := -ljansson -linih -lpthread -ldl -lrt -lm

cuda: build/cuda/made $(B)/libremote.a $(B)/device $(PROGRAM_O) build/headers/made
build/cuda/made: mk/programs.mk | build/ready
	$(Q)rm -rf build/cuda && mkdir -p build/cuda/bin build/cuda/lib64
	$(Q)ln -s ../../../harness/kcc build/cuda/bin/nvcc
	$(Q)ln -s ../../harness/sim/include build/cuda/include
	$(Q)ln -s lib64 build/cuda/lib
	$(Q)for name in libcudart.so libcudart_static.a libcudadevrt.a libcuda.so libcurand.so; do \
	  echo 'INPUT($(PROGRAM_O:%=$(CURDIR)/%) $(CURDIR)/$(B)/libremote.a)' \
	    >build/cuda/lib64/$$name; \
	  echo 'INPUT($(RUNTIME_LIBRARIES) -lstdc++)' >>build/cuda/lib64/$$name; done
	$(Q)touch $@
# ./grade run needs them, too.
grade: build/cuda/made $(PROGRAM_O)

# What is installed stays together, so that kcc finds it; device.o tells programs where their
# device is.
install: cuda
	$(Q)to='$(DESTDIR)$(INSTALLED)' && rm -rf "$$to" && \
	  mkdir -p "$$to/harness/sim" "$$to/build/harness/base" '$(DESTDIR)$(PREFIX)/bin' && \
	  cp -R harness/kcc harness/clang.sh "$$to/harness/" && \
	  cp -R harness/sim/include "$$to/harness/sim/" && \
	  cp $(B)/device $(B)/libremote.a "$$to/build/" && \
	  cp $(PROGRAM_O) "$$to/build/harness/base/" && \
	  echo 'const char kit_installed_device[] = "$(INSTALLED)/build/device";' | \
	    $(CC) -x c -c - -o "$$to/build/harness/base/device.o" && \
	  ln -sf ../lib/cuda-lab-kit/harness/kcc '$(DESTDIR)$(PREFIX)/bin/kcc'
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/kcc'
