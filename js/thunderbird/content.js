// In a displayed message: makes anchors of the links that the background page finds in its plain text, and adds
// warnings to those of its HTML.
(() => {
  const PLAIN = "div.moz-text-plain, div.moz-text-flowed";
  const BLOCKS = "pre, blockquote, div, p, td, li, fieldset, body";
  // Beside the anchors of a message, whose style sheets must not hide it.
  const WARNING = ["all: initial", "direction: ltr", "unicode-bidi: isolate", "color-scheme: light dark", "color: light-dark(#7a2e00, #ffcf9e)",
    "background: light-dark(#fff0d9, #3d2a12)", "border-radius: 4px", "padding: 0 3px", "font: 14px system-ui, sans-serif", "position: relative",
    "z-index: 2147483647"].map(rule => `${rule} !important;`).join(" ");
  const began = performance.now();
  const links = []; // of the message, for the menu and the list
  const known = new WeakSet(); // anchors of plain text
  const sentences = Object.fromEntries(["guessed", "rejoined"].map(name => [name, messenger.i18n.getMessage(name, "\0")]));
  const say = (name, value) => sentences[name].replace("\0", () => value);

  // ---- Plain text ----

  // The text of a body, and where each of its text nodes begins.  Blocks and <br> are line ends.
  function gather(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), runs = [], blocks = new Map();
    const findBlock = element => (!element || element.matches(BLOCKS) ? element : blockOf(element.parentElement));
    const blockOf = element => blocks.get(element) ?? blocks.set(element, findBlock(element)).get(element);
    let text = "", block = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        // in flowed text, the source has a line end before it
        if (node.localName === "br" && !text.endsWith("\n")) text += "\n";
        continue;
      }
      const own = blockOf(node.parentElement);
      if (own !== block && text && !text.endsWith("\n")) text += "\n";
      block = own;
      runs.push({ node, start: text.length });
      text += node.data;
    }
    return { text, runs };
  }

  const isOurs = (anchor, root) => root.contains(anchor) && /(^|\s)moz-txt-link-/.test(anchor.className);

  function anchorFor(link, look) {
    const anchor = document.createElement("a"), { guessed } = link;
    known.add(anchor);
    anchor.href = link.href;
    anchor.className = guessed ? `urlsift urlsift-guess urlsift-look-${look}` : "urlsift";
    if (guessed) anchor.title = say("guessed", link.text);
    else if (link.parts.length > 1) anchor.title = say("rejoined", link.text);
    return anchor;
  }

  function warningFor(link) {
    const warning = document.createElement("span");
    warning.className = "urlsift-warning";
    warning.style.cssText = WARNING;
    warning.textContent = ` \u26a0 ${link.reasons.join("; ")} `;
    return warning;
  }

  // Replaces what the pieces, ranges of one text node, cover.
  function cut({ node, start }, pieces, look) {
    const fragment = document.createDocumentFragment(), { data } = node; // each access copies it
    let at = 0;
    for (const { link, from, to, last } of pieces) {
      const begin = Math.max(from - start, 0), end = Math.min(to - start, data.length);
      fragment.append(data.slice(at, begin));
      let shown = data.slice(begin, end);
      if (link.linkable) {
        const anchor = anchorFor(link, look);
        anchor.textContent = shown;
        shown = anchor;
      }
      fragment.append(shown);
      if (last && end === to - start && link.reasons.length) fragment.append(warningFor(link));
      at = end;
    }
    fragment.append(data.slice(at));
    node.replaceWith(fragment);
  }

  // The anchor of Thunderbird that already is the link, whole.
  function isDone(run, pieces, anchor) {
    const [piece] = pieces;
    return pieces.length === 1 && piece.link.parts.length === 1 && piece.link.reasons.length === 0 && piece.from === run.start
      && piece.to === run.start + run.node.length && anchor.childNodes.length === 1 && anchor.href === piece.link.href;
  }

  // Calls `each` for the text nodes that have links, with the parts of links in them.
  function overlaps(runs, found, each) {
    const parts = found.filter(link => link.linkable || link.forbidden || link.reasons.length).flatMap(link => link.parts.map((part, i) =>
      ({ link, from: part.start, to: part.end, last: i === link.parts.length - 1 })));
    let next = 0;
    for (const run of runs) {
      const end = run.start + run.node.length, pieces = [];
      while (next < parts.length && parts[next].to <= run.start) next++;
      for (let i = next; i < parts.length && parts[i].from < end; i++) pieces.push(parts[i]);
      if (!pieces.length) continue;
      each(run, pieces);
    }
  }

  // Anchors of Thunderbird that are not the whole link, or that must not be followed, are text again; links become
  // anchors.
  function show(root, { runs }, found, look) {
    let changed = false;
    const done = new Set();
    overlaps(runs, found, (run, pieces) => {
      const anchor = run.node.parentElement.closest("a[href]");
      if (!anchor || !isOurs(anchor, root)) return;
      if (isDone(run, pieces, anchor)) {
        known.add(anchor);
        done.add(run.node);
      } else if (pieces.some(({ link }) => link.linkable || link.forbidden)) {
        anchor.replaceWith(...anchor.childNodes);
        changed = true;
      }
    });
    // what was text next to an anchor is one text with it
    if (changed) root.normalize();
    overlaps(changed ? gather(root).runs : runs, found, (run, pieces) => { if (!done.has(run.node)) cut(run, pieces, look); });
  }

  async function plain(roots) {
    const gathered = roots.map(gather);
    const { found, look } = JSON.parse(await messenger.runtime.sendMessage({ type: "find", texts: gathered.map(({ text }) => text) }));
    roots.forEach((root, i) => {
      for (const link of found[i]) links.push(link);
      show(root, gathered[i], found[i], look);
    });
  }

  // ---- HTML ----

  function putFirst(link) {
    const warning = warningFor(link);
    warning.style.setProperty("display", "block", "important");
    document.body.prepend(warning);
  }

  // Warnings that the page does not let be seen beside their links are at its beginning.
  function watch(warnings) {
    const observer = new IntersectionObserver(entries => {
      for (const { target, intersectionRatio } of entries) {
        if (intersectionRatio > 0.5 && target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        putFirst(warnings.get(target));
      }
      observer.disconnect();
    }, { root: document, rootMargin: "1000000px" });
    for (const warning of warnings.keys()) observer.observe(warning);
  }

  async function html(root) {
    const { anchors, texts, complete } = urlsiftTargets(root); // those of plain text too: HTML can pose as it
    const request = { type: "mismatches", anchors: anchors.map(({ href, shown }) => ({ href, shown })), texts };
    const { reasons, limited } = JSON.parse(await messenger.runtime.sendMessage({ ...request, complete }));
    const warnings = new Map();
    anchors.forEach(({ element, beside, href, label }, i) => {
      const link = { text: href, href, linkable: true, label, guessed: false, alternates: [], parts: [],
        reasons: reasons[i] ? [`${reasons[i]}: ${new URL(href).host || href}`] : [] };
      if (link.reasons.length || !(known.has(element) || href.startsWith("mailto:"))) links.push(link);
      if (!link.reasons.length) return;
      const warning = warningFor(link);
      if (beside.slot) warning.slot = beside.slot;
      beside.after(warning);
      warnings.set(warning, { reasons: [`${label.slice(0, 60)} \u2013 ${link.reasons[0]}`] });
    });
    watch(warnings);
    if (limited) putFirst({ reasons: [limited] });
  }

  // ---- Answers for the menu and the list ----

  messenger.runtime.onMessage.addListener(message => {
    switch (message.type) {
      case "link": return Promise.resolve(links.find(link => link.href === message.url) ?? null);
      case "links": return Promise.resolve(links);
      default: return undefined;
    }
  });

  (async () => {
    const roots = [...document.querySelectorAll(PLAIN)].filter(root => !root.parentElement.closest(PLAIN)); // HTML can nest them
    if (roots.length) await plain(roots).catch(console.error); // HTML is checked nevertheless
    // not that element alone: the message may end it
    const isHtml = document.querySelector("div.moz-text-html");
    if (isHtml) await html(document.body).catch(() => putFirst({ reasons: [messenger.i18n.getMessage("limited")] }));
    document.documentElement.dataset.urlsift = `${links.length} links, ${Math.round(performance.now() - began)} ms`;
  })();
})();
