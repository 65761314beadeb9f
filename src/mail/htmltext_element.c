#include "htmltext_element.h"

#include <string.h>

/* After the HTML standard: its rendering section for blocks, its tree construction for
 * the rest.  By letters, within a letter in any order. */
static const struct element elements[] = {
	{ "a", IS_ANCHOR }, { "address", IS_BLOCK }, { "area", IS_AREA },
	{ "article", IS_BLOCK }, { "aside", IS_BLOCK },
	{ "b", IS_BREAKOUT }, { "base", IS_BASE }, { "big", IS_BREAKOUT }, { "blockquote", IS_BLOCK | IS_BREAKOUT },
	{ "body", IS_BLOCK | IS_BREAKOUT }, { "br", IS_BLOCK | IS_BREAKOUT | IS_BREAKING },
	{ "caption", IS_BLOCK }, { "center", IS_BLOCK | IS_BREAKOUT }, { "code", IS_BREAKOUT },
	{ "dd", IS_BLOCK | IS_BREAKOUT }, { "desc", SPACE_DESC * IS_SVG }, { "details", IS_BLOCK }, { "dialog", IS_BLOCK },
	{ "dir", IS_BLOCK }, { "div", IS_BLOCK | IS_BREAKOUT }, { "dl", IS_BLOCK | IS_BREAKOUT },
	{ "dt", IS_BLOCK | IS_BREAKOUT },
	{ "em", IS_BREAKOUT }, { "embed", IS_BREAKOUT },
	{ "fieldset", IS_BLOCK }, { "figcaption", IS_BLOCK }, { "figure", IS_BLOCK }, { "footer", IS_BLOCK },
	{ "foreignobject", SPACE_FOREIGNOBJECT * IS_SVG }, { "form", IS_BLOCK },
	{ "h1", IS_BLOCK | IS_BREAKOUT }, { "h2", IS_BLOCK | IS_BREAKOUT }, { "h3", IS_BLOCK | IS_BREAKOUT },
	{ "h4", IS_BLOCK | IS_BREAKOUT }, { "h5", IS_BLOCK | IS_BREAKOUT }, { "h6", IS_BLOCK | IS_BREAKOUT },
	{ "head", IS_BLOCK | IS_BREAKOUT }, { "header", IS_BLOCK }, { "hgroup", IS_BLOCK },
	{ "hr", IS_BLOCK | IS_BREAKOUT }, { "html", IS_BLOCK },
	{ "i", IS_BREAKOUT }, { "iframe", IS_RAW }, { "img", IS_BREAKOUT },
	{ "legend", IS_BLOCK }, { "li", IS_BLOCK | IS_BREAKOUT }, { "listing", IS_BLOCK | IS_PRE | IS_BREAKOUT },
	{ "main", IS_BLOCK }, { "math", SPACE_MATH * IS_SVG }, { "menu", IS_BLOCK | IS_BREAKOUT }, { "meta", IS_BREAKOUT },
	{ "mi", SPACE_MI * IS_SVG }, { "mn", SPACE_MN * IS_SVG }, { "mo", SPACE_MO * IS_SVG }, { "ms", SPACE_MS * IS_SVG },
	{ "mtext", SPACE_MTEXT * IS_SVG },
	{ "nav", IS_BLOCK }, { "nobr", IS_BREAKOUT }, { "noembed", IS_RAW }, { "noframes", IS_RAW },
	{ "ol", IS_BLOCK | IS_BREAKOUT }, { "optgroup", IS_BLOCK }, { "option", IS_BLOCK },
	{ "p", IS_BLOCK | IS_BREAKOUT | IS_BREAKING }, { "plaintext", IS_BLOCK | IS_PRE | IS_RAW | IS_ENDLESS },
	{ "pre", IS_BLOCK | IS_PRE | IS_BREAKOUT },
	{ "ruby", IS_BREAKOUT },
	{ "s", IS_BREAKOUT }, { "script", IS_RAW | IS_HIDDEN | IS_SCRIPT }, { "search", IS_BLOCK },
	{ "section", IS_BLOCK }, { "select", IS_BLOCK }, { "small", IS_BREAKOUT }, { "span", IS_BREAKOUT },
	{ "strike", IS_BREAKOUT }, { "strong", IS_BREAKOUT }, { "style", IS_RAW | IS_HIDDEN }, { "sub", IS_BREAKOUT },
	{ "summary", IS_BLOCK }, { "sup", IS_BREAKOUT }, { "svg", SPACE_SVG * IS_SVG },
	{ "table", IS_BLOCK | IS_BREAKOUT }, { "tbody", IS_BLOCK }, { "td", IS_CELL }, { "template", IS_TEMPLATE },
	{ "textarea", IS_BLOCK | IS_PRE | IS_RAW | IS_COOKED }, { "tfoot", IS_BLOCK }, { "th", IS_CELL },
	{ "thead", IS_BLOCK }, { "title", IS_BLOCK | IS_RAW | IS_COOKED | SPACE_TITLE * IS_SVG }, { "tr", IS_BLOCK },
	{ "tt", IS_BREAKOUT },
	{ "u", IS_BREAKOUT }, { "ul", IS_BLOCK | IS_BREAKOUT },
	{ "var", IS_BREAKOUT },
	{ "xmp", IS_BLOCK | IS_PRE | IS_RAW },
};

const struct element element_none = { "", 0 };

void element_index(struct element_index *index)
{
	size_t row = 0, rows = sizeof elements / sizeof *elements;
	for (size_t letter = 0; letter < 26; letter++) {
		index->begin[letter] = (uint8_t)row;
		while (row < rows && elements[row].name[0] == (char)('a' + letter))
			row++;
	}
	index->begin[26] = (uint8_t)row;
}

const struct element *element_named(const struct element_index *index, const uint8_t name[ELEMENT_NAME])
{
	size_t letter = (size_t)(name[0] - 'a');
	for (size_t row = index->begin[letter]; row < index->begin[letter + 1]; row++)
		if (!memcmp(elements[row].name, name, ELEMENT_NAME))
			return &elements[row];
	return &element_none;
}
