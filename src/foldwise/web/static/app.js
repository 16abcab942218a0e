// What the pages do beyond plain forms: sliders beside numbers, dropped files, and where the eye goes after an answer.
"use strict";

document.documentElement.classList.add("js");

const rangeOf = (number) => document.querySelector(`input[type="range"][data-for="${number.id}"]`);

function toValue(range) {
  const { low, high, step } = range.dataset;
  const share = range.value / 1000;
  const raw = "log" in range.dataset ? low * (high / low) ** share : +low + share * (high - low);
  return +step ? String(+(Math.round(raw / step) * step).toPrecision(12)) : String(+raw.toPrecision(2));
}

function toPosition(range, value) {
  const { low, high } = range.dataset;
  const number = Number(String(value).replace(",", "."));
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
  const next = Math.min(high, Math.max(low, Number(number.value) + direction * step));
  number.value = String(+next.toPrecision(12));
  number.dispatchEvent(new Event("input", { bubbles: true }));
});

function tell(form, message) {
  form.querySelector(".alert")?.remove();
  const alert = Object.assign(document.createElement("div"), { className: "alert", textContent: message, tabIndex: -1 });
  alert.setAttribute("role", "alert");
  form.prepend(alert);
  alert.focus();
}

function takeFile(input) {
  const zone = input.closest(".drop");
  const file = input.files[0];
  if (!file) return;
  if (file.size > Number(zone.dataset.most)) {
    input.value = "";
    tell(input.form, zone.dataset.tooLarge);
    return;
  }
  document.getElementById("look").click();
}

document.addEventListener("change", (event) => {
  if (event.target.id === "file") takeFile(event.target);
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const zone = event.target.closest?.(".drop");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault(); // a file dropped beside the zone must not replace the page
    document.querySelector(".drop")?.classList.toggle("over", kind === "dragover" && zone !== null);
    if (kind === "drop" && event.dataTransfer.files.length) {
      const input = document.getElementById("file");
      if (!input) return;
      input.files = event.dataTransfer.files;
      takeFile(input);
    }
  });
}

document.addEventListener("htmx:afterSettle", () => {
  setSliders(document);
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

document.addEventListener("DOMContentLoaded", () => setSliders(document));
