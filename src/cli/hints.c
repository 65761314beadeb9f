/* What an unknown option or verb may mean. */
#include "verbs.h"

#include "text/ascii.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- Nearest words ---------------------------------------------------------------- */

enum { LONGEST = 32, FAR = LONGEST };

/* How many letters to insert, remove or replace, or neighbours to exchange (optimal string alignment). */
static size_t distance(const char *a, const char *b)
{
	size_t d[LONGEST][LONGEST], m = strlen(a), n = strlen(b);
	if (m >= LONGEST || n >= LONGEST)
		return FAR;
	for (size_t i = 0; i <= m; i++)
		for (size_t j = 0; j <= n; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = smaller(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), smaller(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[m][n];
}

const char *nearest_word(const char *misspelt, word_at *word, const void *of)
{
	size_t length = strlen(misspelt), best = length > 3 ? 3 : 2;
	const char *answer = NULL, *w;
	for (size_t i = 0; (w = word(i, of)); i++) {
		bool begins = length > 2 && !strncmp(w, misspelt, length);
		size_t d = begins ? 0 : distance(misspelt, w);
		if (d < best) {
			best = d;
			answer = w;
		}
	}
	return answer;
}

static const char *verb_word(size_t i, const void *of)
{
	(void)of;
	return verb_table[i].name;
}

/* The name of option i, from 0, of those that the verb takes. */
static const char *option_name(size_t i, const void *verb)
{
	const struct option *row = option_table;
	while (row->name && (!(row->verbs & ((const struct verb *)verb)->bit) || i-- > 0))
		row++;
	return row->name;
}

/* ---- Words of other programs ------------------------------------------------------ */

/* What does here what grep, ripgrep, urlscan, urlview or xurls do for an option, or what a word asks for that is no
 * verb.  An option that the verb takes is not looked up. */
struct other {
	const char *words, *here;
};

static const struct other others[] = {
	{ "-A -B -C --after-context --before-context",
	  "list --format=%x prints the text around a link, --json --context=N N lines of it" },
	{ "-e -E -F -P -G --regexp --regex --extended-regexp --perl-regexp --pcre2 --pattern --grep --filter",
	  "--match=REGEX lists only links that match" },
	{ "-i --ignore-case -S --smart-case",
	  "--match='(?i)REGEX' ignores case; a host is compared without it; rewrite --in-place replaces the files" },
	{ "-v --invert-match --exclude-host --exclude-domain --exclude-mail --exclude-url --ignore --ignore-url "
	  "--ignore-host --skip --blocklist --no-mailto --no-email",
	  "--not-match=REGEX, --not-host=GLOB and --not-scheme=NAME leave links out" },
	{ "-L --files-without-match --files-without-links", "the files without links are those for which -c prints 0" },
	{ "-m --max-count -N --limit --first --first-only --head --top",
	  "'urlsift FILE | head -n N' prints the first N links" },
	{ "-R -d --dereference-recursive", "-r reads the files in folders; name a link to a folder to read it" },
	{ "--follow --tail --watch",
	  "'tail -f FILE | urlsift --join=never' shows each line's links at once; -r follows no links to folders" },
	{ "-g --glob --iglob -t --type", "-r --include=GLOB chooses files by their names, --exclude=GLOB leaves them out" },
	{ "--exclude-dir --ignore-dir --ignore-file --no-ignore --gitignore",
	  "-r --exclude=GLOB leaves out files and folders; files such as .gitignore are not heeded" },
	{ "-s --no-messages --silent", "2>/dev/null hides the messages, -q all output" },
	{ "-a --text --binary --plain", "--input=text reads any file as plain text; with -r, binary files are skipped" },
	{ "-z --search-zip --decompress --gzip --gz", "compressed files are read without an option; NUL is -0" },
	{ "-Z --null-data --print0 --zero", "-0 ends each line with NUL" },
	{ "-f --file --files",
	  "--files-from=FILE reads the files that FILE names, 'tail -f FILE | urlsift --join=never' one that grows" },
	{ "-w -x --word-regexp --line-regexp", "--match=REGEX may have \\b, ^ and $" },
	{ "--sort --sortr --sort-by --reverse", "links have the order of the text; sort(1) and tac(1) change it" },
	{ "--dedupe --dedup --distinct --uniq-links --unique-links --unique-urls --no-duplicates --skip-duplicates "
	  "--no-dupes --count-unique",
	  "-u lists each link only once, with -c it counts them" },
	{ "--column --columns --table --fields --tsv --delimiter --separator --vimgrep",
	  "--csv=url,host,line chooses columns, --format='%f:%l:%c:%u' and '%u\\t%h' print any text between them" },
	{ "--params --parameters --query-params --query-string --port --ports --path --paths",
	  "list --csv=url,host,port,path,query prints parts of links, --match=REGEX lists only links that match" },
	{ "--no-query --strip-query --without-query --no-params --origin",
	  "list --format='%s://%A%R' prints links without query and fragment" },
	{ "--no-fragment --strip-fragment", "\"urlsift FILE | sed 's/#.*//'\" prints links without fragment" },
	{ "--normalize --normalise --normalized --canonical --canonicalize",
	  "list --format=%N prints the comparable form of each link, 'urlsift normalise URL' that of a URL" },
	{ "--tld --tlds", "--host='*.org' lists only links to hosts that end so" },
	{ "--ioc --iocs --hxxp --defanged --fanged", "--refang also finds defanged links, like hxxp://a[.]example" },
	{ "--exit-code --exit-status --error --strict", "--fail-if-none makes the exit status 1 if there are no links" },
	{ "--template --printf", "list --format=TEMPLATE prints a template for each link, as '%l %u'" },
	{ "--format", "'urlsift rewrite --as=template:TEMPLATE' writes a template in place of each link" },
	{ "--from --sender --subject", "list --format='%F %S %u' prints the sender and the subject of the message" },
	{ "--pretty --yaml --xml --json-array --array --json-pretty",
	  "list --json writes an object per line, which programs such as jq(1) convert" },
	{ "--threads --parallel --workers", "-j N reads up to N files at the same time" },
	{ "--dry-run --diff --preview", "without --in-place rewrite prints the text, for 'diff FILE -'" },
	{ "--quiet", "what could not be read is reported; progress only on a terminal, or with --progress" },
	{ "--stdin", "without FILE, or where it is -, standard input is read" },
	{ "--encoding --from-code --latin1", "--charset=NAME is the charset of the input" },
	{ "--no-join --nojoin --no-unfold", "--join=never joins no lines; brackets join theirs" },
	{ "--no-quotes --no-quoted --skip-quotes --skip-quoted --unquoted",
	  "'urlsift rewrite FILE | grep -v \"^>\" | urlsift' leaves out the lines with quote marks" },
	{ "--no-header --no-headers --skip-header --skip-headers --body --body-only",
	  "--headers=none leaves the header of messages out" },
	{ "--warnings --suspicious --phishing warnings suspicious phishing",
	  "list --warned prints only links with a warning, --format='%u %w' and --csv name it" },
	{ "--stats --verbose --debug", "--summary reports totals, list --json all details of a link" },
	{ "--browser --run --run-safe --pipe -p", "'urlsift pick --open=COMMAND' opens links with a command" },
	{ "--no-browser --nobrowser --compact --single --no-menu", "list prints the links without a menu" },
	{ "--relaxed --schemeless --no-scheme", "--domains also finds names without a scheme" },
	{ "--emails --mailto --mails --include-mail addresses emails", "--email also finds email addresses" },
	{ "--domain --hostname --only-host",
	  "--host=GLOB lists only links to a host, --domains also finds names without a scheme" },
	{ "--hosts --only-hosts --host-only --hosts-only --domain-only --domains-only --hostnames --unique-hosts "
	  "--unique-domains --count-hosts --count-by-host --by-host --group-by --top-hosts hosts",
	  "\"urlsift list --host='*' --format=%h FILE | sort | uniq -c\" counts the links to each host" },
	{ "--registrable-domain --registered-domain --root-domain --base-domain --etld --psl --by-domain --count-domains",
	  "list --format=%O prints the registrable domain of each link" },
	{ "--unshorten --expand --resolve-redirects unshorten expand",
	  "--unwrap prints where known link rewriters lead; urlsift does not use the network" },
	{ "--after --before --since --until --date",
	  "list --json gives the date of each message, "
	  "'urlsift query --since=DATE --until=DATE' chooses those of an index" },
	{ "--attachments --attachment attachments", "attachments that are text are searched, others are not" },
	{ "--only --protocol --protocols --schemes --only-scheme --http --http-only --only-http --https-only "
	  "--only-https",
	  "--scheme=NAME,... lists only links with these schemes" },
	{ "--field --header-field --header",
	  "--format='%H %u' names the header field that a link is in, --headers=all searches all" },
	{ "--extension --ext --suffix --pdf", "--match='(?i)\\.(jpe?g|png)$' lists only links that end so" },
	{ "--images --pictures --img images pictures",
	  "--resources also finds the pictures of HTML, --match='(?i)\\.(jpe?g|png)$' lists only links that end so" },
	{ "--labels --label-only --labels-only --with-label --with-labels --with-text --link-text --anchor-text "
	  "--anchors --titles labels",
	  "list --format='%t %u' and --csv=label,url print the label of each link" },
	{ "--ipv6 --ip --ips", "--ipv4 also finds IPv4 addresses without a scheme; IPv6 addresses need one" },
	{ "--mask --hide-addresses mask", "html -o FOLDER --mask-addresses hides the hosts of mail addresses" },
	{ "--dead --alive --online --offline --check --check-links --check-extern --status --ping --timeout --retry "
	  "--retries --user-agent --follow-redirects --fetch --crawl dead fetch crawl",
	  "urlsift does not use the network; list -u lists the links to try with another program" },
	{ "--as --to --markup",
	  "'urlsift rewrite --as=FORM FILE' writes the text with its links in another form, 'urlsift rewrite "
	  "--as=clean FILE | urlsift' lists links without tracking parameters" },
	{ "-o --output", "'urlsift FILE > LINKS' keeps the links in a file" },
	{ "--output-dir --outdir --output-directory --out",
	  "'urlsift html -o DIR MAILBOX...' writes a folder of pages, 'urlsift FILE > LINKS' keeps the links in a file" },
	{ "--clean --untrack --no-tracking --strip-tracking --remove-tracking --tracking --strip strip untrack",
	  "'urlsift rewrite --as=clean' removes tracking parameters from the links of a text, as 'x' does in pick" },
	{ "--https --upgrade --secure secure upgrade", "'urlsift rewrite --as=https' makes https links of the http ones" },
	{ "--invalid --broken --faults invalid broken",
	  "list --not-valid=rfc3986 lists links that are not valid, 'urlsift explain URL' says why" },
	{ "--base-url --base-uri --root-dir --root-url --absolute --relative",
	  "--base=URL makes the relative links of HTML absolute" },
	{ "--ascii --punycode --percent-encode --urlencode --encode",
	  "list --encoded prints links in ASCII, --format=%U and %h with the A-labels of their hosts" },
	{ "--decode --unescape --percent-decode --urldecode --decoded --qp --quoted-printable --base64",
	  "mail is decoded without an option, percent-encoding is kept; 'urlsift explain URL' decodes it" },
	{ "--multiline --unfold --join-lines --wrapped",
	  "links that line ends break are joined; --join=likely joins more of them" },
	{ "--config --no-config --rcfile --genconf", "there is no file of settings; an alias of the shell keeps options" },
	{ "--input-format --filetype --file-type --mime-type",
	  "--input=html, text, mail and others is the type of the input" },
	{ "--html-only --only-html --text-only --only-text --no-html",
	  "list --in=a lists the targets of HTML's anchors alone, --format='%p %a %u' prints the part and element of "
	  "each" },
	{ "--exclude-private --exclude-all-private --exclude-loopback --no-private --public",
	  "--not-host=localhost --not-host='127.*' --not-host='10.*' --not-host='192.168.*' leave such hosts out" },
	{ "--msgid --message-id --messageid", "list --format='%m %u' prints the Message-ID of the message of each link" },
	{ "--input=md --input=markdown --input=org --input=rst --input=tex --input=latex --input=json --input=xml "
	  "--input=js --input=txt --input=plain",
	  "--input=text reads markup and source code as well" },
	{ "--input=eml --input=email --input=message", "--input=mail is one message, mbox a mailbox" },
	{ "--input=zip --input=gz --input=tar", "compressed files and archives are read without an option" },
	{ "--headers=only --headers=yes",
	  "--format='%H %u' names the header field of each link, --in=FIELD lists only its links" },
	{ "--headers=no --headers=off --headers=false", "--headers=none leaves the header of messages out" },
	{ "--as=md --as=gfm --as=commonmark", "--as=markdown writes Markdown" },
	{ "--as=text --as=txt --as=plain --as=unbreak --as=unwrapped",
	  "--as=join writes plain text with links on one line" },
	{ "--as=http", "--as=template:TEMPLATE writes any text in place of a link" },
	{ "unwrap --unwrap",
	  "--unwrap prints where rewritten links lead, 'urlsift rewrite --as=unwrap FILE' puts that into the text, which "
	  "pick and html can read" },
	{ "--unsubscribe unsubscribe", "list --in=List-Unsubscribe lists the links of that header field" },
	{ "extract find grep urls links get print --list --extract --dump --urls --links --url-only --urls-only "
	  "--link-only --links-only --only-urls --only-links --only-matching",
	  "'urlsift FILE' prints the links" },
	{ "--highlight --passthru highlight underline",
	  "'urlsift rewrite --as=term' shows the text with its links underlined" },
	{ "--host-to --move --replace move", "'urlsift rewrite --host=OLD --as=host:NEW' moves links to another host" },
	{ "--copy --clipboard open browse choose copy menu view",
	  "'urlsift pick FILE' shows a menu of the links, to open or copy them" },
	{ "linkify page web publish", "'urlsift html FILE' writes a web page" },
	{ "--feed --rss --atom archive pages site feed rss",
	  "'urlsift html -o DIR MAILBOX...' writes an archive of mail as a folder of pages, with the feed feed.xml" },
	{ "--md md", "'urlsift rewrite --as=markdown FILE' writes the text with its links in Markdown" },
	{ "--why why valid check validate lint parse split decode",
	  "'urlsift explain URL' shows the parts and faults of a URL, 'urlsift explain --json URL | jq -e "
	  ".valid.rfc3986' has a status, list --valid=GRAMMAR prints only valid ones" },
	{ "search ask stats", "'urlsift query DATABASE' answers questions from an index" },
	{ "mend fix rejoin convert replace edit", "'urlsift rewrite FILE' writes the text with its links mended" },
	{ "merge", "'urlsift index --merge DATABASE PART...' adds parts to an index" },
	{ NULL, NULL }
};

/* Options of other tools, on verbs that read no text. */
static const struct other of_query[] = {
	{ "--limit --line-number -m --max-count -N --first --head --top",
	  "'urlsift query DATABASE QUESTION | head -n N' prints the first N rows" },
	{ "--after --before --date", "--since=DATE and --until=DATE choose messages, posts and links take a date" },
	{ "--author --sender", "--from=TEXT chooses the messages of a sender" },
	{ "--host --domain --match --url",
	  "a host or URL is an argument, as in 'urlsift query DATABASE urls .a.example'" },
	{ "--format --template --columns --fields --separator",
	  "--json names all values, --csv has a header, cut(1) chooses columns" },
	{ "--sort --order --order-by --reverse", "sort(1) and tac(1) change the order of the rows" },
	{ NULL, NULL }
};
static const struct other of_resolve[] = {
	{ "-b --base --base-url --from",
	  "the base comes first, as in 'urlsift resolve http://a.example/b/ ../c'" },
	{ NULL, NULL }
};
static const struct other of_others[] = { { NULL, NULL } };

static const struct { unsigned verbs; const struct other *rows; } tables[] = {
	{ VERB_TEXT, others }, { VERB_QUERY, of_query }, { VERB_RESOLVE, of_resolve }, { VERB_ALL, of_others }
};

/* What does it here, or NULL; `verb` NULL: the word is no option. */
static const char *find_other(const char *word, const struct verb *verb)
{
	const unsigned bit = verb ? verb->bit : VERB_TEXT;
	size_t i = 0;
	while (!(tables[i].verbs & bit))
		i++;
	const struct other *row = tables[i].rows;
	while (row->words && !text_is_among(word, strlen(word), row->words))
		row++;
	return row->here;
}

/* Writes what may be meant by a word of which nothing is known; false for nothing.  An option has hyphens, and a verb
 * before it. */
static bool hint(char *to, size_t size, const char *hyphens, const char *word, const struct verb *verb)
{
	const bool is_verb = !verb;
	char whole[LONGEST + 2];
	snprintf(whole, sizeof whole, "%s%s", hyphens, word);
	const char *near, *other = find_other(whole, verb);
	const struct verb *asked = NULL;
	const struct option *value = option_table;
	if (is_verb) {
		const struct option *named = row_named(option_table, sizeof *named, word);
		near = nearest_word(word, verb_word, NULL);
		if (!near && named) {
			near = named->name;
			hyphens = "--";
		}
	} else {
		asked = verb_find(word);
		near = nearest_word(word, option_name, verb);
	}
	while (value->name && option_word_find(value, word) < 0)
		value++;
	if (other)
		return snprintf(to, size, ": %s", other) > 0;
	if (asked)
		return snprintf(to, size, " (did you mean 'urlsift %s'?)", asked->name) > 0;
	if (value->name)
		return snprintf(to, size, " (did you mean 'urlsift %s --%s=%s'?)", verb_with(value)->name, value->name,
		                word) > 0;
	if (near)
		return snprintf(to, size, " (did you mean %s%s?)", hyphens, near) > 0;
	*to = '\0';
	return false;
}

enum { HINT = 320 };

bool hint_verb(const char *word)
{
	char text[HINT];
	return hint(text, sizeof text, "", word, NULL);
}

enum status verb_unknown(const char *what, const char *word)
{
	char text[HINT];
	hint(text, sizeof text, "", word, NULL);
	return report_usage("%s '%s'%s", what, word, text);
}

enum status option_elsewhere(const struct option *row, const struct verb *verb, bool implied)
{
	char name[LONGEST + 2];
	const struct verb *const taker = verb_with(row), *last = taker;
	for (const struct verb *v = taker; v->name; v++)
		last = v->bit & row->verbs ? v : last;
	const bool two = last != taker && row->verbs == (taker->bit | last->bit);
	snprintf(name, sizeof name, "--%s", row->name);
	const char *other = find_other(name, verb), *colon = text_if(other, ": ");
	other = memory_text(other);
	if (implied)
		return report_usage("%s needs a verb before it, as in 'urlsift %s %s'%s%s", name, (two ? last : taker)->name,
		                    name, colon, other);
	return report_usage("%s does not take %s, but %s%s%s do%s%s%s", verb->name, name, taker->name,
	                    text_if(two, " and "), text_if(two, last->name), text_if(!two, "es"), colon, other);
}

enum status value_unknown(const struct option *row, const char *value, const struct verb *verb)
{
	char whole[2 * LONGEST];
	snprintf(whole, sizeof whole, "--%s=%s", row->name, value);
	const char *other = find_other(whole, verb);
	return report_usage("--%s takes %s, not '%s'%s%s", row->name, row->argument, value, text_if(other, ": "),
	                    memory_text(other));
}

enum status option_unknown(const char *hyphens, const char *name, const struct verb *verb)
{
	char text[HINT];
	hint(text, sizeof text, hyphens, name, verb);
	return report_usage("unknown option '%s%s'%s", hyphens, name, text);
}
