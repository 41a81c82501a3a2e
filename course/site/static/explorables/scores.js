// A membership score: published averages lean a little towards every person whom they average.
import { circle, line, path, percent, range, track, uniforms, words } from "./common.js";

export const MEMBERS = 100, MOST_ATTRIBUTES = 800;
const FROM = -3.6, TO = 6.4, BIN = 0.2; // scores
const FALL = 0.5, EVERY = 0.03, ROUND = 6.5; // seconds

/** The standard normal distribution function, by its series. */
export function normalShare(z) {
  if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
  let term = z, sum = z;
  for (let odd = 3; Math.abs(term) > 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** A member's mean score, nearly: published means of d attributes, each of n people. */
export const expectedScore = (attributes, members) => Math.sqrt(attributes / members);
export const falsePositiveRate = (threshold) => normalShare(-threshold);
export const truePositiveRate = (threshold, attributes, members) =>
  normalShare(expectedScore(attributes, members) - threshold);

/** Members and as many outsiders; each attribute is 1 with probability 1/2. */
export function draw(seed) {
  const uniform = uniforms(seed);
  return range(2 * MEMBERS).map(() =>
    Uint8Array.from({ length: MOST_ATTRIBUTES }, () => (uniform() < 0.5 ? 1 : 0)));
}

/** The scores of all people against the means of the members' first attributes. */
export function scores(people, attributes) {
  const members = people.slice(0, people.length / 2);
  const leans = range(attributes).map((j) =>
    members.reduce((sum, person) => sum + person[j], 0) / members.length - 0.5);
  const spread = Math.sqrt(leans.reduce((sum, lean) => sum + lean * lean, 0) / 4);
  return people.map((person) =>
    leans.reduce((sum, lean, j) => sum + lean * (person[j] - 0.5), 0) / spread);
}

const ends = (width) => [0.04 * width, 0.96 * width];
const at = (width, score) => ends(width)[0] + ((score - FROM) / (TO - FROM)) * 0.92 * width;
const dot = (width) => Math.min(11, (BIN / (TO - FROM)) * 0.92 * width); // pixels, across
const pile = (width) => 15 * dot(width) + 12;
const top = 58;
const floors = (width) => [top + pile(width), top + 2 * pile(width) + 38];

const attributesHandle = track(
  "attributes", "Published averages", [20, MOST_ATTRIBUTES, 20],
  ({ attributes }) => `${attributes} averages are published`, ends,
  (width) => floors(width)[1] + 66,
);
const thresholdHandle = {
  name: "threshold", label: "Score from which a person is accused", least: -1, most: 3.1, step: 0.05,
  text: ({ threshold }) => `accuses ${rate(falsePositiveRate(threshold))} of the outsiders`,
  place: ({ threshold }, width) => [at(width, threshold), 36],
  value: ([x], state, width) => FROM + ((x - ends(width)[0]) / (0.92 * width)) * (TO - FROM),
};

const rate = (share) => (share < 0.0995 ? `${(100 * share).toFixed(1)}%` : percent(share));

function study(state) {
  state.people = draw(state.seed);
  state.scores = scores(state.people, state.attributes);
}

/** One heap of people, each of whom falls to the place of their score. */
function drawHeap(values, { time, threshold }, floor, width, kind) {
  const counts = new Map(), size = dot(width);
  return values.map((value, number) => {
    const bin = Math.floor(value / BIN);
    const rank = counts.get(bin) ?? 0;
    counts.set(bin, rank + 1);
    const done = Math.min(1, (time - number * EVERY) / FALL);
    if (done <= 0) return "";
    const end = floor - (rank + 0.5) * size;
    const y = end - (1 - done * done) * (pile(width) - (floor - end));
    return circle(at(width, (bin + 0.5) * BIN), y, 0.43 * size, value > threshold ? kind : `${kind} free`);
  }).join("");
}

function drawLaw(mean, floor, width) {
  const points = range(61).map((number) => {
    const z = (number - 30) / 8;
    const people = (MEMBERS * BIN * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
    return [at(width, mean + z), floor - people * dot(width)];
  });
  return path(points.filter(([x]) => x > 0 && x < width), "law");
}

export const model = {
  handles: [thresholdHandle, attributesHandle],
  start() {
    const state = { seed: 2008, attributes: 200, threshold: 1.65, time: 2 };
    study(state);
    return state;
  },
  height: (width) => floors(width)[1] + 84,
  draw(state, width) {
    const [upper, lower] = floors(width), x = at(width, state.threshold);
    const mean = expectedScore(state.attributes, MEMBERS);
    return drawLaw(mean, upper, width) + drawLaw(0, lower, width) +
      drawHeap(state.scores.slice(0, MEMBERS), state, upper, width, "two") +
      drawHeap(state.scores.slice(MEMBERS), state, lower, width, "one") +
      line(...[ends(width)[0], upper, ends(width)[1], upper], "axis") +
      line(...[ends(width)[0], lower, ends(width)[1], lower], "axis") +
      words(ends(width)[0], top + 10, "took part", "small two-text") +
      words(ends(width)[0], upper + 30, "did not", "small one-text") +
      words(x + 8, lower + 18, "accused →", "small") + line(x, 36, x, lower + 6, "mark") +
      words(ends(width)[0], 14, thresholdHandle.text(state), "small") +
      attributesHandle.draw(state, width);
  },
  sentence({ attributes, threshold, scores: values }) {
    const found = values.slice(0, MEMBERS).filter((value) => value > threshold).length;
    const power = rate(truePositiveRate(threshold, attributes, MEMBERS));
    return `With ${attributes} averages, and wrong accusations of ` +
      `${rate(falsePositiveRate(threshold))} of the outsiders, the test is to find ${power} of the ` +
      `100 members. Here it finds ${found}.`;
  },
  changed(state) {
    state.scores = scores(state.people, state.attributes);
  },
  tick(state, seconds) {
    state.time += seconds;
    if (state.time < ROUND) return;
    state.seed += 1;
    state.time = 0;
    study(state);
  },
  rest(state) {
    state.time = ROUND - 0.001;
  },
};
