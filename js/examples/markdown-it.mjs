// A plugin for markdown-it: links of plain text as urlsift finds them, those broken by line ends included.
//
//     const md = markdownIt().use(urlsiftPlugin(await create()));
export const urlsiftPlugin = (urlsift, options) => md => {
  md.core.ruler.push("urlsift", state => {
    for (const block of state.tokens.filter(token => token.type === "inline")) block.children = linkTokens(block.children, state);
  });

  // Runs of text and line breaks outside links are one text, of which the parts of links become anchors.
  function linkTokens(tokens, state) {
    const out = [];
    let run = [], inLink = 0, inAnchor = false; // of HTML, in which there is none
    const flush = () => {
      const text = run.map(token => token.type === "text" ? token.content : "\n").join("");
      const links = urlsift.find(text, options).filter(link => link.linkable && md.validateLink(link.href));
      const parts = links.flatMap(link => link.parts.map(part => ({ ...part, href: link.href })));
      let from = 0;
      for (const token of run) {
        const to = from + (token.type === "text" ? token.content.length : 1);
        out.push(...(token.type === "text" ? cut(text, from, to, parts, state) : [token]));
        from = to;
      }
      run = [];
    };
    for (const token of tokens) {
      if (token.type === "link_open") inLink++;
      if (token.type === "link_close") inLink--;
      if (token.type === "html_inline" && /^<\/?a[\s/>]/i.test(token.content)) inAnchor = token.content[1] !== "/";
      if (!inLink && !inAnchor && (token.type === "text" || token.type === "softbreak")) {
        run.push(token);
        continue;
      }
      flush();
      out.push(token);
    }
    flush();
    return out;
  }

  function cut(text, from, to, parts, { Token }) {
    const out = [];
    const add = (end, nesting, type, tag, fields) => {
      if (type === "text" && end === from) return;
      out.push(Object.assign(new Token(type, tag, nesting), fields ?? { content: text.slice(from, end) }));
      from = end;
    };
    for (const { start, end, href } of parts) {
      if (end <= from || start >= to) continue;
      add(start, 0, "text", "");
      add(start, 1, "link_open", "a", { attrs: [["href", href]], markup: "urlsift", info: "auto" });
      add(Math.min(end, to), 0, "text", "");
      add(from, -1, "link_close", "a", { markup: "urlsift", info: "auto" });
    }
    add(to, 0, "text", "");
    return out;
  }
};
