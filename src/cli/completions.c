#include "verbs.h"

#include "text/ascii.h"

#include <string.h>

/* ---- What the shells share ---------------------------------------------------------- */

/* What the value of an option is. */
enum value_kind { KIND_NONE, KIND_TEXT, KIND_FILE, KIND_WORD, KIND_LIST /* words with commas between */ };

static enum value_kind kind_of(const struct option *row)
{
	size_t n;
	if (option_word(row, 0, &n))
		return strchr(row->argument, '|') ? KIND_WORD : KIND_LIST;
	if (!row->argument)
		return KIND_NONE;
	return option_names_file(row) ? KIND_FILE : KIND_TEXT;
}

/* Whether an option has a value. */
enum value_need { VALUE_NONE, VALUE_NEEDED, VALUE_OPTIONAL };

static enum value_need need_of(const struct option *row)
{
	return !row->argument ? VALUE_NONE : option_needs_value(row) ? VALUE_NEEDED : VALUE_OPTIONAL;
}

/* The words that the value may be: `whole` ones, and, unless `colon` is NULL, those before text of the user
 * (template:TEMPLATE). */
static void put_words(const struct option *row, bool whole, const char *colon)
{
	size_t n;
	const char *word, *before = "";
	for (unsigned i = 0; (word = option_word(row, i, &n)); i++) {
		const size_t end = strcspn(word, "|:");
		if (end < n ? !colon : !whole)
			continue;
		printf("%s%.*s%s", before, (int)end, word, text_if(end < n, colon));
		before = " ";
	}
}

/* The names of verbs, with `between` between. */
static void put_verbs(unsigned verbs, const char *between)
{
	const char *before = "";
	for (const struct verb *v = verb_table; v->name; v++) {
		if (!((v->help ? v : v - 1)->bit & verbs))
			continue;
		printf("%s%s", before, v->name);
		before = between;
	}
}

/* The first n bytes of the text on one line, inside quotation marks of the shell: `quote` for one in it, a backslash
 * before the bytes of `special`. */
static void put_quoted(const char *text, size_t n, const char *special, const char *quote)
{
	for (const char *end = text + n; text < end; text++) {
		if (*text == '\'')
			printf("%s", quote);
		else
			printf(strchr(special, *text) ? "\\%c" : "%c", *text == '\n' ? ' ' : *text);
	}
}

struct shell {
	const char *name, *script;
	void (*option)(const struct option *row);
	const char *verb, *quote; /* what comes before the help of a verb, with its name; a quotation mark in that */
};

/* The verbs whose arguments are not files. */
enum { WITHOUT_FILES = VERB_URL | VERB_SCHEMES | VERB_COMPLETIONS | VERB_HELP };

/* The verbs of a letter after ~ in a script.  A capital letter has blanks between names, which else have a bar. */
static const unsigned verbs_of[] = { ['d'] = VERB_LIST, ['a'] = VERB_ALL, ['n'] = WITHOUT_FILES, ['u'] = VERB_URL,
                                     ['v'] = 0 };

/* ---- bash --------------------------------------------------------------------------- */

/* A row verbs;option;letter;kind of the value;its words. */
static void bash_option(const struct option *row)
{
	static const char *const kinds[] = { "", "text", "file", "words", "list" };
	printf("\t\t");
	put_verbs(row->verbs, "|");
	const char *equals = text_if(option_needs_value(row), "="), *hyphen = text_if(row->letter, "-");
	printf(";--%s%s;%s%.1s;%s;", row->name, equals, hyphen, &row->letter, kinds[kind_of(row)]);
	put_words(row, true, ":");
	printf("\n");
}

static const char bash[] =
	"# bash completion of urlsift\n"
	"_urlsift() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
	"\tlocal option= options= value= list= head= verbs long letter kind words\n"
	"\tif [[ $cur == = ]]; then option=$prev cur=\n"
	"\telif [[ $prev == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\telif [[ $cur == --*=* ]]; then option=${cur%%=*} head=$option= cur=${cur#*=}\n"
	"\telif [[ $prev == --* ]]; then option=$prev=\n"
	"\telif [[ $prev == -? ]]; then option=$prev\n"
	"\tfi\n"
	"\t[[ $verb == @(~a) ]] && (( COMP_CWORD > 1 )) || verb=~d\n"
	"\twhile IFS=';' read -r verbs long letter kind words; do\n"
	"\t\t[[ $verb == @($verbs) ]] || continue\n"
	"\t\toptions+=\" $long${letter:+ $letter}\"\n"
	"\t\t[[ $kind && $option == @($long|${long%=}|${letter:--}) ]] && value=$kind list=$words\n"
	"\tdone <<-'END'\n"
	"~o"
	"\tEND\n"
	"\tif [[ $value == list && $cur == *,* ]]; then head+=${cur%,*}, cur=${cur##*,}; fi\n"
	"\tif [[ $value == @(words|list) ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -P \"$head\" -W \"$list\" -- \"$cur\"))\n"
	"\telif [[ $value == text ]]; then\n"
	"\t\tcompopt +o default\n"
	"\telif [[ ! $value && $cur == -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	"\telif [[ ! $value && $verb == query && -f $prev ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W '~q' -- \"$cur\"))\n"
	"\telif [[ ! $value ]] && (( COMP_CWORD == 1 )); then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W '~A' -- \"$cur\"; compgen -f -- \"$cur\")\n"
	"\t\tcompopt -o filenames\n"
	"\telif [[ ! $value && $verb == @(~n) ]]; then\n"
	"\t\tcompopt +o default\n"
	"\t\t[[ $verb == completions ]] && COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$cur\"))\n"
	"\t\t[[ $verb == help ]] && COMPREPLY=($(compgen -W '~A' -- \"$cur\"))\n"
	"\tfi\n"
	"\t[[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == *[=:] ]] && compopt -o nospace\n"
	"}\n"
	"complete -o default -F _urlsift urlsift\n";

/* ---- zsh ---------------------------------------------------------------------------- */

#define ZSH_QUOTE "'\\''"

static void zsh_quoted(const char *text, const char *special)
{
	put_quoted(text, strlen(text), special, ZSH_QUOTE);
}

/* A specification for _arguments, if the verb is one of the option's. */
static void zsh_option(const struct option *row)
{
	static const struct { const char *star, *before, *after; } kinds[] = {
		{ "", "", "" }, { "*", ": ", "" }, { "*", ":_files", "" }, { "", ":{compadd -S \"\" - ", "}" },
		{ "", ":_sequence compadd - ", "" }
	};
	static const struct { const char *equals, *colons; } needs[] = {
		[VALUE_NONE] = { "", "" }, [VALUE_NEEDED] = { "=", ":" }, [VALUE_OPTIONAL] = { "=-", "::" }
	};
	const enum value_kind kind = kind_of(row);
	const enum value_need need = need_of(row);
	const char *equals = needs[need].equals;
	printf("\t[[ $verb == (");
	put_verbs(row->verbs, "|");
	printf(") ]] && specs+=(");
	if (row->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter, text_if(row->argument, "+"),
		       row->name, equals);
	else
		printf("'%s--%s%s'", kinds[kind].star, row->name, equals);
	printf("'[");
	zsh_quoted(row->help, "[]\\");
	printf("]%s", needs[need].colons);
	zsh_quoted(kind >= KIND_WORD ? row->name : memory_text(row->argument), ":\\");
	printf("%s", kinds[kind].before);
	if (kind == KIND_WORD) {
		put_words(row, false, "\\:");
		printf("; compadd - ");
	}
	put_words(row, true, NULL);
	printf("%s')\n", kinds[kind].after);
}

static const char zsh[] =
	"#compdef urlsift\n"
	"_urlsift() {\n"
	"\tlocal verb=~d\n"
	"\tlocal -a verbs specs\n"
	"\tverbs=(\n"
	"~v"
	"\t)\n"
	"\tif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
	"\t\t_describe -t verbs verb verbs\n"
	"\t\t_files\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif (( CURRENT > 2 )) && [[ $words[2] == (~a) ]]; then\n"
	"\t\tverb=$words[2]\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\tfi\n"
	"~o"
	"\tcase $verb in\n"
	"\t~u) specs+=('*:URL: ') ;;\n"
	"\tschemes) ;;\n"
	"\tcompletions) specs+=('1:shell:(bash zsh fish)') ;;\n"
	"\thelp) specs+=('1:verb:{_describe -t verbs verb verbs}') ;;\n"
	"\tquery) specs+=('1:database:_files' '2:question:(~q)' '*:argument: ') ;;\n"
	"\t*) specs+=('*:file:_files') ;;\n"
	"\tesac\n"
	"\t_arguments -s -S $specs\n"
	"}\n"
	"if [[ $funcstack[1] == _urlsift ]]; then _urlsift \"$@\"; else compdef _urlsift urlsift; fi\n";

/* ---- fish --------------------------------------------------------------------------- */

#define FISH_QUOTE "\\'"

/* The words that the value may be, each with what the help says of it, `; word: text`, or first of all. */
static void fish_words(const struct option *row)
{
	size_t n;
	const char *word;
	for (unsigned i = 0; (word = option_word(row, i, &n)); i++) {
		const char *help = row->help, *p = help;
		const size_t end = strcspn(word, "|:");
		while ((p = strchr(p, ';'))) {
			p += sizeof "; " - 1;
			if (!strncmp(p, word, end) && p[end] == ':')
				help = p + end + sizeof ": " - 1;
		}
		printf("%s%.*s%s\\t\"", text_if(i, " "), (int)end, word, text_if(end < n, ":"));
		put_quoted(help, strcspn(help, ";"), "", FISH_QUOTE);
		printf("\"");
	}
}

static void fish_option(const struct option *row)
{
	static const struct { const char *before, *after; } kinds[] = {
		{ "", "" }, { "", "" }, { "", "" }, { " -a '", "'" }, { " -a '(__urlsift_list ", ")'" }
	};
	static const char *const needs[] = { [VALUE_NONE] = "", [VALUE_NEEDED] = " -x", [VALUE_OPTIONAL] = " -f" };
	const enum value_kind kind = kind_of(row);
	const char *files = kind == KIND_FILE ? " -r -F" : needs[need_of(row)];
	printf("complete -c urlsift -n '__urlsift_verb ");
	put_verbs(row->verbs, " ");
	printf("' -l %s", row->name);
	if (row->letter)
		printf(" -s %c", row->letter);
	printf("%s%s", files, kinds[kind].before);
	if (kind == KIND_WORD && strchr(row->help, ';'))
		fish_words(row);
	else
		put_words(row, true, ":");
	printf("%s -d '", kinds[kind].after);
	put_quoted(row->help, strlen(row->help), "\\", FISH_QUOTE);
	printf("'\n");
}

static const char fish[] =
	"# fish completion of urlsift\n"
	"function __urlsift_verb\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l verb ~d\n"
	"\tif set -q words[2]; and contains -- $words[2] ~A\n"
	"\t\tset verb $words[2]\n"
	"\tend\n"
	"\tcontains -- $verb $argv\n"
	"end\n"
	"function __urlsift_first\n"
	"\ttest (count (commandline -opc)) -eq 1\n"
	"end\n"
	"function __urlsift_list\n"
	"\tset -l value (string replace -r '^--[^=]*=' '' -- (commandline -ct))\n"
	"\tprintf '%s\\n' (string replace -r '[^,]*$' '' -- $value)$argv\n"
	"end\n"
	"~v"
	"complete -c urlsift -n '__urlsift_verb ~N' -f\n"
	"complete -c urlsift -n '__urlsift_verb completions' -a 'bash zsh fish'\n"
	"complete -c urlsift -n '__urlsift_verb query; and test -f (commandline -opc)[-1]' -f -a '~q'\n"
	"complete -c urlsift -n '__urlsift_verb help; and not __urlsift_first' -a '~A'\n"
	"~o";

/* ---- The verb ----------------------------------------------------------------------- */

enum status completions_verb(struct options *o)
{
	static const struct shell shells[] = {
		{ "bash", bash, bash_option, NULL, NULL },
		{ "zsh", zsh, zsh_option, "\t\t'%s:", ZSH_QUOTE },
		{ "fish", fish, fish_option, "complete -c urlsift -n __urlsift_first -a %s -d '", FISH_QUOTE },
		{ .name = NULL }
	};
	const struct shell *s = row_named(shells, sizeof *s, o->run.in.file_count == 1 ? *o->run.in.files : "");
	if (!s)
		return report_usage("completions takes bash, zsh or fish");
	for (const char *at = s->script; *at; at++) {
		if (*at != '~') {
			printf("%c", *at);
			continue;
		}
		const char letter = *++at, *help = NULL, *word, *before = "";
		put_verbs(verbs_of[letter | 0x20], letter & 0x20 ? "|" : " ");
		for (size_t i = 0; letter == 'q' && (word = query_word(i, NULL)); i++, before = " ")
			printf("%s%s", before, word);
		for (const struct option *row = option_table; letter == 'o' && row->name; row++)
			s->option(row);
		for (const struct verb *v = verb_table; letter == 'v' && v->name; v++) {
			help = text_or(v->help, help);
			printf(s->verb, v->name);
			put_quoted(help, strlen(help), "\\", s->quote);
			printf("'\n");
		}
	}
	return help_end();
}
