/* For MemorySanitizer: what libraries that are not built with it write is initialised.  Linked with --wrap. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sanitizer/msan_interface.h>
#include <string.h>
#ifdef URLSIFT_WITH_IDN2
#include <idn2.h>
#endif
#ifdef URLSIFT_WITH_ZLIB
#include <zlib.h>
#endif

enum { PARAMETERS = 4 }; /* of callbacks, at most */

/* These call back to release memory. */
#define WRAP_FREE(name, type) \
	void __real_##name(type *what); \
	void __wrap_##name(type *what); \
	void __wrap_##name(type *what) \
	{ \
		__msan_unpoison_param(PARAMETERS); \
		__real_##name(what); \
	}
WRAP_FREE(pcre2_code_free_8, pcre2_code)
WRAP_FREE(pcre2_match_data_free_8, pcre2_match_data)
WRAP_FREE(pcre2_general_context_free_8, pcre2_general_context)
WRAP_FREE(pcre2_compile_context_free_8, pcre2_compile_context)

int __real_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE start, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context);
int __wrap_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE start, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context);
int __wrap_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE start, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context)
{
	__msan_check_mem_is_initialized(text, n);
	__msan_scoped_disable_interceptor_checks();
	__msan_unpoison_param(PARAMETERS);
	int result = __real_pcre2_match_8(code, text, n, start, options, data, context);
	__msan_scoped_enable_interceptor_checks();
	PCRE2_SIZE *found = pcre2_get_ovector_pointer(data);
	__msan_unpoison(found, 2 * sizeof *found * pcre2_get_ovector_count(data));
	return result;
}

int __real_pcre2_jit_compile_8(pcre2_code *code, uint32_t options);
int __wrap_pcre2_jit_compile_8(pcre2_code *code, uint32_t options);
int __wrap_pcre2_jit_compile_8(pcre2_code *code, uint32_t options)
{
	__msan_scoped_disable_interceptor_checks();
	__msan_unpoison_param(PARAMETERS);
	int result = __real_pcre2_jit_compile_8(code, options);
	__msan_scoped_enable_interceptor_checks();
	return result;
}

pcre2_code *__real_pcre2_compile_8(PCRE2_SPTR text, PCRE2_SIZE n, uint32_t options, int *error, PCRE2_SIZE *at,
                                   pcre2_compile_context *context);
pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR text, PCRE2_SIZE n, uint32_t options, int *error, PCRE2_SIZE *at,
                                   pcre2_compile_context *context);
pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR text, PCRE2_SIZE n, uint32_t options, int *error, PCRE2_SIZE *at,
                                   pcre2_compile_context *context)
{
	__msan_scoped_disable_interceptor_checks();
	__msan_unpoison_param(PARAMETERS);
	pcre2_code *code = __real_pcre2_compile_8(text, n, options, error, at, context);
	__msan_scoped_enable_interceptor_checks();
	__msan_unpoison(error, sizeof *error);
	__msan_unpoison(at, sizeof *at);
	return code;
}

PCRE2_SPTR __real_pcre2_get_mark_8(pcre2_match_data *data);
PCRE2_SPTR __wrap_pcre2_get_mark_8(pcre2_match_data *data);
PCRE2_SPTR __wrap_pcre2_get_mark_8(pcre2_match_data *data)
{
	PCRE2_SPTR mark = __real_pcre2_get_mark_8(data);
	if (mark)
		__msan_unpoison_string((const char *)mark);
	return mark;
}

int __real_pcre2_get_error_message_8(int code, PCRE2_UCHAR *to, PCRE2_SIZE size);
int __wrap_pcre2_get_error_message_8(int code, PCRE2_UCHAR *to, PCRE2_SIZE size);
int __wrap_pcre2_get_error_message_8(int code, PCRE2_UCHAR *to, PCRE2_SIZE size)
{
	int n = __real_pcre2_get_error_message_8(code, to, size);
	__msan_unpoison(to, size);
	return n;
}

#ifdef URLSIFT_WITH_IDN2
int __real_idn2_lookup_u8(const uint8_t *text, uint8_t **name, int flags);
int __wrap_idn2_lookup_u8(const uint8_t *text, uint8_t **name, int flags);
int __wrap_idn2_lookup_u8(const uint8_t *text, uint8_t **name, int flags)
{
	__msan_check_mem_is_initialized(text, strlen((const char *)text));
	__msan_scoped_disable_interceptor_checks();
	__msan_unpoison_param(PARAMETERS);
	int result = __real_idn2_lookup_u8(text, name, flags);
	__msan_scoped_enable_interceptor_checks();
	__msan_unpoison(name, sizeof *name);
	if (result == IDN2_OK)
		__msan_unpoison_string((const char *)*name);
	return result;
}
#endif

#ifdef URLSIFT_WITH_ZLIB
int __real_inflate(z_stream *s, int flush);
int __wrap_inflate(z_stream *s, int flush);
int __wrap_inflate(z_stream *s, int flush)
{
	Bytef *from = s->next_out;
	int result = __real_inflate(s, flush);
	__msan_unpoison(s, sizeof *s);
	__msan_unpoison(from, (size_t)(s->next_out - from));
	return result;
}
#endif

/* Clang 14 does not know these of glibc 2.33 and later. */
#include <sys/stat.h>
#define WRAP_STAT(name, parameters, arguments) \
	int __real_##name parameters; \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		int result = __real_##name arguments; \
		if (!result) \
			__msan_unpoison(to, sizeof *to); \
		return result; \
	}
WRAP_STAT(stat64, (const char *path, struct stat *to), (path, to))
WRAP_STAT(lstat64, (const char *path, struct stat *to), (path, to))
WRAP_STAT(fstat64, (int fd, struct stat *to), (fd, to))
WRAP_STAT(fstatat64, (int fd, const char *path, struct stat *to, int flags), (fd, path, to, flags))
