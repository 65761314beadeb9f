#include "pick.h"

#include <strings.h>

/* Parameters of a query that only say where the reader came from; a final * stands for any end. */
static const char *const names[] = {
	"utm_*", "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ysclid", "twclid", "ttclid",
	"igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp",
	"hsCtaTracking", "mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content", "piwik_*", "matomo_*",
	"oly_anon_id", "oly_enc_id", "vero_conv", "vero_id", "_openstat", "wickedid", "s_cid", "ml_subscriber",
	"ml_subscriber_hash", "bsft_*", "sc_cid", "epik", "rb_clickid", "srsltid", "_kx", "trk_contact", "trk_msg",
	"trk_module", "trk_sid", "elqTrack", "elqTrackId", "ck_subscriber_id", "guccounter", "guce_referrer",
	"guce_referrer_sig"
};

static bool is_tracking(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i]);
		bool open = names[i][length - 1] == '*';
		length -= open;
		if ((open ? n >= length : n == length) && !strncasecmp(name, names[i], length))
			return true;
	}
	return false;
}

size_t pick_tracking(const char *url, char *kept, FILE *found)
{
	size_t count = 0, at = strcspn(url, "?#"), end = at + strcspn(url + at, "#"), used = at;
	char before = '?';
	if (kept)
		memcpy(kept, url, at);
	while (at < end) {
		const char *name = url + at + 1;
		size_t n = strcspn(name, "&;#"), length = strcspn(name, "=&;#");
		if (is_tracking(name, length)) {
			if (found)
				fprintf(found, "%s%.*s", count ? ", " : "", (int)length, name);
			count++;
		} else if (kept) {
			kept[used++] = before;
			memcpy(kept + used, name, n);
			used += n;
			before = name[n] == '&' || name[n] == ';' ? name[n] : before;
		}
		at += n + 1;
	}
	if (kept)
		memcpy(kept + used, url + end, strlen(url + end) + 1);
	return count;
}
