/* Random texts or mailboxes for a fuzz target, without its search for new paths: campaign scan|mail RUNS [SEED].
 * Each input is given with several ways to split it.  What fails is reproduced by its seed, which is printed. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state, current;

static uint32_t below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

static void on_abort(int signal)
{
	char line[64];
	int n = snprintf(line, sizeof line, "campaign: failed with seed %llu\n", (unsigned long long)current);
	(void)signal;
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		_exit(2);
}

static const char *const fragments[] = {
	"From joe@a.example Mon Jan  1 00:00:00 2024\n", "\nFrom joe@a.example Tue Jan  2 00:00:00 2024\n", ">From x\n",
	"From: Joe <joe@a.example>\n", "Subject: see http://s.example/\n",
	"Subject: =?utf-8?Q?http=3A//s.example/=C3=A4?=\n",
	"Subject: =?iso-8859-1?B?aHR0cDovL2IuZXhhbXBsZS8=?=\n", "Message-ID: <1@a.example>\n", "To: b@b.example\n",
	"Date: Mon, 1 Jan 2024 00:00:00 +0000\n", "MIME-Version: 1.0\n", "Content-Type: text/plain; charset=utf-8\n",
	"Content-Type: text/plain; charset=iso-8859-1; format=flowed; delsp=yes\n", "Content-Type: text/html\n",
	"Content-Type: multipart/mixed; boundary=b\n", "Content-Type: multipart/alternative; boundary=\"b c\"\n",
	"Content-Type: message/rfc822\n", "Content-Transfer-Encoding: quoted-printable\n",
	"Content-Location: http://l.example/\n",
	"Content-Transfer-Encoding: base64\n", "Content-Length: 40\n",
	"List-Unsubscribe: <http://u.example/>,\n\t<mailto:u@u.example>\n",
	"\n", "\n\n", "--b\n", "--b--\n", "--b c\n", "--b c--\n", "\r\n", " ", "\t", "=\n", "=3D", "=20\n", "-- \n", "> ",
	"aHR0cDovL2IuZXhhbXBsZS9sb25nL3BhdGg=\n", "aHR0cDov", "http://a.example/path", "<URL:http://b.example/lo\nng>",
	"www.c.example", "<a href=\"http://d.example/?a=1&amp;b\">text</a>",
	"<base href=http://e.example/>", "<!-- ", " -->",
	"<style>", "</style>", "<br>", "&#104;ttp://", "&lt;", "<p>", "javascript:x", "mailto:x@y.example",
	"\xc3\xa4", "\xff",
	"begin 644 f\n", "M:'1T<#HO+V$N97AA;7!L92\\B1IF\n", "end\n", "word ", "long words of a line ", "://", ".", "\n ",
	"\001\001\001\001\n"
};

static size_t add_mailbox(uint8_t *data)
{
	size_t n = 0, count = 1 + below(60);
	data[n++] = (uint8_t)below(256);
	data[n++] = 0;
	for (size_t i = 0; i < count; i++) {
		const char *fragment = fragments[below(sizeof fragments / sizeof *fragments)];
		memcpy(data + n, fragment, strlen(fragment));
		n += strlen(fragment);
	}
	return n;
}

/* The head of tests/fuzz/scan.c, and phrases or bytes. */
static size_t add_text(uint8_t *data)
{
	size_t n = 7 + 1 + below(153);
	for (size_t i = 0; i < n; i++)
		data[i] = (uint8_t)below(256);
	data[4] |= below(8) > 0;
	return n;
}

int main(int argc, char **argv)
{
	enum { SPLITS = 4 };
	static uint8_t data[1 << 16];
	if (argc < 3)
		return 2;
	int mail = !strcmp(argv[1], "mail");
	uint64_t runs = strtoull(argv[2], NULL, 10), seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	signal(SIGABRT, on_abort);
	for (current = seed; current < seed + runs; current++) {
		state = current * 0x9e3779b97f4a7c15u;
		below(1);
		size_t n = mail ? add_mailbox(data) : add_text(data);
		for (unsigned i = 0; i < SPLITS; i++) {
			data[mail ? 1 : 4] = (uint8_t)(mail ? below(256) : (data[4] & 1) | (below(128) << 1));
			LLVMFuzzerTestOneInput(data, n);
		}
	}
	printf("%llu passed, 0 failed\n", (unsigned long long)runs);
	return 0;
}
