#include "link.h"

#include "attribute.h"
#include "extent.h"
#include "text/match.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

/* Whether the n bytes are `<`, `<URL:`, or `](` or `](<` of Markdown, behind marks of code or emphasis, with blanks:
 * the text before them is shown for the link after them. */
static bool is_opening(const uint8_t *p, size_t n)
{
	const size_t marks = set_span(p, 0, n, "*_`");
	size_t i = text_begins(p + marks, n - marks, "](") ? marks + 2 : 0, angle = byte_span(p, i, n, BYTE_BLANK);
	if (byte_at(p, angle, n) == '<') {
		i = byte_span(p, angle + 1, n, BYTE_BLANK);
		i += 4 * (size_t)ascii_opens(p + i, n - i, "url:");
	}
	return i && byte_span(p, i, n, BYTE_BLANK) == n;
}

static bool same_bytes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	for (size_t i = 0; i < n && n == m; i++)
		if (to_lower(a[i]) != to_lower(b[i]))
			return false;
	return n == m;
}

#define BLANKS " \t\r\n"

/* Two texts are compared from their beginnings on, without the bytes of these sets. */
struct compared {
	const uint8_t *p;
	size_t n;
	const char *left_out;
	size_t at; /* where they differ, letter case aside, or one of them ends */
};

static void compare(struct compared *a, struct compared *b)
{
	for (;; a->at++, b->at++) {
		b->at = byte_after(b->p, b->at, b->n, b->left_out);
		if (b->at == b->n)
			break;
		a->at = byte_after(a->p, a->at, a->n, a->left_out);
		if (a->at == a->n || to_lower(a->p[a->at]) != to_lower(b->p[b->at]))
			break;
	}
}

static const uint8_t *without_www(const uint8_t *host, size_t *n)
{
	size_t skipped = 4 * (size_t)ascii_opens(host, excess(*n, 1), "www."); /* not all of it */
	*n -= skipped;
	return host + skipped;
}

/* The host in the text of a link or an address, without `www.` and a full stop at its end; *length is 0 for none. */
static const uint8_t *host_in(const uint8_t *p, size_t n, size_t *length)
{
	urlsift_url url;
	const size_t colon = text_index(p, n, "://");
	split_rest((const char *)p, n, colon < n ? colon + 3 : 0, true, &url);
	const uint8_t *host = p + url.host.offset;
	*length = byte_span_back(host, 0, url.host.length, BYTE_STOP);
	return without_www(host, length);
}

/* Whether a host has a spelling as A-labels other than its own. */
static bool has_other_spelling(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] >= 0x80 || p[i] == '%' || ascii_opens(p + i, n - i, "xn--"))
			return true;
	return false;
}

/* Makes *p the host in A-labels, without `www.` and a full stop at its end.  Without memory sets *failed. */
static void make_comparable(const uint8_t **p, size_t *n, char room[256], bool *failed)
{
	enum idna idna = has_other_spelling(*p, *n) ? idna_to_ascii(*p, *n, room, n) : IDNA_NONE;
	if (idna >= IDNA_FOUND)
		*p = (const uint8_t *)room;
	*n -= byte_before(*p, *n) == '.';
	*p = without_www(*p, n);
	*failed |= idna == IDNA_NO_MEMORY;
}

/* Whether the rest of a URL, [p, end), has the host as a host of its own: not as the end of a longer name or its
 * beginning, nor as the domain of an address, such as that of who gets the mail. */
static bool names_host(const uint8_t *p, const uint8_t *end, const uint8_t *host, size_t n)
{
	if (n > HOST_MAX)
		return false;
	host = without_www(host, &n);
	for (size_t i = 0, k, length = (size_t)(end - p); (k = i + n) <= length; i++) {
		bool escape = byte_before(p, excess(i, 2)) == '%';
		bool begins = escape || !(byte_class[byte_before(p, i)] & (BYTE_ALNUM | BYTE_HYPHEN));
		/* neither it nor another label goes on; seen first, as a text that repeats labels begins many hosts */
		k += byte_at(p, k, length) == '.';
		bool ends = !(byte_class[byte_at(p, k, length)] & (BYTE_NAME | BYTE_HIGH));
		/* not the domain of an address, perhaps with an escaped sign */
		if (begins && ends && same_bytes(p + i, n, host, n) && !ascii_ends_among(p, i, "@ %40"))
			return true;
	}
	return false;
}

/* Whether the rest of a URL of at most UNWRAP_MAX bytes names the host once its escapes, or escapes of escapes, are
 * decoded, or base64 of a few digits between delimiters; in a path a slash is none. */
static bool hides_host(const uint8_t *rest, size_t n, const uint8_t *host, size_t length)
{
	enum { DIGITS_LEAST = 16 };
	uint8_t text[UNWRAP_MAX], inner[UNWRAP_MAX];
	if (n > sizeof text)
		return false;
	n = url_decode(text, rest, n);
	n = url_decode(text, text, n);
	if (names_host(text, text + n, host, length))
		return true;
	bool path = true;
	for (size_t i = 0, taken; i < n; i += taken + 1) {
		size_t m = url_decode_base64(inner, text + i, n - i, path ? '/' : 0, &taken);
		path &= byte_at(text, i + taken, n) != '?';
		m = url_decode(inner, inner, m);
		if (taken >= DIGITS_LEAST && names_host(inner, inner + m, host, length))
			return true;
	}
	return false;
}

/* A URL, or what is left of it without a scheme, and its host. */
struct hosted {
	const uint8_t *text, *host;
	size_t length, host_length;
};

/* The registrable domain of a host, or that of the site whose short addresses it has. */
static const uint8_t *find_owner(const uint8_t *host, size_t *n)
{
	size_t skip = owner_begin(host, *n);
	const char *site = owner_of_short(host + skip, *n - skip);
	if (site) {
		*n = strlen(site);
		return (const uint8_t *)site;
	}
	*n -= skip;
	return host + skip;
}

/* Whether two hosts have one owner: their registrable domains are equal but for letter case and A-labels.  Without
 * memory sets *failed. */
static bool same_owner(const struct hosted *first, const struct hosted *second, bool *failed)
{
	char first_room[256], second_room[256];
	const uint8_t *a = first->host, *b = second->host;
	size_t n = first->host_length, m = second->host_length;
	make_comparable(&a, &n, first_room, failed);
	make_comparable(&b, &m, second_room, failed);
	a = find_owner(a, &n);
	b = find_owner(b, &m);
	return same_bytes(a, n, b, m);
}

/* Whether a rewriter's URL, `wrapped`, leads to the owner of the host of `other`. */
static bool leads_to(const struct hosted *wrapped, const struct hosted *other, bool *failed)
{
	uint8_t target[UNWRAP_MAX];
	urlsift_url url;
	split_url((const char *)wrapped->text, wrapped->length, &url);
	size_t n = urlsift_url_unwrap(&url, (char *)target, sizeof target);
	if (!within(n, 1, sizeof target)) {
		*failed |= n == URLSIFT_LENGTH_NO_MEMORY;
		return false;
	}
	split_url((const char *)target, n, &url);
	struct hosted hidden = {target, target + url.host.offset, n, url.host.length};
	return same_owner(&hidden, other, failed);
}

/* Whether a path, to its end or a slash, has the name, hyphens aside, perhaps after `@`. */
static bool is_named(const uint8_t *path, size_t n, const uint8_t *name, size_t length)
{
	struct compared a = {path, n, "-", byte_at(path, 0, n) == '@'}, b = {name, length, "-", 0};
	compare(&a, &b);
	const size_t i = byte_run(path, a.at, n, '-');
	return b.at == length && (i == n || BYTE_IN(path[i], "/?#"));
}

/* Whether the target is a page that a site's own mail shows under the name of another: its publication of that name, a
 * job there, a message that links it.  What is on such a page is the site's, which a redirect to another site is not.
 * */
static bool is_page_about(const struct hosted *shown, const struct hosted *real)
{
	static const struct {
		const char *site, *path;
		bool named; /* the path goes on with the name of the owner of what is shown */
	} pages[] = {
		{ "linkedin.com", "/comm/jobs/view/", false },
		{ "medium.com", "/", true },
		{ "twitter.com", "/i/redirect?url=https%3A%2F%2Ftwitter.com%2F", false },
	};
	size_t n = real->host_length, length = shown->host_length;
	const uint8_t *owner = find_owner(real->host, &n), *name = find_owner(shown->host, &length);
	const uint8_t *path = real->host + real->host_length;
	const size_t rest = (size_t)(real->text + real->length - path);
	length = byte_index(name, 0, length, '.');
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		const size_t begin = strlen(pages[i].path);
		if (ascii_is((const char *)owner, n, pages[i].site) && text_begins(path, rest, pages[i].path)
		    && (!pages[i].named || is_named(path + begin, rest - begin, name, length)))
			return true;
	}
	return false;
}

static bool is_under_tld(const uint8_t *host, size_t n)
{
	size_t label = byte_last(host, 0, n, '.');
	return tld_known(host + label, n - label);
}

/* Whether the host of a target is none: one label alone, but no number, or under a name beyond ASCII that is no
 * top-level domain.  What leads nowhere deceives nobody. */
static bool leads_nowhere(const struct hosted *target, bool *failed)
{
	char room[256];
	const uint8_t *p = target->host;
	size_t n = target->host_length;
	make_comparable(&p, &n, room, failed);
	size_t label = byte_last(p, 0, n, '.');
	bool settled = byte_span(p, 0, n, BYTE_ALNUM | BYTE_HYPHEN | BYTE_STOP) == n;
	bool strange = !label || ascii_opens(p + label, n - label, "xn--");
	return settled && strange && is_alpha(p[label]) && !tld_known(p + label, n - label);
}

/* Whether the hosts are one but for full stops, and one of them is a name that leads nowhere, under no top-level
 * domain: as in `www.lampsexample`, a mailer took the full stop that began a line.  The first may have commas, or
 * lack the full stop after `www` alone, as no owner's name begins with that. */
static bool lost_stops(const struct hosted *first, const struct hosted *second)
{
	const uint8_t *a = first->host, *b = second->host;
	const size_t n = first->host_length, m = second->host_length;
	size_t length = m;
	const uint8_t *name = without_www(b, &length);
	if (ascii_opens(a, n, "www") && same_bytes(a + 3, n - 3, name, length))
		return true;
	if (!is_alpha(a[n - 1]) || !is_alpha(b[m - 1]))
		return false;
	struct compared one = {a, n, ".,", 0}, other = {b, m, ".", 0};
	compare(&one, &other);
	return byte_after(a, one.at, n, ".,") == n && other.at == m && !(is_under_tld(a, n) && is_under_tld(b, m));
}

/* The warning for a link to `real` when `shown` is shown for it. */
static unsigned compare_hosts(const struct hosted *shown, const struct hosted *real)
{
	bool failed = false;
	/* names in Unicode and in A-labels cannot be compared without IDNA */
	const bool unknown = !idna_available() && has_other_spelling(shown->host, shown->host_length)
	                     && has_other_spelling(real->host, real->host_length);
	if (unknown || same_owner(shown, real, &failed) || lost_stops(shown, real))
		return 0;
	const uint8_t *rest = real->host + real->host_length, *end = real->text + real->length;
	const bool named = names_host(rest, end, shown->host, shown->host_length);
	if (!named && (leads_to(real, shown, &failed) || leads_to(shown, real, &failed)))
		return 0;
	const bool nowhere = leads_nowhere(real, &failed);
	if (failed)
		return URLSIFT_WARN_NO_MEMORY;
	if (named || hides_host(rest, (size_t)(end - rest), shown->host, shown->host_length) || is_page_about(shown, real))
		return URLSIFT_WARN_REDIRECT;
	return bits_if(!nowhere, URLSIFT_WARN_TEXT_MISMATCH);
}

unsigned mismatch_before(const struct view *v, size_t from, size_t floor, const struct urlsift_link *link)
{
	size_t begin = link_spans(link)[0].from;
	const bool outlook = begin - floor == 1 && v->p[floor] == '[' && !*link->supplied; /* `http://a[http://b]` */
	/* a link in its own brackets is not the text of another */
	if (begin - floor > 16 || v->p[floor - 1] == '>' || !(outlook || is_opening(v->p + floor, begin - floor)))
		return 0;
	if (bytes_are(v->p + from, floor - from, link->text, link->length))
		return 0;
	struct hosted shown = {.text = v->p + from, .length = floor - from};
	struct hosted real = {.text = link->text, .length = link->length};
	shown.host = host_in(shown.text, shown.length, &shown.host_length);
	real.host = host_in(real.text, real.length, &real.host_length);
	bool hosts = real.host_length && memchr(shown.host, '.', shown.host_length);
	return hosts ? compare_hosts(&shown, &real) : 0;
}

/* ---- the text of an anchor ---- */

static bool is_mail(const struct urlsift_link *l) { return !strcmp(l->scheme, "mailto"); }

/* The target and its host, of length 0 for none.  Of a mailto, decoded in the room, as far as the domain of its first
 * address, which is none where an archive cut it, `a@...`; the address may be in brackets, `<a@b.example>`, and `;` may
 * separate addresses, as in Outlook. */
static struct hosted target_of(const struct urlsift_link *l, uint8_t room[UNWRAP_MAX])
{
	urlsift_url url;
	struct hosted target = {.text = l->text, .length = l->length};
	if (is_mail(l)) {
		size_t n = byte_index(l->text, 0, l->length, '?');
		n = url_decode(room, l->text, smaller(n, UNWRAP_MAX));
		n = byte_until(room, byte_index(room, 0, n, '@'), n, ",;");
		const size_t domain = (size_t)number_or(byte_last(room, 0, n, '@'), n);
		const size_t end = byte_at(room, domain, n) == '.' ? domain : byte_span(room, domain, n, BYTE_HOST | BYTE_HIGH);
		return (struct hosted){room, room + domain, end, end - domain};
	}
	if (l->resolved.length > 0)
		target = (struct hosted){.text = l->resolved.data, .length = l->resolved.length};
	split_url((const char *)target.text, target.length, &url);
	target.host = target.text + url.host.offset;
	target.host_length = url.host.length;
	return target;
}

/* host_is_domain in any letter case: in a link's label `aBank.example` is no name of a program.  A capital that begins
 * the last label makes words of it, as in `Click.Here.Now`, but not of `Bank.Com` or `Bank.Co.Uk`; so do `.NET` and
 * `.IO` after small letters, as in `Lamps.NET`, and in a few names that are often links. */
static bool is_domain(const uint8_t *p, size_t n, bool path)
{
	uint8_t lower[HOST_MAX]; /* host_read has found it */
	ascii_lower((char *)lower, p, n);
	const size_t last = byte_last(p, 0, n, '.');
	const bool dot_net = text_ends(p, n, ".NET"), small = byte_span(p, 0, last, BYTE_BUT(BYTE_LOWER)) < last;
	const bool product = (small && (dot_net || text_ends(p, n, ".IO")))
	                     || text_is_among(p, n, "ADO.NET ASP.NET ML.NET VB.NET");
	const bool word = n > last + 2 && byte_class[p[last]] & ~byte_class[p[n - 1]] & BYTE_UPPER;
	if (!path && (product || (word && !text_is_among(lower + last, n - last, "com net org edu gov"))))
		return false;
	return host_is_domain(lower, n, path);
}

/* After the scheme that the word at i begins with and whose `://` is misspelt, as in `https//`, `https;//`, `http:/`
 * and `https:\\`; 0 for none. */
static size_t after_torn_scheme(const struct view *word, size_t i)
{
	const size_t n = match_bytes(word->p + i, word->end - i, "%a+//|[hH][tT][tT][pP][sS]?[:;.,][/\\]+");
	return n ? i + n - 1 : 0;
}

/* The host that the word [i, end) names (S1, S2, or after `://`); false for none.  Among other words, not alone, only a
 * domain with a path does. */
static bool word_host(const struct view *v, size_t i, size_t end, bool alone, struct span *host)
{
	struct view word = *v;
	struct host h;
	size_t n = end - i, colon = text_index(v->p + i, n, "://"), *begin = &host->from;
	word.end = end;
	size_t after = colon < n ? i + colon + 3 : after_torn_scheme(&word, i);
	/* as in `http://http://www.b.example` and `http:///www.b.example`, but not `https://.../b.html`, `file:///b.txt` */
	if (after && view_word(&word, i, "http", 4)) {
		const bool twice = view_word(&word, after, "http", 4);
		after = larger(after, twice ? after_torn_scheme(&word, after) : 0);
		after = byte_run(v->p, after, end, '/');
	}
	*begin = after ? byte_last(v->p, after, byte_span(v->p, after, end, BYTE_BUT(BYTE_DELIMITER)), '@') : i;
	if (!host_read(&word, *begin, 0, &h))
		return false;
	host->to = h.end;
	if (after && h.labels == 1 && byte_at(v->p, h.end, end) == ',') { /* for the full stop of its top-level domain */
		const size_t label = h.end + 1, stop = byte_span(v->p, label, end, BYTE_ALPHA);
		if (tld_known(v->p + label, stop - label)) {
			host->to = stop;
			return true;
		}
	}
	if (after) /* `www.b` is what is left of a name */
		return h.labels > 1 && !(v->p[h.end - 2] == '.' && is_alpha(v->p[h.end - 1]));
	if (view_word(&word, i, "www.", 4))
		return h.labels > 2 && h.last_alpha;
	const uint8_t next = byte_at(v->p, h.end, end);
	bool rest = BYTE_IN(next, "/?#:");
	bool path = next == '/' || byte_before(v->p, i) == '@'; /* neither is the name of a file */
	if (!alone) /* `ASP.NET/C#`, `lib.rs/x` are no domains among words */
		return path && host_is_domain(v->p + i, h.end - i, false);
	return (rest || h.end == end) && is_domain(v->p + i, h.end - i, path);
}

/* The end of the word at i; the next one begins at or after *next. */
static size_t word_end(const struct view *v, size_t i, size_t *next)
{
	uint32_t c = 0;
	for (*next = i; i < v->end; i = *next) {
		*next += utf8_next(v->p + i, v->end - i, &c);
		if (opening_is_space(c))
			break;
	}
	return i;
}

/* Whether the label from its host on is the text, a target from its host on, but for blanks and the marks at its end.
 * */
static bool is_same_but_for_blanks(const uint8_t *shown, size_t n, const uint8_t *text, size_t length)
{
	struct compared label = {shown, n, BLANKS, 0}, target = {text, length, "", 0};
	compare(&label, &target);
	return byte_after(shown, label.at, n, BLANKS) == n && set_span(text, target.at, length, "/.,;:!?'\")]>") == length;
}

/* Whether the host shown, read on to the end of the label, is that of the target, with blanks in it, or the part of it
 * before dots.  These may follow once the owner's name has begun, as in `lamps.exam...`, after a top-level domain of
 * two letters once the suffix has, as in `lamps.co...`, after no other, which is a whole name; no blank may follow one.
 * */
static bool is_cut(const struct hosted *shown, const uint8_t *end, const struct hosted *real)
{
	size_t m = shown->host_length, n = real->host_length;
	const uint8_t *p = without_www(shown->host, &m), *host = without_www(real->host, &n);
	size_t least = owner_begin(host, n);
	const bool whole = is_under_tld(p, m);
	if (whole) {
		if (byte_before(p, excess(m, 2)) != '.')
			return false;
		least = byte_index(host, least, n, '.') + 1;
	}
	struct compared label = {p, (size_t)(end - p), whole ? "" : BLANKS, 0}, target = {host, n, "", 0};
	compare(&label, &target);
	const size_t rest = label.n - label.at;
	p += label.at;
	if (target.at == n)
		return !(byte_class[byte_at(p, 0, rest)] & BYTE_HOST);
	return target.at > least && match_bytes(p, rest, "..|\xE2\x80\xA6");
}

/* The warning for a link whose label has the word `shown`, the first one with a host. */
static unsigned compare_label(const uint8_t *label, size_t n, const struct hosted *shown,
                              const struct urlsift_link *link)
{
	uint8_t room[UNWRAP_MAX];
	struct hosted real = target_of(link, room);
	const uint8_t *end = label + n;
	const size_t left = (size_t)(real.text + real.length - real.host);
	const size_t before = (size_t)(shown->host - label);
	/* an attachment may have a name like that of a host, but not like that of a page */
	if (!strcmp(link->scheme, "cid")
	    && (ascii_opens(shown->host, (size_t)(end - shown->host), "www.") || byte_before(label, before) == '/'))
		return URLSIFT_WARN_TEXT_MISMATCH;
	if (!real.host_length || is_same_but_for_blanks(label, n, real.text, real.length)
	    || is_same_but_for_blanks(label, n, real.host, left)
	    || is_same_but_for_blanks(shown->host, (size_t)(end - shown->host), real.host, left))
		return 0;
	unsigned warning = compare_hosts(shown, &real);
	return warning == URLSIFT_WARN_TEXT_MISMATCH && is_cut(shown, end, &real) ? 0 : warning;
}

enum { SEEN_MAX = 4096 }; /* a longer label is compared as far as that */

static void turn(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint8_t c = p[i];
		p[i] = p[n - 1 - i];
		p[n - 1 - i] = c;
	}
}

static bool has_like_stop(const uint8_t *label, size_t n)
{
	uint32_t c;
	for (size_t i = 0; i < n; i++) {
		utf8_next(label + i, n - i, &c);
		if (idna_is_like_dot(c))
			return true;
	}
	return false;
}

/* What a reader sees of the label: nothing of characters without a width, a full stop for each mark that is one in a
 * host (IDNA), three for an ellipsis, a gap for quotation marks and other stops (B3) and for symbols but before a name,
 * full-width letters and digits as ASCII, and what follows U+202E from right to left. */
static size_t make_seen(const uint8_t *label, size_t n, uint8_t room[SEEN_MAX])
{
	enum { OVERRIDE = 0x202E, POP = 0x202C };
	size_t length = 0, turned = SEEN_MAX; /* where the text begins that is turned */
	uint32_t c;
	for (size_t i = 0, k; i < n && length + 4 <= SEEN_MAX; i += k) {
		k = utf8_next(label + i, n - i, &c);
		if (c == OVERRIDE)
			turned = length;
		if (c == POP) {
			turn(room + turned, excess(length, turned));
			turned = SEEN_MAX;
		}
		if ((c | 1) == 0x200D || uclass_is_invisible(c))
			continue;
		const uint8_t next = byte_at(label, i + k, n);
		const enum uclass class = uclass_of(c);
		/* a space or a symbol beyond ASCII: no letter and no digit */
		const bool mark = class == UC_SPACE || (c < 0x2C00 ? c >= 0x80 && !uclass_is_word(c) : uclass_is_symbol(c));
		if (c == 0x2026)
			length += utf8_put(room + length, '.') + utf8_put(room + length + 1, '.');
		if (idna_is_like_dot(c) || c == 0x2026)
			c = '.';
		else if (within(c, 0xFF10, 0xFF5A) && is_alnum((uint8_t)(c - 0xFEE0)))
			c -= 0xFEE0;
		else if (class == UC_STOP || (mark && !is_alnum(next) && next != '.'))
			c = ' ';
		length += utf8_put(room + length, c);
	}
	turn(room + turned, excess(length, turned));
	return length;
}

unsigned mismatch_shown(const uint8_t *shown, size_t n, const struct urlsift_link *link)
{
	uint8_t seen[SEEN_MAX];
	if (ascii_prefix(shown, n) < n) {
		if (!has_like_stop(shown, n))
			return 0;
		n = make_seen(shown, n, seen);
		shown = seen;
	}
	struct view v = {.p = shown, .end = n, .first = true, .last = true};
	const uint16_t mark = BYTE_BUT(BYTE_ALNUM | BYTE_HIGH); /* words of nothing else do not count */
	/* every host has a full stop or a comma, and few labels */
	const size_t last_stop = byte_span_back(shown, 0, n, BYTE_BUT(BYTE_STOP | BYTE_COMMA));
	const size_t last_word = byte_span_back(shown, 0, n, mark);
	const bool mail = is_mail(link);
	for (size_t i = 0, words = 0, next; i < last_stop; i = next) {
		size_t end = word_end(&v, i, &next);
		struct span host;
		words += byte_span(shown, i, end, mark) < end;
		i = set_span(v.p, i, end, "([{<\"'*=_~|+^&$%");
		end = set_span_back(v.p, i, end, ")]}>\"'.,;:!?\\*=_~|+^&$%");
		const size_t sign = mail ? byte_index(shown, i, end, '@') : end;
		const bool address = sign > i && sign < end;
		const bool alone = address || (words == 1 && next >= last_word);
		i = address ? sign + 1 : i;
		if (word_host(&v, i, end, alone, &host))
			return compare_label(shown, n, &(struct hosted){shown + i, shown + host.from, end - i, host.to - host.from},
			                     link);
	}
	return 0;
}
