// Each figure of the page loads the model that it names, and begins to move.
import { mount } from "./common.js";

for (const figure of document.querySelectorAll("figure.explorable")) {
  const { model } = await import(`./${figure.dataset.model}.js`);
  mount(figure, model);
}
