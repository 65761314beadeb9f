// The interface of linkify-it, for programs that call it: test, match, pretest.  A broken link is one match, from its
// first to its last part.
export class LinkifyIt {
  constructor(urlsift, options = { email: true }) {
    this.urlsift = urlsift;
    this.options = options;
  }

  pretest(text) { return this.test(text); }

  test(text) { return this.urlsift.test(text, this.options); }

  match(text) {
    const matches = this.urlsift.find(text, this.options).filter(link => link.linkable).map(link => ({
      schema: link.convention === "schemeless" ? "" : `${link.scheme}:`,
      index: link.start,
      lastIndex: link.end,
      raw: text.slice(link.start, link.end),
      text: link.text,
      url: link.href,
    }));
    return matches.length ? matches : null;
  }
}
