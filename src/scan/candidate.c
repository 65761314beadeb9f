#include "candidate.h"

#include "bare.h"
#include "colon.h"
#include "guess.h"
#include "line.h"
#include "text/uclass.h"

#include <string.h>

/* ---- names without a scheme ---- */

static void dress_schemeless(const struct try *t, const struct opening *o, const char *supplied, const char *scheme)
{
	t->link->supplied = supplied;
	link_set_scheme(t->link, scheme, strlen(scheme));
	t->link->convention = colon_has_prefix(t->v, o->begin) ? URLSIFT_CONV_PREFIX : URLSIFT_CONV_SCHEMELESS;
}

/* B10: whether the name, a host to `end`, goes on as a scheme with `//`. */
static enum verdict is_scheme_name(const struct view *v, size_t begin, size_t end)
{
	size_t n = 0;
	if (end < v->end && v->p[end] != ':' && !is_scheme_byte(v->p[end]))
		return NO; /* as most */
	while (begin + n < v->end && is_scheme_byte(v->p[begin + n]))
		if (n++ > SCHEME_NAME_MAX)
			return NO;
	return begin + n < v->end || v->last ? view_word(v, begin + n, "://", 3) : MORE;
}

/* S1: `www.` and `ftp.`; begin is at the name. */
static enum verdict host_name(const struct try *t, size_t begin, bool ftp)
{
	struct opening o;
	struct body b;
	struct host h;
	struct extent x;
	if (begin < t->past->floor)
		return NO;
	opening_read(t->v, begin, &o);
	uint32_t c = o.before;
	o.must_close = c == '_';
	if (o.must_close && begin < t->past->unclosed)
		return NO;
	if ((colon_is_word(c) && !(c == '_' && o.mark)) || c == '@' || ((c == '.' || c == '/') && !furniture_before(t->v, begin, t->past->floor)))
		return NO;
	enum verdict r = body_host(t->v, begin, &o, &h, &b);
	if (r != YES)
		return r;
	if (h.labels < 3 || !h.last_alpha || (b.rest < t->v->end && t->v->p[b.rest] == '@'))
		return NO;
	r = is_scheme_name(t->v, begin, h.end);
	if (r != NO)
		return r == MORE ? MORE : NO;
	r = bare_read(t->rules, t->v, &o, &b, begin + 4, t->link, &x);
	if (r == NO && o.must_close)
		t->found->unclosed = x.at;
	if (r != YES)
		return r;
	t->found->end = x.end;
	bool secure = !ftp && t->rules->www_https;
	dress_schemeless(t, &o, ftp ? "ftp://" : secure ? "https://" : "http://", ftp ? "ftp" : secure ? "https" : "http");
	return guess_join(t->rules, t->v, &o, &x, t->link, &t->found->end);
}

/* The name that the full stop at i is in begins here. */
static size_t name_begin(const struct view *v, size_t i, size_t floor)
{
	size_t stop = i - floor > LINE_LOOK ? i - LINE_LOOK : floor;
	while (i > stop) {
		uint8_t c = v->p[i - 1];
		if (c < 0x80) {
			if (!is_alnum(c) && c != '-' && c != '_')
				break;
			i--;
			continue;
		}
		size_t prior;
		enum uclass u = uclass_of(view_before(v, i, &prior));
		if ((u != UC_PLAIN && u != UC_CJK) || prior < stop)
			break;
		i = prior;
	}
	return i;
}

/* S2: a name under a top-level domain; i is at its first full stop. */
static enum verdict domain(const struct try *t, size_t i)
{
	struct opening o;
	struct body b;
	struct host h;
	struct extent x;
	size_t begin = name_begin(t->v, i, t->past->floor);
	if (begin == i)
		return NO;
	opening_read(t->v, begin, &o);
	uint32_t c = o.before;
	switch (c) {
	case '@': case '.': case '/': case '#': case '%': case '&': case '=': case '~': case '$':
		return NO;
	default:
		break;
	}
	enum verdict r = body_host(t->v, begin, &o, &h, &b);
	if (r != YES)
		return r;
	if (h.end <= i)
		return NO;
	uint8_t next = b.rest < t->v->end ? t->v->p[b.rest] : ' ';
	if (next == '@' || !host_is_domain(t->v->p + begin, h.end - begin, next == '/'))
		return NO;
	r = bare_read(t->rules, t->v, &o, &b, begin, t->link, &x);
	if (r != YES)
		return r;
	t->found->end = x.end;
	dress_schemeless(t, &o, "http://", "http");
	return YES;
}

/* ---- e-mail ---- */

static bool is_local(uint8_t c)
{
	switch (c) {
	case '!': case '#': case '$': case '%': case '&': case '\'': case '*': case '+': case '-': case '/': case '=': case '?':
	case '^': case '_': case '`': case '{': case '|': case '}': case '~': case '.':
		return true;
	default:
		return c >= 0x80 || is_alnum(c);
	}
}

/* The local part that ends at i; NO for none. */
static enum verdict local_part(const struct view *v, size_t i, size_t floor, size_t *begin)
{
	size_t stop = i - floor > 128 ? i - 128 : floor, k = i;
	while (k > stop && is_local(v->p[k - 1])) {
		if (v->p[k - 1] >= 0x80) {
			size_t prior;
			enum uclass u = uclass_of(view_before(v, k, &prior));
			if ((u != UC_PLAIN && u != UC_CJK) || prior < stop)
				break;
			k = prior;
			continue;
		}
		if (v->p[k - 1] == '.' && (k == i || v->p[k] == '.'))
			break;
		k--;
	}
	view_work(v, i - k);
	size_t prior;
	if (view_before(v, k, &prior) == '@')
		return NO;
	/* what quotes or brackets it is no part of it */
	while (k < i && (v->p[k] == '.' || v->p[k] == '\'' || v->p[k] == '`' || v->p[k] == '{' || v->p[k] == '|'))
		k++;
	*begin = k;
	while (k < i && !is_alnum(v->p[k]) && v->p[k] < 0x80)
		k++;
	return k < i ? YES : NO; /* marks alone are no name */
}

static enum verdict email(const struct try *t, size_t i)
{
	struct host h;
	size_t begin, prior;
	if (local_part(t->v, i, t->past->floor, &begin) != YES)
		return NO;
	/* B6: a mark that the address also ends with */
	uint8_t mark = memchr("*_~/", t->v->p[begin], 4) && !colon_is_word(view_before(t->v, begin, &prior)) ? t->v->p[begin] : 0;
	enum verdict r = host_read(t->v, i + 1, mark, &h);
	if (r != YES)
		return r;
	size_t behind = h.end, opened = 0, closed = 0;
	if (t->v->p[h.end - 1] == '.')
		h.end--;
	else if (behind < t->v->end && t->v->p[behind] == '.')
		behind++;
	uint8_t next = h.end < t->v->end ? t->v->p[h.end] : 0;
	if (h.labels < 2 || !h.last_alpha || next == '@')
		return NO;
	while (mark && begin + opened < i && t->v->p[begin + opened] == mark)
		opened++;
	while (closed < opened && behind + closed < t->v->end && t->v->p[behind + closed] == mark)
		closed++;
	if (closed < opened && behind + closed >= t->v->end && !t->v->last)
		return MORE;
	if (opened && closed == opened && begin + opened < i && (mark != '/' || opened == 1))
		begin += opened;
	if (t->v->p[begin] == '.')
		return NO;
	link_clear(t->link);
	link_add(t->link, t->v, begin, h.end);
	if (t->link->length > t->rules->max_url) {
		rules_limit(t->rules, "url-length", t->rules->max_url, begin);
		return NO;
	}
	t->link->convention = URLSIFT_CONV_EMAIL;
	t->link->supplied = "mailto:";
	link_set_scheme(t->link, "mailto", 6);
	t->found->end = h.end;
	return YES;
}

enum verdict candidate_read(const struct rules *rules, const struct view *v, size_t i, const struct past *past,
                            struct urlsift_link *link, struct found *found)
{
	struct try t = {rules, v, past, i - past->floor > BRACKET_LOOK ? i - BRACKET_LOOK : past->floor, link, found};
	*found = (struct found){.link = true};
	switch (v->p[i]) {
	case ':': return colon_read(&t, i);
	case 'l': case 'L': return colon_read(&t, i + 1);
	case 'w': case 'W': return host_name(&t, i, false);
	case 'p': case 'P': return host_name(&t, i - 2, true);
	case '@': return rules->email ? email(&t, i) : NO;
	case '.': return rules->domains ? domain(&t, i) : NO;
	default: return NO;
	}
}
