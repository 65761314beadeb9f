#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* Every vector routine of every set that the machine has against the portable one: on random and edge input,
 * at all alignments, in memory that ends with the input.
 * usage: unit_simd [ROUNDS] */
#include "check.h"
#include "scan/find.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"
#include "url/scheme.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t state = 1;

static uint32_t rnd(uint32_t below) { return random_bits(&state) % below; }

static void check(bool good, const char *what, int set, size_t n)
{
	CHECK_THAT(good, "%s, set %d: another answer on %zu bytes", what, set, n);
}

/* ---- Input ---- */

enum { LONGEST = 700 };

/* n bytes whose last is the last before a page that cannot be read, or, on odd rounds, anywhere before. */
static uint8_t *place(size_t n, unsigned round)
{
	static uint8_t *end;
	if (!end) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		uint8_t *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED || mprotect(p + page, page, PROT_NONE))
			abort();
		end = p + page;
	}
	return end - n - (round % 2 ? rnd(64) : 0);
}

/* Every length to 200, then any. */
static size_t length_of(unsigned round) { return round < 800 ? round / 4 : rnd(LONGEST); }

/* Of the parts in the list, some of any bytes. */
static uint8_t *make(const char *const *parts, size_t count, size_t n, unsigned round)
{
	uint8_t *p = place(n, round);
	unsigned rare = round % 3 ? 1 : 1 + rnd(60), any = round % 8 == 0;
	for (size_t i = 0; i < n;) {
		const char *part = rnd(rare) ? "x" : parts[rnd((uint32_t)count)];
		size_t k = *part ? strlen(part) : 1;
		k = k < n - i ? k : n - i;
		memcpy(p + i, part, k);
		if (any && rnd(2))
			p[i] = (uint8_t)rnd(256);
		i += k;
	}
	return p;
}
#define MAKE(parts, n, round) make(parts, sizeof(parts) / sizeof *(parts), n, round)

/* ---- Primitives ---- */

static void check_trigger(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char *const parts[] = {
		":", "://", ":/", "http:", "www.", "WwW.", "ftp.", "l:", "L:", "p.", "P.", " /", "/", "\nb", "=y", "-B", "@",
		"o:", "\rB", "*b", "\x1b", "\b", "\v", "\x18", ".", " ", "\n", "W", "-", "=", ": ",
		":\xA0", ":\xBA", ":0", ":\"", "\xBA:", "\xD7w", "\xF0.", "\x8A" "b", "\xBDy", "\xAD" "B", "\xCC:"
	};
	size_t n = length_of(round);
	uint8_t *p = MAKE(parts, n + 1, round);
	uint64_t a[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0}, b[(LONGEST + SIMD_BLOCK) / SIMD_BLOCK] = {0};
	uint64_t blocks = want->trigger(p, n, round / 2 % 4, a);
	check(got->trigger(p, n, round / 2 % 4, b) == blocks && !memcmp(a, b, sizeof a), "trigger", set, n);
}

/* The trigger bytes that the finder takes: among marks, digits and letters around the name of any scheme and a colon,
 * words that begin or end like those of triggers. */
static void check_find(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char *const parts[] = {
		":", ":", ":", "://", "www.", "ftp.", "w.", "tp.", "<", "<", " ", "\n", "\r", "\\", "/", "=", "7", "12", "\"",
		"\\/", "URL", "url", "mailto", "l:", "o:", ": //", "\nbegin", "\n=ybegin", "\n-----B", "--B", "=y", "-b", ".",
		"a", "-", "+", ")", ">", "dnl", "ms-", "\xE2\x80\x83", "\xB1", "\xA0", "\x80", "\x1b", "\b", ";", "|"
	};
	static struct finder finders[2];
	size_t n = length_of(round);
	uint8_t *p = MAKE(parts, n + FIND_AHEAD, round);
	const struct scheme *row = scheme_row(round % 600);
	size_t length = row ? strlen(row->name) : 0;
	if (n > length + 8) {
		memcpy(p + n - length - 4 - rnd(4), row ? row->name : "", length);
		p[n - 4] = round % 7 ? ':' : p[n - 4];
		p[n - 3] = round % 5 ? '5' : p[n - 3];
	}
	finders[0] = (struct finder){ want, round / 2 % 4 };
	finders[1] = (struct finder){ got, round / 2 % 4 };
	struct find_state s[2];
	find_begin(&s[0], p);
	find_begin(&s[1], p);
	for (size_t i = 0, found; i < n; i = found + 1) {
		found = find_next(&finders[0], &s[0], i, n);
		check(find_next(&finders[1], &s[1], i, n) == found, "trigger bytes", set, n);
	}
}

static void check_link(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char hosts[] = "abcXYZ019.-", any[] = "abcXYZ019.-/?=&%_~+#@:!*'\"()[]{}|\\^`<>,; \n";
	size_t n = length_of(round), host = rnd(90), clean = host + rnd(200);
	uint8_t *p = place(n, round);
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i < host ? hosts[rnd(i % 7 ? 9 : 11)] : i == host ? '/' : i < clean ? any[rnd(22)]
		                 : rnd(9) ? any[rnd(sizeof any - 1)] : (int)rnd(256));
	struct link_shape a = want->link_shape(p, n), b = got->link_shape(p, n);
	check(a.host == b.host && (!a.host || a.end == b.end), "link shape", set, n);
	size_t label = b.host;
	while (label && p[label - 1] != '.')
		label--;
	check(!b.simple || (b.host < 64 && strchr("abcXYZ", p[label]) && !link_is_odd(p, b.end)), "simple link", set, n);
	bool odd = false, upper = false, dots = false, stop = false, blank = false;
	for (size_t i = 1; i < n; i++) {
		odd = odd || strchr("!#%'^", p[i] ? p[i] : 'x') || (p[i] == '-' && p[i - 1] == '-');
		upper = upper || (p[i] >= 'A' && p[i] <= 'Z');
		stop = stop || (p[i] < 0x80 && !(url_class[p[i]] & URL_INNER) && !memchr("(),;", p[i], 4));
		blank = blank || p[i] < ' ' || p[i] > '~' || (p[i] == ' ' && p[i - 1] == ' ');
		dots = dots || (p[i] == '.' && p[i - 1] == '/');
	}
	check(link_has_upper(p, n) == upper && link_has_dots(p, n) == dots, "upper-case letters, dot segments", set, n);
	check(n == 0 || link_is_odd(p, n) == odd, "odd link", set, n);
	bool high = n > 1 && ascii_prefix(p + 1, n - 1) < n - 1;
	check(high || n == 0 || link_has_stop(p, n) == (odd || stop), "bytes that need a rule", set, n);
	check(n == 0 || label_has_odd(p, n) == blank, "blanks and controls of a label", set, n);
}

/* Every line end in order, and up to the first before a blank line at least. */
static bool ends_agree(const struct simd *want, const struct simd *got, const uint8_t *p, size_t n)
{
	struct line_ends ends;
	size_t from = 0, blank = want->line_blank(p, n);
	do {
		got->line_ends(p, from, n, &ends);
		for (size_t k = 0; k < ends.count; k++, from++) {
			while (from < n && p[from] != '\n')
				from++;
			if (ends.at[k] != from)
				return false;
		}
	} while (ends.count && from <= blank);
	return ends.count || from >= n || !memchr(p + from, '\n', n - from);
}

static uint64_t count_lines(const uint8_t *p, size_t n, bool after_cr)
{
	uint64_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += p[i] == '\r' || (p[i] == '\n' && !(i ? p[i - 1] == '\r' : after_cr));
	return count;
}

static void check_lines(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char *const parts[] = {
		"\n", "\nF", "\n--", "\n-", "\n>From ", "\n>>", "\nFrom ", "\n>", "\n\1", "\1\1\1", "\r\n", "\n\r\n",
		"\n\n", "\r", "F", "-", ">"
	};
	size_t n = length_of(round), from = rnd(3) ? 0 : rnd((uint32_t)n + 1);
	const uint8_t *p = MAKE(parts, n, round);
	unsigned which = rnd(16);
	bool cr = round % 2, after_cr = cr;
	check(want->line_find(p, from, n, which) == got->line_find(p, from, n, which), "line find", set, n);
	check(want->line_blank(p, n) == got->line_blank(p, n), "blank line", set, n);
	check(ends_agree(want, got, p, n), "line ends", set, n);
	bool same = lines_count(p, n, &after_cr) == count_lines(p, n, cr);
	check(same && after_cr == (n ? p[n - 1] == '\r' : cr), "line count", set, n);
}

/* More line ends than a byte counts. */
static void check_many_lines(void)
{
	static uint8_t p[40000];
	static const char *const units[] = {"\n", "\r", "\r\n", "\n\r", "\r\r\n", "x\r\n"};
	for (size_t u = 0; u < 6; u++) {
		bool cr = false;
		for (size_t i = 0; i < sizeof p; i++)
			p[i] = (uint8_t)units[u][i % strlen(units[u])];
		check(lines_count(p, sizeof p, &cr) == count_lines(p, sizeof p, false), "line count", 0, sizeof p);
	}
}

static void check_named_lines(const struct simd *s)
{
	const uint8_t text[] = "\nFrom \n--a\n>From x\n>>b\n\1\1\1\1\n- \n> x\n>>From \nFor\n\1\n>";
	size_t n = sizeof text - 1;
	CHECK(s->line_find(text, 0, n, LINE_FROM) == 0 && s->line_find(text, 1, n, LINE_FROM) == n);
	CHECK(s->line_find(text, 0, n, LINE_HYPHEN) == 6 && s->line_find(text, 7, n, LINE_HYPHEN) == n);
	CHECK(s->line_find(text, 0, n, LINE_QUOTED) == 10 && s->line_find(text, 11, n, LINE_QUOTED) == 34);
	CHECK(s->line_find(text, 35, n, LINE_QUOTED) == n - 2 && s->line_find(text, n, n, LINE_QUOTED) == n);
	CHECK(s->line_find(text, 0, n, LINE_SOH) == 22 && s->line_find(text, 23, n, LINE_SOH) == n);
	CHECK(s->line_find(text, 0, n, 0) == n);
	CHECK(s->line_blank((const uint8_t *)"a\r\nb\n\r\n", 7) == 4 && s->line_blank((const uint8_t *)"a\n\r", 3) == 3);
}

/* Valid text of characters of every length, some of it damaged, and cut anywhere; every pair of bytes. */
static void check_utf8(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const uint32_t least[] = {0x20, 0x80, 0x800, 0x10000}, more[] = {0x60, 0x780, 0xF800, 0x100000};
	size_t n = length_of(round);
	uint8_t *p = place(n, round);
	memset(p, 'x', n);
	for (size_t i = 0, k; n >= 4 && i <= n - 4; i += k) {
		uint32_t size = round % 5 ? rnd(4) : 0, cp = least[size] + rnd(more[size]);
		k = utf8_put(p + i, cp >= 0xD800 && cp < 0xE000 && rnd(16) ? 'x' : cp);
	}
	for (unsigned k = round % 4; k && n > 1; k--) {
		size_t at = rnd((uint32_t)n - 1);
		p[at] = (uint8_t)rnd(256);
		p[at + 1] = (uint8_t)(round % 3 ? p[at + 1] : 64 + rnd(192));
	}
	check(want->utf8_valid(p, n) == got->utf8_valid(p, n), "UTF-8", set, n);
}

enum { ROOM = LONGEST + 64 };

/* Decodes until nothing more is taken, line ends of base64 aside; returns the index it came to. */
static size_t decode_all(simd_decoder *decode, bool base64, const uint8_t *p, size_t n, uint8_t **out)
{
	const uint8_t *s = p, *before, *out_end = *out + ROOM;
	do {
		before = s;
		s = decode(s, p + n, out, out_end);
	} while (s != before);
	while (base64 && s < p + n && is_line_end(*s))
		s++;
	return (size_t)(s - p);
}

static bool decoders_agree(simd_decoder *want, simd_decoder *got, bool base64, const uint8_t *p, size_t n)
{
	uint8_t *a = malloc(ROOM), *b = malloc(ROOM), *a_to = a, *b_to = b; 
	if (!a || !b)
		abort();
	size_t i = decode_all(want, base64, p, n, &a_to);
	bool same = decode_all(got, base64, p, n, &b_to) == i;
	same = same && a_to - a == b_to - b && !memcmp(a, b, (size_t)(a_to - a));
	free(a);
	free(b);
	return same;
}

static void check_decoders(const struct simd *want, const struct simd *got, int set, unsigned round)
{
	static const char *const quoted[] = {
		"=41", "=\n", "=\r\n", "=3D", "=e4", "=C3", "=", "==", "=\r", "= \n", "= ", " ", "\n", "x \n", "x\t\r\n",
		"\t", "=4", "=G1", "text text text"
	};
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = length_of(round), width = rnd(2) ? 76 : 4 + rnd(80);
	uint8_t *p = MAKE(quoted, n, round);
	check(decoders_agree(want->quoted, got->quoted, false, p, n), "quoted-printable", set, n);
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i % (width + 1) == width ? '\n' : letters[rnd(64)]);
	for (unsigned k = round % 3; k && n; k--)
		p[rnd((uint32_t)n)] = (uint8_t)rnd(256);
	check(decoders_agree(want->base64, got->base64, true, p, n), "base64", set, n);
}

/* ---- HTML ---- */

/* Before a page that cannot be written. */
static char *output_end(void)
{
	enum { PAGES = 4 };
	static char *end;
	if (!end) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		end = (char *)mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
		      + PAGES * page;
		if (end == (char *)MAP_FAILED + PAGES * page || mprotect(end, page, PROT_NONE))
			abort();
	}
	return end;
}

static bool ends_run(const uint8_t *p, size_t i, size_t n, bool lines)
{
	uint32_t cp;
	utf8_next(p + i, n - i, &cp);
	if (p[i] == '>')
		return lines && (i == 0 || p[i - 1] <= ' ');
	return lines ? uclass_is_bidi(cp) || (cp == '\r' && i + 1 == n) : uclass_is_bidi(cp) || cp == '\r' || cp == '\n';
}

/* One call, with room for some of the output or all of it, against each character alone. */
static void check_html(const struct simd *s, int set, unsigned round)
{
	static const char *const parts[] = {
		"&", "<", ">", " >", "\"", "'", "\r\n", "\r", "\n", "\t", "\x01", "\x7f", "\xc3\xa4", "\xe2\x82\xac",
		"\xf0\x9f\x99\x82", "\xd8\x9c", "\xe2\x80\xae", "\xc2\x85", "\xff", "\xe2\x82", "\xc3", "\xed\xa0\x80",
		"\xc3\xa4\xc3\xb6", "a word and more", "x"
	};
	static char wanted[8 * LONGEST];
	const size_t n = length_of(round), size = 1 + (round % 4 ? rnd((uint32_t)n + 1) : 6 * n);
	const bool lines = round / 2 % 2;
	const uint8_t *p = MAKE(parts, n, round);
	char *const limit = output_end() - HTML_ROOM + 1, *const from = limit - size;
	const struct html_step step = s->html_escape(from, limit, p, n, lines);
	const size_t length = (size_t)(step.to - from);
	size_t used = 0, i = 0;
	for (uint32_t cp; i < step.taken && i < n && !ends_run(p, i, n, lines);) {
		i += utf8_next(p + i, n - i, &cp);
		if (cp != '\r' || i == n || p[i] != '\n')
			used += html_put_character(wanted + used, cp);
	}
	check(i == step.taken && used == length && !memcmp(from, wanted, used), "text as HTML", set, n);
	check(i == n || length >= size || ends_run(p, i, n, lines), "end of a run of HTML", set, n);
}

/* The inline routines against what their contracts say. */
static void check_runs(unsigned round)
{
	static const char *const parts[] = {
		"/", "=", ">", " ", "\t", "\v", "\f", "&", "<", "\"", "\\", ":", "A", "Z", "[",
		"~", "\x7f", "!", "@", "", "\xc3", "+", ".", "-a"
	};
	static const uint8_t classes[256] = {['\t'] = 1, [' '] = 3, ['/'] = 2, ['='] = 1, ['>'] = 3};
	size_t n = length_of(round), from = rnd(2) ? 0 : rnd((uint32_t)n + 1), i = from, j = from, k = from, f = 0, c = 0;
	const uint8_t *p = MAKE(parts, n, round);
	bool json = round % 2;
	uint8_t *out = malloc(n + 1), lower[16] = {0}, got[16];
	while (i < n && p[i] != '=')
		i++;
	while (j < n && p[j] && p[j] != '<' && p[j] != '&')
		j++;
	while (k < n && !(classes[p[k]] & 1 << round % 2))
		k++;
	while (f < n && p[f] > ' ' && p[f] < 0x7f && p[f] != ':')
		f++;
	while (c < n && p[c] >= ' ' && p[c] < 0x7f && !(json && strchr("<\"\\", p[c])))
		c++;
	size_t e = from, h = from, s = from, t = from;
	while (e < n && p[e] != '&' && p[e] != '=' && p[e] != '\\')
		e++;
	while (h < n && url_class[p[h]] & URL_HOST)
		h++;
	while (s < n && is_scheme_byte(p[s]))
		s++;
	while (t < n && p[t] != '\t' && p[t] < 0x80)
		t++;
	check(run_until_escape(p, from, n, '=') == e, "run until escape", 0, n);
	check(run_host(p, from, n) == h, "run host", 0, n);
	check(run_scheme(p, from, n) == s, "run scheme", 0, n);
	check(run_columns(p, from, n) == t, "run columns", 0, n);
	check(run_until(p, from, n, '=') == i, "run until", 0, n);
	check(run_until_any(p, from, n, '<', '&') == j, "run until any", 0, n);
	check(run_until_class(p, from, n, classes, 1u << round % 2) == k, "run until class", 0, n);
	check(run_field_name(p, n) == f, "field name", 0, n);
	check(run_copy((char *)out, p, n, json) == c && !memcmp(out, p, c), "run copy", 0, n);
	run_spaces(out, p, n);
	for (i = 0; i < n && out[i] == (run_is_space(p[i]) ? ' ' : p[i]); i++)
		;
	check(i == n, "run spaces", 0, n);
	if (n >= 16) {
		size_t length = 0;
		while (length < 16 && p[length] > ' ' && p[length] != '/' && p[length] != '>') {
			lower[length] = to_lower(p[length]);
			length++;
		}
		size_t named = run_tag_name(got, p);
		check(named == length && !memcmp(lower, got, 16), "run tag name", 0, length);
	}
	free(out);
}

/* What is passed over has no CR, and text after every two LFs at the latest, and before the line end that is found. */
static void check_line_gap(unsigned round)
{
	static const char *const parts[] = {"\n", " ", "\t", "a", "words of a line", "\xc2\xa0"};
	size_t n = length_of(round) + 1, ends = 0, most = 0;
	uint8_t *p = MAKE(parts, n, round);
	for (size_t i = 0; i < n; i++)
		p[i] = i == 0 ? 'x' : rnd(64) ? p[i] == '\r' ? ' ' : p[i] : '\r';
	size_t gap = run_line_gap(p, 0, n);
	for (size_t i = 0; i < gap; i++) {
		ends = p[i] == '\r' ? 3 : p[i] == '\n' ? ends + 1 : p[i] == ' ' || p[i] == '\t' ? ends : 0;
		most = ends > most ? ends : most;
	}
	check(most <= 2 && (gap == n || ((p[gap] == '\n' || p[gap] == '\r') && !ends)), "run line gap", 0, n);
}

static void check_lone_cr(unsigned round)
{
	static const char *const parts[] = {"\r\n", "words of a line", "\n", "x"};
	size_t n = length_of(round) + 1, i = 0;
	uint8_t *p = MAKE(parts, n, round);
	if (round % 2)
		p[rnd((unsigned)n)] = '\r';
	while (i < n && (p[i] != '\r' || (i + 1 < n && p[i + 1] == '\n')))
		i++;
	check(run_lone_cr(p, 0, n) == i, "run lone cr", 0, n);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : run_is_long() ? 100000 : run_is_fast() ? 2000 : 5000;
	const struct simd *portable = simd_choose(URLSIFT_IMPL_PORTABLE);
	check(simd_choose(URLSIFT_IMPL_AUTO) && portable, "sets", 0, 0);
	check_many_lines();
	check_named_lines(portable);
	for (unsigned round = 0; round < rounds; round++)
		check_runs(round), check_line_gap(round), check_lone_cr(round), check_html(portable, 0, round);
	for (int set = URLSIFT_IMPL_AUTO; set <= URLSIFT_IMPL_WASM128; set++) {
		const struct simd *other = simd_choose((urlsift_implementation)set);
		if (!other || other == portable)
			continue;
		for (unsigned round = 0; round < rounds; round++) {
			check_trigger(portable, other, set, round);
			check_find(portable, other, set, round);
			check_link(portable, other, set, round);
			check_lines(portable, other, set, round);
			check_utf8(portable, other, set, round);
			check_decoders(portable, other, set, round);
			check_html(other, set, round);
		}
	}
	return check_end();
}
