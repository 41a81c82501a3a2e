// Two Laplace bells pulled apart: the log of their ratio never leaves the band of distance/scale.
import { circle, clamp, line, path, percent, range, track, words } from "./common.js";

const FROM = -4.5, TO = 6.5; // outputs in the picture
const MOST_LOSS = 3.3;
const UPPER = 180, LOWER = 150, TOP = 30, GAP = 30; // pixels
const SWEEP = 7; // seconds of the marked output's way, to and fro

/** The density of the noise around a center. */
export const density = (y, center, scale) => Math.exp(-Math.abs(y - center) / scale) / (2 * scale);

/** The privacy loss of an output: the log of the first bell's height over the second's. */
export const loss = (y, distance, scale) => (Math.abs(y - distance) - Math.abs(y)) / scale;

/** The largest loss of any output. */
export const bound = (distance, scale) => distance / scale;

const ends = (width) => [0.04 * width, 0.96 * width];
const at = (width, y) => ends(width)[0] + ((y - FROM) / (TO - FROM)) * (0.92 * width);
const output = (width, x) => FROM + ((x - ends(width)[0]) / (0.92 * width)) * (TO - FROM);
const height = (value) => TOP + UPPER - 300 * value;
const middle = TOP + UPPER + GAP + LOWER / 2;
const level = (value) => middle - (value / MOST_LOSS) * (LOWER / 2);
const end = middle + LOWER / 2;

const scaleHandle = track(
  "scale", "Scale of the noise", [1, 3, 0.1],
  ({ scale }) => `scale of the noise ${scale.toFixed(1)}`, ends, () => end + 44,
);
const distanceHandle = {
  name: "distance", label: "Distance between the bells", least: 0, most: 3, step: 0.1,
  text: ({ distance }) => `distance ${distance.toFixed(1)}`,
  place: ({ distance, scale }, width) => [at(width, distance), height(density(0, 0, scale))],
  value: ([x], state, width) => output(width, x),
};

function bell(center, scale, width, kind) {
  const outputs = [...range(111).map((n) => FROM + ((TO - FROM) * n) / 110), center];
  const points = outputs.sort((a, b) => a - b)
    .map((y) => [at(width, y), height(density(y, center, scale))]);
  const ground = [[at(width, TO), TOP + UPPER], [at(width, FROM), TOP + UPPER]];
  return path([...points, ...ground], `${kind}-area`, "Z") + path(points, `${kind}-line`);
}

function drawLoss({ distance, scale }, width) {
  const epsilon = bound(distance, scale);
  const points = [FROM, 0, distance, TO].map((y) => [at(width, y), level(loss(y, distance, scale))]);
  const bands = [epsilon, -epsilon].map((value) =>
    line(...[ends(width)[0], level(value), ends(width)[1], level(value)], "bound"));
  const text = `ε = distance/scale = ${epsilon.toFixed(2)}`;
  return line(ends(width)[0], middle, ends(width)[1], middle, "axis") + bands.join("") +
    words(ends(width)[1], level(epsilon) - 6, text, "end small") +
    words(ends(width)[0], level(-epsilon) + 17, "−ε", "small") + path(points, "loss");
}

function drawMark({ distance, scale, output: y }, width) {
  const x = at(width, y), value = loss(y, distance, scale);
  return line(x, TOP, x, end, "mark") +
    circle(x, height(density(y, 0, scale)), 5, "one") +
    circle(x, height(density(y, distance, scale)), 5, "two") + circle(x, level(value), 6, "last");
}

export const model = {
  handles: [distanceHandle, scaleHandle],
  start: () => ({ distance: 1, scale: 1, output: -0.6, time: 0.9, points: false }),
  height: () => end + 62,
  draw: (state, width) =>
    words(ends(width)[0], 14, "output with you", "small one-text") +
    words(ends(width)[1], 14, "output without you: pull it", "small end two-text") +
    bell(0, state.scale, width, "one") + bell(state.distance, state.scale, width, "two") +
    words(ends(width)[0], TOP + UPPER + 20, "privacy loss", "small") +
    drawLoss(state, width) + drawMark(state, width) + scaleHandle.draw(state, width),
  sentence({ distance, scale, output: y }) {
    const value = loss(y, distance, scale), sure = (most) => percent(1 / (1 + Math.exp(-most)));
    return `This output has a privacy loss of ${value.toFixed(2).replace("-", "−")}: it turns a ` +
      `50% guess that you are in into ${sure(value)}. ` +
      `No output can turn it into more than ${sure(bound(distance, scale))}.`;
  },
  /** The mouse takes the marked output along. */
  point(state, x, width) {
    state.points = x !== null;
    if (state.points) state.output = clamp(output(width, x), FROM, TO);
  },
  tick(state, seconds) {
    if (state.points) return;
    state.time += seconds;
    const sweep = Math.sin((2 * Math.PI * state.time) / SWEEP);
    state.output = (FROM + TO) / 2 - 0.5 - 4 * sweep;
  },
  rest(state) {
    state.output = -0.6;
  },
};
