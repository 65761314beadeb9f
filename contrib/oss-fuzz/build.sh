#!/bin/bash -eu
# Builds each fuzzer of tests/fuzz for OSS-Fuzz, from $SRC/urlsift into $OUT, with its corpus.  Libraries are linked
# statically.
static() { pkg-config --static --libs "$@" | sed 's/-l\([^ ]*\)/-l:lib\1.a/g; s/-l:lib\(pthread\|dl\|m\|c\).a/-l\1/g'; }
defines="-DURLSIFT_NO_SANDBOX -DURLSIFT_WITH_PCRE2 -DURLSIFT_WITH_ICONV"
libraries=$(static libpcre2-8)
if [ "${WITHOUT_IDN2:-}" = "" ] && pkg-config --exists libidn2; then
	defines="$defines -DURLSIFT_WITH_IDN2"
	libraries="$libraries $(static libidn2)"
fi
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc $defines"
mkdir -p "$WORK"
sources=$(find src/text src/simd src/url src/scan src/mail src/render src/input src/index src/pages src/cli -name '*.c' ! -name main.c)
modules=$(find tests/fuzz/construct -name '*.c' ! -name main.c)
for file in $sources tests/mail_trace.c $modules; do
	object=$WORK/${file//\//_}.o
	$CC $CFLAGS $flags -c -o "$object" "$file"
done
for file in tests/fuzz/*.c; do
	name=$(basename "$file" .c)
	$CC $CFLAGS $flags -c -o "$WORK/fuzz_$name.o" "$file"
	case $name in
	construct) more="$(echo "$WORK"/tests_fuzz_construct_*.o) -Wl,--wrap=simple_read,--wrap=link_looks_simple" ;;
	render) more=$WORK/tests_fuzz_construct_output.c.o ;;
	*) more=$WORK/tests_mail_trace.c.o ;;
	esac
	$CXX $CXXFLAGS -o "$OUT/$name" "$WORK/fuzz_$name.o" $more "$WORK"/src_*.o $LIB_FUZZING_ENGINE $libraries -pthread -ldl
	if [ -e "tests/fuzz/corpus/$name.tar.gz" ]; then
		rm -rf "$WORK/corpus" && mkdir "$WORK/corpus"
		tar -xzf "tests/fuzz/corpus/$name.tar.gz" -C "$WORK/corpus"
		(cd "$WORK/corpus" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
	fi
done
