// What the pages do beyond plain forms: sliders beside numbers, dropped and pasted files, copying, and where the eye goes
// after an answer.
"use strict";

document.documentElement.classList.add("js");

const rangeOf = (number) => document.querySelector(`input[type="range"][data-for="${number.id}"]`);

function toValue(range) {
  const { low, high, step } = range.dataset;
  const share = range.value / 1000;
  const raw = "log" in range.dataset ? low * (high / low) ** share : +low + share * (high - low);
  return written(range, +step ? +(Math.round(raw / step) * step).toPrecision(12) : +raw.toPrecision(2));
}

// an amount with its unit: 1pt is 0.01 of a rate; no amount at all is an empty field
const written = (range, number) => "suffix" in range.dataset ? (number ? number + range.dataset.suffix.trim() : "") : String(number);

function amount(range, value) {
  const text = String(value).trim().replace(",", ".");
  if (!("suffix" in range.dataset)) return Number(text);
  const points = range.dataset.suffix === "pt" && /^[\d.]+$/.test(text);
  return text === "" ? 0 : points ? 100 * text : parseFloat(text);
}

function toPosition(range, value) {
  const { low, high } = range.dataset;
  const number = amount(range, value);
  const share = "log" in range.dataset ? Math.log(number / low) / Math.log(high / low) : (number - low) / (high - low);
  return Number.isFinite(share) ? Math.round(1000 * Math.min(1, Math.max(0, share))) : null;
}

function follow(range, value) {
  const position = toPosition(range, value);
  if (position !== null) range.value = position;
  range.setAttribute("aria-valuetext", value);
}

function setSliders(root) {
  for (const range of root.querySelectorAll('input[type="range"][data-for]')) {
    follow(range, document.getElementById(range.dataset.for).value);
  }
}

document.addEventListener("input", (event) => {
  const { target } = event;
  if (target.matches('input[type="range"][data-for]')) {
    const number = document.getElementById(target.dataset.for);
    number.value = toValue(target);
    target.setAttribute("aria-valuetext", number.value);
  } else if (target.id && rangeOf(target)) {
    follow(rangeOf(target), target.value);
  }
});

// a whole step per key press, where a thousandth of the slider is another amount or no change at all
document.addEventListener("keydown", (event) => {
  const range = event.target;
  const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!direction || !range.matches('input[type="range"][data-for]') || !+range.dataset.step) return;
  const number = document.getElementById(range.dataset.for);
  const { low, high, step } = range.dataset;
  const moved = toValue({ value: +range.value + direction, dataset: range.dataset });
  if ("log" in range.dataset && moved !== number.value) return;
  event.preventDefault();
  const next = Math.min(high, Math.max(low, amount(range, number.value) + direction * step));
  number.value = written(range, +next.toPrecision(12));
  number.dispatchEvent(new Event("input", { bubbles: true }));
});

function tell(form, message) {
  form.querySelector(".alert")?.remove();
  const alert = Object.assign(document.createElement("div"), { className: "alert", textContent: message, tabIndex: -1 });
  alert.setAttribute("role", "alert");
  form.prepend(alert);
  alert.focus();
}

function takeFiles(input) {
  const zone = input.closest(".drop");
  const files = [...input.files];
  if (!files.length) return;
  const paths = document.getElementById("paths");
  const most = Number(zone.dataset.files || 1);
  if (files.reduce((sum, file) => sum + file.size, 0) > Number(zone.dataset.most)) {
    input.value = "";
    tell(input.form, zone.dataset.tooLarge);
  } else if (input.multiple && files.length > most) {
    input.value = "";
    tell(input.form, `There are more than ${most} files, the most this page takes at once.`);
  } else {
    // a browser sends files of a folder without the folder, in which some formats keep the model
    if (paths) paths.value = files.map((file) => file.relativePath || file.webkitRelativePath || file.name).join("\n");
    document.querySelector("answer" in input.dataset ? "#compare, #answer-button" : "#look")?.click();
  }
}

document.addEventListener("change", (event) => {
  if (event.target.id === "file") takeFiles(event.target);
});

const listed = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

async function filesBelow(entry, most, found = []) {
  if (found.length > most) return found;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    file.relativePath = entry.fullPath.replace(/^\//, "");
    if (!file.name.startsWith(".")) found.push(file);
  } else {
    const reader = entry.createReader();
    for (let some = await listed(reader); some.length; some = await listed(reader)) {
      for (const each of some) await filesBelow(each, most, found);
    }
  }
  return found;
}

// the files of folders too, where several are taken
async function dropped(transfer, input) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [...transfer.files];
  if (!input.multiple || !entries.some((entry) => entry.isDirectory)) return files;
  const most = Number(input.closest(".drop").dataset.files);
  const found = [];
  for (const entry of entries) await filesBelow(entry, most, found);
  return found;
}

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const zone = event.target.closest?.(".drop");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault(); // a file dropped beside the zone must not replace the page
    document.querySelector(".drop")?.classList.toggle("over", kind === "dragover" && zone !== null);
    const input = document.getElementById("file");
    if (kind !== "drop" || !input || !event.dataTransfer.files.length) return;
    dropped(event.dataTransfer, input).then((files) => {
      const all = new DataTransfer();
      for (const file of files) all.items.add(file);
      input.files = all.files;
      [...input.files].forEach((file, i) => { file.relativePath = files[i].relativePath; });
      takeFiles(input);
    });
  });
}

// a table that is pasted on the first screen, wherever the cursor is
document.addEventListener("paste", (event) => {
  const text = document.querySelector(".zone textarea");
  const pasted = event.clipboardData?.getData("text") ?? "";
  if (!text || event.target.closest?.("input, textarea") || !pasted.includes("\n")) return;
  text.value = pasted;
  document.getElementById("compare").click();
});

// A field that was edited is looked at when it loses the focus. If that is because somebody presses a button, the
// button counts: an answer in between would put another button under the pointer, and the click would be lost.
let pressing = false;
let heldBack = null;
document.addEventListener("pointerdown", (event) => { pressing = event.target.closest?.("button, a") !== null; });
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => setTimeout(() => {
    pressing = false;
    heldBack?.dispatchEvent(new Event("change", { bubbles: true })); // dropped where the button asks for an answer
    heldBack = null;
  }, 0));
}
for (const kind of ["htmx:beforeRequest", "htmx:beforeSwap"]) {
  document.addEventListener(kind, (event) => {
    const asking = event.detail.requestConfig.elt;
    if (!pressing || !asking.matches("fieldset")) return;
    event.preventDefault();
    heldBack = asking;
  });
}

// Where many ask at once, answers are worked out in turn: say how many come before this one.
document.addEventListener("htmx:beforeSend", (event) => {
  const note = document.getElementById("working");
  if (!note || event.detail.requestConfig.verb !== "post") return;
  const usual = note.textContent;
  let mine = null;
  const asking = setInterval(async () => {
    const { taken, done } = await (await fetch("/queue")).json();
    mine ??= taken;
    const before = mine - 1 - done;
    note.textContent = before > 0 ? `${usual} ${before === 1 ? "1 answer comes" : `${before} answers come`} before this one` : usual;
  }, 1000);
  event.detail.xhr.addEventListener("loadend", () => {
    clearInterval(asking);
    note.textContent = usual;
  });
});

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text }); // an address that is not trusted
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// a drop-down beside each column that says what it is, by way of the drop-downs that each role has
function addRoles(root) {
  const roles = [...root.querySelectorAll('select[name^="column_"]')];
  if (!roles.length) return;
  for (const row of root.querySelectorAll("tr[data-column]")) {
    const [{ column }, cell] = [row.dataset, row.cells[1]];
    const names = roles.filter((role) => [...role.options].some((option) => option.value === column));
    if (!names.length || cell.querySelector("select")) continue;
    const select = document.createElement("select");
    select.setAttribute("aria-label", `What ${column} is`);
    const own = roles.find((role) => role.value === column);
    select.append(new Option(own ? "as its name tells" : cell.textContent, ""));
    for (const role of names) select.append(new Option(role.name.slice("column_".length), role.name, false, role === own));
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      for (const role of roles) if (role.value === column) role.value = "";
      const chosen = roles.find((role) => role.name === select.value);
      if (chosen) chosen.value = column;
      (chosen ?? own)?.dispatchEvent(new Event("change", { bubbles: true }));
    });
    cell.replaceChildren(select);
  }
}

function addCopyButtons(root) {
  for (const block of root.querySelectorAll(".foldwise .snippet, .answer .verdict")) {
    if (block.querySelector(".copy")) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
    const what = block.matches(".verdict") ? "the answer" : block.querySelector(".label, summary")?.textContent || "the command";
    button.setAttribute("aria-label", `Copy ${what}`);
    block.append(button);
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button.copy");
  if (!button) return;
  const block = button.closest(".snippet, .verdict");
  const text = block.querySelector("pre")?.textContent ?? [...block.querySelectorAll("p")].map((p) => p.textContent).join(" ");
  await copy(text.trim());
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});

// Where an option was changed, what was open stays open, and the focus stays where it is.
let opened = [];
let column = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const changed = event.detail.requestConfig.elt.matches("fieldset");
  opened = changed ? [...document.querySelectorAll("#content details")].map((each) => each.open) : [];
  column = document.activeElement?.closest("tr[data-column]")?.dataset.column ?? null;
});

document.addEventListener("htmx:afterSettle", (event) => {
  setSliders(document);
  addCopyButtons(document);
  addRoles(document);
  const folded = document.querySelectorAll("#content details");
  if (opened.length === folded.length) folded.forEach((each, i) => { each.open = opened[i]; });
  const rows = [...document.querySelectorAll("tr[data-column]")];
  if (column !== null) rows.find((row) => row.dataset.column === column)?.querySelector("select")?.focus({ preventScroll: true });
  if (event.detail.requestConfig.elt.matches("fieldset") && !document.querySelector("#content .alert")) return;
  const news = document.querySelector("#content [data-focus]");
  if (news && news !== document.activeElement) {
    news.focus({ preventScroll: true });
    news.scrollIntoView({ block: "start", behavior: "auto" });
  }
});

document.addEventListener("htmx:sendError", (event) => {
  const form = event.target.closest("form");
  if (form) tell(form, "The page does not answer: it may have been stopped. Start foldwise serve again.");
});

document.addEventListener("DOMContentLoaded", () => {
  setSliders(document);
  addCopyButtons(document);
  addRoles(document);
});
