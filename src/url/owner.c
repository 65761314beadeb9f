#include "url.h"

#include "text/ascii.h"

#include <string.h>
#ifdef URLSIFT_WITH_PSL
#include <libpsl.h>
#endif

/* Below a public suffix anybody can have a name, so that two names below it have two owners. */

enum { NAME_MAX_LENGTH = 253 };

size_t psl_library_version(char *out, size_t size)
{
#ifdef URLSIFT_WITH_PSL
	const char *version = psl_get_version();
	/* what follows names the library it uses */
	return version_put(version, strspn(version, "0123456789."), out, size);
#else
	(void)out;
	(void)size;
	return 0;
#endif
}

#ifdef URLSIFT_WITH_PSL

static bool is_public_suffix(const char *name, size_t n)
{
	(void)n;
	return psl_is_public_suffix(psl_builtin(), name); /* of ASCII: nothing is allocated */
}

#else

/* Labels that registries of countries have below their own, `co.uk`. */
static const char second_labels[] = "ac co com edu gob gouv gov mil ne net nom or org";

/* Other suffixes, those of hosting services and of few registries. */
static const char suffixes[] =
    "appspot.com azurewebsites.net blogspot.com br.com cloudfront.net co.com com.de de.com duckdns.org eu.com "
    "firebaseapp.com fly.dev github.io gitlab.io glitch.me go.jp go.kr herokuapp.com in.net jp.net ltd.uk me.uk "
    "myshopify.com neocities.org netlify.app ngrok.io nhs.uk onrender.com pages.dev plc.uk r2.dev repl.co run.app "
    "s3.amazonaws.com sch.uk surge.sh uk.com us.com vercel.app web.app webflow.io weebly.com wixsite.com workers.dev "
    "za.com";

static bool is_public_suffix(const char *name, size_t n)
{
	const char *dot = memchr(name, '.', n);
	if (!dot)
		return true;
	bool country = n - (size_t)(dot + 1 - name) == 2;
	return (country && text_is_among(name, (size_t)(dot - name), second_labels)) || text_is_among(name, n, suffixes);
}

#endif

size_t owner_begin(const uint8_t *host, size_t n)
{
	char name[NAME_MAX_LENGTH + 1];
	uint32_t address;
	size_t skipped = excess(n, NAME_MAX_LENGTH), length = n - skipped;
	if (!n || *host == '[' || usable_number(host, n, &address) != HOST_NO_NUMBER)
		return 0;
	ascii_lower(name, host + skipped, length);
	name[length] = '\0';
	/* the longest public suffix; before it is the label that its owner chose */
	size_t begin, next = 0;
	do {
		begin = next;
		next = smaller(byte_index((const uint8_t *)name, begin, length, '.') + 1, length);
	} while (next < length && !is_public_suffix(name + next, length - next));
	return skipped + begin;
}

const char *owner_of_short(const uint8_t *domain, size_t n)
{
	static const char sites[] = /* each domain, and the site */
	    "a.co\0amazon.com\0aka.ms\0microsoft.com\0c.gle\0google.com\0dis.gd\0discord.com\0discord.gg\0discord.com\0"
	    "fb.com\0facebook.com\0fb.me\0facebook.com\0flic.kr\0flickr.com\0fn.gg\0epicgames.com\0g.co\0google.com\0"
	    "nyti.ms\0nytimes.com\0pin.it\0pinterest.com\0redd.it\0reddit.com\0t.me\0telegram.org\0wa.me\0whatsapp.com\0"
	    "we.tl\0wetransfer.com\0youtu.be\0youtube.com\0";
	for (const char *site = sites, *owner; *site; site = owner + strlen(owner) + 1) {
		owner = site + strlen(site) + 1;
		if (ascii_is((const char *)domain, n, site))
			return owner;
	}
	return NULL;
}
