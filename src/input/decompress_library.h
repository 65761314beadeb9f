/* The functions of libarchive that are used, as a table: they are linked, or found in the library
 * when it is loaded (decompress_library.c). */
#ifndef INPUT_DECOMPRESS_LIBRARY_H
#define INPUT_DECOMPRESS_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#define ARCHIVE_FUNCTIONS(X) \
	X(archive_read_new) X(archive_read_free) X(archive_read_open) X(archive_read_append_filter) \
	X(archive_read_support_filter_compress) X(archive_read_support_format_raw) \
	X(archive_read_support_format_empty) X(archive_read_support_format_tar) \
	X(archive_read_support_format_zip_streamable) X(archive_read_support_format_cpio) \
	X(archive_read_set_options) X(archive_read_next_header) X(archive_read_data_block) X(archive_read_data_skip) \
	X(archive_error_string) X(archive_filter_bytes) X(archive_format_name) X(archive_version_string) \
	X(archive_entry_pathname) X(archive_entry_pathname_utf8) X(archive_entry_filetype) \
	X(archive_entry_is_encrypted)

struct archive_library {
	void *handle;
#define ARCHIVE_FIELD(name) __typeof__(name) *name;
	ARCHIVE_FUNCTIONS(ARCHIVE_FIELD)
};

#endif
