// What all explorables share: seeded chance, pieces of SVG, handles to drag, a button that stops.
// A model draws a state as text, so that Node draws the same picture as a browser.

/** Return a generator of uniform numbers in [0, 1), the same for the same seed (mulberry32). */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Return a generator of standard normal numbers, two uniform numbers each (Box and Muller). */
export function normals(uniform) {
  return () => {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  };
}

const FRAME = 30; // milliseconds that a picture stays at least

export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
export const percent = (share) => `${Math.round(100 * share)}%`.replace("-", "−");
export const range = (count) => Array.from({ length: count }, (_, number) => number);
const px = (length) => Number(length.toFixed(1));

export const line = (x1, y1, x2, y2, kind = "") =>
  `<path class="${kind}" d="M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}"/>`;
export const circle = (x, y, radius, kind = "") =>
  `<circle class="${kind}" cx="${px(x)}" cy="${px(y)}" r="${px(radius)}"/>`;
export const box = (x, y, width, height, kind = "") =>
  `<rect class="${kind}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"/>`;
export const words = (x, y, text, kind = "") =>
  `<text class="${kind}" x="${px(x)}" y="${px(y)}">${text}</text>`;
export const path = (points, kind = "", end = "") =>
  `<path class="${kind}" d="M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join("L")}${end}"/>`;

/** A handle on a track below the picture: the value grows from `left` to `right`, in pixels. */
export function track(name, label, [least, most, step], text, ends, height) {
  const along = (state, width) => {
    const [left, right] = ends(width);
    return left + ((state[name] - least) / (most - least)) * (right - left);
  };
  return {
    name, label, least, most, step, text,
    place: (state, width) => [along(state, width), height(width)],
    value: ([x], state, width) => {
      const [left, right] = ends(width);
      return least + ((x - left) / (right - left)) * (most - least);
    },
    draw: (state, width) => {
      const [left, right] = ends(width);
      const y = height(width);
      return words(left, y - 19, text(state)) + line(left, y, right, y, "track") +
        line(left, y, along(state, width), y, "track gone");
    },
  };
}

/** The picture of a state as an SVG of this width. */
export function picture(model, state, width) {
  const height = Math.round(model.height(width));
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `aria-hidden="true">${model.draw(state, width)}</svg>`;
}

/** Let a figure show a model and move: it plays in sight, and rests where that is asked for. */
export function mount(figure, model) {
  const state = model.start();
  const stage = figure.querySelector(".stage");
  const caption = figure.querySelector("figcaption");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const canvas = document.createElement("div");
  const handles = model.handles.map((handle) => [handle, document.createElement("span")]);
  const show = () => {
    const width = Math.floor(stage.clientWidth);
    canvas.innerHTML = picture(model, state, width);
    caption.textContent = model.sentence(state);
    for (const [handle, element] of handles) put(handle, element, state, width);
  };
  stage.replaceChildren(canvas, ...handles.map(([, element]) => element));
  const change = (handle, value) => {
    const { least, most, step, name } = handle;
    const whole = Math.round((value - least) / step) * step + least;
    state[name] = Number(clamp(whole, least, most).toFixed(6));
    model.changed?.(state, name);
    show();
  };
  for (const [handle, element] of handles) hold(handle, element, { stage, state, change });
  if (model.point) watch(stage, model, state, show);
  if (calm.matches) model.rest(state);
  play(figure, model, state, { show, calm });
  new ResizeObserver(show).observe(stage);
  show();
  figure.dataset.mounted = "";
}

function put(handle, element, state, width) {
  const [x, y] = handle.place(state, width);
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  element.setAttribute("aria-valuenow", Number(state[handle.name].toFixed(2)));
  element.setAttribute("aria-valuetext", handle.text(state));
}

/** Make an element a handle: for the mouse, a finger and the keyboard. */
function hold(handle, element, { stage, state, change }) {
  const { label, least, most, step, name } = handle;
  element.className = "handle";
  element.tabIndex = 0;
  const given = { role: "slider", "aria-label": label, "aria-valuemin": least, "aria-valuemax": most };
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  const drag = (event) => {
    const corner = stage.getBoundingClientRect();
    const point = [event.clientX - corner.left, event.clientY - corner.top];
    change(handle, handle.value(point, state, Math.floor(stage.clientWidth)));
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    element.focus();
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) drag(event);
  });
  const moves = {
    ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step,
    PageDown: -5 * step, PageUp: 5 * step, Home: -Infinity, End: Infinity,
  };
  element.addEventListener("keydown", (event) => {
    if (!(event.key in moves)) return;
    event.preventDefault();
    change(handle, clamp(state[name] + moves[event.key], least, most));
  });
}

/** Tell a model where the mouse, or a finger, points. */
function watch(stage, model, state, show) {
  stage.addEventListener("pointermove", (event) => {
    const corner = stage.getBoundingClientRect();
    model.point(state, event.clientX - corner.left, Math.floor(stage.clientWidth));
    show();
  });
  stage.addEventListener("pointerleave", () => model.point(state, null));
}

/** Move a model on while it is in sight and nobody has pressed Stop. */
function play(figure, model, state, { show, calm }) {
  const button = figure.querySelector("button");
  let playing = !calm.matches, inSight = false, last = null, frame = 0;
  const step = (now) => {
    last ??= now;
    if (now - last >= FRAME) {
      model.tick(state, Math.min(0.1, (now - last) / 1000));
      show();
      last = now;
    }
    frame = requestAnimationFrame(step);
  };
  const set = (changed) => {
    ({ playing = playing, inSight = inSight } = changed);
    button.textContent = playing ? "Stop" : "Play";
    cancelAnimationFrame(frame);
    last = null;
    if (playing && inSight) frame = requestAnimationFrame(step);
  };
  button.hidden = false;
  button.addEventListener("click", () => set({ playing: !playing }));
  calm.addEventListener("change", () => { if (calm.matches) set({ playing: false }); });
  new IntersectionObserver(([entry]) => set({ inSight: entry.isIntersecting })).observe(figure);
  set({});
}
