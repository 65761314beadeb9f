#include "element.h"

#include <string.h>

const struct element elements[] = {
	{ "", 0 },
	{ "a", IS_ANCHOR | TARGET_A * IS_TARGET }, { "address", IS_BLOCK }, { "applet", SCOPE_OBJECT * IS_SCOPE },
	{ "area", IS_VOID | IS_AREA | TARGET_AREA * IS_TARGET },
	{ "article", IS_BLOCK }, { "aside", IS_BLOCK },
	{ "audio", TARGET_AUDIO * IS_TARGET },
	{ "b", IS_BREAKOUT }, { "base", IS_VOID | IS_BASE | TARGET_BASE * IS_TARGET }, { "big", IS_BREAKOUT },
	{ "basefont", IS_VOID }, { "bdo", TARGET_UNSHOWN * IS_TARGET }, { "bgsound", IS_VOID },
	{ "blockquote", IS_APART | IS_BREAKOUT },
	{ "body", IS_VOID | IS_BREAKOUT | TARGET_BODY * IS_TARGET },
	{ "br", IS_VOID | IS_BREAK | IS_BREAKOUT | IS_BREAKING },
	{ "button", TARGET_BUTTON * IS_TARGET },
	{ "canvas", TARGET_UNSHOWN * IS_TARGET },
	{ "caption", IS_BLOCK | SCOPE_CELL * IS_SCOPE }, { "center", IS_BLOCK | IS_BREAKOUT }, { "code", IS_BREAKOUT },
	{ "col", IS_VOID | SCOPE_ROW * IS_SCOPE }, { "colgroup", SCOPE_ROW * IS_SCOPE },
	{ "datalist", TARGET_UNSHOWN * IS_TARGET },
	{ "dd", IS_BLOCK | IS_BREAKOUT }, { "desc", SPACE_DESC * IS_SVG | TARGET_UNSHOWN * IS_TARGET },
	{ "details", IS_BLOCK | TARGET_OPEN * IS_TARGET }, { "dialog", IS_BLOCK | TARGET_OPEN * IS_TARGET },
	{ "dir", IS_APART }, { "div", IS_BLOCK | IS_BREAKOUT }, { "dl", IS_APART | IS_BREAKOUT },
	{ "dt", IS_BLOCK | IS_BREAKOUT },
	{ "em", IS_BREAKOUT }, { "embed", IS_VOID | IS_BREAKOUT | TARGET_EMBED * IS_TARGET },
	{ "fieldset", IS_BLOCK }, { "figcaption", IS_BLOCK }, { "figure", IS_APART }, { "footer", IS_BLOCK },
	{ "font", TARGET_FONT * IS_TARGET },
	{ "foreignobject", SPACE_FOREIGNOBJECT * IS_SVG }, { "form", IS_BLOCK | TARGET_FORM * IS_TARGET },
	{ "frame", IS_VOID | TARGET_FRAME * IS_TARGET },
	{ "h1", IS_APART | IS_BREAKOUT }, { "h2", IS_APART | IS_BREAKOUT }, { "h3", IS_APART | IS_BREAKOUT },
	{ "h4", IS_APART | IS_BREAKOUT }, { "h5", IS_APART | IS_BREAKOUT }, { "h6", IS_APART | IS_BREAKOUT },
	{ "head", IS_VOID | IS_BREAKOUT }, { "header", IS_BLOCK }, { "hgroup", IS_BLOCK },
	{ "hr", IS_VOID | IS_APART | IS_BREAKOUT }, { "html", IS_VOID },
	{ "i", IS_BREAKOUT }, { "iframe", IS_RAW | IS_HIDDEN | TARGET_IFRAME * IS_TARGET },
	{ "image", IS_VOID | TARGET_IMG * IS_TARGET }, /* outside of SVG it is an <img> */
	{ "img", IS_VOID | IS_BREAKOUT | TARGET_IMG * IS_TARGET }, { "input", IS_VOID | TARGET_INPUT * IS_TARGET },
	{ "legend", IS_BLOCK }, { "li", IS_BLOCK | IS_BREAKOUT }, { "link", IS_VOID | TARGET_LINK * IS_TARGET },
	{ "listing", IS_APART | IS_PRE | IS_FIRST | IS_BREAKOUT },
	{ "main", IS_BLOCK }, { "marquee", SCOPE_OBJECT * IS_SCOPE },
	{ "math", SPACE_MATH * IS_SVG | TARGET_UNSHOWN * IS_TARGET },
	{ "menu", IS_APART | IS_BREAKOUT },
	{ "meter", TARGET_UNSHOWN * IS_TARGET },
	{ "meta", IS_VOID | IS_BREAKOUT | TARGET_META * IS_TARGET },
	{ "mi", SPACE_MI * IS_SVG }, { "mn", SPACE_MN * IS_SVG }, { "mo", SPACE_MO * IS_SVG }, { "ms", SPACE_MS * IS_SVG },
	{ "mtext", SPACE_MTEXT * IS_SVG },
	{ "nav", IS_BLOCK }, { "nobr", IS_BREAKOUT }, { "noembed", IS_RAW | IS_HIDDEN }, { "noframes", IS_RAW | IS_HIDDEN },
	{ "object", TARGET_OBJECT * IS_TARGET | SCOPE_OBJECT * IS_SCOPE }, { "ol", IS_APART | IS_BREAKOUT },
	{ "optgroup", IS_BLOCK },
	{ "option", IS_BLOCK },
	{ "p", IS_APART | IS_BREAKOUT | IS_BREAKING }, { "plaintext", IS_APART | IS_PRE | IS_RAW | IS_ENDLESS },
	{ "param", IS_VOID }, { "pre", IS_APART | IS_PRE | IS_FIRST | IS_BREAKOUT },
	{ "progress", TARGET_UNSHOWN * IS_TARGET },
	{ "rp", TARGET_UNSHOWN * IS_TARGET }, { "rt", 0 }, { "ruby", IS_BREAKOUT },
	{ "s", IS_BREAKOUT }, { "script", IS_RAW | IS_HIDDEN | IS_SCRIPT | TARGET_SCRIPT * IS_TARGET },
	{ "search", IS_BLOCK }, { "section", IS_BLOCK }, { "select", IS_BLOCK | SCOPE_SELECT * IS_SCOPE },
	{ "small", IS_BREAKOUT },
	{ "source", IS_VOID | TARGET_SOURCE * IS_TARGET }, { "span", IS_BREAKOUT },
	{ "strike", IS_BREAKOUT }, { "strong", IS_BREAKOUT }, { "style", IS_RAW | IS_HIDDEN | IS_STYLE },
	{ "sub", IS_BREAKOUT },
	{ "summary", IS_BLOCK }, { "sup", IS_BREAKOUT }, { "svg", SPACE_SVG * IS_SVG | TARGET_UNSHOWN * IS_TARGET },
	{ "table", IS_APART | IS_BREAKOUT | TARGET_TABLE * IS_TARGET | SCOPE_TABLE * IS_SCOPE },
	{ "tbody", IS_BLOCK | TARGET_TBODY * IS_TARGET | SCOPE_ROW * IS_SCOPE },
	{ "td", IS_CELL | TARGET_TD * IS_TARGET | SCOPE_CELL * IS_SCOPE },
	{ "template", IS_TEMPLATE | TARGET_TEMPLATE * IS_TARGET | SCOPE_TEMPLATE * IS_SCOPE },
	{ "text", 0 },
	{ "textarea", IS_BLOCK | IS_PRE | IS_FIRST | IS_RAW | IS_COOKED },
	{ "tfoot", IS_BLOCK | TARGET_TFOOT * IS_TARGET | SCOPE_ROW * IS_SCOPE },
	{ "th", IS_CELL | TARGET_TH * IS_TARGET | SCOPE_CELL * IS_SCOPE },
	{ "thead", IS_BLOCK | TARGET_THEAD * IS_TARGET | SCOPE_ROW * IS_SCOPE },
	{ "title", IS_BLOCK | IS_RAW | IS_COOKED | SPACE_TITLE * IS_SVG | TARGET_UNSHOWN * IS_TARGET },
	{ "tr", IS_BLOCK | TARGET_TR * IS_TARGET | SCOPE_ROW * IS_SCOPE },
	{ "track", IS_VOID | TARGET_TRACK * IS_TARGET }, { "tt", IS_BREAKOUT },
	{ "u", IS_BREAKOUT }, { "ul", IS_APART | IS_BREAKOUT },
	{ "v:fill", TARGET_V_FILL * IS_TARGET },
	{ "v:group", TARGET_V_GROUP * IS_TARGET },
	{ "v:image", TARGET_V_IMAGE * IS_TARGET },
	{ "v:imagedata", TARGET_V_IMAGEDATA * IS_TARGET },
	{ "v:line", TARGET_V_LINE * IS_TARGET },
	{ "v:oval", TARGET_V_OVAL * IS_TARGET },
	{ "v:rect", TARGET_V_RECT * IS_TARGET },
	{ "v:roundrect", TARGET_V_ROUNDRECT * IS_TARGET },
	{ "v:shape", TARGET_V_SHAPE * IS_TARGET },
	{ "var", IS_BREAKOUT }, { "video", TARGET_VIDEO * IS_TARGET },
	{ "wbr", IS_VOID },
	{ "xmp", IS_APART | IS_PRE | IS_RAW },
};

const struct element element_none = { "", 0 };

void element_index(struct element_index *index)
{
	memset(index->slot, 0, sizeof index->slot);
	for (size_t row = 1; row < sizeof elements / sizeof *elements; row++) {
		size_t i = element_hash(element_word(elements[row].name));
		while (index->slot[i])
			i = (i + 1) % ELEMENT_SLOTS;
		index->slot[i] = (uint8_t)row;
	}
}
