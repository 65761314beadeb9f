#include "decompress_layer.h"
#include "decompress_stream.h"
#include "text/match.h"

#include <string.h>

#ifdef URLSIFT_WITH_ARCHIVE
#include <archive.h>
#else /* any value but 0: nothing is read */
#define ARCHIVE_FILTER_LZ4 1
#define ARCHIVE_FILTER_LZIP 1
#define ARCHIVE_FILTER_COMPRESS 1
#define ARCHIVE_FORMAT_TAR 1
#define ARCHIVE_FORMAT_ZIP 1
#define ARCHIVE_FORMAT_CPIO 1
#endif

enum { TAR_BLOCK = 512 };

/* ---- Compressed files ------------------------------------------------------------- */

/* The levels 1 to 9, then the magic of a block or of the end, which may be cut off.  Without
 * any of that it may be text. */
static bool is_bzip2(const unsigned char *b, size_t n)
{
	enum { MAGIC = 4, HEADER = 10 };
	if (within(n, MAGIC + 1, HEADER - 1))
		return within(b[MAGIC - 1], '1', '9')
		       && (!memcmp(b + MAGIC, "1AY&SY", n - MAGIC) || !memcmp(b + MAGIC, "\x17rE8P\x90", n - MAGIC));
	return match_bytes(b, n, "BZh[123456789]1AY&SY|BZh[123456789]\x17rE8P\x90");
}

/* There is no magic: the default properties, a dictionary of 2^n, 2^n + 2^(n-1) or the most that can be, a size that is
 * unknown or below 2^40, and the first byte of the range coder, which is 0.  In a header that is cut off the size is
 * unknown, since text of UTF-32 may begin like one that is known. */
static bool is_lzma(const unsigned char *b, size_t n)
{
	enum { SIZE = 5, HEADER = 14 };
	if (n <= SIZE)
		return false;
	const uint64_t dictionary = little_endian(b + 1, 4), rest = dictionary & (dictionary - 1);
	if (dictionary < 4096 || (rest && rest * 3 != dictionary * 2 && dictionary != UINT32_MAX))
		return false;
	if (n < HEADER)
		return byte_run(b, SIZE, n, 0xff) == n;
	const uint64_t size = little_endian(b + SIZE, 8);
	return (size == UINT64_MAX || size >> 40 == 0) && b[HEADER - 1] == 0;
}

static bool is_lzip(const unsigned char *b, size_t n)
{
	return n >= 6 && b[4] <= 1;
}

/* ---- Archives --------------------------------------------------------------------- */

/* The sum of the bytes of the header, those of the sum taken for blanks. */
static bool is_tar(const unsigned char *b, size_t n)
{
	enum { SUM = 148, DIGITS = 8 };
	long sum = 0, as_signed = 0;
	uint64_t octal = 0;
	if (n < TAR_BLOCK || !*b)
		return false;
	for (size_t i = 0; i < TAR_BLOCK; i++) {
		int byte = within(i, SUM, SUM + DIGITS - 1) ? ' ' : b[i];
		sum += byte;
		as_signed += (int8_t)byte;
	}
	number_read(b, byte_run(b, SUM, SUM + DIGITS, ' '), SUM + DIGITS, 8, &octal);
	return (long)octal == sum || (long)octal == as_signed;
}

/* Octal digits, or with the magic 070701 and 070702 hexadecimal ones.  The header may be cut off. */
static bool is_cpio_text(const unsigned char *b, size_t n)
{
	const bool octal = b[5] == '7';
	const size_t header = smaller(n, octal ? 76 : 110);
	return byte_after(b, 0, header, octal ? "01234567" : HEX_DIGITS) == header;
}

/* Two bytes are too few: the header has a zero, the high byte of the length of the name. */
static bool is_cpio_binary(const unsigned char *b, size_t n)
{
	return n >= 26 && b[*b == 0xc7 ? 21 : 20] == 0;
}

/* ---- The table -------------------------------------------------------------------- */

#define MAGIC(text) .magic = text, .length = sizeof text - 1
#define STREAM(name) .codec = &codec_stream, .decoder = &decoder_##name
#define FILTER(number) .codec = &codec_filter, .code = ARCHIVE_FILTER_##number
#define ARCHIVE(number) .codec = &codec_archive, .code = ARCHIVE_FORMAT_##number

static const struct packed_form forms[] = {
	{ "gzip", STREAM(gzip), MAGIC("\x1f\x8b") },
	{ "xz", STREAM(xz), MAGIC("\xfd" "7zXZ\0") },
	{ "bzip2", STREAM(bzip2), MAGIC("BZh"), .is = is_bzip2 },
	{ "zstd", STREAM(zstd), MAGIC("\x28\xb5\x2f\xfd") },
	{ "zstd", STREAM(zstd), MAGIC("\x50\x2a\x4d\x18\4\0\0\0") }, /* of pzstd */
	{ "zstd", STREAM(zstd), MAGIC("\x5d\x2a\x4d\x18") }, /* of a web archive: a dictionary */
	{ "lz4", FILTER(LZ4), MAGIC("\x04\x22\x4d\x18") },
	{ "lz4", FILTER(LZ4), MAGIC("\x02\x21\x4c\x18") }, /* of versions before 1.4 */
	{ "lzip", FILTER(LZIP), MAGIC("LZIP"), .is = is_lzip, .dictionary = 5 },
	{ "lzma", STREAM(lzma), MAGIC("\x5d\0\0"), .is = is_lzma },
	{ "lzma", STREAM(lzma), MAGIC("\x5d\xff\xff"), .is = is_lzma },
	{ "compress", FILTER(COMPRESS), MAGIC("\x1f\x9d") },
	{ "zip", ARCHIVE(ZIP), MAGIC("PK\3\4") },
	{ "zip", ARCHIVE(ZIP), MAGIC("PK\5\6") }, /* without members */
	{ "zip", ARCHIVE(ZIP), MAGIC("PK\7\10PK\3\4") }, /* in parts, of which this is the first, or the only one: */
	{ "zip", ARCHIVE(ZIP), MAGIC("PK00PK\3\4") },
	{ "cpio", ARCHIVE(CPIO), MAGIC("070707"), .is = is_cpio_text },
	{ "cpio", ARCHIVE(CPIO), MAGIC("070701"), .is = is_cpio_text },
	{ "cpio", ARCHIVE(CPIO), MAGIC("070702"), .is = is_cpio_text },
	{ "cpio", ARCHIVE(CPIO), MAGIC("\xc7\x71"), .is = is_cpio_binary },
	{ "cpio", ARCHIVE(CPIO), MAGIC("\x71\xc7"), .is = is_cpio_binary },
	{ "7z", &codec_none, 0, MAGIC("7z\xbc\xaf\x27\x1c") },
	{ "RAR", &codec_none, 0, MAGIC("Rar!\x1a\7") },
	{ "lzop", &codec_none, 0, MAGIC("\x89LZO\0") },
	{ "tar", ARCHIVE(TAR), MAGIC(""), .is = is_tar },
};

bool packed_form_detect(const char *bytes, size_t n, bool complete, const struct packed_form **form)
{
	enum { HEADER = 128 }; /* the most bytes that `is` looks at, but for tar */
	const unsigned char *b = (const unsigned char *)bytes;
	bool more = false; /* more bytes would help */
	*form = NULL;
	for (const struct packed_form *f = forms; !*form && f < forms + sizeof forms / sizeof *forms; f++) {
		if (memcmp(bytes, f->magic, smaller(n, f->length)))
			continue;
		more |= f->length > 0 && n < (f->is ? HEADER : f->length);
		if (n >= f->length && (!f->is || f->is(b, n)))
			*form = f;
	}
	/* The header of a tar begins with a name, so text is known by its first line. */
	return complete || n >= TAR_BLOCK || (!more && (*form || memchr(bytes, '\n', n)));
}

const struct packed_form *packed_form_of(const char *bytes, size_t n)
{
	const struct packed_form *form;
	packed_form_detect(bytes, n, true, &form);
	return form;
}

bool packed_form_is_archive(const struct packed_form *form)
{
	return form->codec->archive;
}

/* ---- Forms that are not read ------------------------------------------------------- */

static void refuse(struct layer *l)
{
	layer_fail(l, "is a %s file, which cannot be read", l->form->name);
}

const struct codec codec_none = { .open = refuse };
