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

bool tracking_next(const char *url, size_t n, size_t *at, size_t *name_length)
{
	size_t i = byte_until(url, *at, n, *at == 0 ? "?#" : "&;#");
	for (; i < n && url[i] != '#'; i = byte_until(url, i, n, "&;#")) {
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
	const size_t query = byte_until(url, 0, n, "?#"), query_end = byte_until(url, query, n, "#");
	size_t at = 0, used = 0, name, from = 0;
	while (tracking_next(url, n, &at, &name)) {
		memcpy(kept + used, url + from, at - from);
		used += at - from;
		from = byte_until(url, at, query_end, "&;");
		from += from < query_end;
	}
	memcpy(kept + used, url + from, query_end - from);
	used += query_end - from;
	while (from > 0 && used > query && is_of(kept[used - 1], "?&;"))
		used--;
	memcpy(kept + used, url + query_end, n - query_end);
	return used + n - query_end;
}
