#include "tag.h"

const uint8_t attributes_classes[256] = {
	['\0'] = ENDS_KEPT_VALUE, ['\t'] = 15, ['\n'] = 15, ['\f'] = 15, ['\r'] = 15, [' '] = 15, ['&'] = ENDS_KEPT_VALUE,
	['/'] = ENDS_NAME | ENDS_ATTRIBUTE, ['='] = ENDS_ATTRIBUTE, ['>'] = 15
};

const struct target_attribute target_attributes[] = {
	[TARGET_A] = { "href", "", "a href", false },
	[TARGET_AREA] = { "href", "", "area href", false },
	[TARGET_BASE] = { "href", "", "base href", false },
	[TARGET_FORM] = { "action", "", "form action", false },
	[TARGET_IFRAME] = { "src", "", "iframe src", false },
	[TARGET_META] = { "content", "http-equiv", "meta refresh", false },
	[TARGET_LINK] = { "href", "", "link href", true },
	[TARGET_IMG] = { "src", "", "img src", true },
	[TARGET_SCRIPT] = { "src", "", "script src", true },
	[TARGET_SOURCE] = { "src", "", "source src", true },
	[TARGET_TEMPLATE] = { "", "shadowrootmode", "", false },
};

/* Whether an attribute's name is one of `t`. */
static inline bool counts(const struct target_attribute *t, const uint8_t *name, size_t n)
{
	return (*t->name == (char)(*name | 0x20) && ascii_is(name, n, t->name))
	       || (*t->other == (char)(*name | 0x20) && ascii_is(name, n, t->other));
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

size_t attributes_pass(const uint8_t *p, size_t i, size_t n, const struct target_attribute *t, bool *slash)
{
	for (;;) {
		size_t name = i;
		while (name < n && run_is_space(p[name]))
			name++;
		size_t end = run_until_class(p, name, n, attributes_classes, ENDS_ATTRIBUTE);
		if (end == name || end == n || p[end] != '=' || counts(t, p + name, end - name))
			return i;
		size_t after = after_value(p, end + 1, n);
		if (after == n || after == end + 1)
			return i;
		i = after;
		*slash = false;
	}
}
