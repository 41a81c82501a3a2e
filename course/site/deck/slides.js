// One slide at a time, as large as the window allows; what is held back comes with the next press.
"use strict";
{
  const slides = [...document.querySelectorAll(".slide")];
  const LEAST = 14; // pixels of text, on a stage of 1280 by 720
  const overflows = (room) => room.scrollHeight > room.clientHeight + 1 ||
    [...room.querySelectorAll(".body, .text")].some((part) =>
      part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1);

  function fit(slide) {
    const room = slide.querySelector(".room");
    for (let size = 30; overflows(room) && size > LEAST; size -= 1) room.style.fontSize = `${size}px`;
  }

  let here = -1;
  function show(number, told) {
    here = Math.max(0, Math.min(slides.length - 1, number));
    for (const slide of slides) slide.classList.toggle("current", slide === slides[here]);
    for (const part of slides[here].querySelectorAll(".later")) part.classList.toggle("told", told);
    document.querySelector("output").textContent = `${here + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${here + 1}`);
  }

  function step(by) {
    const held = slides[here].querySelector(".later");
    if (held && held.classList.contains("told") !== by > 0) held.classList.toggle("told", by > 0);
    else if (slides[here + by]) show(here + by, by < 0);
  }

  function scale() {
    const factor = Math.min(innerWidth / 1280, innerHeight / 720);
    for (const slide of slides) slide.style.transform = `translate(-50%, -50%) scale(${factor})`;
  }

  const MOVES = {
    ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest?.("button")) return; // it is pressed
    if (event.key in MOVES) step(MOVES[event.key]);
    else if (event.key === "Home") show(0, false);
    else if (event.key === "End") show(slides.length - 1, true);
    else return;
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("nav button"))
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  addEventListener("resize", scale);
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1, false));

  const asked = Number(location.hash.slice(1)) - 1; // an address leads to a slide
  slides.forEach(fit); // all are laid out still
  document.documentElement.classList.add("shown");
  scale();
  show(asked, false);
}
