#include "tracking.h"

#include "text/ascii.h"
#include "text/bytes.h"

#include <string.h>

/* Their names, in lower case; a final * stands for any end. */
static const char *const names[] = {
	"utm_*", "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ysclid", "twclid", "ttclid",
	"igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp",
	"hsctatracking", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content", "piwik_*", "matomo_*",
	"oly_anon_id", "oly_enc_id", "vero_conv", "vero_id", "_openstat", "wickedid", "s_cid", "ml_subscriber",
	"ml_subscriber_hash", "bsft_*", "sc_cid", "epik", "rb_clickid", "srsltid", "_kx", "trk_contact", "trk_msg",
	"trk_module", "trk_sid", "elqtrack", "elqtrackid", "ck_subscriber_id", "guccounter", "guce_referrer",
	"guce_referrer_sig", "gad_source", "gad_campaignid", "pd_rd_*"
};

static bool is_tracking(const char *name, size_t n)
{
	enum { SHORTEST = 3 };
	if (n < SHORTEST)
		return false;
	const char first = (char)to_lower((uint8_t)*name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (*names[i] != first)
			continue;
		size_t length = strlen(names[i]);
		bool open = names[i][length - 1] == '*';
		length -= open;
		if ((open ? n >= length : n == length) && ascii_begins(name, names[i], length))
			return true;
	}
	return false;
}

/* Whether a fragment, which begins at url[at], is a list as a query is: NAME=VALUE&NAME=VALUE. */
static bool is_list(const char *url, size_t at, size_t n)
{
	const uint8_t *p = (const uint8_t *)url;
	do {
		const size_t equals = byte_span(p, at, n, BYTE_ALNUM | BYTE_HYPHEN | BYTE_STOP | BYTE_UNDERSCORE);
		const size_t end = byte_until(p, equals, n, "&#");
		if (equals == at || byte_at(p, equals, n) != '=' || byte_at(p, end, n) == '#')
			return false;
		at = end + 1;
	} while (at < n);
	return true;
}

bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length)
{
	size_t i = byte_until(url, *at, n, *at == 0 ? "?#" : "&;#");
	for (; i < n && (url[i] != '#' || is_list(url, i + 1, n)); i = byte_until(url, i, n, "&;#")) {
		i++;
		*name_length = byte_until(url, i, n, "=&;#") - i;
		*at = i;
		if (is_tracking(url + i, *name_length))
			return true;
	}
	return false;
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
			from += from < end;
		}
		memcpy(kept + used, url + from, end - from);
		used += end - from;
		if (from > first) {
			while (used > begin + 1 && is_of(kept[used - 1], "&;"))
				used--;
			used -= used == begin + 1;
		}
		from = end;
		begin = used;
	}
	return used;
}
