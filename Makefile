# urlsift: GNU make (gmake on BSD and macOS).
#
#   make deps            installs what building needs; asks no network when it is all there
#   make deps-test       installs what the tests need too (valgrind, mandoc, GMime, ...)
#   make deps-js         installs what make js needs too (clang, wasi-libc, node, ...)
#   make                 build/urlsift, build/liburlsift.a, the shared library
#   make check           the tests; the last line is "N passed, N failed"; T='cases_test unit_scan' runs those
#   make check-fast      unit tests, cases, and some of the other programs, until the first failure
#   make check-long      what check leaves out: more of the same, for half an hour; check-night: for hours
#   make check-asan      the same under AddressSanitizer and UBSan, in build/asan
#   make check-msan      unit tests and cases under MemorySanitizer (clang); check-tsan: threads under ThreadSanitizer
#   make analyze         the static analyzers that are installed
#   make coverage        lines and branches that make check reaches (llvm-cov)
#   make demo            the sample as a list and as a page
#   make mutants         N=150 changes of the code, one at a time, that check-fast should notice
#   make lint            both compilers with -Werror, the manual pages, the scripts
#   make fuzz            each fuzzer for FUZZ_SECONDS (clang)
#   make fuzz-night      FUZZ_RUNS runs of the fuzzers construct and outsider, twenty million, from FUZZ_SEED on
#   make fuzz-faults     faults of the past are put back; the fuzzers must find each
#   make campaign        10,000 random mailboxes and a million random texts, each split in several ways (clang)
#   make js              WebAssembly for JavaScript: the package, the page to try, the Thunderbird add-on, in build/js
#   make bench           the benchmarks; BENCH holds their arguments
#   make install         into $(DESTDIR)$(PREFIX); make install-strip leaves debug information out; make uninstall
#                        removes it, with the folders that are ours alone
#   make dist            build/urlsift-VERSION.tar.gz, of the last commit
#   make deb             Debian packages of it, in build/deb
#
# CC, CFLAGS, CPPFLAGS and LDFLAGS of the environment are honoured.  V=1 shows the commands.  With other options than the
# last time everything is built again; `make install` takes what is built.
# WITHOUT_IDN2=1, WITHOUT_PSL=1, WITHOUT_ZLIB=1, WITHOUT_ISAL=1, WITHOUT_SQLITE=1 and WITHOUT_ARCHIVE=1 (liblzma, libbz2 and libzstd too)
# leave a library out, HARDEN=0 the hardening flags.  WITHOUT_PCRE2=1: no verdicts, no --match, --valid and --rules.
# WITHOUT_ICONV=1: of all charsets, Unicode, ISO-8859-1 and windows-1252.
# IDN2=link and PSL=link link the command with libidn2 and libpsl, which it opens when they are needed (src/cli/late.c).
# A static command (and no shared library): LDFLAGS=-static SQLITE=link WITHOUT_ARCHIVE=1, or ARCHIVE=link where all that
# libarchive needs is there as static libraries; PKG_CONFIG_LIBDIR names other libraries.

ifeq ($(origin CC),default)
CC = cc
endif
CFLAGS ?= -O2 -g
# In lower case it is that of autoconf.
PREFIX = $(or $(prefix),/usr/local)
# With a blank, a command sees two names, and uninstall would remove what is not ours.
ifneq ($(words x$(CURDIR)$(DESTDIR)$(PREFIX)),1)
$(error The names of the source folder, PREFIX and DESTDIR must not contain blanks)
endif
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
MANDIR = $(PREFIX)/share/man
DATADIR = $(PREFIX)/share
PKG_CONFIG = pkg-config
PKG_LIBS = $(PKG_CONFIG) $(if $(STATIC),--static) --libs
OBJCOPY = objcopy
PYTHON = python3
INSTALL = install
STRIP = strip
DPKG_BUILDPACKAGE = dpkg-buildpackage
DH = dh
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= 20000000
FUZZ_SEED ?= 1
HARDEN ?= 1
# Everything is linked statically: there is no shared library then.
STATIC = $(filter -static -static-pie,$(LDFLAGS))
# Where the sandbox allows no library to be opened after the start, as elsewhere than on Linux, these are linked.
LINKED = $(if $(STATIC)$(filter-out Linux,$(shell uname -s))$(filter-out /usr/lib%,$(shell $(PKG_CONFIG) --variable=libdir $1 2>/dev/null)),link)
IDN2 = $(call LINKED,libidn2)
PSL = $(call LINKED,libpsl)
Q = $(if $(V),,@)
comma = ,

VERSION := $(shell sed -n 's/^.define URLSIFT_VERSION_[MP][AIO][A-Z]* //p' include/urlsift.h | paste -sd. -)
MAJOR := $(firstword $(subst ., ,$(VERSION)))

LIB_SRC := $(sort $(wildcard src/text/*.c src/simd/*.c src/url/*.c src/scan/*.c src/mail/*.c src/mail/html/*.c src/render/*.c))
CLI_SRC := $(sort $(wildcard src/input/*.c src/index/*.c src/pages/*.c src/cli/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# Paths in the debug information are relative, so that two builds give the same bytes.  Each function begins with a line
# of the cache: else its loops move with what is before it, and a line changed elsewhere costs `list --json` of a log 5%.
BASE = -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc -fPIC -fvisibility=hidden \
    -ffile-prefix-map=$(CURDIR)=. -falign-functions=64 $(WARN)
SANITIZE = -O1 -g -DURLSIFT_NO_SANDBOX -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
ASAN_CC := $(shell command -v clang >/dev/null 2>&1 && echo clang || echo $(CC))

# What other systems hide where POSIX is asked for: SIGWINCH, the sizes of terminals, nanoseconds of stat, the sandbox.
ifneq ($(shell uname -s),Linux)
BASE += -D_DARWIN_C_SOURCE -D_BSD_SOURCE -D_NETBSD_SOURCE -D__BSD_VISIBLE=1
endif

ifeq ($(shell uname -s),Darwin)
SO = liburlsift.dylib
SO_MAJOR = liburlsift.$(MAJOR).dylib
SO_FULL = liburlsift.$(VERSION).dylib
LOCAL_NAMES = -Wl,-exported_symbol,'_urlsift_*'
# The SQLite of the system has no extensions, by whose interface it would be loaded.
SQLITE = link
SO_FLAGS = -dynamiclib -install_name $(LIBDIR)/$(SO_MAJOR) -current_version $(VERSION)
else
SO = liburlsift.so
SO_MAJOR = liburlsift.so.$(MAJOR)
SO_FULL = liburlsift.so.$(VERSION)
LOCALISE = $(OBJCOPY) --localize-hidden build/urlsift.o
SO_FLAGS = -shared -Wl,-soname,$(SO_MAJOR) -Wl,--version-script=src/urlsift.map
# On 32-bit x86 each object has the same thunks in section groups, of which the linker would keep one: not if they are local.
UNGROUP = $(if $(shell $(CC) -Wl,--help 2>/dev/null | grep force-group-allocation),-Wl$(comma)--force-group-allocation)
endif

.PHONY: FORCE analyze campaign check-msan check-tsan coverage all check check-asan check-fast check-long check-night bench bench-quick fuzz fuzz-faults fuzz-night js lint mutants demo install uninstall deps deps-test deps-js dist deb clean
.DELETE_ON_ERROR:
.SUFFIXES:

all: build/urlsift build/liburlsift.a $(if $(STATIC),,build/$(SO))

# In `make deps all` what is missing is installed before anything is looked for.
deps:
	@.ci/deps build

deps-test:
	@.ci/deps test

deps-js:
	@.ci/deps js

# The options that were given.  Of `make install`, which is often run by another user, only others are told.
OPTION_NAMES = CC CFLAGS CPPFLAGS LDFLAGS HARDEN IDN2 PSL SQLITE ARCHIVE PKG_CONFIG_LIBDIR \
    $(addprefix WITHOUT_,PCRE2 ICONV IDN2 PSL ZLIB ISAL SQLITE ARCHIVE)
OPTIONS = $(strip $(foreach o,$(OPTION_NAMES),$(if $(filter-out file default undefined,$(origin $o)),$o=$($o))))
INSTALLS = $(if $(MAKECMDGOALS),$(if $(filter-out install install-strip,$(MAKECMDGOALS)),,yes))
QUOTED_OPTIONS = '$(subst ','\'',$(OPTIONS))'
OTHER := $(if $(and $(INSTALLS),$(wildcard build/options)),$(if $(OPTIONS),note),$(shell \
    echo $(QUOTED_OPTIONS) | cmp -s - build/options || echo write))
build/options: $(if $(OTHER),FORCE)
	@mkdir -p build; if [ '$(OTHER)' = write ]; then echo $(QUOTED_OPTIONS) >$@; \
	else echo $(QUOTED_OPTIONS) | cmp -s - $@ || echo 'Installed is what was built, without these options:' $(QUOTED_OPTIONS) >&2; fi

# What the machine has, as arguments for the compiler: build/cflags, and to link
# the library build/libs, the command build/cli-libs.
build/cflags: Makefile build/options | $(filter deps deps-test deps-js,$(MAKECMDGOALS))
	@mkdir -p build
	@: >$@; [ -n '$(WITHOUT_PCRE2)' ] || $(PKG_CONFIG) --cflags libpcre2-8 >$@ 2>/dev/null || \
	    pcre2-config --cflags >$@ 2>/dev/null || { echo 'PCRE2 is missing: make deps' >&2; exit 1; }
	@[ -n '$(WITHOUT_PCRE2)' ] || echo '-DURLSIFT_WITH_PCRE2' >>$@
	@[ -n '$(WITHOUT_ICONV)' ] || echo '-DURLSIFT_WITH_ICONV' >>$@
	@[ -z '$(STATIC)' ] || echo '-DURLSIFT_STATIC' >>$@
	@[ -n '$(WITHOUT_IDN2)' ] || ! $(PKG_CONFIG) --exists libidn2 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags libidn2; echo '-DURLSIFT_WITH_IDN2' \
	        $(if $(filter link,$(IDN2)),-DURLSIFT_LINK_IDN2); } >>$@
	@[ -n '$(WITHOUT_PSL)$(if $(STATIC),$(WITHOUT_IDN2))' ] || ! $(PKG_CONFIG) --exists libpsl 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags libpsl; echo '-DURLSIFT_WITH_PSL' \
	        $(if $(filter link,$(PSL)),-DURLSIFT_LINK_PSL); } >>$@
	@[ -n '$(WITHOUT_ZLIB)' ] || ! $(PKG_CONFIG) --exists zlib 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags zlib; echo '-DURLSIFT_WITH_ZLIB'; } >>$@
	@[ -n '$(WITHOUT_ISAL)' ] || ! $(PKG_CONFIG) --exists libisal 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags libisal; echo '-DURLSIFT_WITH_ISAL'; } >>$@
	@[ -n '$(WITHOUT_SQLITE)' ] || ! $(PKG_CONFIG) --exists sqlite3 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags sqlite3; echo '-DURLSIFT_WITH_SQLITE' \
	        $(if $(filter link,$(SQLITE)),-DURLSIFT_LINK_SQLITE); } >>$@
	@[ -n '$(WITHOUT_ARCHIVE)' ] || ! $(PKG_CONFIG) --exists liblzma 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags liblzma; echo '-DURLSIFT_WITH_LZMA'; } >>$@
	@[ -n '$(WITHOUT_ARCHIVE)' ] || ! $(PKG_CONFIG) --exists 'libzstd >= 1.4' 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags libzstd; echo '-DURLSIFT_WITH_ZSTD'; } >>$@
	@[ -n '$(WITHOUT_ARCHIVE)' ] || ! echo '#include <bzlib.h>' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 || \
	    echo '-DURLSIFT_WITH_BZIP2' >>$@
	@[ -n '$(WITHOUT_ARCHIVE)' ] || ! $(PKG_CONFIG) --exists libarchive 2>/dev/null || \
	    { $(PKG_CONFIG) --cflags libarchive; echo '-DURLSIFT_WITH_ARCHIVE' \
	        $(if $(filter link,$(ARCHIVE)),-DURLSIFT_LINK_ARCHIVE); } >>$@

# iconv stands in libc, or else in a library of its own.
build/iconv-libs: build/cflags
	@printf '#include <iconv.h>\nint main(void) { return iconv_open("UTF-8", "UTF-8") == (iconv_t)-1; }\n' >build/iconv.c
	@! [ -n '$(WITHOUT_ICONV)' ] || { echo >$@; exit 0; }; for lib in '' -liconv; do \
	    $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o build/iconv build/iconv.c $$lib 2>build/iconv.log && \
	        echo "$$lib" >$@ && exit 0; \
	done; cat build/iconv.log >&2; exit 1

# Hardening: what the compiler and the linker take of it.  FORTIFY needs optimisation and yields to the user's own.
build/harden: build/cflags
	@mkdir -p build/try && echo 'int main(void) { return 0; }' >build/try/main.c
	@: >build/harden-cflags; : >build/harden-ldflags; : >build/harden-exe; \
	takes() { $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -Werror -fPIC "$$@" -o build/try/main build/try/main.c 2>/dev/null; }; \
	if [ '$(HARDEN)' = 1 ]; then \
	    case ' $(CPPFLAGS) $(CFLAGS) ' in \
	    *_FORTIFY_SOURCE* | *' -O0 '*) ;; \
	    *' -O'*) ! takes -D_FORTIFY_SOURCE=2 || echo -D_FORTIFY_SOURCE=2 >>build/harden-cflags ;; \
	    esac; \
	    for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection; do \
	        ! takes $$flag || echo $$flag >>build/harden-cflags; done; \
	    for flag in -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack; do \
	        ! takes $$flag || echo $$flag >>build/harden-ldflags; done; \
	    ! takes -pie || echo -pie >>build/harden-exe; \
	fi; touch $@

build/libs: build/iconv-libs Makefile
	@! grep -q PCRE2 build/cflags && : >$@ || $(PKG_LIBS) libpcre2-8 >$@ 2>/dev/null || pcre2-config --libs8 >$@
	@cat build/iconv-libs >>$@
	@! grep -q PSL build/cflags || $(PKG_LIBS) libpsl >>$@
	@! grep -q IDN2 build/cflags || $(PKG_LIBS) libidn2 >>$@

# zlib is linked, libidn2 and libpsl only to tests (build/command-libs), and libisal is loaded where it is.  liblzma, libbz2, libzstd, libarchive and SQLite are loaded when they are needed, or linked with
# ARCHIVE=link and SQLITE=link.  Each is optional.  libc comes first: at a start each symbol is looked for in one library
# after the other, and most are in libc (50,000 of 1.1 million instructions).
build/cli-libs: build/libs
	@{ echo -lc && cat build/libs && echo -pthread; [ "$$(uname -s)" != Linux ] || echo -ldl; \
	    ! grep -q LINK_ARCHIVE build/cflags || { $(PKG_LIBS) libarchive; \
	        ! grep -q WITH_LZMA build/cflags || $(PKG_LIBS) liblzma; \
	        ! grep -q WITH_ZSTD build/cflags || $(PKG_LIBS) libzstd; \
	        ! grep -q WITH_BZIP2 build/cflags || echo -lbz2; }; \
	    ! grep -q ZLIB build/cflags || $(PKG_LIBS) zlib; \
	    ! grep -q LINK_SQLITE build/cflags || $(PKG_LIBS) sqlite3; } >$@

# Tests link what the command opens itself (src/cli/late.c).
build/command-libs: build/cli-libs
	@sed $(if $(filter link,$(IDN2)),,-e /-lidn2/d) $(if $(filter link,$(PSL)),,-e /-lpsl/d) -e '' $< >$@

# What draws inputs and options for the fuzzer construct and for unit_construct, and renders them.
CONSTRUCT_PARTS = words change aims lengths meetings text mail options plan run place output

# $(call flavour,FOLDER,COMPILER,FLAGS,COMPILE HARDENED,LINK HARDENED): the objects, the command and the unit tests in a
# folder of their own.  libinternal.a is the library with its inner names, for them.  Archives are made by appending: two files of one name in two folders are two members.
define flavour
$1/obj/%.o: %.c build/harden
	@mkdir -p $$(@D)
	@echo '  $(2) $$<'
	$$(Q)$2 $(BASE) @build/cflags $4 $(CPPFLAGS) $3 -MMD -MP -c -o $$@ $$<

$1/libinternal.a: $(LIB_SRC:%.c=$1/obj/%.o)
	$$(call archive,$$@,$$^)

$1/libcli.a: $(patsubst %.c,$1/obj/%.o,$(filter-out src/cli/main.c src/cli/late.c,$(CLI_SRC)))
	$$(call archive,$$@,$$^)

# The objects of the library are linked side by side, not in the order of their use: `list` of spam takes 2% less time.
$1/urlsift: $1/obj/src/cli/main.o $1/obj/src/cli/late.o $(LIB_SRC:%.c=$1/obj/%.o) $1/libcli.a build/command-libs | $1/libinternal.a
	@echo '  link $$@'
	$$(Q)$2 $3 $5 $(LDFLAGS) -o $$@ $$(filter %.o %.a,$$^) @build/command-libs

$1/unit/%: $1/obj/tests/%.o $1/libcli.a $1/libinternal.a build/cli-libs
	@mkdir -p $$(@D)
	@echo '  link $$@'
	$$(Q)$2 $3 $5 $(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) @build/cli-libs -lm

$1/unit/unit_mail: $1/obj/tests/mail_trace.o
$1/unit/unit_construct: $(patsubst %,$1/obj/tests/fuzz/construct/%.o,$(CONSTRUCT_PARTS) plain)

-include $(patsubst %.c,$1/obj/%.d,$(LIB_SRC) $(CLI_SRC) $(UNIT_SRC)) $(CONSTRUCT_PARTS:%=$1/obj/tests/fuzz/construct/%.d)
endef

# $(call archive,FILE,OBJECTS): without times and owners where ar can do that.
define archive
@rm -f $1
$(Q)$(AR) -qcsD $1 $2 2>/dev/null || { rm -f $1; $(AR) -qcs $1 $2; }
endef

$(eval $(call flavour,build,$(CC),$(CFLAGS),@build/harden-cflags,@build/harden-ldflags @build/harden-exe))
$(eval $(call flavour,build/asan,$(ASAN_CC),$(SANITIZE)))
# Without PCRE2, iconv, libidn2 and libpsl, for tests/builds_test.py and to compare with the module of js/.
LEAN = -UURLSIFT_WITH_PCRE2 -UURLSIFT_WITH_ICONV -UURLSIFT_WITH_IDN2 -UURLSIFT_WITH_PSL
$(eval $(call flavour,build/lean,$(CC),$(CFLAGS) $(LEAN)))
# What `make lint` leaves out of the command, too.
LEAN_CLI = $(addprefix -UURLSIFT_WITH_,SQLITE ZLIB ISAL LZMA BZIP2 ZSTD ARCHIVE)
# The other compiler, for tests/builds_test.py: what the language leaves open it does in another way.
$(eval $(call flavour,build/clang,clang,-O2))
# What counts its work (tests/count.c), for tests/growth_test.py.
COUNTED = -O1 -DURLSIFT_NO_SANDBOX -fsanitize-coverage=trace-pc
COUNTED_LINK = $(patsubst %,-Wl$(comma)--wrap=%,memchr memrchr memmem memcmp memcpy memmove memset strlen)
$(eval $(call flavour,build/counted,$(CC),$$(COUNTED),,$$(COUNTED_LINK)))
build/counted/obj/tests/count.o: COUNTED = -O2
build/counted/urlsift build/counted/work: build/counted/obj/tests/count.o
build/counted/work: build/counted/obj/tests/work.o \
    $(patsubst %.c,build/counted/obj/%.o,$(filter src/scan/% src/text/% src/simd/% src/url/%,$(LIB_SRC))) build/libs
	@echo '  link $@'
	$(Q)$(CC) $(COUNTED) $(COUNTED_LINK) $(LDFLAGS) -o $@ $(filter %.o,$^) @build/libs
# MemorySanitizer needs libraries that are built with it; tests/msan.c stands in for those of the library.
MSAN = -O1 -g -DURLSIFT_NO_SANDBOX -UURLSIFT_WITH_PSL -UURLSIFT_WITH_ISAL -fno-omit-frame-pointer -fsanitize=memory
MSAN_LINK = $(patsubst %,-Wl$(comma)--wrap=%,pcre2_match_8 pcre2_compile_8 pcre2_jit_compile_8 pcre2_code_free_8 \
    pcre2_match_data_free_8 pcre2_general_context_free_8 pcre2_compile_context_free_8 pcre2_get_mark_8 \
    pcre2_get_error_message_8 idn2_lookup_u8 inflate stat64 lstat64 fstat64 fstatat64)
$(eval $(call flavour,build/msan,clang,$(MSAN),,$$(MSAN_LINK)))
# clang does not define __SANITIZE_THREAD__, as gcc does.
$(eval $(call flavour,build/tsan,clang,-O1 -g -DURLSIFT_NO_SANDBOX -D__SANITIZE_THREAD__ -fsanitize=thread))
# One file a program, mapped and added to by all its processes: those that end by _exit or a signal count too.
COVERAGE = -O0 -g -DURLSIFT_NO_SANDBOX -fcoverage-mapping -mllvm -runtime-counter-relocation \
    -Wno-unused-command-line-argument \
    -fprofile-instr-generate=$(CURDIR)/build/coverage/raw/%c%m.profraw
$(eval $(call flavour,build/coverage,clang,$(COVERAGE)))
.SECONDARY:

units = $(patsubst tests/%.c,$1/unit/%,$(UNIT_SRC))

build/msan/urlsift $(call units,build/msan): build/msan/obj/tests/msan.o

build/$(SO): $(LIB_SRC:%.c=build/obj/%.o) build/libs src/urlsift.map
	@echo '  link $@'
	$(Q)$(CC) $(CFLAGS) @build/harden-ldflags $(LDFLAGS) $(SO_FLAGS) -o $@ $(filter %.o,$^) @build/libs
	@ln -sf $(SO) build/$(SO_MAJOR)

# The static library is one object in which hidden names are local: a program may have a buf_init of its own.
build/liburlsift.a: $(LIB_SRC:%.c=build/obj/%.o)
	$(Q)$(CC) $(CFLAGS) $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -r $(UNGROUP) -nostdlib -o build/urlsift.o $^ $(LOCAL_NAMES)
	$(Q)$(LOCALISE)
	$(call archive,$@,build/urlsift.o)

# ---- Tests ----

TEST_ENV = T='$(T)' MAKE='$(MAKE)' CC='$(CC)' PYTHON='$(PYTHON)'

# What the programs that T names need, or all of them.
TESTED_UNITS = $(if $(T),$(patsubst %,build/unit/%,$(filter unit_%,$(T))),$(call units,build))
needs = $(if $(filter $1,$(or $(T),$1)),$2)
# The fuzzers whose corpora are run again, where there is clang.
CORPORA := $(patsubst tests/fuzz/corpus/%.tar.gz,build/runs/%,$(wildcard tests/fuzz/corpus/*.tar.gz))
TESTED = all $(TESTED_UNITS) $(call needs,growth_test,build/counted/work) $(call needs,builds_test js_test,build/lean/urlsift)

check-fast: build/urlsift $(TESTED_UNITS)
	@$(TEST_ENV) tests/run fast $(call units,build)

fuzzed = $(call needs,corpus_test,$(if $(shell command -v clang),$(CORPORA) $(patsubst %,build/fuzz/%-runs,$1)))
check: $(TESTED) $(call fuzzed,construct)
	@$(TEST_ENV) tests/run check $(call units,build)

# The tests that build/clang runs as well, where there is clang.
CLANG_TESTED = $(if $(shell command -v clang),build/clang/urlsift $(call units,build/clang))
LONG_TESTED = $(TESTED) $(call needs,growth_test,build/counted/urlsift) $(call fuzzed,construct outsider)
check-long: $(LONG_TESTED) $(call needs,builds_test,$(CLANG_TESTED))
	@$(TEST_ENV) tests/run long $(call units,build)

check-night: $(LONG_TESTED)
	@$(TEST_ENV) tests/run night $(call units,build)

check-asan: all build/asan/urlsift build/counted/work $(call units,build/asan)
	@$(TEST_ENV) URLSIFT_BUILD=build/asan tests/run check $(call units,build/asan)

# What links SQLite is left out: its memory counts as uninitialised.
MSAN_TESTS = cases hostile mail_cli
check-msan: build/msan/urlsift $(call units,build/msan)
	@for t in $(filter %,$(call units,build/msan)); do echo $$t; $$t >build/msan/log 2>&1 || { cat build/msan/log; exit 1; }; done
	@for t in $(MSAN_TESTS); do echo $$t; URLSIFT=$(CURDIR)/build/msan/urlsift $(PYTHON) tests/$${t}_test.py || exit 1; done

check-tsan: build/tsan/urlsift
	@URLSIFT=$(CURDIR)/build/tsan/urlsift TSAN_OPTIONS=halt_on_error=1 $(PYTHON) tests/jobs_test.py

# What is installed of gcc's analyzer, clang-tidy and cppcheck.  Left out: checks of style, and those that do not follow
# ownership through a container or a flag that says what is set (valgrind and MemorySanitizer do).
TIDY = -*,bugprone-*,cert-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-cert-err33-c,-bugprone-reserved-identifier,$\
    -cert-dcl37-c,-cert-dcl51-cpp,-bugprone-assignment-in-if-condition,-bugprone-narrowing-conversions,-bugprone-branch-clone,$\
    -clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-suspicious-string-compare,$\
    -bugprone-implicit-widening-of-multiplication-result,-bugprone-macro-parentheses,-clang-analyzer-optin.performance.Padding,-bugprone-not-null-terminated-result,-cert-str34-c,-bugprone-signed-char-misuse,$\
    -cert-err34-c,-bugprone-suspicious-missing-comma,-bugprone-sizeof-expression,-bugprone-suspicious-memory-comparison,$\
    -cert-exp42-c,-cert-flp37-c
GCC_ANALYZER = -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-use-of-uninitialized-value -Werror -O2
# Of cppcheck 2.10 also what it makes of a format that is a parameter, of the address of a compound literal, and of a
# range that has text where its length is not 0.
CPPCHECK = -q --std=c11 -U__has_include --enable=warning,performance,portability --error-exitcode=1 \
    --suppress=missingIncludeSystem --suppress=memleak --suppress=uninitvar --suppress=legacyUninitvar \
    --suppress=ctuuninitvar --suppress=nullPointer --suppress=wrongPrintfScanfArgNum:src/index/database.c \
    --suppress=internalAstError:src/render/template.c --suppress=nullPointerArithmeticRedundantCheck
# A file is analyzed again when it or a header has changed.
build/analyzed/%: % $(wildcard include/*.h src/*/*.h src/mail/html/*.h) build/cflags
	@mkdir -p $(@D)
	@echo '  analyze $<'
	@! command -v gcc >/dev/null || gcc $(BASE) @build/cflags $(GCC_ANALYZER) -c -o /dev/null $<
	@! command -v clang-tidy >/dev/null || clang-tidy --quiet --checks='$(TIDY)' --warnings-as-errors='*' $< -- \
	    $(BASE) $$(cat build/cflags) 2>/dev/null
	@touch $@

analyze: $(addprefix build/analyzed/,$(LIB_SRC) $(CLI_SRC))
	@! command -v cppcheck >/dev/null || cppcheck $(CPPCHECK) -Iinclude -Isrc src

# Lines and branches that the tests reach (LLVM).
coverage: build/coverage/urlsift build/counted/work $(call units,build/coverage)
	@rm -rf build/coverage/raw && mkdir -p build/coverage/raw && chmod 1777 build/coverage/raw
	-@$(TEST_ENV) URLSIFT_BUILD=build/coverage tests/run check $(call units,build/coverage)
	@cd build/coverage && llvm-profdata merge -failure-mode=all -sparse raw -o all.profdata 2>/dev/null
	@cd build/coverage && llvm-cov report urlsift $(patsubst %,-object %,$(UNIT_SRC:tests/%.c=unit/%)) \
	    -instr-profile=all.profdata --show-region-summary=false $(CURDIR)/src >report.txt; tail -1 report.txt

# Changes of the code that the fast tests miss, of N drawn by SEED.
mutants:
	@$(PYTHON) tests/mutants $(or $(N),150) $(or $(SEED),1)

lint: build/cflags
	@for cc in gcc clang; do command -v $$cc >/dev/null || continue; \
	    [ $$cc = gcc ] && how='-O2 -c -o /dev/null' more= || { how=-fsyntax-only more='$(FUZZ_SRC) $(wildcard tests/fuzz/construct/*.c)'; }; \
	    printf '%s\n' $(LIB_SRC) $(CLI_SRC) $(UNIT_SRC) $$more | xargs -P 2 -n 1 $$cc $(BASE) @build/cflags -Werror $$how && \
	    printf '%s\n' $(LIB_SRC) $(CLI_SRC) | xargs -P 2 -n 1 $$cc $(BASE) @build/cflags $(LEAN) $(LEAN_CLI) -Werror $$how || exit 1; \
	done
	! mandoc -Tlint -Wstyle man/*.[1357] 2>/dev/null | grep -v 'referenced manual not found'
	! git ls-files 2>/dev/null | grep -E '\.(orig|rej)$$|~$$'
	sh -n .ci/deps && bash -n .ci/run
	$(PYTHON) -m compileall -q tests
	! { command -v mypy >/dev/null && mypy --check-untyped-defs --ignore-missing-imports --cache-dir=/dev/null \
	    $(wildcard tests/*.py) | grep -E '\[(call-arg|name-defined)\]$$'; }

FUZZERS := $(FUZZ_SRC:tests/fuzz/%.c=build/fuzz/%)
FUZZ_SANITIZE = -O2 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
$(eval $(call flavour,build/fuzz,clang,$(FUZZ_SANITIZE) -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp))
# For programs that nobody tells what they have reached: those without libFuzzer, and those that only run a corpus.
$(eval $(call flavour,build/runs,clang,$(FUZZ_SANITIZE)))

# The library is instrumented, the harness is not: it would be most of the time.
build/fuzz/harness/%.o: tests/%.c build/harden
	@mkdir -p $(@D)
	$(Q)clang $(BASE) @build/cflags $(CPPFLAGS) -O2 -g -MMD -MP -c -o $@ $<

# The harness, then what uses the library, then the library.
FUZZER = build/fuzz/harness/fuzz/%.o
define link_fuzzer
@echo '  link $@'
$(Q)clang $(FUZZ_SANITIZE) -fsanitize=fuzzer $(FUZZ_LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) @build/cli-libs
endef
build/fuzz/%: $(FUZZER) build/fuzz/libcli.a build/fuzz/libinternal.a build/cli-libs
	$(link_fuzzer)
build/runs/%: $(FUZZER) build/runs/libcli.a build/runs/libinternal.a build/cli-libs
	$(link_fuzzer)

build/fuzz/mail build/runs/mail build/fuzz/campaign-mail: build/fuzz/harness/mail_trace.o
build/fuzz/render build/runs/render: build/fuzz/harness/fuzz/construct/output.o
# Texts and mail of what the rules know; without libFuzzer as well.  The fast way for simple links can be switched off.
CONSTRUCT = $(patsubst %,build/fuzz/harness/fuzz/construct/%.o,$(CONSTRUCT_PARTS) encode general)
CONSTRUCT_WRAP = -Wl,--wrap=simple_read,--wrap=link_looks_simple
build/fuzz/construct: $(CONSTRUCT)
build/fuzz/construct: FUZZ_LINK = $(CONSTRUCT_WRAP)
build/fuzz/construct-runs: build/fuzz/harness/fuzz/construct.o $(CONSTRUCT) build/fuzz/harness/fuzz/construct/main.o \
    build/runs/libinternal.a build/cli-libs
	@echo '  link $@'
	$(Q)clang $(FUZZ_SANITIZE) $(CONSTRUCT_WRAP) -o $@ $(filter %.o,$^) $(filter %.a,$^) @build/cli-libs

build/fuzz/outsider-runs: build/fuzz/harness/fuzz/outsider.o build/fuzz/harness/fuzz/construct/main.o \
    build/runs/libinternal.a build/cli-libs
	@echo '  link $@'
	$(Q)clang $(FUZZ_SANITIZE) -o $@ $(filter %.o %.a,$^) @build/cli-libs

# Almost three times as fast, for wrong output and for what UBSan finds: without AddressSanitizer, and where UBSan finds
# something the program ends without a word.
$(eval $(call flavour,build/traps,clang,-O2 -g -fsanitize=undefined -fsanitize-trap=undefined))
build/fuzz/construct-plain: $(CONSTRUCT)
build/fuzz/construct-plain: FUZZ_LINK = $(CONSTRUCT_WRAP)
build/fuzz/%-plain: build/fuzz/harness/fuzz/%.o build/fuzz/harness/fuzz/construct/main.o \
    build/fuzz/harness/fuzz/construct/plain.o build/traps/libinternal.a build/cli-libs
	@echo '  link $@'
	$(Q)clang $(FUZZ_LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) @build/cli-libs

# Random inputs for two of them, each split in several ways.
build/fuzz/campaign-%: build/fuzz/harness/fuzz/%.o build/fuzz/harness/campaign.o build/fuzz/libinternal.a build/cli-libs
	@echo '  link $@'
	$(Q)clang $(FUZZ_SANITIZE) -o $@ $(filter %.o,$^) $(filter %.a,$^) @build/cli-libs

campaign: build/fuzz/campaign-scan build/fuzz/campaign-mail
	@ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4 build/fuzz/campaign-mail mail $(or $(CAMPAIGN_RUNS),10000)
	@ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4 build/fuzz/campaign-scan scan $(or $(CAMPAIGN_RUNS),1000000)

-include $(FUZZ_SRC:tests/%.c=build/fuzz/harness/%.d) $(CONSTRUCT:.o=.d)

FUZZ_ENV = ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=1:detect_stack_use_after_return=0
fuzz: $(FUZZERS)
	@for t in tests/fuzz/corpus/*.tar.gz; do \
	    mkdir -p build/corpus/$$(basename $$t .tar.gz) && tar -xzf $$t -C build/corpus/$$(basename $$t .tar.gz) || exit 1; done
	@failed=; for f in $(FUZZERS); do \
	    c=build/corpus/$$(basename $$f); mkdir -p $$c && \
	    { [ -n "$$(ls -A $$c)" ] || echo 'aaaaa see http://a.example/x' >$$c/seed; } && \
	    $(FUZZ_ENV) $$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -entropic=0 -reduce_inputs=0 \
	        -max_len=$$(case $$f in */mail) echo 400 ;; */htmltext | */decompress) echo 1500 ;; *) echo 160 ;; esac) \
	        -detect_leaks=$$(case $$f in */scan) echo 0 ;; *) echo 1 ;; esac) \
	        -malloc_limit_mb=$$(case $$f in */decompress) echo 8192 ;; *) echo 2048 ;; esac) \
	        -print_final_stats=1 build/corpus/$$(basename $$f) || failed="$$failed $$(basename $$f)"; done; \
	    [ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

fuzz-night: build/fuzz/construct-runs build/fuzz/outsider-runs
	@for f in $^; do $(FUZZ_ENV) nice $$f $(FUZZ_RUNS) $(FUZZ_SEED) || exit 1; done

fuzz-faults:
	@tests/fuzz/faults/run $(FAULTS)

js:
	@echo 'int main(void) { return 0; }' | \
	    $(or $(CLANG),clang) --target=wasm32-wasi -include stdlib.h -x c -o /dev/null - 2>/dev/null || { \
	    echo "make js needs clang, lld, wasi-libc and libclang-rt: 'make deps-js' installs them" >&2; exit 1; }
	@$(MAKE) -C js BUILD=$(CURDIR)/build/js

bench-quick: all
	$(PYTHON) tests/bench/bench.py --quick

bench: all
	$(PYTHON) tests/bench/bench.py $(BENCH)

demo: build/urlsift
	@echo '$$ urlsift list testdata/sample.txt'
	@build/urlsift list testdata/sample.txt
	@build/urlsift html testdata/sample.txt >build/sample.html
	@echo
	@echo 'The same text with its links to click on: build/sample.html'

# ---- Installation ----

HEADERS := $(notdir $(wildcard include/*.h))
# The page NAME.S of section S goes to manS/.
MANUALS = $(foreach f,$(notdir $(wildcard man/*.[1357])),$(DESTDIR)$(MANDIR)/man$(lastword $(subst ., ,$f))/$f)
CONTRIB := $(shell find contrib -type f ! -path 'contrib/packaging/*' ! -path 'contrib/oss-fuzz/*' \
    ! -path 'contrib/python/*' 2>/dev/null)
# The folder below PREFIX where Python looks for modules; PYTHONDIR= installs none.
PYTHONDIR = $(shell $(PYTHON) -c 'import site, sys; lib = "$(PREFIX)/lib/"; print(next((d for d in site.getsitepackages() \
    if d.startswith(lib)), lib + "python%d.%d/site-packages" % sys.version_info[:2]))' 2>/dev/null)
PYTHON_MODULE = $(if $(STATIC),,$(addsuffix /urlsift,$(addprefix $(DESTDIR),$(PYTHONDIR))))
# Text that names the folder of contrib names the one where it is installed.
IN_PLACE = sed 's|/usr/local/share/urlsift|$(DATADIR)/urlsift|g'
INSTALLED_CONTRIB = $(DESTDIR)$(DATADIR)/urlsift
# The completion scripts of the shells, in the folder where each looks for them.
COMPLETIONS = $(addprefix $(DESTDIR)$(DATADIR)/,bash-completion/completions/urlsift zsh/site-functions/_urlsift \
    fish/vendor_completions.d/urlsift.fish)

install: all
	$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(LIBDIR)/pkgconfig \
	    $(sort $(dir $(MANUALS)) $(dir $(CONTRIB:contrib/%=$(INSTALLED_CONTRIB)/%)))
	$(INSTALL) -m 755 build/urlsift $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 644 $(HEADERS:%=include/%) $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 build/liburlsift.a $(DESTDIR)$(LIBDIR)
ifeq ($(STATIC),)
	$(INSTALL) -m 755 build/$(SO) $(DESTDIR)$(LIBDIR)/$(SO_FULL)
	ln -sf $(SO_FULL) $(DESTDIR)$(LIBDIR)/$(SO_MAJOR)
	ln -sf $(SO_MAJOR) $(DESTDIR)$(LIBDIR)/$(SO)
endif
	for f in $(MANUALS:$(DESTDIR)$(MANDIR)/%=%); do $(IN_PLACE) man/$${f#*/} >$(DESTDIR)$(MANDIR)/$$f && \
	    chmod 644 $(DESTDIR)$(MANDIR)/$$f || exit 1; done
	for f in $(COMPLETIONS); do shell=$${f#$(DESTDIR)$(DATADIR)/} && shell=$${shell%%[-/]*} && $(INSTALL) -d $${f%/*} && \
	    LD_LIBRARY_PATH=build build/urlsift completions $$shell >$$f && chmod 644 $$f || exit 1; done
	for f in $(CONTRIB); do mode=644; [ ! -x $$f ] || mode=755; to=$(INSTALLED_CONTRIB)/$${f#contrib/}; \
	    $(IN_PLACE) $$f >$$to && chmod $$mode $$to || exit 1; done
	d='$(PYTHON_MODULE)'; [ -z "$$d" ] || { $(INSTALL) -d "$$d" && \
	    $(INSTALL) -m 644 contrib/python/urlsift/__init__.py contrib/python/urlsift/py.typed "$$d"; }
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	    -e 's|@VERSION@|$(VERSION)|' -e "s|@LIBS@|$$(cat build/iconv-libs)|" \
	    -e "s|@REQUIRES@|$$(grep -q PCRE2 build/cflags && $(PKG_CONFIG) --exists libpcre2-8 2>/dev/null && echo libpcre2-8)$$(! grep -q PSL build/cflags || echo ' libpsl')$$(! grep -q IDN2 build/cflags || echo ' libidn2')|" \
	    -e "s|@PCRE2@|$$(! grep -q PCRE2 build/cflags || $(PKG_CONFIG) --exists libpcre2-8 2>/dev/null || pcre2-config --libs8)|" src/urlsift.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/urlsift.pc
	@[ -n '$(DESTDIR)' ] || [ "$$(uname -s)" != Linux ] || ! command -v ldconfig >/dev/null || \
	    ldconfig -p 2>/dev/null | grep -q '$(LIBDIR)/$(SO_MAJOR) *$$' || \
	    echo 'Programs linked to the shared library find it after: ldconfig (as root); in a home: LD_LIBRARY_PATH=$(LIBDIR)'
	@[ -n '$(DESTDIR)' ] || [ -z '$(PYTHON_MODULE)' ] || $(PYTHON) -c 'import sys; sys.exit("$(PYTHONDIR)" not in sys.path)' || \
	    echo 'Python finds the module with: PYTHONPATH=$(PYTHONDIR)'
	@[ -n '$(DESTDIR)' ] || ! command -v mandb >/dev/null || echo 'man -k finds the manual pages after: mandb (as root)'

# -S: debug information only, which is all that a static library can lose.
.PHONY: install-strip
install-strip: install
	$(STRIP) $(DESTDIR)$(BINDIR)/urlsift
	$(STRIP) -S $(DESTDIR)$(LIBDIR)/liburlsift.a $(if $(STATIC),,$(DESTDIR)$(LIBDIR)/$(SO_FULL))

# Other folders stay, empty or not: a system has some of them before install.
OWN_FOLDERS = $(INSTALLED_CONTRIB) $(if $(findstring urlsift,$(PREFIX)),$(DESTDIR)$(PREFIX))

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/urlsift $(addprefix $(DESTDIR)$(INCLUDEDIR)/,$(HEADERS)) \
	    $(addprefix $(DESTDIR)$(LIBDIR)/,liburlsift.a $(SO) $(SO_MAJOR) $(SO_FULL) pkgconfig/urlsift.pc) \
	    $(MANUALS) \
	    $(CONTRIB:contrib/%=$(INSTALLED_CONTRIB)/%) $(COMPLETIONS)
	d='$(PYTHON_MODULE)'; [ -z "$$d" ] || rm -rf "$$d"
	@for f in $(OWN_FOLDERS); do [ ! -d $$f ] || find $$f -depth -type d -exec rmdir {} \; 2>/dev/null; done; true

# The same commit gives the same bytes.
DIST = build/urlsift-$(VERSION).tar.gz
dist:
	@[ -e .git ] || { echo "make dist needs the git repository" >&2; exit 1; }
	@mkdir -p build
	git archive --format=tar --prefix=urlsift-$(VERSION)/ HEAD | gzip -9n >$(DIST)
	@echo $(DIST)

# Debian packages of the last commit, or of an unpacked source archive, in build/deb.
deb:
	@command -v $(DPKG_BUILDPACKAGE) >/dev/null && command -v $(DH) >/dev/null || { echo "make deb needs these packages: build-essential dpkg-dev" \
	    $$(sed -n '/^Build-Depends/,/^[^ B]/{s/-compat//;s/^ \([a-z0-9.+-]*\).*/\1/p}' contrib/packaging/debian/control) >&2; exit 1; }
	rm -rf build/deb && mkdir -p build/deb
	$(if $(wildcard .git),$(MAKE) dist,tar --sort=name --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --exclude=./build --transform='s|^[.]|urlsift-$(VERSION)|' -cf - . | gzip -9n >$(DIST))
	cp $(DIST) build/deb/urlsift_$(VERSION).orig.tar.gz
	tar -xzf $(DIST) -C build/deb
	cp -r build/deb/urlsift-$(VERSION)/contrib/packaging/debian build/deb/urlsift-$(VERSION)/
	cd build/deb/urlsift-$(VERSION) && $(DPKG_BUILDPACKAGE) -us -uc

clean:
	rm -rf build
