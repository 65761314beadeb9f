// What is known about the URL in the fragment.
const report = await messenger.runtime.sendMessage({ type: "explain", url: decodeURIComponent(location.hash.slice(1)) });
document.title = messenger.i18n.getMessage("explain");
document.documentElement.lang = messenger.i18n.getUILanguage();
document.getElementById("url").textContent = report.url;
for (const { reason } of report.warnings) {
  const warning = document.createElement("p");
  warning.className = "warning";
  warning.textContent = reason;
  document.getElementById("warnings").append(warning);
}
const rows = [["scheme", report.purpose ? `${report.scheme}: ${report.purpose}` : report.scheme],
  ...report.fields.map(({ name, value, note }) => [name, note ? `${value} (${note})` : value]), ["target", report.href ?? ""], ["leads on to", report.unwrapped ?? ""]];
for (const [name, value] of rows.filter(row => row[1])) {
  const term = document.createElement("dt"), text = document.createElement("dd");
  term.textContent = name;
  text.textContent = value;
  document.getElementById("fields").append(term, text);
}
