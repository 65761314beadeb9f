#include "tag.h"

const uint8_t attributes_classes[256] = {
	['\0'] = ENDS_KEPT_VALUE, ['\t'] = 15, ['\n'] = 15, ['\f'] = 15, ['\r'] = 15, [' '] = 15, ['&'] = ENDS_KEPT_VALUE,
	['/'] = ENDS_NAME | ENDS_ATTRIBUTE, ['='] = ENDS_ATTRIBUTE, ['>'] = 15
};

const struct target_attribute target_attributes[][TARGET_ATTRIBUTES] = {
	[TARGET_A] = {{"href", USE_FOLLOWED, "a href"}},
	[TARGET_AREA] = {{"href", USE_FOLLOWED, "area href"}},
	[TARGET_BASE] = {{"href", USE_FOLLOWED, "base href"}},
	[TARGET_FORM] = {{"action", USE_FOLLOWED, "form action"}},
	[TARGET_BUTTON] = {{"formaction", USE_FOLLOWED, "button formaction"}},
	[TARGET_IFRAME] = {{"src", USE_FOLLOWED, "iframe src"}},
	[TARGET_FRAME] = {{"src", USE_FOLLOWED, "frame src"}},
	[TARGET_META] = {{"content", USE_REFRESH, "meta refresh"}, {"http-equiv", USE_EQUIV, ""}},
	[TARGET_INPUT] = {{"formaction", USE_FOLLOWED, "input formaction"}, {"src", USE_FETCHED, "input src"}},
	[TARGET_TEMPLATE] = {{"shadowrootmode", USE_SHADOW, ""}},
	[TARGET_LINK] = {{"href", USE_FETCHED, "link href"}},
	[TARGET_IMAGE] = {{"alt", USE_ALT, ""}}, /* of an <img> in an anchor where nothing fetched is a target */
	[TARGET_IMG] = {{"src", USE_FETCHED, "img src"}, {"srcset", USE_SET, "img srcset"}, {"alt", USE_ALT, ""}},
	[TARGET_SCRIPT] = {{"src", USE_FETCHED, "script src"}},
	[TARGET_SOURCE] = {{"src", USE_FETCHED, "source src"}, {"srcset", USE_SET, "source srcset"}},
	[TARGET_VIDEO] = {{"src", USE_FETCHED, "video src"}, {"poster", USE_FETCHED, "video poster"}},
	[TARGET_AUDIO] = {{"src", USE_FETCHED, "audio src"}},
	[TARGET_EMBED] = {{"src", USE_FETCHED, "embed src"}},
	[TARGET_OBJECT] = {{"data", USE_FETCHED, "object data"}},
	[TARGET_BODY] = {{"background", USE_FETCHED, "body background"}},
	[TARGET_TABLE] = {{"background", USE_FETCHED, "table background"}},
	[TARGET_CELL] = {{"background", USE_FETCHED, "td background"}},
};

/* Whether an attribute's name is one of these.  `t` has no third one where attributes are passed over. */
static inline bool counts(const struct target_attribute *t, bool looks, const uint8_t *name, size_t n)
{
	char first = (char)(*name | 0x20);
	return (*t[0].name == first && ascii_is(name, n, t[0].name)) ||
	       (*t[1].name == first && ascii_is(name, n, t[1].name)) ||
	       (looks && (ascii_is(name, n, "style") || ascii_is(name, n, "hidden")));
}

/* After the value that begins at p[i], or n when it may go on there. */
static size_t after_value(const uint8_t *p, size_t i, size_t n)
{
	if (i == n)
		return n;
	if (p[i] != '"' && p[i] != '\'')
		return attributes_class_end(p, i, n, ENDS_VALUE);
	size_t end = run_until(p, i + 1, n, p[i]);
	return end < n ? end + 1 : n;
}

size_t attributes_pass(const uint8_t *p, size_t i, size_t n, const struct target_attribute *t, bool looks)
{
	for (;;) {
		size_t name = i;
		while (name < n && run_is_space(p[name]))
			name++;
		if (name < n && p[name] == '>')
			return i;
		size_t end = run_until_class(p, name, n, attributes_classes, ENDS_ATTRIBUTE);
		if (end == name || end == n || p[end] != '=' || counts(t, looks, p + name, end - name))
			return i;
		size_t after = after_value(p, end + 1, n);
		if (after == n || after == end + 1)
			return i;
		i = after;
	}
}
