#include "tracking.h"

#include "text/ascii.h"

#include <string.h>

/* Their names, in lower case; a final * stands for any end. */
static const char *const names[] = {
	"utm_*", "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ysclid", "twclid", "ttclid",
	"igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp",
	"hsctatracking", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content", "piwik_*", "matomo_*",
	"oly_anon_id", "oly_enc_id", "vero_conv", "vero_id", "_openstat", "wickedid", "s_cid", "ml_subscriber",
	"ml_subscriber_hash", "bsft_*", "sc_cid", "epik", "rb_clickid", "srsltid", "_kx", "trk_contact", "trk_msg",
	"trk_module", "trk_sid", "elqtrack", "elqtrackid", "ck_subscriber_id", "guccounter", "guce_referrer",
	"guce_referrer_sig"
};

static bool is_tracking(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i]);
		bool open = names[i][length - 1] == '*';
		length -= open;
		if ((open ? n >= length : n == length) && ascii_begins(name, names[i], length))
			return true;
	}
	return false;
}

/* The index of the first of the bytes from `at`, or n.  A URL of a header field may hold NUL, which is none of them. */
static size_t find_any(const char *url, size_t n, size_t at, const char *bytes)
{
	while (at < n && !is_of(url[at], bytes))
		at++;
	return at;
}

bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length)
{
	size_t i = *at == 0 ? find_any(url, n, 0, "?#") : find_any(url, n, *at, "&;#");
	for (; i < n && url[i] != '#'; i = find_any(url, n, i, "&;#")) {
		i++;
		*name_length = find_any(url, n, i, "=&;#") - i;
		*at = i;
		if (is_tracking(url + i, *name_length))
			return true;
	}
	return false;
}

size_t tracking_remove(const char *url, size_t n, char *kept)
{
	const size_t query = find_any(url, n, 0, "?#"), query_end = find_any(url, n, query, "#");
	size_t at = 0, used = 0, name, from = 0;
	while (tracking_next(url, n, &at, &name)) {
		memcpy(kept + used, url + from, at - from);
		used += at - from;
		from = find_any(url, query_end, at, "&;");
		from += from < query_end;
	}
	memcpy(kept + used, url + from, query_end - from);
	used += query_end - from;
	while (from > 0 && used > query && is_of(kept[used - 1], "?&;"))
		used--;
	memcpy(kept + used, url + query_end, n - query_end);
	return used + n - query_end;
}
