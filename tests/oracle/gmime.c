/* What GMime makes of mail, to compare with.
 *
 *     gmime parts FILE     ranges come as lines "OFFSET LENGTH" on standard input, each is read as a message
 *     gmime bench FILE     FILE is read as an mbox and its text parts are decoded to UTF-8; says how many bytes
 *
 * Of each message: "message OFFSET", then for each part "part PATH TYPE FORMAT DELSP RAW LENGTH", LENGTH bytes
 * and a line end.  PATH counts children from 1, as "1.2"; RAW is 1 when the charset is not declared or none of
 * iconv's, and the bytes are as they were.  Multiparts have length 0, and RAW 2 without a part. */
#include <gmime/gmime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	guint64 bytes;
	int print;
};

static const char *parameter(GMimeObject *part, const char *name)
{
	const char *value = g_mime_object_get_content_type_parameter(part, name);
	return value && *value && !strpbrk(value, " \n") ? value : "-";
}

/* The text as UTF-8, or as it was (*raw). */
static GMimeStream *text_of(GMimeObject *part, int *raw)
{
	GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)part);
	GMimeStream *out = g_mime_stream_mem_new();
	const char *charset = g_mime_object_get_content_type_parameter(part, "charset");
	GMimeStream *filtered = g_mime_stream_filter_new(out);
	GMimeFilter *filter = charset ? g_mime_filter_charset_new(charset, "utf-8") : NULL;
	*raw = filter == NULL;
	if (filter) {
		g_mime_stream_filter_add((GMimeStreamFilter *)filtered, filter);
		g_object_unref(filter);
	}
	if (content)
		g_mime_data_wrapper_write_to_stream(content, filtered);
	g_mime_stream_flush(filtered);
	g_object_unref(filtered);
	return out;
}

static void leaf(struct walk *walk, GMimeObject *part, const char *path, const char *type)
{
	int raw;
	GMimeStream *text = text_of(part, &raw);
	GByteArray *bytes = g_mime_stream_mem_get_byte_array((GMimeStreamMem *)text);
	walk->bytes += bytes->len;
	if (walk->print) {
		printf("part %s %s %s %s %d %u\n", path, type, parameter(part, "format"), parameter(part, "delsp"), raw,
			bytes->len);
		fwrite(bytes->data, 1, bytes->len, stdout);
		putchar('\n');
	}
	g_object_unref(text);
}

static void visit(struct walk *walk, GMimeObject *part, const char *path);

static void child(struct walk *walk, GMimeObject *part, const char *path, int number)
{
	char *longer = *path ? g_strdup_printf("%s.%d", path, number) : g_strdup_printf("%d", number);
	visit(walk, part, longer);
	g_free(longer);
}

static void visit(struct walk *walk, GMimeObject *part, const char *path)
{
	GMimeContentType *content_type = g_mime_object_get_content_type(part);
	char *type = g_mime_content_type_get_mime_type(content_type);
	for (char *p = type; *p; p++)
		*p = *p == ' ' || *p == '\n' ? '_' : g_ascii_tolower(*p);
	if (GMIME_IS_MULTIPART(part)) {
		if (walk->print)
			printf("part %s %s - - %d 0\n\n", path, type, g_mime_multipart_get_count((GMimeMultipart *)part) ? 0 : 2);
		int count = g_mime_multipart_get_count((GMimeMultipart *)part);
		for (int i = 0; i < count; i++)
			child(walk, g_mime_multipart_get_part((GMimeMultipart *)part, i), path, i + 1);
	} else if (GMIME_IS_MESSAGE_PART(part)) {
		GMimeMessage *message = g_mime_message_part_get_message((GMimeMessagePart *)part);
		if (message && g_mime_message_get_mime_part(message))
			child(walk, g_mime_message_get_mime_part(message), path, 1);
	} else if (GMIME_IS_PART(part) && (!strncmp(type, "text/", 5) || !strncmp(type, "message/", 8))) {
		leaf(walk, part, path, type);
	}
	g_free(type);
}

static void message_of(struct walk *walk, GMimeParser *parser)
{
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	if (!message)
		return;
	if (g_mime_message_get_mime_part(message))
		visit(walk, g_mime_message_get_mime_part(message), "1");
	g_object_unref(message);
}

static void parts(GMimeStream *file)
{
	struct walk walk = { 0, 1 };
	long long offset, length;
	while (scanf("%lld %lld", &offset, &length) == 2) {
		GMimeStream *part = g_mime_stream_substream(file, offset, offset + length);
		GMimeParser *parser = g_mime_parser_new_with_stream(part);
		printf("message %lld\n", offset);
		message_of(&walk, parser);
		g_object_unref(parser);
		g_object_unref(part);
	}
}

static void bench(GMimeStream *file)
{
	struct walk walk = { 0, 0 };
	GMimeParser *parser = g_mime_parser_new_with_stream(file);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
	unsigned long messages = 0;
	for (; !g_mime_parser_eos(parser); messages++) {
		gint64 before = g_mime_parser_tell(parser);
		message_of(&walk, parser);
		if (g_mime_parser_tell(parser) == before)
			break;
	}
	printf("%lu messages, %llu bytes of text\n", messages, (unsigned long long)walk.bytes);
	g_object_unref(parser);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	g_mime_init();
	GMimeStream *file = g_mime_stream_file_open(argv[2], "r", NULL);
	if (!file)
		return 1;
	if (strcmp(argv[1], "bench") == 0)
		bench(file);
	else
		parts(file);
	g_object_unref(file);
	g_mime_shutdown();
	return fflush(stdout) != 0;
}
