/* Character references of HTML: names and numbers to text. */
#ifndef MAIL_HTML_CHARREF_H
#define MAIL_HTML_CHARREF_H

#include <stddef.h>
#include <stdint.h>

enum {
	ENTITY_NAME_MAX = 32, /* bytes of the longest name, with its `;` */
	ENTITY_TEXT_MAX = 6   /* bytes of the longest text */
};

/* The longest name that name[0, n) begins with: letters and digits, and `;` as the last
 * byte where it is there.  Few old names are good without `;`.  Returns the
 * bytes of the name, 0 for none; its text goes to text, `*length` bytes of UTF-8.
 * Letter case counts. */
size_t entity_find(const uint8_t *name, size_t n, uint8_t text[ENTITY_TEXT_MAX], size_t *length);

/* The code point that a numeric reference means: U+FFFD for 0, surrogates and all
 * above U+10FFFF, windows-1252 for 80 to 9F. */
uint32_t entity_code_point(uint32_t number);

#endif
