#include "tracking.h"

#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"
#include "url.h"

#include <string.h>

/* Their names, in lower case; a final * stands for any end.  First those of links that are shared from some services:
 * behind a blank are their only domains, and all others have SHORTEST letters or more. */
enum { SHARED = 11, SHORTEST = 3 };
static const char *const names[] = {
	"si youtube.com youtu.be spotify.com", "s twitter.com x.com", "t twitter.com x.com", "ref_src twitter.com x.com",
	"_r tiktok.com", "_t tiktok.com", "pp youtube.com", "feature youtube.com youtu.be", "trk linkedin.com",
	"rcm linkedin.com", "share_id reddit.com",
	"utm_*", "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ysclid", "twclid", "ttclid",
	"igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp",
	"hsctatracking", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content", "piwik_*", "matomo_*",
	"oly_anon_id", "oly_enc_id", "vero_conv", "vero_id", "_openstat", "wickedid", "s_cid", "ml_subscriber",
	"ml_subscriber_hash", "bsft_*", "sc_cid", "epik", "rb_clickid", "srsltid", "_kx", "trk_contact", "trk_msg",
	"trk_module", "trk_sid", "elqtrack", "elqtrackid", "ck_subscriber_id", "guccounter", "guce_referrer",
	"guce_referrer_sig", "gad_source", "gad_campaignid", "pd_rd_*", "_ga", "_gl", "mibextid", "__tn__", "__cft__*",
	"_trkparms", "_trksid"
};

/* Whether the host of the URL is one of the domains, of two labels each, or below one. */
static bool is_below(const char *url, size_t n, const char *domains)
{
	enum { ENOUGH = 64 }; /* bytes for scheme and host, so that no URL is read for each of its parameters */
	urlsift_url parts;
	const size_t head = smaller(n, ENOUGH);
	split_url(url, head, &parts);
	const uint8_t *host = (const uint8_t *)url + parts.host.offset;
	const size_t end = parts.host.length, last = byte_last(host, 0, end, '.');
	const size_t from = byte_last(host, 0, excess(last, 1), '.');
	return parts.host.offset + end < head && ascii_is_among(host + from, end - from, domains);
}

static bool is_tracking(const char *url, size_t url_length, size_t at, size_t n)
{
	const char *name = url + at;
	const char first = n ? (char)to_lower((uint8_t)*name) : '\0';
	const size_t count = n < SHORTEST ? SHARED : sizeof names / sizeof *names;
	for (size_t i = 0; i < count; i++) {
		if (*names[i] != first)
			continue;
		const size_t length = strlen(names[i]), stem = names[i][length - 1] == '*' ? length - 1 : n;
		if (stem > smaller(n, length) || !ascii_begins(name, names[i], stem))
			continue;
		const char end = names[i][stem];
		if (end == '*' || end == '\0' || (end == ' ' && is_below(url, url_length, names[i] + stem + 1)))
			return true;
	}
	return false;
}

/* Whether a fragment, which begins at url[at], is a list as a query is: NAME=VALUE&NAME=VALUE. */
static bool is_list(const char *url, size_t at, size_t n)
{
	const uint8_t *p = (const uint8_t *)url;
	do {
		const size_t end = byte_until(p, at, n, "&#");
		if (!match_bytes(p + at, n - at, "[%w._-]+=") || byte_at(p, end, n) == '#')
			return false;
		at = end + 1;
	} while (at < n);
	return true;
}

#define TWICE "&amp;" /* what is left of a mark in a source that was escaped twice */

/* After the mark at i. */
static size_t mark_end(const char *url, size_t i, size_t n)
{
	return i + (text_begins(url + i, n - i, TWICE) ? sizeof TWICE - 1 : 1);
}

bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length)
{
	size_t i = byte_until(url, *at, n, *at == 0 ? "?#" : "&;#");
	for (; i < n && (url[i] != '#' || is_list(url, i + 1, n)); i = byte_until(url, i, n, "&;#")) {
		i = mark_end(url, i, n);
		/* without backslashes of the mark (mark_begin) */
		*name_length = byte_run_back((const uint8_t *)url, i, byte_until(url, i, n, "=&;#"), '\\') - i;
		*at = i;
		if (is_tracking(url, n, i, *name_length))
			return true;
	}
	return false;
}

/* Where the mark begins which ends at `end`: backslashes before it, as LaTeX and shells have them, go with it. */
static size_t mark_begin(const char *kept, size_t end)
{
	end -= text_ends((const uint8_t *)kept, end, TWICE) ? sizeof TWICE - 1 : 1;
	return byte_run_back((const uint8_t *)kept, 0, end, '\\');
}

size_t tracking_remove(const char *url, size_t n, char *kept)
{
	const size_t ends[] = { byte_until(url, 0, n, "#"), n }; /* of the query, of the fragment */
	size_t at = 0, used = 0, name, from = 0, begin = byte_until(url, 0, n, "?#"); /* begin: of what may lose all */
	bool found = tracking_next(url, n, &at, &name);
	for (size_t i = 0; i < 2; i++) {
		const size_t first = from, end = ends[i];
		for (; found && at < end; found = tracking_next(url, n, &at, &name)) {
			memcpy(kept + used, url + from, at - from);
			used += at - from;
			from = byte_until(url, at, end, "&;");
			from = from < end ? mark_end(url, from, end) : from;
		}
		memcpy(kept + used, url + from, end - from);
		used += end - from;
		if (from > first) {
			while (used > begin + 1 && is_of(kept[used - 1], "&;"))
				used = mark_begin(kept, used);
			used = used == begin + 1 ? mark_begin(kept, used) : used;
		}
		from = end;
		begin = used;
	}
	return used;
}
