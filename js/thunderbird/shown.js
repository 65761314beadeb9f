// What leads somewhere in a body of HTML, with the texts that are shown for it.  The author of the message made the page:
// nothing in it is believed.
var urlsiftTargets = (() => { // content.js calls it
  const LONGEST = 10000; // of the texts shown for one link
  const NO_TEXT = new Set(["style", "script", "template", "noscript"]);
  const SVG = "http://www.w3.org/2000/svg", MATHML = "http://www.w3.org/1998/Math/MathML", XLINK = "http://www.w3.org/1999/xlink";
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name); // not that of a form's control

  // ---- The page as it is shown: shadow trees and slots ----

  function flat(node, found = []) {
    const slotted = node instanceof HTMLSlotElement ? node.assignedNodes({ flatten: true }) : []; // no control of a form
    for (const child of slotted.length ? slotted : (node.openOrClosedShadowRoot ?? node).childNodes) {
      if (NO_TEXT.has(child.localName)) continue;
      found.push(child);
      if (child.nodeType === Node.ELEMENT_NODE) flat(child, found);
    }
    return found;
  }

  const parentOf = node => node.parentElement ?? node.getRootNode().host ?? null;

  // ---- What of a text is seen ----

  const numbers = color => (color.match(/[\d.]+/g) ?? []).map(Number);

  function background(element) {
    for (let at = element; at; at = parentOf(at)) {
      const color = getComputedStyle(at).backgroundColor, [, , , alpha = 1] = numbers(color);
      if (alpha > 0.1) return numbers(color);
    }
    return [255, 255, 255];
  }

  function isFaint(element) {
    const color = numbers(getComputedStyle(element).webkitTextFillColor), behind = background(element);
    return (color[3] ?? 1) < 0.1 || color.slice(0, 3).reduce((sum, value, i) => sum + Math.abs(value - behind[i]), 0) < 40;
  }

  function isCut(element) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    return Number(style.opacity) < 0.1 || (style.overflow !== "visible" && style.display !== "inline" && Math.min(box.width, box.height) < 3);
  }

  // Where a text of `link` is seen, or null.
  function place(node, link) {
    const holder = parentOf(node), range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!holder?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || box.width < 1 || box.height < 4 || box.right <= 0
      || box.bottom + scrollY <= 0 || isFaint(holder)) return null;
    for (let at = holder; at; at = at === link ? null : parentOf(at)) if (isCut(at)) return null;
    return box;
  }

  // ---- The texts that are shown ----

  const isReversed = (text, holder) => /[\u202d\u202e]/.test(text) || /override/.test(getComputedStyle(holder).unicodeBidi);

  // What a style sheet writes before and after an element.
  function generated(element) {
    return ["::before", "::after"].map(which => getComputedStyle(element, which).content).filter(content => /["(]/.test(content))
      .map(content => content.replace(/attr\(([\w-]+)[^)]*\)/g, (_, name) => attribute(element, name) ?? "").replace(/"/g, ""));
  }

  const said = element => ["alt", "title", "aria-label", "value", "placeholder"].map(name => attribute(element, name));

  // All texts in an element: as they are in the source, as they are seen in their order and in that of their places, and
  // those of attributes and style sheets.
  function textsIn(link) {
    const nodes = flat(link), texts = nodes.filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const elements = [link, ...nodes.filter(node => node.nodeType === Node.ELEMENT_NODE)];
    const seen = texts.map(node => ({ text: node.data, node, box: place(node, link) })).filter(({ box }) => box);
    const joined = all => all.map(({ text }) => text).join("");
    const turned = seen.filter(({ text, node }) => isReversed(text, parentOf(node)));
    const placed = [...seen].sort((a, b) => (Math.abs(a.box.top - b.box.top) > a.box.height / 2 ? a.box.top - b.box.top : a.box.left - b.box.left));
    return [joined(seen), texts.map(node => node.data).join(""), joined(placed), [...joined(turned)].reverse().join(""),
      ...elements.flatMap(element => [...said(element), ...generated(element), generated(element).join("")])];
  }

  // ---- What leads somewhere ----

  const isControl = element => /^(button|input)$/.test(element.localName) && /^(submit|image)$/.test(element.type);
  const imagesOf = map => map ? [...map.getRootNode().querySelectorAll("[usemap]")].filter(image => attribute(image, "usemap") === `#${attribute(map, "name")}`) : [];

  function targetsOf(element) {
    if (isControl(element)) return [attribute(element, "formaction") ?? (element.form && attribute(element.form, "action"))];
    // the key Enter sends one without a button
    if (element.localName === "form") return flat(element).some(isControl) ? [] : [attribute(element, "action")];
    if (!/^(a|area)$/.test(element.localName) && element.namespaceURI !== MATHML) return [];
    const changes = element.namespaceURI === SVG ? [...element.querySelectorAll("set, animate")] : [];
    return [attribute(element, "href"), element.getAttributeNS(XLINK, "href"),
      ...changes.filter(change => /href$/.test(attribute(change, "attributeName"))).flatMap(change => [attribute(change, "to"), ...(attribute(change, "values") ?? "").split(";")])];
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

  // The elements whose texts are shown for a link or a button.
  function shownFor(element) {
    if (element.localName === "area") return [element, ...imagesOf(element.closest("map"))];
    return isControl(element) ? [element, ...element.labels ?? [], ...element.form ? [element.form] : []] : [element];
  }

  // After which element a warning of it is seen.
  function besideOf(element) {
    if (element.localName === "area") return imagesOf(element.closest("map"))[0] ?? element;
    let beside = element; // a picture or formula shows nothing but its own
    for (let at = element; at; at = parentOf(at)) if (at.namespaceURI === SVG || at.namespaceURI === MATHML) beside = at;
    return beside;
  }

  return root => {
    const cache = new Map(); // a form is shown for each of its buttons
    const textsOf = element => cache.get(element) ?? cache.set(element, textsIn(element)).get(element);
    return flat(root).filter(node => node.nodeType === Node.ELEMENT_NODE).flatMap(element => {
      const targets = [...new Set(targetsOf(element).map(target => absolute(target, element)).filter(Boolean))];
      if (!targets.length) return [];
      const texts = [...shownFor(element).flatMap(textsOf), element.closest("[title]")?.getAttribute("title")];
      const shown = [...new Set(texts.filter(Boolean).map(text => text.replace(/\s+/g, " ").trim()))].filter(Boolean);
      return targets.map(href => ({ element, beside: besideOf(element), href, label: shown[0] ?? "", shown: shown.join("\n").slice(0, LONGEST) }));
    });
  };
})();
