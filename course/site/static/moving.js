// Explorers whose pictures were made when the site was built, predictions that wait for a choice, and
// what the theme's pages need: to be reached by the keyboard, to be printed, to be found.
"use strict";

function moving(figure) {
  const frames = JSON.parse(figure.querySelector("script").textContent);
  const [image, slider, value, caption] =
    ["img", "input", "output", "[role=status]"].map((what) => figure.querySelector(what));
  slider.addEventListener("input", () => {
    const frame = frames[Number(slider.value)];
    image.src = frame.picture;
    image.alt = frame.caption;
    value.textContent = frame.value;
    slider.setAttribute("aria-valuetext", frame.value);
    caption.textContent = frame.caption;
  });
  // The rest is fetched when somebody is about to move it.
  const fetched = () => frames.forEach((frame) => { new Image().src = frame.picture; });
  for (const event of ["pointerenter", "focusin", "touchstart"])
    figure.addEventListener(event, fetched, { once: true, passive: true });
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
  const wide = "div.math, .formula, figure.moving, div.cell_output, .bd-article table";
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
  document.querySelectorAll("figure.moving:has(script)").forEach(moving);
  document.querySelectorAll("fieldset.prediction").forEach(prediction);
  if (typeof Search !== "undefined") excerpts();
});
