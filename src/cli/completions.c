#include "verbs.h"

#include <string.h>

/* ---- What the shells share ---------------------------------------------------------- */

/* Whether the arguments of the verb are files. */
static bool takes_files(const struct verb *v)
{
	return strstr(v->arguments, "FILE") || strstr(v->arguments, "DATABASE");
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

/* The verbs whose arguments are not files. */
static unsigned without_files(void)
{
	unsigned verbs = 0;
	for (const struct verb *v = verb_table; v->name; v++)
		if (v->help && !takes_files(v))
			verbs |= v->bit;
	return verbs;
}

/* The verbs whose argument is one of a few words. */
static bool takes_words(const struct verb *v)
{
	return v->help && strchr(v->arguments, '|');
}

static void put_arguments(const struct verb *v)
{
	for (const char *c = v->arguments + 1; *c; c++) /* after a blank */
		printf("%c", *c == '|' ? ' ' : *c);
}

static bool has_words(const struct option *row)
{
	size_t n;
	return option_word(row, 0, &n) != NULL;
}

/* Whether several words with commas between may be its value. */
static bool is_list(const struct option *row)
{
	return has_words(row) && !strchr(row->argument, '|');
}

static bool takes_file(const struct option *row)
{
	return row->argument && (strstr(row->argument, "FILE") || strstr(row->argument, "DIR"));
}

/* The words that its value may be. */
static void put_words(const struct option *row)
{
	size_t n;
	const char *word;
	for (unsigned i = 0; (word = option_word(row, i, &n)); i++)
		printf("%s%.*s", i > 0 ? " " : "", (int)n, word);
}

/* The questions of `query`, which follow the name of a database. */
static void put_questions(void)
{
	const char *word;
	for (size_t i = 0; (word = query_word(i, NULL)); i++)
		printf("%s%s", i > 0 ? " " : "", word);
}

/* The text on one line, inside quotation marks of the shell, with a backslash before the bytes of `special`. */
static void put_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			printf("'\\''");
		else
			printf(strchr(special, *text) ? "\\%c" : "%c", *text == '\n' ? ' ' : *text);
	}
}

/* ---- bash --------------------------------------------------------------------------- */

/* The options, as rows verbs;option;letter;kind of the value;its words. */
static void bash_rows(void)
{
	for (const struct option *row = option_table; row->name; row++) {
		bool optional = row->argument && *row->argument == '[';
		const char *kind = !row->argument ? "" : is_list(row) ? "list" : has_words(row) ? "words" :
		                   takes_file(row) ? "file" : "text";
		printf("\t\t");
		put_verbs(row->verbs, "|");
		const char *equals = *kind && !optional ? "=" : "", *hyphen = row->letter ? "-" : "";
		printf(";--%s%s;%s%.1s;%s;", row->name, equals, hyphen, &row->letter, kind);
		put_words(row);
		printf("\n");
	}
}

static void bash(void)
{
	printf("# bash completion of urlsift\n"
	       "_urlsift() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
	       "\tlocal option= options= value= list= head= verbs long letter kind words\n"
	       "\tif [[ $cur == = ]]; then option=$prev cur=\n"
	       "\telif [[ $prev == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
	       "\telif [[ $cur == --*=* ]]; then option=${cur%%%%=*} head=$option= cur=${cur#*=}\n"
	       "\telif [[ $prev == --* ]]; then option=$prev=\n"
	       "\telif [[ $prev == -? ]]; then option=$prev\n"
	       "\tfi\n"
	       "\t[[ $verb == @(");
	put_verbs(VERB_ALL, "|");
	printf(") ]] && (( COMP_CWORD > 1 )) || verb=%s\n"
	       "\twhile IFS=';' read -r verbs long letter kind words; do\n"
	       "\t\t[[ $verb == @($verbs) ]] || continue\n"
	       "\t\toptions+=\" $long${letter:+ $letter}\"\n"
	       "\t\t[[ $kind && $option == @($long|${long%%=}|${letter:--}) ]] && value=$kind list=$words\n"
	       "\tdone <<-'END'\n", verb_table->name);
	bash_rows();
	printf("\tEND\n"
	       "\tif [[ $value == list && $cur == *,* ]]; then head+=${cur%%,*}, cur=${cur##*,}; fi\n"
	       "\tif [[ $value == @(words|list) ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -P \"$head\" -W \"$list\" -- \"$cur\"))\n"
	       "\telif [[ $value == text ]]; then\n"
	       "\t\tcompopt +o default\n"
	       "\telif [[ ! $value && $cur == -* ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	       "\t\t[[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == *= ]] && compopt -o nospace\n"
	       "\telif [[ ! $value && $verb == query && -f $prev ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W '");
	put_questions();
	printf("' -- \"$cur\"))\n"
	       "\telif [[ ! $value ]] && (( COMP_CWORD == 1 )); then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W '");
	put_verbs(VERB_ALL, " ");
	printf("' -- \"$cur\"; compgen -f -- \"$cur\")\n"
	       "\t\tcompopt -o filenames\n"
	       "\telif [[ ! $value && $verb == @(");
	put_verbs(without_files(), "|");
	printf(") ]]; then\n"
	       "\t\tcompopt +o default\n");
	for (const struct verb *v = verb_table; v->name; v++)
		if (takes_words(v)) {
			printf("\t\t[[ $verb == %s ]] && COMPREPLY=($(compgen -W '", v->name);
			put_arguments(v);
			printf("' -- \"$cur\"))\n");
		}
	printf("\t\t[[ $verb == help ]] && COMPREPLY=($(compgen -W '");
	put_verbs(VERB_ALL, " ");
	printf("' -- \"$cur\"))\n"
	       "\tfi\n"
	       "}\n"
	       "complete -o default -F _urlsift urlsift\n");
}

/* ---- zsh ---------------------------------------------------------------------------- */

/* A specification for _arguments, if the verb is one of the option's. */
static void zsh_option(const struct option *row)
{
	bool optional = row->argument && *row->argument == '[';
	printf("\t[[ $verb == (");
	put_verbs(row->verbs, "|");
	printf(") ]] && specs+=(");
	if (row->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter, row->argument ? "+" : "", row->name,
		       row->argument ? "=" : "");
	else
		printf("'%s--%s%s'", row->argument && !has_words(row) ? "*" : "", row->name,
		       optional ? "=-" : row->argument ? "=" : "");
	printf("'[");
	put_quoted(row->help, "[]\\");
	printf("]");
	if (row->argument) {
		printf(optional ? "::" : ":");
		put_quoted(has_words(row) ? row->name : row->argument, ":\\");
		printf(takes_file(row) ? ":_files" : is_list(row) ? ":_sequence compadd - " : has_words(row) ? ":(" : ": ");
		put_words(row);
		printf(has_words(row) && !is_list(row) ? ")" : "");
	}
	printf("')\n");
}

/* The arguments of the verbs that take no files. */
static void zsh_arguments(void)
{
	printf("\tcase $verb in\n");
	for (const struct verb *v = verb_table; v->name; v++) {
		if (!v->help || takes_files(v))
			continue;
		printf("\t%s) specs+=('", v->name);
		if (takes_words(v)) {
			printf("1:%s:(", v->name);
			put_arguments(v);
			printf(")') ;;\n");
		} else if (v->bit == VERB_HELP) {
			printf("1:verb:{_describe -t verbs verb verbs}') ;;\n");
		} else {
			printf("*:URL: ') ;;\n");
		}
	}
}

static void zsh(void)
{
	printf("#compdef urlsift\n"
	       "_urlsift() {\n"
	       "\tlocal verb=%s\n"
	       "\tlocal -a verbs specs\n"
	       "\tverbs=(\n", verb_table->name);
	const char *help = "";
	for (const struct verb *v = verb_table; v->name; v++) {
		help = v->help ? v->help : help;
		printf("\t\t'%s:", v->name);
		put_quoted(help, "\\");
		printf("'\n");
	}
	printf("\t)\n"
	       "\tif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
	       "\t\t_describe -t verbs verb verbs\n"
	       "\t\t_files\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tif (( CURRENT > 2 )) && [[ $words[2] == (");
	put_verbs(VERB_ALL, "|");
	printf(") ]]; then\n"
	       "\t\tverb=$words[2]\n"
	       "\t\tshift words\n"
	       "\t\t(( CURRENT-- ))\n"
	       "\tfi\n");
	for (const struct option *row = option_table; row->name; row++)
		zsh_option(row);
	zsh_arguments();
	printf("\tquery) specs+=('1:database:_files' '2:question:(");
	put_questions();
	printf(")' '*:argument: ') ;;\n"
	       "\t*) specs+=('*:file:_files') ;;\n"
	       "\tesac\n"
	       "\t_arguments -s -S $specs\n"
	       "}\n"
	       "if [[ $funcstack[1] == _urlsift ]]; then _urlsift \"$@\"; else compdef _urlsift urlsift; fi\n");
}

/* ---- fish --------------------------------------------------------------------------- */

static void fish_option(const struct option *row)
{
	printf("complete -c urlsift -n '__urlsift_verb ");
	put_verbs(row->verbs, " ");
	printf("' -l %s", row->name);
	if (row->letter)
		printf(" -s %c", row->letter);
	if (takes_file(row))
		printf(" -r -F");
	else if (row->argument && *row->argument != '[')
		printf(" -x");
	if (has_words(row)) {
		printf(is_list(row) ? " -a '(__urlsift_list " : " -a '");
		put_words(row);
		printf(is_list(row) ? ")'" : "'");
	}
	printf(" -d '");
	for (const char *c = row->help; *c; c++)
		printf(strchr("'\\", *c) ? "\\%c" : "%c", *c == '\n' ? ' ' : *c);
	printf("'\n");
}

static void fish(void)
{
	printf("# fish completion of urlsift\n"
	       "function __urlsift_verb\n"
	       "\tset -l words (commandline -opc)\n"
	       "\tset -l verb %s\n"
	       "\tif set -q words[2]; and contains -- $words[2] ", verb_table->name);
	put_verbs(VERB_ALL, " ");
	printf("\n\t\tset verb $words[2]\n"
	       "\tend\n"
	       "\tcontains -- $verb $argv\n"
	       "end\n"
	       "function __urlsift_first\n"
	       "\ttest (count (commandline -opc)) -eq 1\n"
	       "end\n"
	       "function __urlsift_list\n"
	       "\tset -l value (string replace -r '^--[^=]*=' '' -- (commandline -ct))\n"
	       "\tprintf '%%s\\n' (string replace -r '[^,]*$' '' -- $value)$argv\n"
	       "end\n");
	for (const struct verb *v = verb_table; v->name; v++)
		printf("complete -c urlsift -n __urlsift_first -a %s -d '%s'\n", v->name, v->help ? v->help : v[-1].help);
	printf("complete -c urlsift -n '__urlsift_verb ");
	put_verbs(without_files(), " ");
	printf("' -f\n");
	for (const struct verb *v = verb_table; v->name; v++)
		if (takes_words(v)) {
			printf("complete -c urlsift -n '__urlsift_verb %s' -a '", v->name);
			put_arguments(v);
			printf("'\n");
		}
	printf("complete -c urlsift -n '__urlsift_verb query; and test -f (commandline -opc)[-1]' -f -a '");
	put_questions();
	printf("'\n"
	       "complete -c urlsift -n '__urlsift_verb help; and not __urlsift_first' -a '");
	put_verbs(VERB_ALL, " ");
	printf("'\n");
	for (const struct option *row = option_table; row->name; row++)
		fish_option(row);
}

/* ---- The verb ----------------------------------------------------------------------- */

enum status completions_verb(struct options *o)
{
	static const struct { const char *name; void (*put)(void); } shells[] = {
		{ "bash", bash }, { "zsh", zsh }, { "fish", fish }
	};
	const char *shell = o->run.file_count == 1 ? *o->run.files : "";
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shell, shells[i].name)) {
			shells[i].put();
			return help_end();
		}
	return report_usage("completions takes bash, zsh or fish");
}
