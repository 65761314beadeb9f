// How the add-on opens links.
import assert from "node:assert/strict";
import test from "node:test";
import { canOpen, openLink } from "../thunderbird/open.mjs";

const opened = [];
globalThis.messenger = {
  windows: { openDefaultBrowser: async href => opened.push(href) },
  compose: { beginNew: async details => opened.push(details) },
};

test("links that Thunderbird opens for an add-on", async () => {
  assert.deepEqual(["http://a.example/", "https://a.example/", "mailto:a@b.example", "ftp://a.example/", "news:x"].map(canOpen), [true, true, true, false, false]);
  await openLink("https://a.example/");
  await openLink("mailto:a+b@c.example,%22d%22@e.example?Subject=f%20g+h&body=i%0D%0Aj&cc=k@l.example&to=m@n.example&x=y&body=%zz&toString=1");
  await openLink("mailto:");
  assert.deepEqual(opened, ["https://a.example/",
    { to: ["a+b@c.example", "\"d\"@e.example", "m@n.example"], cc: ["k@l.example"], bcc: [], subject: "f g+h", plainTextBody: "i\nj\n%zz", isPlainText: true },
    { to: [], cc: [], bcc: [], subject: "", plainTextBody: "", isPlainText: true }]);
});
