/* The charsets allowed and their names: data only.
 *
 * Facts from the IANA registry of character sets, the labels of the WHATWG
 * Encoding standard, and what mail and news put into the charset parameter.
 * Names compare without letter case, `-` and `_`, so such variants stand here
 * only where some iconv wants them.  Where a superset is what mailers mean by a
 * name (CP949 for EUC-KR, GBK for GB2312, CP932 for Shift_JIS), it comes first.
 *
 * Not here, on purpose: EBCDIC, ISO-2022-CN and ISO-2022-CN-EXT, and charsets
 * that read the ASCII of a URL as something else (CP864, JOHAB). */
#ifndef TEXT_CHARSET_TABLE_H
#define TEXT_CHARSET_TABLE_H

#include "charset_name.h"

static const struct charset_row charset_table[] = {
	{ CODING_UTF8, "UTF-8\0unicode-1-1-utf-8\0x-unicode-2-0-utf-8\0csutf8\0cp65001\0utf8mb4\0x-utf-8\0iso-10646-utf-8\0"
		"iso-10646/utf-8\0unicode-2-0-utf-8\0" },
	{ CODING_PASS, "us-ascii\0ascii\0ansi_x3.4-1968\0ansi_x3.4-1986\0iso_646.irv:1991\0iso646-us\0" "646\0us\0"
		"iso-ir-6\0ibm367\0cp367\0csascii\0unknown-8bit\0csunknown8bit\0x-unknown\0unknown\0" "8bit\0" "7bit\0"
		"default\0x-user-defined\0ansi\0binary\0none\0" },
	{ CODING_LATIN_1, "ISO-8859-1\0iso_8859-1:1987\0" "8859-1\0latin1\0l1\0iso-ir-100\0csisolatin1\0ibm819\0cp819\0"
		"iso-latin-1\0iso-8859-1-windows-3.0-latin-1\0iso-8859-1-windows-3.1-latin-1\0" },
	{ CODING_WINDOWS_1252, "CP1252\0windows-1252\0x-cp1252\0ms-ansi\0cswindows1252\0win-1252\0x-windows-1252\0"
		"ibm-1252\0we8mswin1252\0" },
	{ CODING_BYTES, "ISO-8859-15\0iso_8859-15:1998\0" "8859-15\0latin-9\0l9\0iso-ir-203\0csisolatin9\0csiso885915\0" },
	{ CODING_2022_JP, "ISO-2022-JP\0iso-2022-jp-1\0csiso2022jp\0jis\0jis_encoding\0csjisencoding\0cp50220\0cp50221\0"
		"iso-2022-jp-ms\0" },
	{ CODING_MULTI, "GBK\0CP936\0GB2312\0EUC-CN\0x-gbk\0windows-936\0x-windows-936\0x-gb2312\0ms936\0gb_2312-80\0"
		"csgb2312\0csiso58gb231280\0csgbk\0chinese\0iso-ir-58\0cn-gb\0x-euc-cn\0" },
	{ CODING_MULTI, "GB18030\0gb18030-2000\0gb18030-2005\0gb18030-2022\0x-gb18030\0csgb18030\0cp54936\0" },
	{ CODING_MULTI, "BIG5\0CP950\0big-five\0cn-big5\0csbig5\0x-x-big5\0x-big5\0windows-950\0ms950\0" },
	{ CODING_MULTI, "BIG5-HKSCS\0BIG5HKSCS\0csbig5hkscs\0" },
	{ CODING_MULTI, "CP949\0UHC\0EUC-KR\0EUCKR\0x-euc-kr\0windows-949\0x-windows-949\0ms949\0ks_c_5601-1987\0"
		"ks_c_5601-1989\0ks_c_5601-1992\0ks_c_5601\0korean\0iso-ir-149\0cseuckr\0csksc56011987\0" },
	{ CODING_MULTI, "CP932\0windows-31j\0MS932\0SHIFT_JIS\0SJIS\0x-sjis\0ms_kanji\0csshiftjis\0cswindows31j\0x-ms-cp932\0"
		"x-shift-jis\0windows-932\0sjis-win\0" },
	{ CODING_MULTI, "EUC-JP\0EUCJP\0x-euc-jp\0x-euc\0eucjp-ms\0eucjp-win\0cp51932\0ujis\0cseucpkdfmtjapanese\0"
		"extended_unix_code_packed_format_for_japanese\0" },
	{ CODING_MULTI, "EUC-TW\0EUCTW\0x-euc-tw\0cseuctw\0" },
	{ CODING_BYTES, "KOI8-R\0koi8\0koi\0cskoi8r\0x-koi8-r\0cp20866\0" },
	{ CODING_BYTES, "KOI8-U\0cskoi8u\0cp21866\0" },
	{ CODING_BYTES, "KOI8-RU\0" },
	{ CODING_BYTES, "KOI8-T\0" },
	{ CODING_BYTES, "CP1250\0windows-1250\0x-cp1250\0win-1250\0x-windows-1250\0ms-ee\0cswindows1250\0" },
	{ CODING_BYTES, "CP1251\0windows-1251\0x-cp1251\0win-1251\0x-windows-1251\0ms-cyrl\0cswindows1251\0" },
	{ CODING_BYTES, "CP1253\0windows-1253\0x-cp1253\0win-1253\0x-windows-1253\0ms-greek\0cswindows1253\0" },
	{ CODING_BYTES, "CP1254\0windows-1254\0x-cp1254\0win-1254\0x-windows-1254\0ms-turk\0cswindows1254\0" },
	{ CODING_BYTES, "CP1255\0windows-1255\0x-cp1255\0win-1255\0x-windows-1255\0ms-hebr\0cswindows1255\0" },
	{ CODING_BYTES, "CP1256\0windows-1256\0x-cp1256\0win-1256\0x-windows-1256\0ms-arab\0cswindows1256\0" },
	{ CODING_BYTES, "CP1257\0windows-1257\0x-cp1257\0win-1257\0x-windows-1257\0winbaltrim\0cswindows1257\0" },
	{ CODING_BYTES, "CP1258\0windows-1258\0x-cp1258\0cswindows1258\0" },
	{ CODING_BYTES, "ISO-8859-2\0iso_8859-2:1987\0" "8859-2\0latin2\0l2\0iso-ir-101\0csisolatin2\0ibm912\0cp912\0" },
	{ CODING_BYTES, "ISO-8859-3\0iso_8859-3:1988\0" "8859-3\0latin3\0l3\0iso-ir-109\0csisolatin3\0" },
	{ CODING_BYTES, "ISO-8859-4\0iso_8859-4:1988\0" "8859-4\0latin4\0l4\0iso-ir-110\0csisolatin4\0" },
	{ CODING_BYTES, "ISO-8859-5\0iso_8859-5:1988\0" "8859-5\0cyrillic\0iso-ir-144\0csisolatincyrillic\0" },
	{ CODING_BYTES, "ISO-8859-6\0iso_8859-6:1987\0" "8859-6\0arabic\0iso-ir-127\0ecma-114\0asmo-708\0csisolatinarabic\0"
		"iso-8859-6-e\0iso-8859-6-i\0csiso88596e\0csiso88596i\0" },
	{ CODING_BYTES, "ISO-8859-7\0iso_8859-7:1987\0" "8859-7\0greek\0greek8\0iso-ir-126\0elot_928\0ecma-118\0"
		"csisolatingreek\0sun_eu_greek\0" },
	{ CODING_BYTES, "ISO-8859-8\0iso_8859-8:1988\0" "8859-8\0hebrew\0iso-ir-138\0csisolatinhebrew\0iso-8859-8-e\0"
		"iso-8859-8-i\0csiso88598e\0csiso88598i\0logical\0visual\0" },
	{ CODING_BYTES, "ISO-8859-9\0iso_8859-9:1989\0" "8859-9\0latin5\0l5\0iso-ir-148\0csisolatin5\0" },
	{ CODING_BYTES, "ISO-8859-10\0iso_8859-10:1992\0" "8859-10\0latin6\0l6\0iso-ir-157\0csisolatin6\0" },
	{ CODING_BYTES, "ISO-8859-11\0" "8859-11\0" },
	{ CODING_BYTES, "ISO-8859-13\0" "8859-13\0latin7\0l7\0iso-ir-179\0csiso885913\0" },
	{ CODING_BYTES, "ISO-8859-14\0iso_8859-14:1998\0" "8859-14\0latin8\0l8\0iso-ir-199\0iso-celtic\0csiso885914\0" },
	{ CODING_BYTES, "ISO-8859-16\0iso_8859-16:2001\0" "8859-16\0latin10\0l10\0iso-ir-226\0csiso885916\0" },
	{ CODING_BYTES, "TIS-620\0tis620-0\0tis620.2529-1\0tis620.2533-0\0iso-ir-166\0cstis620\0" },
	{ CODING_BYTES, "WINDOWS-874\0CP874\0x-windows-874\0cswindows874\0dos-874\0" },
	{ CODING_BYTES, "CP437\0IBM437\0" "437\0dos-437\0cspc8codepage437\0" },
	{ CODING_BYTES, "CP737\0IBM737\0" },
	{ CODING_BYTES, "CP775\0IBM775\0cspc775baltic\0" },
	{ CODING_BYTES, "CP850\0IBM850\0" "850\0dos-850\0cspc850multilingual\0" },
	{ CODING_BYTES, "CP852\0IBM852\0" "852\0dos-852\0cspcp852\0" },
	{ CODING_BYTES, "CP855\0IBM855\0" "855\0csibm855\0" },
	{ CODING_BYTES, "CP857\0IBM857\0" "857\0csibm857\0" },
	{ CODING_BYTES, "CP858\0IBM858\0IBM00858\0CCSID00858\0cspc858multilingual\0" },
	{ CODING_BYTES, "CP860\0IBM860\0" "860\0csibm860\0" },
	{ CODING_BYTES, "CP861\0IBM861\0" "861\0cp-is\0csibm861\0" },
	{ CODING_BYTES, "CP862\0IBM862\0" "862\0dos-862\0cspc862latinhebrew\0" },
	{ CODING_BYTES, "CP863\0IBM863\0" "863\0csibm863\0" },
	{ CODING_BYTES, "CP865\0IBM865\0" "865\0csibm865\0" },
	{ CODING_BYTES, "CP866\0IBM866\0" "866\0dos-866\0csibm866\0" },
	{ CODING_BYTES, "CP869\0IBM869\0" "869\0cp-gr\0csibm869\0" },
	{ CODING_BYTES, "CP1125\0ruscii\0" },
	{ CODING_BYTES, "MACINTOSH\0MAC\0x-mac-roman\0macroman\0csmacintosh\0" },
	{ CODING_BYTES, "MAC-CYRILLIC\0MACCYRILLIC\0x-mac-cyrillic\0" },
	{ CODING_BYTES, "MAC-UK\0MACUKRAINE\0x-mac-ukrainian\0macukrainian\0" },
	{ CODING_BYTES, "MAC-CENTRALEUROPE\0MACCENTRALEUROPE\0x-mac-ce\0x-mac-centraleurroman\0" },
	{ CODING_BYTES, "VISCII\0viscii1.1-1\0csviscii\0" },
	{ CODING_BYTES, "TCVN\0TCVN5712-1\0tcvn-5712\0tcvn5712-1:1993\0" },
	{ CODING_BYTES, "ARMSCII-8\0" },
	{ CODING_BYTES, "GEORGIAN-PS\0" },
	{ CODING_BYTES, "GEORGIAN-ACADEMY\0" },
	{ CODING_BYTES, "PT154\0ptcp154\0cp154\0cyrillic-asian\0csptcp154\0" },
	{ CODING_BYTES, "RK1048\0strk1048-2002\0kz-1048\0cskz1048\0" },
	{ CODING_BYTES, "HP-ROMAN8\0roman8\0r8\0cshproman8\0" },
	{ CODING_UTF16, "UTF-16\0csutf16\0unicode\0ucs-2\0iso-10646-ucs-2\0csunicode\0" },
	{ CODING_UTF16_BE, "UTF-16BE\0csutf16be\0unicodefffe\0ucs-2be\0" },
	{ CODING_UTF16_LE, "UTF-16LE\0csutf16le\0ucs-2le\0" },
	{ CODING_UTF32, "UTF-32\0csutf32\0ucs-4\0iso-10646-ucs-4\0csucs4\0" },
	{ CODING_UTF32_BE, "UTF-32BE\0csutf32be\0ucs-4be\0" },
	{ CODING_UTF32_LE, "UTF-32LE\0csutf32le\0ucs-4le\0" },
	{ CODING_UTF7, "UTF-7\0unicode-1-1-utf-7\0x-unicode-2-0-utf-7\0csunicode11utf7\0csutf7\0cp65000\0" },
	{ CODING_2022_JP_2, "ISO-2022-JP-2\0csiso2022jp2\0" },
	{ CODING_2022_KR, "ISO-2022-KR\0csiso2022kr\0" },
	{ CODING_HZ, "HZ-GB-2312\0HZ\0" },
};

#endif
