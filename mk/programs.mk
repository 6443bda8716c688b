# programs.mk: CUDA programs with a main of their own: kcc, and a folder that looks like the CUDA
# Toolkit's to those who look for one.
#
#   build/cuda/bin/nvcc      kcc; build/cuda/include: the headers
#   build/cuda/lib64         libcudart and libcurand, which link the simulator's runtime, and
#                            libcublas: for a host linker that is called with -lcudart -lcublas
#                            What is not simulated is there by name, empty: builds look for all of
#                            it, and what uses it has that named where it includes the header
#   make install             kcc and what it needs, under PREFIX (/usr/local), below DESTDIR

.PHONY: cuda install
PREFIX ?= /usr/local
INSTALLED := $(PREFIX)/lib/cuda-lab-kit
PROGRAM_O := $(filter $(B)/harness/base/%,$(HARNESS_O))
RUNTIME_LIBRARIES := -ljansson -linih -lpthread -ldl -lrt -lm
NOT_SIMULATED := nvrtc nvrtc-builtins nvJitLink nvjpeg cufft cufftw cusparse cusolver cupti \
  $(addprefix npp,c ial icc idei if ig im ist isu itc s)

cuda: build/cuda/made $(B)/libprogram.a $(B)/libremote.a $(B)/libcublas.a $(B)/device \
      $(PROGRAM_O) build/headers/made
$(B)/libprogram.a: $(PROGRAM_O)
	$(Q)rm -f $@ && ar rcs $@ $^
build/cuda/made: mk/programs.mk | build/ready
	$(Q)rm -rf build/cuda && mkdir -p build/cuda/bin build/cuda/lib64 build/cuda/nvvm/libdevice
	$(Q)ln -s ../../../harness/kcc build/cuda/bin/nvcc
	$(Q)ln -s ../../harness/sim/include build/cuda/include
	$(Q)ln -s lib64 build/cuda/lib
	$(Q)ar rcs build/cuda/lib64/libcudadevrt.a # device code is linked where it is loaded
	$(Q)for name in libcudart.so libcudart_static.a libcuda.so libcurand.so; do \
	  echo 'GROUP($(CURDIR)/$(B)/libprogram.a $(CURDIR)/$(B)/libremote.a)' \
	    >build/cuda/lib64/$$name; \
	  echo 'INPUT($(RUNTIME_LIBRARIES) -lstdc++)' >>build/cuda/lib64/$$name; done
	$(Q)for name in libcublas.so libcublasLt.so libcublas_static.a libcublasLt_static.a; do \
	  echo 'INPUT($(CURDIR)/$(B)/libcublas.a $(CURDIR)/$(B)/libremote.a -lm)' \
	    >build/cuda/lib64/$$name; done
	$(Q)for name in $(NOT_SIMULATED); do \
	  echo '/* not simulated */' >build/cuda/lib64/lib$$name.so; \
	  ar rcs build/cuda/lib64/lib$${name}_static.a; done
	$(Q)mkdir build/cuda/nvvm/lib64 && echo '/* not simulated */' >build/cuda/nvvm/lib64/libnvvm.so
	$(Q)touch $@
# ./grade run needs them, too.
grade: build/cuda/made $(B)/libprogram.a $(PROGRAM_O) $(B)/libcublas.a

# What is installed stays together, so that kcc finds it; device.o tells programs where their
# device is.
install: cuda
	$(Q)to='$(DESTDIR)$(INSTALLED)' && rm -rf "$$to" && \
	  mkdir -p "$$to/harness/sim" "$$to/build/harness/base" '$(DESTDIR)$(PREFIX)/bin' && \
	  cp -R harness/kcc harness/clang.sh harness/ir harness/launches \
	    harness/link_errors.awk "$$to/harness/" && \
	  cp -R harness/sim/include "$$to/harness/sim/" && \
	  cp $(B)/device $(B)/libremote.a $(B)/libcublas.a "$$to/build/" && \
	  cp $(PROGRAM_O) "$$to/build/harness/base/" && \
	  echo 'const char kit_installed_device[] = "$(INSTALLED)/build/device";' | \
	    $(CC) -x c -c - -o "$$to/build/harness/base/device.o" && \
	  ar rcs "$$to/build/libprogram.a" "$$to"/build/harness/base/*.o && \
	  cp -R build/cuda "$$to/build/" && \
	  sed -i -e 's|$(CURDIR)/$(B)/|$(INSTALLED)/build/|g' \
	    -e '1s/^/EXTERN(kit_installed_device) /' \
	    "$$to"/build/cuda/lib64/libcuda.so "$$to"/build/cuda/lib64/libcudart* \
	    "$$to"/build/cuda/lib64/libcurand.so && \
	  sed -i 's|$(CURDIR)/$(B)/|$(INSTALLED)/build/|g' "$$to"/build/cuda/lib64/libcublas* && \
	  ln -sf ../lib/cuda-lab-kit/harness/kcc '$(DESTDIR)$(PREFIX)/bin/kcc'
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/kcc'
