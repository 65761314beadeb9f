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
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	/* The range of the second byte excludes overlong forms, surrogates and all above U+10FFFF (RFC 3629 section 4). */
	uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
	if (lead < 0xE0 && n > 1 && (p[1] & 0xC0) == 0x80) {
		*cp = (lead & 0x1Fu) << 6 | (p[1] & 0x3Fu);
		return 2;
	}
	size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	uint32_t value = lead & (0x7Fu >> size);
	for (size_t i = 1; i < size; i++) {
		if (i == n) {
			*cut = true;
			return 0;
		}
		if (p[i] < low || p[i] > high)
			return 0;
		value = value << 6 | (p[i] & 0x3Fu);
		low = 0x80;
		high = 0xBF;
	}
	*cp = value;
	return size;
}

uint32_t utf8_windows_1252(uint8_t byte)
{
#define CODE_POINT(cp) cp,
	static const uint16_t high[] = { UNICODE_WINDOWS_1252(CODE_POINT) };
#undef CODE_POINT
	return byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80] : byte;
}

/* ---- Classes, from the Unicode Character Database: White_Space, Quotation_Mark, Default_Ignorable_Code_Point,
 * and the blocks of CJK ---- */

static int within(uint32_t cp, uint32_t first, uint32_t last)
{
	return cp - first <= last - first;
}

static enum uclass below_2000(uint32_t cp)
{
	if (cp < 0xA0)
		return cp == 0x85 ? UC_SPACE : UC_CONTROL;
	if (cp == 0xA0 || cp == 0x1680)
		return UC_SPACE;
	if (cp == 0xAD)
		return UC_SOFT;
	if (cp == 0xAB || cp == 0xBB || cp == 0x60C || within(cp, 0x61B, 0x61C) || cp == 0x61F)
		return UC_STOP;
	return within(cp, 0x1100, 0x11FF) ? UC_CJK : UC_PLAIN;
}

static enum uclass below_3000(uint32_t cp)
{
	if (cp <= 0x200B || cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F)
		return UC_SPACE;
	if (cp == 0x2010)
		return UC_HYPHEN;
	if (cp == 0x2026)
		return UC_ELLIPSIS;
	if (within(cp, 0x2013, 0x2015) || within(cp, 0x2018, 0x201F) || cp == 0x2039 || cp == 0x203A)
		return UC_STOP;
	if (uclass_is_bidi(cp) || within(cp, 0x2500, 0x257F))
		return UC_STOP;
	if (cp == 0x2329 || cp == 0x232A || cp == 0x2E42 || within(cp, 0x27E6, 0x27EF)) /* brackets */
		return UC_STOP;
	return within(cp, 0x2E80, 0x2FDF) ? UC_CJK : UC_PLAIN;
}

/* 3000..30FF: CJK punctuation and kana. */
static enum uclass cjk_block(uint32_t cp)
{
	if (cp == 0x3000)
		return UC_SPACE;
	if (cp <= 0x3003 || within(cp, 0x3008, 0x3011) || within(cp, 0x3014, 0x301F) || cp == 0x3030 || cp == 0x303D)
		return UC_STOP;
	/* 30FB, the dot inside names in katakana, is a letter: it is common in IRIs */
	if (cp >= 0x3041 || within(cp, 0x3005, 0x3007) || within(cp, 0x3021, 0x3029) ||
	    within(cp, 0x3031, 0x3035) || within(cp, 0x3038, 0x303C))
		return UC_CJK;
	return UC_PLAIN;
}

/* F900..FFFF: compatibility forms. */
static enum uclass compatibility(uint32_t cp)
{
	if (cp <= 0xFAFF)
		return UC_CJK;
	if (cp == 0xFEFF)
		return UC_SPACE;
	if (cp >= 0xFFF9 || within(cp, 0xFDD0, 0xFDEF))
		return UC_CONTROL;
	if (within(cp, 0xFE10, 0xFE19) || within(cp, 0xFE30, 0xFE4F) || within(cp, 0xFE50, 0xFE6B) ||
	    within(cp, 0xFF01, 0xFF0F) || within(cp, 0xFF1A, 0xFF20) || within(cp, 0xFF3B, 0xFF40) ||
	    within(cp, 0xFF5B, 0xFF65))
		return UC_STOP;
	return within(cp, 0xFF66, 0xFFDC) ? UC_CJK : UC_PLAIN;
}

enum uclass uclass_of(uint32_t cp)
{
	if (cp < 0x2000)
		return below_2000(cp);
	if (cp < 0x3000)
		return below_3000(cp);
	if (cp < 0x3100)
		return cjk_block(cp);
	if (cp < 0xF900) {
		if (cp <= 0x9FFF)
			return within(cp, 0x4DC0, 0x4DFF) ? UC_PLAIN : UC_CJK;
		return within(cp, 0xAC00, 0xD7FF) || within(cp, 0xA960, 0xA97F) ? UC_CJK : UC_PLAIN;
	}
	if (cp < 0x10000)
		return compatibility(cp);
	if ((cp & 0xFFFE) == 0xFFFE)
		return UC_CONTROL;
	return within(cp, 0x20000, 0x3FFFF) || within(cp, 0x1AFF0, 0x1B16F) ? UC_CJK : UC_PLAIN;
}

int uclass_is_symbol(uint32_t cp) { return within(cp, 0x2190, 0x2BFF) || within(cp, 0x1F000, 0x1FBFF); }

int uclass_is_bidi(uint32_t cp)
{
	return cp == 0x61C || within(cp, 0x200E, 0x200F) || within(cp, 0x202A, 0x202E) || within(cp, 0x2066, 0x2069);
}

int uclass_is_invisible(uint32_t cp)
{
	if (cp < 0x2000)
		return cp == 0xAD || cp == 0x34F || cp == 0x61C || within(cp, 0x115F, 0x1160) ||
		       within(cp, 0x17B4, 0x17B5) || within(cp, 0x180B, 0x180F);
	if (cp < 0x3000)
		return cp == 0x200B || cp == 0x200E || cp == 0x200F || within(cp, 0x202A, 0x202E) ||
		       within(cp, 0x2060, 0x206F);
	return cp == 0x3164 || within(cp, 0xFE00, 0xFE0F) || cp == 0xFEFF || cp == 0xFFA0 ||
	       within(cp, 0xFFF0, 0xFFF8) || within(cp, 0x1BCA0, 0x1BCA3) || within(cp, 0x1D173, 0x1D17A) ||
	       within(cp, 0xE0000, 0xE0FFF);
}

int uclass_is_word(uint32_t cp)
{
	size_t low = 0, high = sizeof no_words / sizeof *no_words;
	if (cp < 0xAA || cp > 0x1FFF || within(cp, 0x1100, 0x11FF))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (no_words[middle][1] < cp)
			low = middle + 1;
		else
			high = middle;
	}
	return low == sizeof no_words / sizeof *no_words || cp < no_words[low][0];
}

/* ---- The public call ---- */

size_t urlsift_next_character(const char *text, size_t length, uint32_t *code_point)
{
	return utf8_next((const uint8_t *)text, length, code_point);
}
