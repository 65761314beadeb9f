#include "tag.h"

const uint8_t attributes_classes[256] = {
	['\0'] = ENDS_KEPT_VALUE, ['\t'] = 15, ['\n'] = 15, ['\f'] = 15, ['\r'] = 15, [' '] = 15, ['&'] = ENDS_KEPT_VALUE,
	['/'] = ENDS_NAME | ENDS_ATTRIBUTE, ['='] = ENDS_ATTRIBUTE, ['>'] = 15
};

const struct target_attribute target_attributes[][TARGET_ATTRIBUTES] = {
	[TARGET_A] = {{"href", USE_FOLLOWED, "a href"}, {"xlink:href", USE_LINKED, "a xlink:href"},
	              {"ping", USE_PING, "a ping"}},
	[TARGET_AREA] = {{"href", USE_FOLLOWED, "area href"}, {"ping", USE_PING, "area ping"}, {"alt", USE_ALT, ""}},
	[TARGET_BASE] = {{"href", USE_FOLLOWED, "base href"}},
	[TARGET_FORM] = {{"action", USE_FOLLOWED, "form action"}},
	[TARGET_BUTTON] = {{"formaction", USE_FOLLOWED, "button formaction"}},
	[TARGET_IFRAME] = {{"src", USE_FOLLOWED, "iframe src"}, {"srcdoc", USE_DOCUMENT, "iframe srcdoc"}},
	[TARGET_FRAME] = {{"src", USE_FOLLOWED, "frame src"}},
	[TARGET_META] = {{"content", USE_REFRESH, "meta refresh"}, {"http-equiv", USE_EQUIV, ""}},
	[TARGET_INPUT] = {{"formaction", USE_FOLLOWED, "input formaction"}, {"src", USE_FETCHED, "input src"}},
	[TARGET_TEMPLATE] = {{"shadowrootmode", USE_SHADOW, ""}},
	[TARGET_FONT] = {{"size", USE_SIZE, ""}},
	[TARGET_OPEN] = {{"open", USE_OPEN, ""}},
	[TARGET_UNSHOWN] = {{"", 0, ""}},
	/* Shapes of Office, which Outlook shows. */
	[TARGET_V_GROUP] = {{"href", USE_FOLLOWED, "v:group href"}},
	[TARGET_V_IMAGE] = {{"href", USE_FOLLOWED, "v:image href"}},
	[TARGET_V_LINE] = {{"href", USE_FOLLOWED, "v:line href"}},
	[TARGET_V_OVAL] = {{"href", USE_FOLLOWED, "v:oval href"}},
	[TARGET_V_RECT] = {{"href", USE_FOLLOWED, "v:rect href"}},
	[TARGET_V_ROUNDRECT] = {{"href", USE_FOLLOWED, "v:roundrect href"}},
	[TARGET_V_SHAPE] = {{"href", USE_FOLLOWED, "v:shape href"}},
	[TARGET_LINK] = {{"href", USE_FETCHED, "link href"}, {"imagesrcset", USE_SET, "link imagesrcset"}},
	[TARGET_IMG] = {{"src", USE_FETCHED, "img src"}, {"srcset", USE_SET, "img srcset"}, {"alt", USE_ALT, ""}},
	[TARGET_SCRIPT] = {{"src", USE_FETCHED, "script src"}},
	[TARGET_SOURCE] = {{"src", USE_FETCHED, "source src"}, {"srcset", USE_SET, "source srcset"}},
	[TARGET_VIDEO] = {{"src", USE_FETCHED, "video src"}, {"poster", USE_FETCHED, "video poster"}},
	[TARGET_AUDIO] = {{"src", USE_FETCHED, "audio src"}},
	[TARGET_EMBED] = {{"src", USE_FETCHED, "embed src"}},
	[TARGET_OBJECT] = {{"data", USE_FETCHED, "object data"}},
	[TARGET_BODY] = {{"background", USE_FETCHED, "body background"}},
	[TARGET_TABLE] = {{"background", USE_FETCHED, "table background"}},
	[TARGET_TBODY] = {{"background", USE_FETCHED, "tbody background"}},
	[TARGET_TD] = {{"background", USE_FETCHED, "td background"}},
	[TARGET_TFOOT] = {{"background", USE_FETCHED, "tfoot background"}},
	[TARGET_TH] = {{"background", USE_FETCHED, "th background"}},
	[TARGET_THEAD] = {{"background", USE_FETCHED, "thead background"}},
	[TARGET_TR] = {{"background", USE_FETCHED, "tr background"}},
	[TARGET_TRACK] = {{"src", USE_FETCHED, "track src"}},
	[TARGET_V_FILL] = {{"src", USE_FETCHED, "v:fill src"}},
	[TARGET_V_IMAGEDATA] = {{"src", USE_FETCHED, "v:imagedata src"}},
};

/* Those of any element, and of any in MathML, which a person follows, and SVG. */
static const struct target_attribute common[] = {{"style", USE_STYLE, ""}, {"hidden", USE_HIDDEN, ""},
                                                {"popover", USE_HIDDEN, ""}, {"dir", USE_DIR, ""}};
static const struct target_attribute math[] = {{"href", USE_FOLLOWED, "math href"}};
static const struct target_attribute svg[] = {
	{"href", USE_FETCHED, "svg href"}, {"xlink:href", USE_FETCHED, "svg xlink:href"}, {"clip-path", USE_PAINT, ""},
	{"cursor", USE_PAINT, ""}, {"fill", USE_PAINT, ""}, {"filter", USE_PAINT, ""}, {"marker-end", USE_PAINT, ""},
	{"marker-mid", USE_PAINT, ""}, {"marker-start", USE_PAINT, ""}, {"mask", USE_PAINT, ""}, {"stroke", USE_PAINT, ""},
	{"from", USE_ANIMATED, "svg from"}, {"to", USE_ANIMATED, "svg to"}, {"values", USE_ANIMATED, "svg values"}
};

const struct target_attribute *attribute_find(const struct htmltext *h, const uint8_t name[ELEMENT_NAME], unsigned *bit)
{
	const struct {
		const struct target_attribute *rows;
		size_t count;
		unsigned space, bit;
	} tables[] = {
		{h->tag.target, TARGET_ATTRIBUTES, 0, 0},
		{common, sizeof common / sizeof *common, 0, TARGET_ATTRIBUTES + sizeof svg / sizeof *svg},
		{math, sizeof math / sizeof *math, SPACE_MATH, TARGET_ATTRIBUTES},
		{svg, sizeof svg / sizeof *svg, SPACE_SVG, TARGET_ATTRIBUTES}
	};
	unsigned in = 1; /* a bit for each space that the tag is in, or begins: HTML in one counts too */
	for (uint64_t spaces = h->spaces << 4 | h->tag.element->is / IS_SVG % 16; spaces; spaces >>= 4)
		in |= 1u << spaces % 16;
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		if (!(in >> tables[t].space & 1))
			continue;
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct target_attribute *row = &tables[t].rows[i];
			if (row->use & h->tag.uses && !memcmp(name, row->name, ELEMENT_NAME)) {
				*bit = 1u << (tables[t].bit + i);
				return row;
			}
		}
	}
	return NULL;
}
