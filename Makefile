# SPDX-License-Identifier: GPL-3.0-or-later
# nssim: `make` configures where needed and builds in $(BUILD); `make check` tests.
BUILD ?= build
CONFIGURE_FLAGS ?=
TOP := $(CURDIR)
MAKEFLAGS += --no-builtin-rules

all: program

configure: configure.ac
	autoconf -I /usr/share/aclocal
$(BUILD)/config.mk: configure config.mk.in
	@mkdir -p $(BUILD)
	cd $(BUILD) && $(TOP)/configure --quiet $(CONFIGURE_FLAGS)
ifeq ($(filter clean distclean dist help,$(MAKECMDGOALS)),)
include $(BUILD)/config.mk
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
CSTD := -std=c11 -D_GNU_SOURCE
OPT := -O2 -g
ifeq ($(ENABLE_DEBUG),yes)
OPT := -O0 -g3 -DNS_ARENA_MALLOC
endif
ifeq ($(ENABLE_SANITIZERS),yes)
OPT := -O1 -g3 -DNS_ARENA_MALLOC -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
ifeq ($(ENABLE_WERROR),yes)
WARN += -Werror
endif
# Same bytes on every machine of a kind: no contraction of a*b+c unless written as fma.
CFLAGS := $(CSTD) $(OPT) $(WARN) -ffp-contract=off -fno-math-errno -fvisibility=default -fPIC $(USER_CFLAGS)
CPPFLAGS := -I$(TOP)/src -I$(TOP)/include $(CORE_CFLAGS) $(UNITS_CFLAGS) -DNS_VERSION='"$(VERSION)"'
LIBS := $(CORE_LIBS) $(UNITS_LIBS) -lklu -lamd -lldl -ldl -lm -lpthread

LAYERS := base algebra expression problems model integrators simulation plugin io
LIB_SRC := $(foreach l,$(LAYERS),$(wildcard src/$(l)/*.c))
CLI_SRC := $(wildcard src/cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libnssim.a
HDF5_SRC := $(wildcard src/io/hdf5/*.c)
HDF5_MODULE := $(if $(HDF5_SRC),$(BUILD)/modules/nssim-hdf5.so)

program: $(if $(CLI_SRC),$(BUILD)/nssim) $(HDF5_MODULE)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/src/io/hdf5/%.o: CPPFLAGS += $(HDF5_CFLAGS)
$(LIB): $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^
$(BUILD)/nssim: $(CLI_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(USER_LDFLAGS) -rdynamic -o $@ $(CLI_OBJ) -Wl,--whole-archive $(LIB) -Wl,--no-whole-archive -Wl,--as-needed $(LIBS)
$(BUILD)/modules/nssim-hdf5.so: $(HDF5_SRC:%.c=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -o $@ $^ $(HDF5_LIBS)

# Unit tests: tests/<layer>/test_*.c, one Check program each.
TEST_SRC := $(wildcard tests/*/test_*.c)
TEST_BIN := $(TEST_SRC:%.c=$(BUILD)/%)
$(BUILD)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -I$(TOP)/tests $(CHECK_CFLAGS) $(CFLAGS) -Wno-conversion -Wno-pedantic -MMD -MP -o $@ $< -Wl,--whole-archive $(LIB) -Wl,--no-whole-archive -Wl,--as-needed $(CHECK_LIBS) $(LIBS) -rdynamic

check: program $(TEST_BIN)
	@for t in $(TEST_BIN); do $$t || exit 1; done

clean:
	rm -rf $(BUILD)
.PHONY: all program check clean
-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_BIN:=.d) $(HDF5_SRC:%.c=$(BUILD)/%.d)
