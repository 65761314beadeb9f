/* The table of header fields: every name is found, in any letter case, and no other. */
#include "check.h"
#include "mail/header.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	"archived-at",
	"arc-authentication-results",
	"arc-message-signature",
	"arc-seal",
	"autocrypt",
	"cc",
	"content-base",
	"content-id",
	"content-length",
	"content-location",
	"content-transfer-encoding",
	"content-type",
	"date",
	"dkim-signature",
	"domainkey-signature",
	"face",
	"from",
	"in-reply-to",
	"link",
	"list-id",
	"message-id",
	"newsgroups",
	"openpgp",
	"path",
	"references",
	"subject",
	"supersedes",
	"to",
	"url",
	"x-archived-at",
	"x-face",
	"x-google-dkim-signature",
	"x-home-page",
	"x-homepage",
	"x-uri",
	"x-url",
	"x-www",
};

int main(void)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int form = 0; form < 3; form++) {
			char name[64];
			size_t n = strlen(names[i]);
			memcpy(name, names[i], n + 1);
			if (form == 1)
				name[0] ^= 0x20;
			if (form == 2)
				name[n++] = 'q';
			const struct known_field *row = known_field(&(struct field){(const uint8_t *)name, n, NULL, 0});
			int ok = form == 2 ? !row || !strcmp(row->name, "list-") : row && !strcmp(row->name, names[i]);
			CHECK_THAT(ok, "%.*s: %s", (int)n, name, row ? row->name : "not found");
		}
	return check_end();
}
