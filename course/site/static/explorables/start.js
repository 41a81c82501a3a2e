// Each figure of the page loads the model that it names, and begins to move.
import { mount } from "./common.js";

for (const figure of document.querySelectorAll("figure.explorable")) {
  const { model } = await import(`./${figure.dataset.model}.js`);
  mount(figure, model);
}

// Small pictures on the cards of the first page move until somebody stops them.
for (const button of document.querySelectorAll(".stop-cards")) {
  const list = document.querySelector(".cards");
  button.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  button.addEventListener("click", () => {
    const stopped = list.classList.toggle("stopped");
    button.textContent = stopped ? "Move the pictures" : "Stop the pictures";
  });
}
