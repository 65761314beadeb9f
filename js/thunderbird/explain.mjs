// What is known about the URL in the fragment.
import { begin, isolated, warningOf } from "./page.mjs";

const report = await messenger.runtime.sendMessage({ type: "explain", url: decodeURIComponent(location.hash.slice(1)) });
begin("explain");
document.getElementById("url").append(isolated(report.url));
document.getElementById("warnings").append(...report.warnings.map(({ reason }) => warningOf(reason)));
const rows = [{ name: "scheme", value: report.scheme, note: report.purpose }, ...report.fields, { name: "target", value: report.href },
  { name: "leads on to", value: report.unwrapped }];
for (const { name, value, note } of rows.filter(row => row.value)) {
  const term = document.createElement("dt"), text = document.createElement("dd");
  term.textContent = name;
  text.append(isolated(value), note ? ` (${note})` : "");
  document.getElementById("fields").append(term, text);
}
