#include "decompress_stream.h"

#include "decompress.h"
#include "library.h"
#include "memory.h"

#include "text/ascii.h"
#include "text/buf.h"

#include <stdlib.h>
#include <string.h>

#define GIVE(z, s) \
	((z).next_in = (void *)(s).in, (z).avail_in = (unsigned)(s).in_left, (z).next_out = (void *)(s).out, \
	 (z).avail_out = (unsigned)(s).out_left)
#define TAKE(z, s) \
	((s).in = (void *)(z).next_in, (s).in_left = (z).avail_in, (s).out = (void *)(z).next_out, \
	 (s).out_left = (z).avail_out)

/* The bytes with which a stream may begin; of zstd also those of frames that are passed over. */
#define GZIP_BEGINS "\x1f"
#define ZSTD_BEGINS "\x28\x50\x51\x52\x53\x54\x55\x56\x57\x58\x59\x5a\x5b\x5c\x5d\x5e\x5f"

/* ---- zlib ------------------------------------------------------------------------- */

#ifdef URLSIFT_WITH_ZLIB
#include <zlib.h>

#define ZLIB(X) X(zlibVersion)
LIBRARY_TABLE(zlib, ZLIB);
const struct library library_zlib = { LIBRARY_LINKED("zlib", zlib, ZLIB) };

struct gzip {
	struct stream s;
	struct zlib call;
	z_stream z;
};

static void begin_window(struct gzip *g, int window)
{
	memory_need((g->z.state ? inflateReset2(&g->z, window) : inflateInit2(&g->z, window)) == Z_OK);
}

/* HTTP's deflate is that of zlib (RFC 9110 section 8.4.1.2). */
static void gzip_begin(void *state)
{
	enum { GZIP = 16 };
	const struct gzip *g = state;
	begin_window(state, g->s.decoder == &decoder_deflate ? MAX_WBITS : MAX_WBITS + GZIP);
}

static enum stream_step gzip_step(void *state)
{
	struct gzip *g = state;
	GIVE(g->z, g->s);
	int result = inflate(&g->z, Z_NO_FLUSH);
	TAKE(g->z, g->s);
	static const struct step_row steps[] = {
		{ Z_OK, STEP_ON }, { Z_BUF_ERROR, STEP_ON }, { Z_STREAM_END, STEP_END }, { Z_DATA_ERROR, STEP_DAMAGED },
		{ STEP_OTHERS, STEP_NO_MEMORY }
	};
	const enum stream_step step = step_of(steps, result);
	if (step != STEP_DAMAGED)
		return step;
	static const struct reason { const char *zlib, *why; enum stream_step step; } reasons[] = {
		{ "incorrect header check", "incorrect header check", STEP_FOREIGN },
		{ "incorrect data check", "wrong checksum", STEP_DAMAGED },
		{ "incorrect length check", "wrong length", STEP_DAMAGED },
		{ NULL, NULL, STEP_DAMAGED }
	};
	const struct reason *reason = row_named(reasons, sizeof *reasons, g->z.msg);
	g->s.why = g->z.msg;
	if (!reason)
		return step;
	g->s.why = reason->why;
	return reason->step;
}

static void gzip_end(void *state)
{
	struct gzip *g = state;
	inflateEnd(&g->z);
}

/* Many servers send deflate without its header.  At its beginning there is a byte. */
static enum stream_step deflate_step(void *state)
{
	enum { METHOD = 15, DEFLATE = 8 };
	struct gzip *g = state;
	if (g->z.total_in == 0 && (*g->s.in & METHOD) != DEFLATE)
		begin_window(g, -MAX_WBITS);
	return gzip_step(state);
}

static const struct stream_decoder decoder_zlib = {
	&library_zlib, sizeof(struct gzip), offsetof(struct gzip, call), GZIP_BEGINS, gzip_begin, gzip_step, gzip_end, NULL
};
const struct stream_decoder decoder_deflate = {
	&library_zlib, sizeof(struct gzip), offsetof(struct gzip, call), "", gzip_begin, deflate_step, gzip_end, NULL
};
#else
const struct library library_zlib = { .name = "zlib" };
static const struct stream_decoder decoder_zlib = { &library_zlib, sizeof(struct stream), .follow = GZIP_BEGINS };
const struct stream_decoder decoder_deflate = { &library_zlib, sizeof(struct stream), .follow = "" };
#endif

/* ---- ISA-L ------------------------------------------------------------------------ */

#ifdef URLSIFT_WITH_ISAL
#include <isa-l.h>

#define ISAL(X) X(isal_inflate_reset) X(isal_gzip_header_init) X(isal_read_gzip_header) X(isal_inflate)
#define VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define VERSION_OF(major, minor, patch) VERSION_TEXT(major, minor, patch)
LIBRARY_TABLE(isal, ISAL);
const struct library library_isal = {
	.version = VERSION_OF(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION),
	LIBRARY_OPENED("libisal", isal, ISAL, "libisal.so.2", "libisal.2.dylib")
};
LIBRARY_NOTE(isal, "recommended", "reads files compressed by gzip at twice the speed", "libisal.so.2");

enum { TRAILER = 8, CHECKSUM = 4, RESERVED_FLAGS = 0xe0 };

/* The library reads headers and inflates.  Trailers are read here: it would not tell a wrong checksum from a wrong
 * length. */
struct fast_gzip {
	struct stream s;
	struct isal call;
	struct isal_gzip_header header;
	struct inflate_state z;
	unsigned trailer; /* bytes of the trailer that were compared, */
	bool unequal;     /* and whether one differed */
};

static void fast_begin(void *state)
{
	struct fast_gzip *g = state;
	g->call.isal_inflate_reset(&g->z);
	g->call.isal_gzip_header_init(&g->header);
	g->z.crc_flag = ISAL_GZIP_NO_HDR;
	g->trailer = 0;
	g->unequal = false;
}

/* Its first bytes may have been read along with the end of the stream.  As zlib does, each half is compared as a whole:
 * one that is not whole is cut off, whatever its bytes are. */
static enum stream_step check_trailer(struct fast_gzip *g)
{
	uint64_t wanted = g->z.crc | (uint64_t)g->z.total_out << 32;
	bool damaged = false;
	g->z.read_in >>= g->z.read_in_length % 8;
	g->z.read_in_length -= g->z.read_in_length % 8;
	while (!damaged && g->trailer < TRAILER && (g->z.read_in_length > 0 || g->z.avail_in > 0)) {
		unsigned char byte;
		if (g->z.read_in_length > 0) {
			byte = (unsigned char)g->z.read_in;
			g->z.read_in >>= 8;
			g->z.read_in_length -= 8;
		} else {
			byte = *g->z.next_in++;
			g->z.avail_in--;
		}
		g->unequal |= byte != (unsigned char)(wanted >> 8 * g->trailer++);
		damaged = g->unequal && g->trailer % CHECKSUM == 0;
	}
	g->s.ahead = (int)(g->z.read_in_length / 8);
	if (!damaged)
		return g->trailer == TRAILER ? STEP_END : STEP_ON;
	g->s.why = g->trailer == CHECKSUM ? "wrong checksum" : "wrong length";
	return STEP_DAMAGED;
}

static enum stream_step fast_step(void *state)
{
	struct fast_gzip *g = state;
	GIVE(g->z, g->s);
	int result = g->z.block_state == ISAL_BLOCK_FINISH ? ISAL_DECOMP_OK
	             : g->z.wrapper_flag                   ? g->call.isal_inflate(&g->z)
	                                                   : g->call.isal_read_gzip_header(&g->z, &g->header);
	/* Two rules of zlib: reserved flags are damage (RFC 1952, 2.3.1.2), and two bytes tell a header. */
	if (g->header.flags & RESERVED_FLAGS)
		result = ISAL_INVALID_BLOCK;
	if (g->z.block_state == ISAL_BLOCK_NEW_HDR && g->z.tmp_in_size > 1 && g->z.tmp_in_buffer[1] != 0x8b)
		result = ISAL_INVALID_WRAPPER;
	enum stream_step step = g->z.block_state == ISAL_BLOCK_FINISH ? check_trailer(g) : STEP_ON;
	TAKE(g->z, g->s);
	static const char *const faults[] = {
		[-ISAL_INVALID_BLOCK] = "invalid block",           [-ISAL_INVALID_SYMBOL] = "invalid code",
		[-ISAL_INVALID_LOOKBACK] = "invalid distance",     [-ISAL_UNSUPPORTED_METHOD] = "unknown compression method",
		[-ISAL_INCORRECT_CHECKSUM] = "header crc mismatch"
	};
	if (result >= ISAL_DECOMP_OK)
		return step;
	g->s.why = result >= ISAL_INCORRECT_CHECKSUM ? faults[-result] : NULL;
	return result == ISAL_INVALID_WRAPPER ? STEP_FOREIGN : STEP_DAMAGED;
}

static void fast_end(void *state)
{
	(void)state;
}

const struct stream_decoder decoder_gzip = {
	&library_isal, sizeof(struct fast_gzip), offsetof(struct fast_gzip, call), GZIP_BEGINS,
	fast_begin, fast_step, fast_end, &decoder_zlib
};
#else
const struct library library_isal = { .name = "libisal" };
const struct stream_decoder decoder_gzip = {
	&library_isal, sizeof(struct stream), .follow = GZIP_BEGINS, .instead = &decoder_zlib
};
#endif

/* ---- liblzma ---------------------------------------------------------------------- */

#ifdef URLSIFT_WITH_LZMA
#include <lzma.h>

#define LZMA(X) X(lzma_version_string) X(lzma_stream_decoder) X(lzma_alone_decoder) X(lzma_code) X(lzma_end)
LIBRARY_TABLE(lzma, LZMA);
#ifdef URLSIFT_LINK_ARCHIVE
const struct library library_lzma = { LIBRARY_LINKED("liblzma", lzma, LZMA) };
#else
const struct library library_lzma = { LIBRARY_OPENED("liblzma", lzma, LZMA, "liblzma.so.5", "liblzma.5.dylib") };
LIBRARY_NOTE(xz, "recommended", "reads files compressed by xz", "liblzma.so.5");
#endif

struct xz {
	struct stream s;
	struct lzma call;
	lzma_stream z;
};

/* With room for all but the dictionary. */
enum { XZ_MEMORY = UNPACK_MEMORY + 1024 * 1024 };

static void xz_begin(void *state)
{
	struct xz *x = state;
	memory_need((x->s.decoder == &decoder_lzma ? x->call.lzma_alone_decoder(&x->z, XZ_MEMORY)
	                                           : x->call.lzma_stream_decoder(&x->z, XZ_MEMORY, 0)) == LZMA_OK);
}

static enum stream_step xz_step(void *state)
{
	struct xz *x = state;
	GIVE(x->z, x->s);
	lzma_ret result = x->call.lzma_code(&x->z, LZMA_RUN);
	TAKE(x->z, x->s);
	static const struct step_row steps[] = {
		{ LZMA_OK, STEP_ON }, { LZMA_BUF_ERROR, STEP_ON }, { LZMA_STREAM_END, STEP_END },
		{ LZMA_FORMAT_ERROR, STEP_FOREIGN }, { LZMA_MEMLIMIT_ERROR, STEP_DICTIONARY },
		{ LZMA_MEM_ERROR, STEP_NO_MEMORY }, { STEP_OTHERS, STEP_DAMAGED }
	};
	return step_of(steps, (int)result);
}

static void xz_end(void *state)
{
	struct xz *x = state;
	x->call.lzma_end(&x->z);
}

const struct stream_decoder decoder_xz = {
	&library_lzma, sizeof(struct xz), offsetof(struct xz, call), "\xfd", xz_begin, xz_step, xz_end, NULL
};
const struct stream_decoder decoder_lzma = {
	&library_lzma, sizeof(struct xz), offsetof(struct xz, call), "", xz_begin, xz_step, xz_end, NULL
};
#else
const struct library library_lzma = { .name = "liblzma" };
const struct stream_decoder decoder_xz = { &library_lzma, .size = sizeof(struct stream) };
const struct stream_decoder decoder_lzma = { &library_lzma, .size = sizeof(struct stream) };
#endif

/* ---- libbz2 ----------------------------------------------------------------------- */

#ifdef URLSIFT_WITH_BZIP2
#include <bzlib.h>

#define BZ2(X) X(BZ2_bzlibVersion) X(BZ2_bzDecompressInit) X(BZ2_bzDecompress) X(BZ2_bzDecompressEnd)
LIBRARY_TABLE(bz2, BZ2);
#ifdef URLSIFT_LINK_ARCHIVE
const struct library library_bz2 = { LIBRARY_LINKED("libbz2", bz2, BZ2) };
#else
const struct library library_bz2 = {
	LIBRARY_OPENED("libbz2", bz2, BZ2, "libbz2.so.1.0", "libbz2.so.1", "libbz2.1.0.dylib")
};
LIBRARY_NOTE(bzip2, "recommended", "reads files compressed by bzip2", "libbz2.so.1.0");
#endif

struct bzip2 {
	struct stream s;
	struct bz2 call;
	bz_stream z;
};

static void bzip2_end(void *state)
{
	struct bzip2 *b = state;
	b->call.BZ2_bzDecompressEnd(&b->z);
}

static void bzip2_begin(void *state)
{
	struct bzip2 *b = state;
	bzip2_end(b);
	memory_need(b->call.BZ2_bzDecompressInit(&b->z, 0, 0) == BZ_OK);
}

static enum stream_step bzip2_step(void *state)
{
	struct bzip2 *b = state;
	GIVE(b->z, b->s);
	int result = b->call.BZ2_bzDecompress(&b->z);
	TAKE(b->z, b->s);
	static const struct step_row steps[] = {
		{ BZ_OK, STEP_ON }, { BZ_STREAM_END, STEP_END }, { BZ_DATA_ERROR_MAGIC, STEP_FOREIGN },
		{ BZ_MEM_ERROR, STEP_NO_MEMORY }, { STEP_OTHERS, STEP_DAMAGED }
	};
	return step_of(steps, result);
}

const struct stream_decoder decoder_bzip2 = {
	&library_bz2, sizeof(struct bzip2), offsetof(struct bzip2, call), "B", bzip2_begin, bzip2_step, bzip2_end, NULL
};
#else
const struct library library_bz2 = { .name = "libbz2" };
const struct stream_decoder decoder_bzip2 = { &library_bz2, .size = sizeof(struct stream) };
#endif

/* ---- libzstd ---------------------------------------------------------------------- */

#ifdef URLSIFT_WITH_ZSTD
#define ZSTD_STATIC_LINKING_ONLY 1 /* for ZSTD_createDCtx_advanced */
#include <zstd.h>
#include <zstd_errors.h>

#define ZSTD(X) \
	X(ZSTD_versionString) X(ZSTD_createDCtx_advanced) X(ZSTD_freeDCtx) X(ZSTD_DCtx_setParameter) \
	X(ZSTD_decompressStream) X(ZSTD_DCtx_loadDictionary) X(ZSTD_isError) X(ZSTD_getErrorCode) X(ZSTD_getErrorName)
LIBRARY_TABLE(zstd_functions, ZSTD);
#ifdef URLSIFT_LINK_ARCHIVE
const struct library library_zstd = { LIBRARY_LINKED("libzstd", zstd_functions, ZSTD) };
#else
const struct library library_zstd = {
	LIBRARY_OPENED("libzstd", zstd_functions, ZSTD, "libzstd.so.1", "libzstd.1.dylib")
};
LIBRARY_NOTE(zstd, "recommended", "reads files compressed by zstd", "libzstd.so.1");
#endif

struct zstd {
	struct stream s;
	struct zstd_functions call;
	ZSTD_DCtx *z;
	size_t wanted; /* bytes for the next step: what a step that fails has put out is lost, so it is one block */
	bool begun;    /* the first byte of the file has been seen */
	struct buf dictionary; /* the first frame of a web archive, until it has been read */
};

enum {
	ZSTD_WINDOW = 28,
	MAGIC = 4, FRAME = 8,         /* bytes of a magic number, and of the header of a frame that is passed over */
	DICTIONARY = 32 * 1024 * 1024 /* the longest one */
};
_Static_assert(1 << ZSTD_WINDOW == UNPACK_MEMORY, "the logarithm of the limit");

static void zstd_begin(void *state)
{
	enum { HEADER = 5 };
	/* A fault for each small page of a window took an eighth of the time of `list` of 40 MB, compressed at level 19. */
	const ZSTD_customMem memory = { memory_large, memory_release, NULL };
	struct zstd *d = state;
	d->wanted = HEADER;
	if (d->z)
		return;
	buf_init(&d->dictionary, &memory_allocator, FRAME + DICTIONARY);
	d->z = memory_checked(d->call.ZSTD_createDCtx_advanced(memory));
	d->call.ZSTD_DCtx_setParameter(d->z, ZSTD_d_windowLogMax, ZSTD_WINDOW);
}

/* The first frame of a web archive may hold a dictionary, which may itself be compressed; zstd skips the frame. */
static const char dictionary_frame[] = "\x5d\x2a\x4d\x18", dictionary_magic[] = "\x37\xa4\x30\xec",
                  frame_magic[] = "\x28\xb5\x2f\xfd";

/* Bytes of the frame that are not there yet, or first those of its header. */
static uint64_t frame_lacks(const struct buf *b)
{
	const uint8_t *p = b->data;
	const uint64_t size = b->length >= FRAME ? little_endian(p + MAGIC, FRAME - MAGIC) : 0;
	return beyond(FRAME + size, b->length);
}

/* The frame that begins the file. */
static enum stream_step read_dictionary(struct zstd *d)
{
	enum { STEP = 64 * 1024 };
	struct buf *b = &d->dictionary, unpacked;
	for (size_t n; (n = size_within(d->s.in_left, frame_lacks(b))) > 0;) {
		d->s.why = "a dictionary that is too large";
		if (!buf_add(b, d->s.in, n))
			return STEP_DAMAGED;
		d->s.in += n;
		d->s.in_left -= n;
		if (b->length >= MAGIC && !text_begins(b->data, b->length, dictionary_frame))
			return STEP_FOREIGN;
	}
	if (frame_lacks(b) > 0)
		return STEP_ON;
	const uint8_t *p = b->data + FRAME;
	size_t n = b->length - FRAME, result = 0; /* of zstd: 0 for success */
	buf_init(&unpacked, &memory_allocator, DICTIONARY);
	if (text_begins(p, n, frame_magic)) {
		ZSTD_inBuffer in = { p, n, 0 };
		bool moves = true;
		result = 1;
		while (moves && result && !d->call.ZSTD_isError(result) && buf_reserve(&unpacked, STEP)) {
			ZSTD_outBuffer out = { unpacked.data + unpacked.length, STEP, 0 };
			const size_t before = in.pos;
			result = d->call.ZSTD_decompressStream(d->z, &out, &in);
			unpacked.length += out.pos;
			moves = out.pos > 0 || in.pos > before;
		}
		p = unpacked.data;
		n = unpacked.length;
	}
	if (!result && text_begins(p, n, dictionary_magic))
		result = d->call.ZSTD_DCtx_loadDictionary(d->z, p, n);
	buf_fini(&unpacked);
	buf_fini(b);
	buf_init(b, &memory_allocator, FRAME + DICTIONARY);
	d->s.why = "malformed dictionary";
	return result ? STEP_DAMAGED : STEP_END;
}

static enum stream_step zstd_step(void *state)
{
	struct zstd *d = state;
	const bool first = !d->begun; /* then there is a byte */
	d->begun = true;
	if (d->dictionary.length > 0 || (first && *d->s.in == (uint8_t)*dictionary_frame))
		return read_dictionary(d);
	ZSTD_inBuffer in = { d->s.in, smaller(d->s.in_left, d->wanted), 0 };
	ZSTD_outBuffer out = { d->s.out, d->s.out_left, 0 };
	size_t result = d->call.ZSTD_decompressStream(d->z, &out, &in);
	d->s.in += in.pos;
	d->s.in_left -= in.pos;
	d->s.out += out.pos;
	d->s.out_left -= out.pos;
	d->wanted = result;
	if (!d->call.ZSTD_isError(result))
		return result == 0 ? STEP_END : STEP_ON;
	static const struct step_row steps[] = {
		{ ZSTD_error_prefix_unknown, STEP_FOREIGN }, { ZSTD_error_frameParameter_windowTooLarge, STEP_DICTIONARY },
		{ ZSTD_error_memory_allocation, STEP_NO_MEMORY }, { STEP_OTHERS, STEP_DAMAGED }
	};
	d->s.why = d->call.ZSTD_getErrorName(result);
	return step_of(steps, (int)d->call.ZSTD_getErrorCode(result));
}

static void zstd_end(void *state)
{
	struct zstd *d = state;
	d->call.ZSTD_freeDCtx(d->z);
	buf_fini(&d->dictionary);
}

const struct stream_decoder decoder_zstd = {
	&library_zstd, sizeof(struct zstd), offsetof(struct zstd, call),
	ZSTD_BEGINS, zstd_begin, zstd_step, zstd_end, NULL
};
#else
const struct library library_zstd = { .name = "libzstd" };
const struct stream_decoder decoder_zstd = { &library_zstd, sizeof(struct stream), .follow = ZSTD_BEGINS };
#endif
