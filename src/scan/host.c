#include "host.h"

#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

uint32_t host_before(const struct view *v, size_t i, size_t *begin)
{
	uint32_t cp;
	size_t back = i - v->low < 4 ? i - v->low : 4;
	for (size_t k = back; k > 1; k--)
		if (utf8_next(v->p + i - k, k, &cp) == k) {
			*begin = i - k;
			return cp;
		}
	*begin = i - 1;
	return utf8_windows_1252(v->p[i - 1]);
}

/* The scan goes label by label; what counts of each is kept here. */
struct label {
	size_t begin;
	bool underscore, beyond_ascii;
	size_t cjk; /* where CJK letters follow ASCII ones (B12), 0 for nowhere */
};

bool host_label_alpha(const uint8_t *p, size_t n)
{
	if (n > 4 && to_lower(p[0]) == 'x' && to_lower(p[1]) == 'n' && p[2] == '-' && p[3] == '-')
		return true;
	for (size_t i = 0; i < n; i++)
		if (!is_alpha(p[i]) && p[i] < 0x80)
			return false;
	return n > 0;
}

/* B12: an ASCII top-level domain that runs on into CJK letters ends before them. */
static size_t cut_before_cjk(const struct view *v, const struct label *l, size_t end)
{
	if (!l->cjk || l->cjk >= end || !tld_known(v->p + l->begin, l->cjk - l->begin))
		return end;
	return l->cjk;
}

enum { PLAIN = 1, UNDERSCORE = 2, BEYOND = 4, BIDI = 8 };
static const uint8_t host_bytes[256] = {
	['-'] = PLAIN, ['.'] = PLAIN, ['_'] = UNDERSCORE,
	['0'] = PLAIN, ['1'] = PLAIN, ['2'] = PLAIN, ['3'] = PLAIN, ['4'] = PLAIN, ['5'] = PLAIN, ['6'] = PLAIN, ['7'] = PLAIN,
	['8'] = PLAIN, ['9'] = PLAIN,
	['A'] = PLAIN, ['B'] = PLAIN, ['C'] = PLAIN, ['D'] = PLAIN, ['E'] = PLAIN, ['F'] = PLAIN, ['G'] = PLAIN, ['H'] = PLAIN,
	['I'] = PLAIN, ['J'] = PLAIN, ['K'] = PLAIN, ['L'] = PLAIN, ['M'] = PLAIN, ['N'] = PLAIN, ['O'] = PLAIN, ['P'] = PLAIN,
	['Q'] = PLAIN, ['R'] = PLAIN, ['S'] = PLAIN, ['T'] = PLAIN, ['U'] = PLAIN, ['V'] = PLAIN, ['W'] = PLAIN, ['X'] = PLAIN,
	['Y'] = PLAIN, ['Z'] = PLAIN,
	['a'] = PLAIN, ['b'] = PLAIN, ['c'] = PLAIN, ['d'] = PLAIN, ['e'] = PLAIN, ['f'] = PLAIN, ['g'] = PLAIN, ['h'] = PLAIN,
	['i'] = PLAIN, ['j'] = PLAIN, ['k'] = PLAIN, ['l'] = PLAIN, ['m'] = PLAIN, ['n'] = PLAIN, ['o'] = PLAIN, ['p'] = PLAIN,
	['q'] = PLAIN, ['r'] = PLAIN, ['s'] = PLAIN, ['t'] = PLAIN, ['u'] = PLAIN, ['v'] = PLAIN, ['w'] = PLAIN, ['x'] = PLAIN,
	['y'] = PLAIN, ['z'] = PLAIN
};

typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* Over what a long host consists of, 16 bytes at a time. */
static size_t skip_long(const uint8_t *p, size_t i, size_t stop, unsigned *kinds)
{
	uint64_t in[2], underscores[2];
	for (bytes16 c, low, all; i + sizeof c <= stop; i += sizeof c) {
		memcpy(&c, p + i, sizeof c);
		low = (bytes16)(c == '_');
		all = (bytes16)((((c | 0x20) - 'a') < 26) | ((c - '0') < 10) | (c == '-') | (c == '.')) | low;
		memcpy(in, &all, sizeof in);
		memcpy(underscores, &low, sizeof underscores);
		if (~(in[0] & in[1]))
			break;
		*kinds |= PLAIN | (underscores[0] | underscores[1] ? UNDERSCORE : 0u);
	}
	return i;
}

/* The end of the host bytes from i on; *kinds is what they are, or-ed. */
static enum verdict host_run(const struct view *v, size_t i, size_t *end, unsigned *kinds)
{
	size_t begin = i;
	for (*kinds = 0;;) {
		size_t stop = v->end - begin > HOST_MAX + 5 ? begin + HOST_MAX + 5 : v->end;
		if (i - begin >= 32)
			i = skip_long(v->p, i, stop, kinds);
		size_t far = i - begin < 32 && stop - begin > 32 ? begin + 32 : stop;
		for (unsigned kind; i < far && (kind = host_bytes[v->p[i]]); i++)
			*kinds |= kind;
		if (i == far && far < stop)
			continue;
		if (i - begin > HOST_MAX + 4)
			return NO;
		if (i >= v->end) {
			if (!v->last)
				return MORE;
			break;
		}
		if (v->p[i] < 0x80)
			break;
		if (v->end - i < 4 && !v->last)
			return MORE;
		uint32_t cp;
		size_t k = utf8_next(v->p + i, v->end - i, &cp);
		enum uclass u = uclass_of(cp);
		*kinds |= uclass_is_bidi(cp) ? BIDI : 0;
		if ((u != UC_PLAIN && u != UC_CJK) || *kinds & BIDI)
			break;
		*kinds |= BEYOND;
		i += k;
	}
	view_work(v, i - begin);
	*end = i;
	return YES;
}

/* Takes what cannot end a host off: emphasis marks, hyphens, and full stops but
 * a single one that a port or path follows (more are no host then). */
static enum verdict host_trim(const struct view *v, size_t begin, size_t run, uint8_t mark, size_t *end)
{
	size_t k = run;
	while (k > begin && mark && v->p[k - 1] == mark)
		k--;
	while (k > begin && (v->p[k - 1] == '.' || v->p[k - 1] == '-'))
		k--;
	*end = k;
	if (k == run || run >= v->end || v->p[k] != '.')
		return YES;
	uint8_t next = v->p[run];
	enum verdict soft = view_soft_break(v, run);
	if (soft == MORE && next != '\\')
		return MORE;
	if (run == k + 1 && (next == '/' || next == '?' || next == '#' || next == ':' || next == '\\' || soft == YES))
		*end = run;
	return v->p[k + 1] == '.' && (next == '/' || next == '?' || next == '#') ? NO : YES;
}

static enum verdict label_check(const struct view *v, struct label *l, size_t end, unsigned kinds)
{
	if (l->begin == end || v->p[l->begin] == '-' || v->p[end - 1] == '-')
		return NO;
	if (!(kinds & (UNDERSCORE | BEYOND)))
		return YES;
	for (size_t i = l->begin; i < end;) {
		uint8_t c = v->p[i];
		if (c == '_')
			l->underscore = true;
		if (c < 0x80) {
			i++;
			continue;
		}
		uint32_t cp;
		size_t k = utf8_next(v->p + i, end - i, &cp);
		if (!l->beyond_ascii && i > l->begin && uclass_of(cp) == UC_CJK)
			l->cjk = i;
		l->beyond_ascii = true;
		i += k;
	}
	return YES;
}

enum verdict host_read(const struct view *v, size_t begin, uint8_t mark, struct host *h)
{
	size_t run;
	*h = (struct host){0};
	unsigned kinds;
	enum verdict r = host_run(v, begin, &run, &kinds);
	if (r != YES)
		return r;
	h->beyond_ascii = kinds & BEYOND;
	size_t end;
	r = host_trim(v, begin, run, mark, &end);
	if (r != YES || end == begin || end - begin > HOST_MAX)
		return r == MORE ? MORE : NO;
	struct label last = {begin, false, false, 0};
	bool before_last = false; /* an underscore in the label before */
	for (size_t i = begin; i < end || !h->labels; i++) {
		before_last = h->labels && last.underscore;
		last = (struct label){i, false, false, 0};
		while (i < end && v->p[i] != '.')
			i++;
		if (label_check(v, &last, i, kinds) == NO)
			return NO;
		h->labels++;
	}
	h->end = h->labels < 2 ? end : cut_before_cjk(v, &last, end);
	if (h->end == end && kinds & BIDI)
		return NO; /* RFC 3987 section 4.1: it may not stand there, and is no end */
	if (h->end < end)
		last.underscore = memchr(v->p + last.begin, '_', h->end - last.begin);
	if (last.underscore || before_last)
		return NO;
	size_t label_end = v->p[end - 1] == '.' ? end - 1 : end;
	h->last_alpha = last.beyond_ascii || host_label_alpha(v->p + last.begin, label_end - last.begin);
	h->stopped = h->end < run;
	return YES;
}

/* S2: a last label that is as often the end of a file's name. */
static bool is_file_suffix(const uint8_t *p, size_t n)
{
	static const char suffixes[][5] = {
		"ai", "app", "as", "bat", "cab", "cc", "cfd", "com.", "cpa", "dev.", "java", "la", "lat", "lua", "md", "mk", "ml",
		"mm", "mo", "mov", "mp", "ms", "ng", "pl", "pm", "ps", "py", "rs", "sh", "so", "st", "sub", "sql", "tf", "ts", "vi",
		"zip", "in", "am", "ac", "so"
	};
	char suffix[sizeof *suffixes] = "";
	if (n >= sizeof suffix)
		return false;
	memcpy(suffix, p, n);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (!memcmp(suffixes[i], suffix, sizeof suffix))
			return true;
	return false;
}

static bool has_capital(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((uint8_t)(p[i] - 'A') < 26)
			return true;
	return false;
}

bool host_is_domain(const uint8_t *p, size_t n, bool path)
{
	size_t last = n;
	while (last > 0 && p[last - 1] != '.')
		last--;
	const uint8_t *label = p + last;
	n -= last;
	return last && tld_known(label, n) && !has_capital(label, n) && (path || !is_file_suffix(label, n));
}
