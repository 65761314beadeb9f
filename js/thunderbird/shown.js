// What leads somewhere in a body of HTML, with the texts that are shown for it.  The author of the message made the page:
// nothing in it is believed.  The work is linear in its size: what could grow faster has a limit, as has the time, and a
// page past one is said to be checked in part.
var urlsiftPage = (() => { // content.js calls it
  const NODES = 100000; // that are read of a page
  const NESTED = 8; // links that one text is shown for: those nearest to it, or that lie over it
  const PAIRS = 1000000; // of a link and a text that may lie over one another
  const STYLES = 8000000; // characters of style sheets, which one rule can give to many elements
  const TIME = 3000; // milliseconds that what is shown is looked at; after 5,000, Thunderbird asks whether to end the script
  const NO_TEXT = new Set(["style", "script", "template"]); // and noscript has: no script of a message runs
  const SVG = "http://www.w3.org/2000/svg", MATHML = "http://www.w3.org/1998/Math/MathML", XLINK = "http://www.w3.org/1999/xlink";
  const isElement = node => node.nodeType === Node.ELEMENT_NODE, isText = node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const isControl = element => /^(button|input)$/.test(element.localName) && /^(submit|image)$/.test(element.type);
  const isForeign = element => element.namespaceURI === SVG || element.namespaceURI === MATHML;
  let complete = true, left = STYLES, end = Infinity;

  function isLate() {
    const late = performance.now() > end;
    complete &&= !late;
    return late;
  }

  // Text of a style sheet, while there is not too much of it.
  function limited(text) {
    left -= text.length;
    complete &&= left >= 0;
    return left < 0 ? "" : text;
  }

  // ---- The page as it is shown: shadow trees and slots ----

  function childrenOf(node) {
    const slotted = node instanceof HTMLSlotElement ? node.assignedNodes({ flatten: true }) : [];
    return (slotted.length ? slotted : [...(node.openOrClosedShadowRoot ?? node).childNodes]).filter(child => !isElement(child) || !NO_TEXT.has(child.localName));
  }

  // What an entry has from its parent, unless its element is one itself.
  function inherit(entry) {
    const { node, parent } = entry, name = node.localName;
    entry.form = name === "form" ? entry : parent?.form ?? null;
    entry.map = name === "map" ? entry : parent?.map ?? null;
    entry.title = node.getAttribute("title") ?? parent?.title ?? "";
    entry.picture = parent?.picture ?? (isForeign(node) ? node : null);
  }

  // The nodes in their order.  The entries from that after an entry to its `end` are those in it.
  function flatten(root) {
    const entries = [], open = [];
    const enter = (node, parent) => {
      const entry = { node, parent, index: entries.length, end: 0, depth: open.length, level: 0, over: 0 };
      entries.push(entry);
      if (!isElement(node)) return;
      inherit(entry);
      open.push({ entry, children: childrenOf(node), next: 0 });
    };
    enter(root, null);
    while (open.length) {
      const last = open.at(-1), { entry, children } = last;
      if (last.next < children.length && entries.length < NODES) {
        enter(children[last.next++], entry);
      } else {
        complete &&= last.next === children.length;
        entry.end = entries.length;
        open.pop();
      }
    }
    return entries;
  }

  // ---- What leads somewhere ----

  // What belongs together by names and numbers: the elements of each.
  function relate(entries) {
    const labels = new Map(), images = new Map(), changes = new Map(), forms = new Map();
    const add = (map, key, value) => map.get(key)?.push(value) ?? map.set(key, [value]);
    for (const entry of entries) {
      const { node } = entry;
      if (!isElement(node)) continue;
      if (entry.form === entry) forms.set(node, entry);
      if (isControl(node)) for (let { form } = entry; form && !form.sends; form = form.parent.form) form.sends = true;
      if (node.localName === "label" && node.control) add(labels, node.control, entry);
      if (node.hasAttribute("usemap")) add(images, node.getAttribute("usemap").replace(/^[^#]*#/, ""), entry);
      if (node.namespaceURI === SVG && /^(set|animate)$/.test(node.localName) && /href$/.test(node.getAttribute("attributeName"))) {
        const id = node.getAttribute("href") ?? node.getAttributeNS(XLINK, "href");
        add(changes, id ? node.getRootNode().getElementById(id.slice(1)) : entry.parent.node, node);
      }
    }
    const find = ({ node: map }) => ["name", "id"].flatMap(name => images.get(map.getAttribute(name)) ?? [])
      .filter(({ node }) => node.getRootNode() === map.getRootNode());
    const known = new Map([[null, []]]); // the images of a map
    const imagesOf = ({ map }) => known.get(map) ?? known.set(map, find(map)).get(map);
    return { labels, changes, forms, imagesOf };
  }

  function targetsOf({ node, sends }, changes) {
    const name = node.localName;
    if (isControl(node)) return [node.getAttribute("formaction") ?? (node.form && node.form.getAttribute("action"))];
    // the key Enter sends one without a button
    if (name === "form") return sends ? [] : [node.getAttribute("action")];
    if (!/^(a|area)$/.test(name) && node.namespaceURI !== MATHML) return [];
    return [node.getAttribute("href"), node.getAttributeNS(XLINK, "href"),
      ...(changes.get(node) ?? []).flatMap(change => [change.getAttribute("to"), ...(change.getAttribute("values") ?? "").split(";")])];
  }

  function absolute(target, element) {
    if (!target) return null;
    try {
      const url = new URL(target, element.baseURI);
      return /^(https?|ftp|mailto):$/.test(url.protocol) ? url.href : null;
    } catch {
      return null;
    }
  }

  // The entries whose texts are shown for a link or a button.
  function shownFor(entry, { labels, forms, imagesOf }) {
    const { node } = entry, form = isControl(node) && (forms.get(node.form) ?? entry.form);
    if (node.localName === "area") return [entry, ...imagesOf(entry)];
    return [entry, ...labels.get(node) ?? [], ...form ? [form] : []];
  }

  // ---- What of a text is seen ----

  const numbers = text => (text.match(/[\d.]+/g) ?? []).map(Number);
  let canvas = null;
  const context = () => canvas ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });

  const colours = new Map();
  // Red, green, blue and opacity, each to 255, of a colour in any notation.
  function colour(text) {
    if (!colours.has(text)) {
      const paint = context();
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = "transparent"; // which stays where the text is no colour
      paint.fillStyle = text;
      paint.fillRect(0, 0, 1, 1);
      colours.set(text, [...paint.getImageData(0, 0, 1, 1).data]);
    }
    return colours.get(text);
  }

  // The part of an element that a clip path leaves; null where it is not known.
  function shapeOf(clipPath, box) {
    const [, name, inner] = /^(inset|circle|ellipse|polygon|path)\((.*)\)/.exec(clipPath) ?? [], path = new Path2D();
    if (!name || /calc|closest|farthest/.test(inner)) return null;
    const size = (text, whole) => text.endsWith("%") ? parseFloat(text) * whole / 100 : parseFloat(text);
    const words = text => text.trim().split(/\s+/), [before, at = "50% 50%"] = inner.split(/(?:^| )at /);
    if (name === "path") return new Path2D(/"(.*)"/.exec(inner)?.[1]);
    if (name === "polygon") {
      for (const [x, y] of inner.replace(/^(nonzero|evenodd),/, "").split(",").map(words)) path.lineTo(size(x, box.width), size(y, box.height));
    } else if (name === "inset") {
      const [top, right = top, bottom = top, left = right] = words(inner.split("round")[0]);
      const x = size(left, box.width), y = size(top, box.height);
      path.rect(x, y, Math.max(0, box.width - x - size(right, box.width)), Math.max(0, box.height - y - size(bottom, box.height)));
    } else {
      const [x, y] = words(at), [across, down = across] = words(before);
      if (across === "") return null; // closest-side
      path.ellipse(size(x, box.width), size(y, box.height), size(across, box.width), size(down, box.height), 0, 0, 2 * Math.PI);
    }
    return path;
  }

  // Whether a clip path leaves nothing of the line through the middle of a text.
  function isClipped(box, { shape, left, top }) {
    const y = box.top + box.height / 2 - top;
    return shape !== null && ![0.1, 0.3, 0.5, 0.7, 0.9].some(part => context().isPointInPath(shape, box.left + box.width * part - left, y));
  }

  function isCut(style, box) {
    if (Number(style.opacity) < 0.1) return true;
    const [top, right, bottom, left] = numbers(style.clip);
    if (left !== undefined && /absolute|fixed/.test(style.position) && Math.min(right - left, bottom - top) < 3) return true;
    return style.overflow !== "visible" && !/^(inline|contents)$/.test(style.display) && Math.min(box.width, box.height) < 3;
  }

  // Whether a colour cannot be told from that behind it.
  const isFaint = (color, behind) =>
    color[3] < 25 || color.slice(0, 3).reduce((sum, value, i) => sum + Math.abs(value - behind[i]), 0) < 40;

  // Whether the first letter of a block is not seen, unlike the rest.
  function lacksLetter(node, style, behind) {
    if (/^(inline|contents|none)$/.test(style.display)) return false;
    const { fontSize, opacity, marginLeft, webkitTextFillColor: ink } = getComputedStyle(node, "::first-letter");
    return Number(opacity) < 0.1 || parseFloat(marginLeft) < -50 || (fontSize !== style.fontSize && parseFloat(fontSize) < 4)
      || (ink !== style.webkitTextFillColor && isFaint(colour(ink), behind));
  }

  // How an element is shown.  `cut`, `unsure`, of `clip`: the depth of the innermost that it is in which cuts it, and may
  // cut it; `behind`: the colour; `painted`: its text may be seen in other ways than by its colour; `block`: the innermost
  // that has a position.
  function look(entry) {
    const { node, depth, parent } = entry, up = parent?.look;
    if (up && isLate()) return up;
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    const own = colour(style.backgroundColor), behind = own[3] > 25 ? own : up?.behind ?? [255, 255, 255];
    const isSvg = node.namespaceURI === SVG, color = colour(isSvg ? style.fill : style.webkitTextFillColor);
    const clipPath = limited(style.clipPath), hasClip = clipPath !== "none";
    const { left, top } = box, count = (up?.clip?.count ?? 0) + 1;
    const clip = hasClip ? { shape: shapeOf(clipPath, box), left, top, depth, up: up?.clip, count } : up?.clip;
    const mayBeCut = limited(style.maskImage) !== "none" || limited(style.filter) !== "none" || (hasClip && !clip.shape);
    const isLike = isFaint(color, behind), painted = (up?.painted ?? false) || limited(style.backgroundImage) !== "none"
      || limited(style.textShadow) !== "none" || /text/.test(style.backgroundClip) || parseFloat(style.webkitTextStrokeWidth) > 0
      || (isSvg && (style.stroke !== "none" || !/^(none|[a-z-]+\([^"]*\))$/.test(style.fill)));
    const asParent = style.visibility === "visible" && (up?.visible ?? true);
    return {
      style, behind, clip, cut: isCut(style, box) ? depth : up?.cut ?? -1,
      unsure: mayBeCut || (isLike && painted) ? depth : up?.unsure ?? -1, faint: isLike && !painted, painted,
      lacksLetter: (up?.lacksLetter ?? false) || lacksLetter(node, style, behind),
      visible: style.display === "contents" ? asParent : node.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
      turned: style.direction === "rtl" || /override/.test(style.unicodeBidi),
      block: style.position === "static" ? up?.block ?? node : node,
    };
  }

  function lookAt(entry) {
    const chain = [];
    for (let at = entry; at && !at.look; at = at.parent) chain.push(at);
    for (const at of chain.reverse()) at.look = look(at);
    return entry.look;
  }

  const rangeOf = ({ node }) => {
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    return range;
  };

  // Where a text in a link, which is at that depth, is seen, or null.
  function place(entry, depth) {
    const { visible, faint, cut, clip: inner } = lookAt(entry.parent), box = entry.box ??= rangeOf(entry).getBoundingClientRect();
    if (!visible || faint || cut >= depth || box.width < 1 || box.height < 4 || box.right <= 0 || box.bottom + scrollY <= 0) return null;
    if (inner?.count > NESTED) complete = false;
    else for (let clip = inner; clip?.depth >= depth; clip = clip.up) if (isClipped(box, clip)) return null;
    return box;
  }

  // With one of these, letters may be shown in another order: directions, and letters from right to left.
  const TURNS =
    /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
  let turned = false; // the page has one

  // What is seen of a text: all of it, or its letters, each with its box.
  function piecesOf(entry, box) {
    if (!turned && !entry.parent.look.turned) return [{ text: entry.node.data, box }];
    const range = rangeOf(entry), pieces = [];
    let at = 0;
    for (const text of entry.node.data) {
      range.setStart(entry.node, at);
      range.setEnd(entry.node, at += text.length);
      pieces.push({ text, box: range.getBoundingClientRect() });
      if (isLate()) break;
    }
    return pieces;
  }

  // ---- What a style sheet writes ----

  const strings = value => [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => unescape(text));

  // The symbols of the counter styles of the page, by name.
  function counterStyles() {
    const found = new Map(), read = rules => {
      for (const rule of rules) {
        const { name, prefix, symbols, additiveSymbols, suffix } = rule;
        if (rule instanceof CSSCounterStyleRule) found.set(name, strings([prefix, symbols, additiveSymbols, suffix].join(" ")));
        else if (rule.cssRules) read(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) {
      try {
        read(sheet.cssRules);
      } catch {
        complete &&= /^(chrome|resource):/.test(sheet.href); // of another origin, or too deep
      }
    }
    return found;
  }

  let symbols = null;
  const symbolsOf = name => (symbols ??= counterStyles()).get(name);

  // The number that a rule sets a counter to, if that is in it.
  function counted(name, style) {
    const found = [style.counterSet, style.counterReset, style.counterIncrement].map(text => text.split(" ")).find(words => words.includes(name));
    return found ? Number(found[found.indexOf(name) + 1]) : null;
  }

  function counterText(name, styleName, styles) {
    const value = styles.map(style => counted(name, style)).find(value => value !== null), known = symbolsOf(styleName);
    if (styleName.startsWith("decimal")) return String(value ?? "");
    if (value === undefined || !(known || /-(alpha|latin)$/.test(styleName))) complete = false; // it could spell anything
    return known ? known[value - 1] ?? known.join("") : "abcdefghijklmnopqrstuvwxyz"[value - 1] ?? "";
  }

  const unescape = text => text.replace(/\\(.)/g, "$1");
  const STRING = /"((?:[^"\\]|\\.)*)"/.source;
  const PARTS = new RegExp(`url\\("[^"]*"\\)|${STRING}|attr\\(([\\w-]+)[^)]*\\)`
    + `|counters?\\(([\\w-]+)(?:, ${STRING})?(?:, ([\\w-]+))?\\)|(open|close)-quote`, "g");

  // The text before or after an element, or of the marker of a list item.
  function generated(element, which) {
    const style = getComputedStyle(element, which), content = limited(style.content);
    if (/^(normal|none)$/.test(content)) return "";
    const quotes = content.includes("-quote") ? strings(limited(style.quotes)) : [];
    return limited(content.replace(PARTS, (_, text, name, counter, between = "", counterStyle = "decimal", quote = "") => {
      if (name) return element.getAttribute(name) ?? "";
      if (counter) return between + counterText(counter, counterStyle, [style, getComputedStyle(element)]);
      return quote ? quotes.filter((_, i) => i % 2 === (quote === "open" ? 0 : 1)).join("") : unescape(text ?? "");
    }));
  }

  // Strings of other properties that are shown.
  function listed(element, { style }) {
    const found = strings(limited(`${style.textOverflow} ${style.hyphenateCharacter}`)), isItem = style.display.includes("list-item");
    if (!isItem) return found;
    const type = limited(style.listStyleType);
    return [...found, ...strings(type), limited((symbolsOf(type) ?? []).join("")), generated(element, "::marker")];
  }

  // ---- The texts that are shown ----

  const said = element => ["alt", "title", "aria-label", "value", "placeholder"].map(name => element.getAttribute(name));
  const joined = all => all.map(({ text }) => text).join("");
  const isBelow = (a, b) => Math.abs(a.top - b.top) > a.height / 2;
  const compare = (a, b) => (isBelow(a, b) ? a.top - b.top : a.left - b.left);
  const inPlaces = seen => [...seen].sort((a, b) => compare(a.box, b.box));
  const lineEnd = (places, i) => (i && isBelow(places[i].box, places[i - 1].box) ? "\n" : "");
  const inLines = places => places.map(({ text }, i) => lineEnd(places, i) + text).join("");

  // Calls `each` with the entries in a link, less those in further links that are nested too deep in it.
  function within(entries, link, each) {
    for (let i = link.index; i < link.end; i++) {
      if (entries[i].level - link.level < NESTED) {
        each(entries[i]);
      } else {
        complete = false;
        i = entries[i].end - 1;
      }
    }
  }

  // What an element shows beside its text nodes.
  function extrasOf(entry) {
    if (entry.extras) return entry.extras;
    const { node } = entry, style = lookAt(entry), before = generated(node, "::before"), after = generated(node, "::after");
    return entry.extras = { before, after, texts: [...said(node), ...listed(node, style), before, after, before + after].filter(Boolean) };
  }

  // The texts of the source in an element.
  function sourcesIn(entries, link) {
    const texts = [], extras = [];
    within(entries, link, ({ node }) => {
      if (isElement(node)) extras.push(...said(node));
      else if (isText(node)) texts.push(node.data);
    });
    return [texts.join(""), ...extras];
  }

  // All texts in an element: as they are in the source, as they are seen in their order and in that of their places, with
  // the lines that they are on and what style sheets write between them, and those of attributes and style sheets.
  function textsIn(entries, link) {
    const texts = [], seen = [], mixed = [], extras = [], open = [], { depth } = link;
    const close = end => { while (open.length && open.at(-1).end <= end) mixed.push(open.pop().after); };
    let withoutFirst = false;
    within(entries, link, entry => {
      if (isLate()) return;
      close(entry.index);
      if (isElement(entry.node)) {
        const { before, after, texts: own } = extrasOf(entry), isInline = /^(inline|contents)$/.test(entry.look.style.display);
        const line = isInline && entry.node.localName !== "br" ? "" : "\n";
        extras.push(...own);
        mixed.push(line, before);
        open.push({ end: entry.end, after: after + line });
      } else if (isText(entry.node)) {
        const text = entry.node.data, box = place(entry, depth), { look } = entry.parent;
        texts.push(text);
        withoutFirst ||= look.lacksLetter;
        if (!box) return;
        for (const piece of piecesOf(entry, box)) seen.push({ ...piece, sure: look.unsure < depth });
        mixed.push(text);
      } else if (entry.node.nodeType === Node.TEXT_NODE) {
        mixed.push(" ");
      }
    });
    close(Infinity);
    const all = joined(seen), places = inPlaces(seen), firsts = withoutFirst ? [/^\s*./u, /^[\s\p{P}]*.\p{P}*/u] : [];
    return [all, texts.join(""), joined(places), inLines(places), joined(seen.filter(({ sure }) => sure)), mixed.join(""),
      ...firsts.map(first => all.replace(first, "")), ...extras, extras.join("")];
  }

  const tidy = texts => [...new Set(texts.filter(Boolean).map(text => text.replace(/\s+/g, " ").trim()))].filter(Boolean);

  // ---- What lies over one another ----

  // The box of what a style sheet lays before or after an element, or null.
  function laidOver(entry, which) {
    const style = getComputedStyle(entry.node, which);
    if (!/absolute|fixed/.test(style.position) || /^(normal|none)$/.test(limited(style.content))) return null;
    const around = entry.look.block.getBoundingClientRect(), size = text => parseFloat(text) || 0;
    return new DOMRect(around.left + size(style.left), around.top + size(style.top), size(style.width), size(style.height));
  }

  // Where a click follows a link.
  function clickable(entries, link) {
    const boxes = [];
    within(entries, link, entry => {
      if (isLate() || !isElement(entry.node)) return;
      const { visibility, pointerEvents } = lookAt(entry).style;
      if (visibility !== "visible" || pointerEvents === "none") return;
      boxes.push(...entry.node.getClientRects(), ...["::before", "::after"].map(which => laidOver(entry, which)).filter(Boolean));
    });
    return boxes.filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, top, right, bottom }) => ({ left, top, right, bottom, link }));
  }

  // Whether half of the smaller one is over the other.
  function overlap(a, b) {
    const lies = (from, to, from2, to2) => Math.min(to, to2) - Math.max(from, from2) > Math.min(to - from, to2 - from2) / 2;
    return lies(a.left, a.right, b.left, b.right) && lies(a.top, a.bottom, b.top, b.bottom);
  }

  // The lines of the texts of a page, and where style sheets write: `entry`, and `which` of its ends.
  function linesOf(entries) {
    const lines = [], boxOf = ({ left, top, right, bottom }) => ({ left, top, right, bottom, height: bottom - top });
    const add = (boxes, line) => { for (const box of boxes) lines.push({ ...line, box: boxOf(box) }); };
    for (const entry of entries) {
      if (isLate()) break;
      if (isText(entry.node)) add(rangeOf(entry).getClientRects(), { entry, key: entry });
      if (!isElement(entry.node)) continue;
      for (const which of ["::before", "::after"]) {
        if (/^(normal|none|"")$/.test(limited(getComputedStyle(entry.node, which).content))) continue;
        lookAt(entry);
        const box = laidOver(entry, which);
        add(box ? [box] : entry.node.getClientRects(), { entry, key: {}, which, isLaid: Boolean(box) });
      }
    }
    return lines.sort((a, b) => a.box.top - b.box.top);
  }

  // The text of a line if it is not of the link itself and is seen, or "".
  function textOver({ entry, which, isLaid }, link) {
    const isIn = (inner, outer) => inner.index >= outer.index && inner.index < outer.end;
    if (isIn(entry, link) || (which && !isLaid && isIn(link, entry))) return "";
    if (!which) return place(entry, 0) ? entry.node.data : "";
    return entry.look.visible ? generated(entry.node, which) : "";
  }

  // Finds the texts that lie over links or under them, from top to bottom: `texts` of a link.
  function findOverlaps(entries, links) {
    const boxes = links.flatMap(link => clickable(entries, link)).sort((a, b) => a.top - b.top);
    let pairs = 0, next = 0, near = [];
    for (const line of boxes.length ? linesOf(entries) : []) {
      const { box, entry, key } = line;
      while (next < boxes.length && boxes[next].top < box.bottom) near.push(boxes[next++]);
      pairs += near.length;
      if (pairs > PAIRS) complete = false;
      if (pairs > PAIRS || isLate()) return;
      near = near.filter(({ bottom }) => bottom > box.top);
      for (const other of near) {
        const { link } = other, text = link.texts?.has(key) || !overlap(box, other) ? "" : textOver(line, link);
        if (!text) continue;
        if (++entry.over > NESTED) {
          complete = false;
          break;
        }
        (link.texts ??= new Map()).set(key, { text, box });
      }
    }
  }

  // ---- All of it ----

  // What leads somewhere: the entry, its targets, the entries that are shown for it.
  function findLinks(entries, related) {
    const links = [], holders = new Set();
    for (const entry of entries) {
      if (!isElement(entry.node)) continue;
      const targets = [...new Set(targetsOf(entry, related.changes).map(target => absolute(target, entry.node)).filter(Boolean))];
      if (targets.length) links.push({ entry, targets, shown: shownFor(entry, related) });
    }
    for (const { shown } of links) for (const entry of shown) holders.add(entry);
    for (const entry of entries) entry.level = (entry.parent?.level ?? 0) + (holders.has(entry) ? 1 : 0);
    return links;
  }

  // Two functions that return what leads somewhere, each with the numbers of its texts: those of the source, which take
  // little time, and those that are shown.  `complete`: no limit was met.
  return root => {
    const entries = flatten(root), related = relate(entries), links = findLinks(entries, related);
    turned = entries.some(({ node }) => isText(node) && TURNS.test(node.data));
    const before = new Map(); // the texts that were returned, which are not again
    const read = (textsOf, findMore) => {
      const texts = [], labels = [], known = new Map();
      const add = (key, found) => {
        const old = new Set(before.get(key));
        before.set(key, found);
        labels.push(found[0]);
        return texts.push(found.filter(text => !old.has(text)).join("\n")) - 1;
      };
      // a form is shown for each of its buttons
      const numberOf = (key, make) => known.get(key) ?? known.set(key, add(key, tidy(make()))).get(key);
      const numbers = links.map(link => link.shown.map(entry => numberOf(entry, () => textsOf(entries, entry))));
      findMore();
      const anchors = links.flatMap(({ entry, targets }, i) => {
        const { node, title, picture } = entry, over = [...entry.texts?.values() ?? []], shown = numbers[i];
        const label = shown.map(number => labels[number]).find(Boolean) ?? "";
        if (title) shown.push(numberOf(title, () => [title]));
        if (over.length) shown.push(numberOf({}, () => [joined(over), joined(inPlaces(over))]));
        const beside = node.localName === "area" ? related.imagesOf(entry)[0]?.node ?? node : picture ?? node;
        return targets.map(href => ({ element: node, beside, href, label, shown }));
      });
      return { anchors, texts, complete };
    };
    const laid = links.map(({ entry }) => entry).filter(({ node }) => !/^(area|form)$/.test(node.localName));
    return {
      sources: () => read(sourcesIn, () => {}),
      shown() {
        end = performance.now() + TIME;
        return read(textsIn, () => findOverlaps(entries, laid));
      },
    };
  };
})();
