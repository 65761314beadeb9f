// In a displayed message: makes anchors of the links that the background page finds in its plain text, and adds
// warnings to those of its HTML.
(() => {
  const PLAIN = "div.moz-text-plain, div.moz-text-flowed";
  const BLOCKS = "pre, blockquote, div, p, td, li, fieldset, body";
  const LABEL = 60; // characters of the text of a link that are shown
  const began = performance.now();
  const links = []; // of the message, for the menu and the list
  const known = new WeakSet(); // anchors of plain text
  const sentences = Object.fromEntries(["guessed", "rejoined"].map(name => [name, messenger.i18n.getMessage(name, "\0")]));
  const say = (name, value) => sentences[name].replace("\0", () => value);

  // ---- Warnings ----

  // No style sheet of the message reaches into a shadow tree, or is stronger than what is important for its :host.
  const important = (...rules) => rules.map(rule => `${rule} !important;`).join(" ");
  const LOOK = ["color: light-dark(#7a2e00, #ffcf9e)", "background: light-dark(#fff0d9, #3d2a12)",
    "font: 14px system-ui, sans-serif"];
  const HOST = important("all: initial", "direction: ltr", "unicode-bidi: isolate", "color-scheme: light dark");
  const BESIDE = `:host { ${HOST} ${important(...LOOK, "border-radius: 4px", "padding: 0 3px", "position: relative",
    "z-index: 2147483647")} }
    :host::before, :host::after, :host::first-letter, :host::first-line { ${important("all: initial", "content: none")} }`;

  function isolated(text) {
    const element = document.createElement("bdi");
    element.textContent = text;
    return element;
  }

  function shielded(style, ...content) {
    const host = document.createElement("span"), root = host.attachShadow({ mode: "closed" });
    const sheet = document.createElement("style");
    host.className = "urlsift-warning";
    sheet.textContent = style;
    root.append(sheet, ...content);
    return { host, root };
  }

  const warningFor = ({ reasons }) => shielded(BESIDE, isolated(` \u26a0 ${reasons.join("; ")} `)).host;

  // The bar at the top of a page: what it is in cannot hide it, for it is in the top layer.
  const BAR = `:host { ${HOST} ${important("display: block", "position: fixed", "inset: 0 0 auto", "max-height: 30%", "overflow: auto")} }
    :host::before, :host::after, :host::backdrop, :host::first-letter, :host::first-line {
      ${important("all: initial", "content: none", "display: none")} }
    div { ${LOOK.join("; ")}; padding: 1px 6px; overflow-wrap: anywhere }`;
  let bar = null;

  function putAbove() {
    if (bar.host.matches(":popover-open")) bar.host.hidePopover();
    bar.host.showPopover();
  }

  function addToBar(...content) {
    const line = document.createElement("div");
    line.append("\u26a0 ", ...content);
    if (!bar) {
      bar = shielded(BAR);
      bar.host.popover = "manual";
      // of the root element, these have an effect there, too
      document.documentElement.style.cssText += important("transition: none", "filter: none", "zoom: 1");
      document.documentElement.append(bar.host);
      putAbove();
      // a button of the page opens something
      document.addEventListener("toggle", ({ target, newState }) => {
        if (newState === "open" && target !== bar.host) putAbove();
      }, true);
    }
    bar.root.append(line);
    return line;
  }

  // What the bar lies over is moved down.
  function makeRoom() {
    document.documentElement.style.setProperty("margin-top", `${bar.host.offsetHeight}px`, "important");
  }

  let mark = null; // the line of the bar that HTML was not checked in full

  // The mark is there during work, and stays if Thunderbird ends what takes too long.
  function marked(work) {
    if (mark) mark.hidden = false;
    const done = work();
    if (mark) mark.hidden = true;
    return done;
  }

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
    const gathered = marked(() => roots.map(gather));
    const { found, look } = JSON.parse(await messenger.runtime.sendMessage({ type: "find", texts: gathered.map(({ text }) => text) }));
    marked(() => roots.forEach((root, i) => {
      for (const link of found[i]) links.push(link);
      show(root, gathered[i], found[i], look);
    }));
  }

  // ---- HTML ----

  // Adds the warnings of links that have none yet; returns whether no limit was met.
  async function check({ anchors, texts, complete }, warned) {
    const left = anchors.map((_, i) => i).filter(i => !warned[i]);
    const request = left.map(i => ({ href: anchors[i].href, shown: anchors[i].shown }));
    const answer = JSON.parse(await messenger.runtime.sendMessage({ type: "mismatches", anchors: request, texts }));
    if (!answer) return true; // the user wants none
    answer.reasons.forEach((name, n) => {
      if (!name) return;
      const { beside, href, label } = anchors[left[n]], reason = `${name}: ${new URL(href).host || href}`;
      const warning = warningFor({ reasons: [reason] });
      if (beside.slot) warning.slot = beside.slot;
      beside.after(warning);
      if (!warned.includes(reason)) addToBar(isolated(label.slice(0, LABEL)), ` \u2013 ${reason}`);
      warned[left[n]] = reason;
    });
    return complete && answer.complete;
  }

  // Warnings are beside the links and in the bar, for the page may hide the former.
  async function html() {
    const warned = [];
    let complete = false;
    try {
      const { sources, shown } = marked(() => urlsiftPage(document.body)); // of plain text too: HTML can pose as it
      const isRead = await check(marked(sources), warned), all = marked(shown);
      complete = await check(all, warned) && isRead;
      all.anchors.forEach(({ element, href, label }, i) => {
        const reasons = warned[i] ? [warned[i]] : [];
        if (!reasons.length && (known.has(element) || href.startsWith("mailto:"))) return;
        links.push({ text: href, href, linkable: true, label: label.slice(0, LABEL), guessed: false, alternates: [], parts: [],
          reasons });
      });
    } finally {
      mark.hidden = complete;
      makeRoom();
    }
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
    const isHtml = document.querySelector("div.moz-text-html"); // not that element alone: the message may end it
    if (isHtml) mark = addToBar(messenger.i18n.getMessage("limited"));
    if (roots.length) await plain(roots).catch(console.error); // HTML is checked nevertheless
    if (isHtml) await html().catch(console.error);
    document.documentElement.dataset.urlsift = `${links.length} links, ${Math.round(performance.now() - began)} ms`;
  })();
})();
