# SPDX-License-Identifier: GPL-3.0-or-later
# nssim: `make` configures where needed and builds in $(BUILD); `make help` lists the targets.
# Sources are found by their place: src/<layer>/*.c and src/<layer>/<part>/*.c, src/cli/*.c, src/io/hdf5/*.c (a module),
# plugins/*.c and models/*/*.c, tests/<folder>/test_*.c (a Check program each), man/*.[157], bench/*.c.

# `make CC=clang` builds in build-clang: objects of two compilers never meet.
ifeq ($(origin CC),command line)
BUILD ?= build-$(notdir $(firstword $(CC)))
CONFIGURE_CC := CC='$(CC)'
else
BUILD ?= build
endif
CONFIGURE_FLAGS ?=
V ?= 0
TESTS ?=
FUZZ_SECONDS ?= 600
TOP := $(CURDIR)
# One name for one folder: paths of objects are remembered.
override BUILD := $(patsubst $(TOP)/%,%,$(BUILD:%/=%))
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:

ifneq ($(V),0)
say := @:
else ifneq ($(findstring s,$(filter-out --%,$(subst =,--,$(firstword -$(MAKEFLAGS))))),)
Q := @
say := @:
else
Q := @
say := @printf '  %-7s %s\n'
endif

# A file that holds a text and is touched only when the text changes.
define stamp
$(1): FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' $(2) | cmp -s - $$@ || printf '%s\n' $(2) >$$@
endef

all: program extras ## build everything but the tests (the default)

# ---- configuration ------------------------------------------------------------------------

configure: configure.ac VERSION
	@command -v autoconf >/dev/null || { echo "autoconf is missing: run scripts/install-deps" >&2; exit 1; }
	$(say) AUTOCONF $@
	@autoconf -o $@.tmp && mv $@.tmp $@; s=$$?; rm -rf $@.tmp autom4te.cache; exit $$s

# Flags of the last configuration: kept when none are given, a reason to configure anew when
# others are given.
ifneq ($(strip $(CONFIGURE_FLAGS) $(CONFIGURE_CC)),)
$(eval $(call stamp,$(BUILD)/configure-flags,"$$$$CONFIGURE_TEXT"))
$(BUILD)/configure-flags: export CONFIGURE_TEXT = $(CONFIGURE_FLAGS) $(CONFIGURE_CC)
else
$(BUILD)/configure-flags:
	@mkdir -p $(@D)
	@: >$@
endif

$(BUILD)/config.mk: configure config.mk.in $(BUILD)/configure-flags
	$(say) CONFIG "$(BUILD) $$(cat $(BUILD)/configure-flags)"
	@cd $(BUILD) && rm -f config.mk && eval "$(TOP)/configure --quiet $$(cat configure-flags)" </dev/null

UNCONFIGURED := clean distclean dist deb release help demo debug asan deps fuzz check-asan lint
ifneq ($(filter-out $(UNCONFIGURED),$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/config.mk
endif

# ---- flags --------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
ifeq ($(ENABLE_WERROR),yes)
WARN += -Werror
endif
# Same bytes on every machine of a kind: a*b+c is contracted only where it is written as fma.
NUMERIC := -ffp-contract=off -fno-math-errno
ifeq ($(ENABLE_DEBUG),yes)
MODE := -DNS_ARENA_MALLOC
endif
ifneq ($(filter yes,$(ENABLE_SANITIZERS) $(ENABLE_FUZZER)),)
# The macro is gcc's own; tests look at it, whatever the compiler.
MODE := -DNS_ARENA_MALLOC -D__SANITIZE_ADDRESS__=1 -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
ifeq ($(ENABLE_FUZZER),yes)
# Left out: checks of pointers that double the time of compiling. AddressSanitizer sees what comes of
# most of their faults; --enable-sanitizers has them.
MODE += -fsanitize=fuzzer-no-link -fno-sanitize=null,alignment,object-size,pointer-overflow
endif
# The same objects make the program and the library that all test programs share. No module
# replaces a function of another: they are inlined into each other as in a program.
PIC := -fPIC -fno-semantic-interposition
NS_CFLAGS = -std=c11 $(PIC) $(WARN) $(NUMERIC) $(MODE) $(CFLAGS)
NS_CPPFLAGS = -D_GNU_SOURCE -I$(TOP)/src -I$(TOP)/include $(LIB_CFLAGS) $(CPPFLAGS) \
  -DNS_VERSION=\"$(VERSION)\" -DNS_MODULE_DIR=\"$(MODULE_PATH)\" -DNS_DATA_DIR=\"$(DATA_PATH)\"
# Most names that libraries look for are the C library's: found there first, a program starts 2 %
# sooner. That of a sanitizer has to stand before it.
ifeq ($(filter yes,$(ENABLE_SANITIZERS) $(ENABLE_FUZZER)),)
FIRST_LIBS = -Wl,--no-as-needed -lc
endif
NS_LIBS = $(FIRST_LIBS) -Wl,--as-needed $(LIB_LIBS) -ldl -lm -lpthread
COMPILE = $(CC) $(NS_CPPFLAGS) $(NS_CFLAGS) -MMD -MP
PROGRAM_FLAGS = -pie -rdynamic $(LDFLAGS)

# Objects are made anew when the compiler or its flags change. Lines: CC, CPPFLAGS, CFLAGS
# (the header test reads them).
$(eval $(call stamp,$(BUILD)/flags,'$$(CC)' '$$(NS_CPPFLAGS)' '$$(NS_CFLAGS)'))

# ---- program ------------------------------------------------------------------------------

LAYERS := base algebra collision expression problems model integrators simulation plugin io study
HDF5_SRC := $(wildcard src/io/hdf5/*.c)
LIB_SRC := $(filter-out $(HDF5_SRC),$(foreach l,$(LAYERS),$(wildcard src/$(l)/*.c src/$(l)/*/*.c)))
CLI_SRC := $(wildcard src/cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
HDF5_OBJ := $(HDF5_SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libnssim.a
# Whole: plug-ins and the HDF5 module find the library's functions in the program.
WHOLE_LIB := -Wl,--whole-archive $(LIB) -Wl,--no-whole-archive
PROGRAM := $(if $(CLI_SRC),$(BUILD)/nssim)
HDF5_MODULE := $(if $(HDF5_SRC),$(BUILD)/modules/nssim-hdf5.so)

# The archive also changes when a source disappears.
$(eval $(call stamp,$(BUILD)/objects,'$$(LIB_OBJ)'))

program: $(PROGRAM) $(HDF5_MODULE) ## the program and its modules alone

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(COMPILE) -c $< -o $@
# The date of the release stands in the headings of CHANGELOG.md alone; manual pages have it.
RELEASED = $(shell sed -n 's/^\#\# .* (\(.*\))$$/\1/p' CHANGELOG.md | head -n 1)
$(BUILD)/src/cli/cmd_explain.o: private NS_CPPFLAGS += -DNS_RELEASED=\"$(RELEASED)\"
$(BUILD)/src/cli/cmd_explain.o: CHANGELOG.md
$(HDF5_OBJ): private NS_CPPFLAGS += $(HDF5_CFLAGS)
# The program and its module share the structures of all headers: each contains their checksum.
LIB_HEADERS := $(sort $(wildcard src/*/*.h src/*/*/*.h))
HEADERS_SUM = $(shell cat $(LIB_HEADERS) | cksum | tr ' ' -)
HEADERS_SUM_OBJ := $(BUILD)/src/io/hdf5_module.o $(BUILD)/src/io/hdf5/h5.o
$(HEADERS_SUM_OBJ): private NS_CPPFLAGS += -DNS_HEADERS=\"$(HEADERS_SUM)\"
$(HEADERS_SUM_OBJ): $(LIB_HEADERS)

$(LIB): $(LIB_OBJ) $(BUILD)/objects
	$(say) AR $@
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(BUILD)/nssim: $(CLI_OBJ) $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(NS_CFLAGS) $(PROGRAM_FLAGS) -o $@ $(CLI_OBJ) $(WHOLE_LIB) $(NS_LIBS)

$(BUILD)/modules/nssim-hdf5.so: $(HDF5_OBJ)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(NS_CFLAGS) $(LDFLAGS) -shared -o $@ $^ -Wl,--as-needed $(HDF5_LIBS)

# Plug-ins: the examples, here and beside the models that use them; and those that tests use.
PLUGIN_SRC := $(wildcard plugins/*.c plugins/*/*.c models/*/*.c)
TEST_PLUGIN_SRC := $(wildcard tests/*/plugins/*.c)
PLUGINS := $(PLUGIN_SRC:%.c=$(BUILD)/%.so)
TEST_PLUGINS := $(TEST_PLUGIN_SRC:%.c=$(BUILD)/%.so)
$(PLUGINS) $(TEST_PLUGINS): $(BUILD)/%.so: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) PLUGIN $@
	$(Q)$(CC) -D_GNU_SOURCE -I$(TOP)/include $(NS_CFLAGS) -Wno-unused-parameter -MMD -MP -shared \
	  -Wl,-Bsymbolic $(LDFLAGS) -o $@ $< -lm

# What the program says of itself, written down once it can: its schema and its reference pages.
SCHEMA := $(if $(wildcard src/cli/*schema*.c),$(BUILD)/schemas/nssim.xsd)
LANGUAGE_PAGES := $(if $(wildcard src/cli/*explain*.c),$(BUILD)/man/nssim-model.5 $(BUILD)/man/nssim-study.5)
$(BUILD)/schemas/nssim.xsd: $(PROGRAM)
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q)ASAN_OPTIONS=detect_leaks=0 $(BUILD)/nssim schema >$@.tmp && mv $@.tmp $@
$(LANGUAGE_PAGES): $(BUILD)/man/nssim-%.5: $(PROGRAM)
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q)ASAN_OPTIONS=detect_leaks=0 $(BUILD)/nssim explain --man=$* >$@.tmp && mv $@.tmp $@

extras: $(PLUGINS) $(SCHEMA) $(LANGUAGE_PAGES) $(BUILD)/nssim.pc

# ---- other builds -------------------------------------------------------------------------

debug: ## build in build-debug: no optimisation, assertions
	+$(Q)$(MAKE) BUILD=build-debug CONFIGURE_FLAGS='--enable-debug $(CONFIGURE_FLAGS)' all
asan: ## build in build-asan: AddressSanitizer, UndefinedBehaviorSanitizer
	+$(Q)$(MAKE) BUILD=build-asan CONFIGURE_FLAGS='--enable-sanitizers $(CONFIGURE_FLAGS)' all

# ---- tests --------------------------------------------------------------------------------

# tests/<folder>/test_*.c: one Check program each; tests/<folder>/*.c else: helpers that a suite
# (tests/<folder>/run-*) runs: a program, or a library to preload where the name begins with `lib`.
TEST_SRC := $(if $(filter yes,$(HAVE_CHECK)),$(wildcard tests/*/test_*.c))
TEST_BIN := $(TEST_SRC:%.c=$(BUILD)/%)
HELPER_SRC := $(wildcard tests/memory/*.c) $(wildcard tests/cli/lib*.c)
HELPER_LIB := $(patsubst %.c,$(BUILD)/%.so,$(foreach f,$(HELPER_SRC),$(if $(filter lib%,$(notdir $(f))),$(f))))
HELPER_BIN := $(patsubst %.c,$(BUILD)/%,$(foreach f,$(HELPER_SRC),$(if $(filter lib%,$(notdir $(f))),,$(f))))

# Hundreds of programs share one library: each with its own copy, and debugging information of the
# whole, they took 4 GB, and 15 GB with sanitizers. Archives of other libraries are no part of it,
# because their objects may be for programs alone: the linker takes them into each test.
TEST_LIB := $(BUILD)/tests/libnssim.so
$(TEST_LIB): $(LIB)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(NS_CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic -Wl,-soname,$(@F) -o $@ $(WHOLE_LIB)
$(TEST_BIN): $(BUILD)/tests/%: tests/%.c $(TEST_LIB)
	@mkdir -p $(@D)
	$(say) TEST $@
	$(Q)$(COMPILE) -I$(TOP)/tests $(CHECK_CFLAGS) -Wno-conversion -Wno-pedantic \
	  $(PROGRAM_FLAGS) -Wl,-rpath,'$$ORIGIN/..' -o $@ $< $(TEST_LIB) $(NS_LIBS) $(CHECK_LIBS)
# Neither sanitised nor linked with nssim: they look at it from outside.
$(HELPER_LIB): $(BUILD)/%.so: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) HELPER $@
	$(Q)$(CC) -D_GNU_SOURCE -std=c11 -O2 -g -fPIC -fno-omit-frame-pointer $(WARN) -MMD -MP -shared -o $@ $< -ldl
$(HELPER_BIN): $(BUILD)/%: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) HELPER $@
	$(Q)$(CC) -D_GNU_SOURCE -std=c11 -O2 -g $(WARN) -MMD -MP -o $@ $<
BENCH_BIN := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))
$(BENCH_BIN): $(BUILD)/%: %.c $(LIB)
	@mkdir -p $(@D)
	$(say) BENCH $@
	$(Q)$(COMPILE) $(PROGRAM_FLAGS) -o $@ $< $(WHOLE_LIB) $(NS_LIBS)

tests: all $(TEST_BIN) $(TEST_PLUGINS) $(HELPER_LIB) $(HELPER_BIN) $(BENCH_BIN) ## build the tests, run none

ifeq ($(HAVE_CHECK),yes)
check: tests ## run all tests (installs missing packages); TESTS='base cases/*' runs some
	@scripts/install-deps || echo "some tests will be skipped" >&2
	@$(if $(findstring fuzz,$(or $(TESTS),fuzz)),BUILD='$(TOP)/$(BUILD)' tests/fuzz/run-fuzz --build >/dev/null)
	@scripts/run-tests --build $(BUILD) $(TESTS)
else
# Without Check there is nothing to run: install it, then configure anew.
check:
	@scripts/install-deps
	@rm -f $(BUILD)/config.mk
	+@$(MAKE) check
endif
check-asan: ## the tests in build-asan
	+$(Q)$(MAKE) BUILD=build-asan CONFIGURE_FLAGS='--enable-sanitizers $(CONFIGURE_FLAGS)' check
check-slurm: all ## sweeps under a Slurm of one node, where Slurm is installed
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' tests/slurm/check-slurm
check-long: tests ## more grains, more random models, also run in two ways, failures of all allocations (some minutes)
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' tests/grains/run-grains --long
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' tests/grains/run-disks --long
	@NSSIM_CHAINS=150 $(BUILD)/tests/problems/test_multiple_impact
	@NSSIM_CONTACTS=2000 $(BUILD)/tests/problems/test_mechanical_few
	@NSSIM_LONG=1 $(BUILD)/tests/problems/test_central_path
	@NSSIM='$(TOP)/$(BUILD)/nssim' NSSIM_LEMKE=40 tests/problems/run-lemke
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' tests/differential/run-differential --long
	@NSSIM_LONG=1 $(BUILD)/tests/problems/test_lcp_large
	@NSSIM_LONG=1 $(BUILD)/tests/simulation/test_free_fall
	@for t in shapes polyhedra ridges; do TOP='$(TOP)' NSSIM_LONG=1 $(BUILD)/tests/simulation/test_event_$$t || exit 1; done
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' NSSIM_LONG=1 tests/import/run-faults
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' KILLS=long tests/cli/run-kills
	@NSSIM_LONG=1 $(BUILD)/tests/simulation/test_step_solved
	@NSSIM_LONG=1 $(BUILD)/tests/simulation/test_projection_origin
	@NSSIM_LONG=1 $(BUILD)/tests/simulation/test_measures_motion
	@TOP='$(TOP)' NSSIM_LONG=1 $(BUILD)/tests/simulation/test_branches
	@TOP='$(TOP)' BUILD='$(TOP)/$(BUILD)' ALLOCATIONS=4000 tests/memory/run-allocations
	@TOP='$(TOP)' NSSIM='$(TOP)/$(BUILD)/nssim' DAMAGES=2000 tests/cli/run-damage
	@TOP='$(TOP)' RANDOM_MODELS=500 $(BUILD)/tests/simulation/test_switching_random
	@TOP='$(TOP)' RANDOM_MODELS=600 $(BUILD)/tests/simulation/test_event_random
	@TOP='$(TOP)' RANDOM_MODELS=300 $(BUILD)/tests/simulation/test_event_springs
	@TOP='$(TOP)' RANDOM_MODELS=1000 $(BUILD)/tests/simulation/test_switching_valves
	@packaging/make-deb $(BUILD)/deb >$(BUILD)/deb.log 2>&1 || [ $$? = 69 ] || { tail $(BUILD)/deb.log; false; }
	@TOP='$(TOP)' BUILD='$(TOP)/$(BUILD)' tests/structure/run-packages
check-valgrind: tests ## unit tests and command-line cases under valgrind (slow)
	@scripts/run-tests --build $(BUILD) --valgrind $(TESTS)

# Fuzzing: harnesses linked with libFuzzer, in a build of their own.
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS := $(FUZZ_SRC:%.c=$(BUILD)/%)
$(FUZZERS): $(BUILD)/%: %.c $(LIB)
	@mkdir -p $(@D)
	$(say) FUZZER $@
	$(Q)$(COMPILE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $< $(LIB) $(NS_LIBS)
fuzzers: $(FUZZERS)
fuzz: ## fuzz the loader, the expressions and problem files for FUZZ_SECONDS each (600)
	+$(Q)MAKE='$(MAKE)' tests/fuzz/run-fuzz --seconds $(FUZZ_SECONDS)

# What gcc and clang do not see. Left out: what they see better (uninitialised variables through pointers), and
# two checks that take a test of a bound for a hint that it can be passed.
LINT_OFF := uninitvar legacyUninitvar uninitStructMember missingIncludeSystem identicalInnerCondition \
  nullPointerArithmeticRedundantCheck arrayIndexOutOfBoundsCond nullPointer:src/io/load/load_observe.c
lint: ## static analysis (cppcheck)
	$(say) LINT src
	$(Q)cppcheck -j$$(nproc) --quiet --error-exitcode=1 --std=c11 --enable=warning,portability --max-configs=1 \
	  --inline-suppr $(LINT_OFF:%=--suppress=%) -Isrc -Iinclude src

site: all ## the manual as static HTML in $(BUILD)/site (manual pages by mandoc where it is installed)
	@scripts/site/make-site --build $(BUILD) $(if $(filter site-pictures,$(MAKECMDGOALS)),--draw) $(BUILD)/site
site-pictures: site ## the same with a picture of every model in its gallery (some minutes)

bench: all $(BENCH_BIN) ## time the program; prints medians and ratios to targets
	@bench/run --build $(BUILD) $(BENCH)

# ---- a fresh machine ----------------------------------------------------------------------

deps: ## install the Debian packages that are missing
	@scripts/install-deps
DEMO := models/bouncing-ball/bouncing-ball.xml
demo: ## install missing packages, build, run the bouncing ball
	@scripts/install-deps build
	+@$(MAKE) all
	@mkdir -p $(BUILD)/demo
	$(BUILD)/nssim run $(DEMO) -o $(BUILD)/demo/bouncing-ball.h5

# ---- installation -------------------------------------------------------------------------

# What a compiler of plug-ins asks pkg-config for.
$(BUILD)/nssim.pc: nssim.pc.in VERSION
	@sed "s/@VERSION@/$$(cat VERSION)/" $< >$@

# mode:file:place
MAN_PAGES = $(wildcard man/*.1 man/*.5 man/*.7) $(LANGUAGE_PAGES)
SHARED = $(shell find models plugins schemas view octave R python/nssim -type f ! -name '*.h5' ! -name '*.so' ! -name '*.pyc' 2>/dev/null)
GUIDES = $(wildcard COPYING README.md CHANGELOG.md CITATION.cff doc/*.md doc/*.svg doc/*.bib doc/tutorials/*.md python/README.md)
INSTALLS = $(if $(PROGRAM),755:$(PROGRAM):$(bindir)/nssim) \
  $(if $(HDF5_MODULE),644:$(HDF5_MODULE):$(libdir)/nssim/nssim-hdf5.so) \
  $(foreach f,$(wildcard include/nssim/plugin.h),644:$(f):$(includedir)/nssim/plugin.h) \
  $(foreach f,$(SHARED),644:$(f):$(datadir)/nssim/$(f)) \
  $(foreach f,$(SCHEMA),644:$(f):$(datadir)/nssim/schemas/$(notdir $(f))) \
  644:$(BUILD)/nssim.pc:$(datadir)/pkgconfig/nssim.pc \
  $(foreach f,$(GUIDES),644:$(f):$(datadir)/doc/nssim/$(f)) \
  $(foreach f,$(MAN_PAGES),644:$(f):$(mandir)/man$(patsubst .%,%,$(suffix $(f)))/$(notdir $(f))) \
  $(foreach f,$(wildcard completions/nssim.bash),644:$(f):$(datadir)/bash-completion/completions/nssim) \
  $(foreach f,$(wildcard completions/nssim.fish),644:$(f):$(datadir)/fish/vendor_completions.d/nssim.fish) \
  $(foreach f,$(wildcard completions/_nssim),644:$(f):$(datadir)/zsh/site-functions/_nssim)
each_install = for i in $(INSTALLS); do IFS=:; set -- $$i; unset IFS; $(1) || exit 1; done

install: all ## install; prefix= and DESTDIR= as usual
	@$(call each_install,install -D -m "$$1" "$$2" "$(DESTDIR)$$3")
uninstall: ## remove what `make install` put there
	@$(call each_install,rm -f "$(DESTDIR)$$3")
	@for d in $(libdir)/nssim $(includedir)/nssim $(datadir)/nssim $(datadir)/doc/nssim; do \
	  [ ! -d "$(DESTDIR)$$d" ] || find "$(DESTDIR)$$d" -depth -type d -empty -delete; done

# The tarball holds what git tracks, and configure: its users need no autoconf.
dist: configure ## make nssim-VERSION.tar.gz
	@v=$$(cat VERSION) && \
	{ git ls-files 2>/dev/null || find . -type f ! -path './build*' ! -path './.git/*' ! -name '*.tar.gz' -printf '%P\n'; } | \
	  { cat; echo configure; } | sort -u >.dist-files && \
	tar -czf "nssim-$$v.tar.gz" --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct 2>/dev/null || date +%s) \
	  --transform "s,^,nssim-$$v/," -T .dist-files; s=$$?; rm -f .dist-files; \
	[ $$s = 0 ] && echo "nssim-$$v.tar.gz"; exit $$s

deb: ## Debian packages in $(BUILD)/deb: nssim, nssim-doc, python3-nssim (needs debhelper, dh-python, mandoc)
	@packaging/make-deb $(BUILD)/deb

release: ## make release VERSION=1.2.3: checks, a commit of VERSION, a tag and the tarball
	@packaging/release '$(VERSION)'

clean: ## remove $(BUILD)
	rm -rf $(BUILD)
distclean: ## remove all builds and the generated configure
	rm -rf build build-* configure configure~ autom4te.cache nssim-*.tar.gz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile
	@echo "Variables: BUILD=$(BUILD), CC, CFLAGS, CONFIGURE_FLAGS, V=1 (show commands), TESTS, FUZZ_SECONDS"

FORCE:
.PHONY: all program extras debug asan tests check check-asan check-slurm check-long check-valgrind fuzzers fuzz bench lint site site-pictures \
  deps demo install uninstall dist deb release clean distclean help FORCE
-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(HDF5_OBJ:.o=.d) $(TEST_BIN:=.d) $(PLUGINS:.so=.d) \
  $(TEST_PLUGINS:.so=.d) $(HELPER_LIB:.so=.d) $(HELPER_BIN:=.d) $(BENCH_BIN:=.d) $(FUZZERS:=.d)

# ---- pictures of the examples ---------------------------------------------------------------

pictures: all ## draw the pictures of doc/ anew
	$(Q)if command -v dot >/dev/null; then dot -Tsvg doc/data-flow.dot >doc/data-flow.svg; fi
	$(Q)scripts/draw-pictures --build $(BUILD)
.PHONY: pictures
