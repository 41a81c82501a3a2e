// Explorers whose pictures were made when the site was built, predictions that wait for a choice, and
// what the theme's pages need: to be reached by the keyboard, to be printed, to be found.
"use strict";

const STEP = 450; // milliseconds that a picture stays, while a figure plays

// A figure's data are its own, or those of the same explorer at the top of the page.
function moving(figure) {
  const data = figure.querySelector("script") ?? document.querySelector("figure.opening script");
  const { values, files, captions } = JSON.parse(data.textContent);
  const sliders = [...figure.querySelectorAll("input")];
  const panels = [...figure.querySelectorAll(".picture")];
  const caption = figure.querySelector("[role=status]");
  const number = () => sliders.reduce(
    (sum, slider, axis) => sum * values[axis].length + Number(slider.value), 0);
  const show = () => {
    for (const panel of panels) {
      const [whole, change] = panel.querySelectorAll("img");
      if (whole.alt) whole.alt = captions[number()];
      change.hidden = files[number()] === "";
      if (!change.hidden) change.src = panel.dataset.folder + files[number()];
    }
    sliders.forEach((slider, axis) => {
      const value = values[axis][Number(slider.value)];
      slider.parentElement.querySelector("output").textContent = value;
      slider.setAttribute("aria-valuetext", value);
    });
    caption.textContent = captions[number()];
  };
  // The rest is fetched when somebody is about to move it.
  const seen = () => panels.find((panel) => panel.offsetParent !== null) ?? panels[0];
  const fetched = () => files.filter(Boolean)
    .forEach((file) => { new Image().src = seen().dataset.folder + file; });
  for (const event of ["pointerenter", "focusin", "touchstart"])
    figure.addEventListener(event, fetched, { once: true, passive: true });
  for (const slider of sliders) slider.addEventListener("input", show);
  if (figure.matches(".opening")) playing(figure, sliders[0], { show, seen, caption });
}

// The first slider goes to and fro while it is in sight, until somebody touches it or presses Stop.
function playing(figure, slider, { show, seen, caption }) {
  const button = figure.querySelector("button");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let plays = !calm.matches, inSight = false, step = 1, timer;
  const move = () => {
    if (![...seen().querySelectorAll("img")].every((image) => image.hidden || image.complete)) return;
    if (slider.value === slider.max) step = -1;
    if (slider.value === slider.min) step = 1;
    slider.value = Number(slider.value) + step;
    show();
  };
  const set = (changed) => {
    ({ plays = plays, inSight = inSight } = changed);
    button.textContent = plays ? "Stop" : "Play";
    caption.setAttribute("aria-live", plays ? "off" : "polite");
    clearInterval(timer);
    if (plays && inSight) {
      move();
      timer = setInterval(move, STEP);
    }
  };
  button.hidden = false;
  button.addEventListener("click", () => set({ plays: !plays }));
  calm.addEventListener("change", () => { if (calm.matches) set({ plays: false }); });
  for (const event of ["pointerdown", "keydown"])
    figure.querySelectorAll("input").forEach(
      (input) => input.addEventListener(event, () => set({ plays: false })));
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting !== inSight) set({ inSight: entry.isIntersecting });
  }).observe(figure.querySelector(".controls"));
}

function prediction(group) {
  const verdicts = document.querySelectorAll(`[data-compares="${group.dataset.prediction}"]`);
  group.addEventListener("change", (event) => {
    for (const verdict of verdicts) {
      const truth = verdict.dataset.truth;
      verdict.classList.add("compared");
      verdict.textContent = event.target.value === truth
        ? `You predicted “${truth}”, and so it is.`
        : `You predicted “${event.target.value}”; it is “${truth}”. What did you not expect?`;
    }
  });
}

// What is wider than the screen scrolls, by the keyboard too.
function reachable() {
  const wide = "div.math, .formula, div.cell_output, .bd-article table";
  for (const part of document.querySelectorAll(wide)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

// On paper nothing can be opened, and no ground is dark. What is changed for it is changed back.
function printed() {
  const { dataset } = document.documentElement;
  let shut = [], theme;
  addEventListener("beforeprint", () => {
    shut = [...document.querySelectorAll(".bd-article details:not([open])")];
    for (const part of shut) part.open = true;
    theme = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    for (const part of shut) part.open = false;
    dataset.theme = theme;
  });
}

// An excerpt is of the article: Sphinx takes all that has the role "main", so the theme's words too.
function excerpts() {
  const text = Search.htmlToText;
  Search.htmlToText = (page, anchor) => {
    const article = new DOMParser().parseFromString(page, "text/html").querySelector("article");
    if (article === null) return text(page, anchor);
    article.querySelectorAll(".run-here, .explorable").forEach((part) => part.remove());
    return text(`<div role="main">${article.innerHTML}</div>`, anchor);
  };
}

addEventListener("load", reachable);
addEventListener("resize", reachable);
printed();

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("figure.moves").forEach(moving);
  document.querySelectorAll("fieldset.prediction").forEach(prediction);
  if (typeof Search !== "undefined") excerpts();
});
