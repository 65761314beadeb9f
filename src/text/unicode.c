#include "unicode.h"

#include "unicode_word_table.h"
#include "urlsift.h"

size_t utf8_sequence(const uint8_t *p, size_t n, uint32_t *cp, bool *cut)
{
	uint8_t lead = p[0];
	*cut = false;
	if (lead < 0x80) {
		*cp = lead;
		return 1;
	}
	if (!within(lead, 0xC2, 0xF4))
		return 0;
	/* The range of the second byte excludes overlong forms, surrogates and all above U+10FFFF (RFC 3629 section 4). */
	uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
	size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	uint32_t value = lead & (0x7Fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (i == n) {
			*cut = true;
			return 0;
		}
		if (!within(p[i], low, high))
			return 0;
		value = value << 6 | (p[i] & 0x3Fu);
		low = 0x80;
		high = 0xBF;
	}
	*cp = value;
	return size;
}

size_t utf8_count(const uint8_t *p, size_t n)
{
	size_t count = 0;
	uint32_t cp;
	for (size_t i = 0, ascii; i < n; i += utf8_next(p + i, n - i, &cp), count++) {
		ascii = ascii_prefix(p + i, n - i);
		i += ascii;
		count += ascii;
		if (i == n)
			break;
	}
	return count;
}

uint32_t utf8_windows_1252(uint8_t byte)
{
#define CODE_POINT(cp) cp,
	static const uint16_t high[] = { UNICODE_WINDOWS_1252(CODE_POINT) };
#undef CODE_POINT
	return within(byte, 0x80, 0x9F) ? high[byte - 0x80] : byte;
}

/* ---- Classes, from the Unicode Character Database: White_Space, Quotation_Mark, Default_Ignorable_Code_Point,
 * Terminal_Punctuation of scripts in use, and the blocks of CJK ---- */

/* The first and the last character of a class, which is in the low bits of the last; all others but noncharacters are
 * UC_PLAIN. */
enum { CLASS_BITS = 4 };
#define OF(first, last, class) {(first) << CLASS_BITS, (last) << CLASS_BITS | (class)}
static const uint32_t classes[][2] = {
	OF(0, 0x84, UC_CONTROL), OF(0x85, 0x85, UC_SPACE), OF(0x86, 0x9F, UC_CONTROL), OF(0xA0, 0xA0, UC_SPACE),
	OF(0xAB, 0xAB, UC_STOP), OF(0xAD, 0xAD, UC_SOFT), OF(0xBB, 0xBB, UC_STOP),
	/* punctuation of Armenian, Hebrew, Arabic, Syriac, N'Ko, Indic scripts, Tibetan, Burmese, Ethiopic, Canadian
	 * syllabics, Khmer, Mongolian */
	OF(0x55B, 0x55E, UC_MARK), OF(0x589, 0x589, UC_STOP), OF(0x5C3, 0x5C3, UC_STOP), OF(0x60C, 0x60C, UC_STOP),
	OF(0x61B, 0x61F, UC_STOP), OF(0x6D4, 0x6D4, UC_STOP), OF(0x700, 0x702, UC_STOP), OF(0x7F8, 0x7F9, UC_STOP),
	OF(0x964, 0x965, UC_STOP), OF(0xF0D, 0xF0E, UC_STOP), OF(0x104A, 0x104B, UC_STOP), OF(0x1100, 0x11FF, UC_CJK),
	OF(0x1361, 0x1368, UC_STOP), OF(0x166E, 0x166E, UC_STOP), OF(0x1680, 0x1680, UC_SPACE),
	OF(0x17D4, 0x17D5, UC_STOP), OF(0x1802, 0x1805, UC_STOP), OF(0x1808, 0x1809, UC_STOP),
	OF(0x2000, 0x200B, UC_SPACE), OF(0x200E, 0x200F, UC_STOP), OF(0x2010, 0x2010, UC_HYPHEN),
	OF(0x2013, 0x2015, UC_STOP), OF(0x2018, 0x201F, UC_STOP), OF(0x2020, 0x2022, UC_MARK),
	OF(0x2026, 0x2026, UC_MARK), OF(0x2028, 0x2029, UC_SPACE), OF(0x202A, 0x202E, UC_STOP),
	OF(0x202F, 0x202F, UC_SPACE), OF(0x2039, 0x203A, UC_STOP), OF(0x203C, 0x203D, UC_STOP),
	OF(0x2047, 0x2049, UC_STOP), OF(0x205F, 0x205F, UC_SPACE), OF(0x2066, 0x2069, UC_STOP),
	OF(0x2329, 0x232A, UC_STOP), OF(0x2500, 0x257F, UC_STOP), OF(0x27E6, 0x27EF, UC_STOP),
	OF(0x2E2E, 0x2E2E, UC_STOP), OF(0x2E42, 0x2E42, UC_STOP), OF(0x2E80, 0x2FDF, UC_CJK),
	/* CJK punctuation and kana; 30FB, the dot inside names in katakana, is a letter: it is common in IRIs */
	OF(0x3000, 0x3000, UC_SPACE), OF(0x3001, 0x3003, UC_STOP), OF(0x3005, 0x3007, UC_CJK),
	OF(0x3008, 0x3011, UC_STOP), OF(0x3014, 0x301F, UC_STOP), OF(0x3021, 0x3029, UC_CJK),
	OF(0x3030, 0x3030, UC_STOP), OF(0x3031, 0x3035, UC_CJK), OF(0x3038, 0x303C, UC_CJK),
	OF(0x303D, 0x303D, UC_STOP), OF(0x3041, 0x4DBF, UC_CJK), OF(0x4E00, 0x9FFF, UC_CJK),
	/* Lisu, Vai */
	OF(0xA4FE, 0xA4FF, UC_STOP), OF(0xA60D, 0xA60F, UC_STOP), OF(0xA960, 0xA97F, UC_CJK),
	OF(0xAC00, 0xD7FF, UC_CJK), OF(0xF900, 0xFAFF, UC_CJK),
	/* noncharacters and compatibility forms */
	OF(0xFDD0, 0xFDEF, UC_CONTROL), OF(0xFE10, 0xFE19, UC_STOP), OF(0xFE30, 0xFE4F, UC_STOP),
	OF(0xFE50, 0xFE6B, UC_STOP), OF(0xFEFF, 0xFEFF, UC_SPACE), OF(0xFF01, 0xFF0F, UC_STOP),
	OF(0xFF1A, 0xFF20, UC_STOP), OF(0xFF3B, 0xFF40, UC_STOP), OF(0xFF5B, 0xFF65, UC_STOP),
	OF(0xFF66, 0xFFDC, UC_CJK), OF(0xFFF9, 0xFFFD, UC_CONTROL), OF(0x1AFF0, 0x1B16F, UC_CJK),
	OF(0x20000, 0x3FFFF, UC_CJK)
};

static const uint32_t invisible[][2] = {
	{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
	{0x200B, 0x200B}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x2800, 0x2800}, {0x3164, 0x3164},
	{0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
	{0xE0000, 0xE0FFF}
};

/* The row of a table, `count` sorted ones, that has the character; NULL for none.  Without a branch that is hard to
 * predict. */
#define ROW_OF(rows, cp) row_of(rows, sizeof rows / sizeof *rows, cp)
static const uint32_t *row_of(const uint32_t (*rows)[2], size_t count, uint32_t cp)
{
	for (size_t half; count > 1; count -= half) {
		half = count / 2;
		rows += half & -(size_t)(rows[half][0] <= cp);
	}
	return within(cp, rows[0][0], rows[0][1]) ? rows[0] : NULL;
}

/* With these two rows before the search, context and labels of other than English take half of the time. */
enum uclass uclass_of(uint32_t cp)
{
	if (cp - 0xC0 < 0x55B - 0xC0)
		return UC_PLAIN;
	if (cp - 0x4E00 < 0xA000 - 0x4E00)
		return UC_CJK;
	const uint32_t *row = ROW_OF(classes, cp << CLASS_BITS);
	if ((cp & 0xFFFE) == 0xFFFE)
		return UC_CONTROL;
	return row ? (enum uclass)(row[1] & ((1 << CLASS_BITS) - 1)) : UC_PLAIN;
}

int uclass_is_symbol(uint32_t cp) { return within(cp, 0x2190, 0x2BFF) || within(cp, 0x1F000, 0x1FBFF); }

int uclass_is_bidi(uint32_t cp)
{
	return cp == 0x61C || within(cp, 0x200E, 0x200F) || within(cp, 0x202A, 0x202E) || within(cp, 0x2066, 0x2069);
}

int uclass_is_invisible(uint32_t cp) { return ROW_OF(invisible, cp) != NULL; }

int uclass_is_word(uint32_t cp)
{
	return within(cp, 0xAA, 0x1FFF) && !ROW_OF(no_words, cp);
}

/* ---- The public call ---- */

size_t urlsift_next_character(const char *text, size_t length, uint32_t *code_point)
{
	return utf8_next((const uint8_t *)text, length, code_point);
}
