// Secret bits are read out of noisy counts: each question adds an equation, least squares solves.
import { box, circle, clamp, line, normals, path, percent, range, track, uniforms, words }
  from "./common.js";

export const PEOPLE = 64, QUESTIONS = 256;
const SIDE = 8, SMALLEST_RIDGE = 1e-4;
const PER_SECOND = 14, PAUSE = 2.5, HOLD = 3; // questions; seconds between towns, after a drag

/** The weight on guesses near 1/2: the noise's variance over that of a bit, 1/4. */
export const ridge = (noise) => 4 * noise * noise + SMALLEST_RIDGE;

/** Secret bits, questions about random halves of the people, and noisy answers. */
export function ask(seed, noise) {
  const uniform = uniforms(seed), normal = normals(uniform);
  const bits = range(PEOPLE).map(() => (uniform() < 0.5 ? 1 : 0));
  const questions = range(QUESTIONS).map(() => range(PEOPLE).map(() => (uniform() < 0.5 ? 1 : 0)));
  const answers = questions.map((question) =>
    question.reduce((sum, asked, person) => sum + asked * bits[person], noise * normal()));
  return { bits, questions, answers };
}

/** After each question, the b of least ||questions b - answers||^2 + weight ||b - 1/2||^2. */
export function* solve(questions, answers, weight) {
  const n = questions[0].length, estimates = new Float64Array(n).fill(0.5);
  const inverse = range(n).map((row) => new Float64Array(n).map((_, c) => (row === c) / weight));
  yield Array.from(estimates);
  for (const [number, question] of questions.entries()) {
    const spread = inverse.map((row) => question.reduce((sum, q, c) => sum + q * row[c], 0));
    const scale = 1 + question.reduce((sum, q, c) => sum + q * spread[c], 0);
    const off = answers[number] - question.reduce((sum, q, c) => sum + q * estimates[c], 0);
    for (let row = 0; row < n; row++) {
      const gain = spread[row] / scale;
      estimates[row] += gain * off;
      for (let c = 0; c < n; c++) inverse[row][c] -= gain * spread[c];
    }
    yield Array.from(estimates);
  }
}

/** The share of bits that a rounded estimate has right. */
export const shareRight = (estimates, bits) =>
  estimates.filter((value, person) => (value > 0.5 ? 1 : 0) === bits[person]).length / bits.length;

function attack(state) {
  Object.assign(state, ask(state.seed, state.noise));
  state.estimates = [...solve(state.questions, state.answers, ridge(state.noise))];
  state.right = state.estimates.map((estimates) => shareRight(estimates, state.bits));
}

const isNarrow = (width) => width < 520;
const cell = (width) => (isNarrow(width) ? 24 : clamp(width * 0.046, 24, 34));
const gridLeft = (width) => (isNarrow(width) ? (width - SIDE * cell(width)) / 2 : 6);
const gridTop = 34;
const gridEnd = (width) => gridTop + SIDE * cell(width);
const left = (width) => (isNarrow(width) ? 46 : gridEnd(width) + 60);
const plotTop = (width) => (isNarrow(width) ? gridEnd(width) + 40 : gridTop);
const plotHeight = (width) => (isNarrow(width) ? 130 : SIDE * cell(width));
const floor = (width) => plotTop(width) + plotHeight(width);
const at = (width, asked) => left(width) + (asked / QUESTIONS) * (width - 18 - left(width));
const level = (width, share) => floor(width) - ((share - 0.44) / 0.56) * plotHeight(width);

const noiseHandle = track(
  "noise", "Noise in each answer", [0, 16, 0.5],
  ({ noise }) => `noise in each answer ±${noise.toFixed(1)}`,
  (width) => [16, width - 18], (width) => floor(width) + 80,
);
const askedHandle = {
  name: "asked", label: "Questions asked", least: 0, most: QUESTIONS, step: 1,
  text: ({ asked }) => `questions asked: ${Math.floor(asked)}`,
  place: ({ asked }, width) => [at(width, asked), floor(width)],
  value: ([x], state, width) =>
    ((x - left(width)) / (at(width, QUESTIONS) - left(width))) * QUESTIONS,
};

function drawPeople(state, width) {
  const size = cell(width), asked = Math.floor(state.asked);
  const question = asked ? state.questions[asked - 1] : [];
  return state.bits.map((bit, person) => {
    const x = gridLeft(width) + (person % SIDE) * size;
    const y = gridTop + Math.floor(person / SIDE) * size;
    const isRight = (state.estimates[asked][person] > 0.5 ? 1 : 0) === bit;
    const square = box(x + 3, y + 3, size - 6, size - 6, isRight ? "one" : "two");
    const hole = isRight ? "" : circle(x + size / 2, y + size / 2, size / 7, "hole");
    return square + hole + (question[person] ? box(x + 1, y + 1, size - 2, size - 2, "ring") : "");
  }).join("");
}

function drawCurve(state, width) {
  const points = state.right.map((share, asked) => [at(width, asked), level(width, share)]);
  const asked = Math.floor(state.asked);
  const shares = [0.5, 0.75, 1].map((share) =>
    line(left(width), level(width, share), width - 18, level(width, share), "axis") +
    words(left(width) - 6, level(width, share) + 4, percent(share), "small end"));
  const counts = [0, 64, 128, 192, 256].map((count) =>
    words(at(width, count), floor(width) + 28, count, "small middle"));
  return shares.join("") + counts.join("") + path(points, "law") +
    line(left(width), floor(width), width - 18, floor(width), "track") +
    path(points.slice(0, asked + 1).concat([points[asked]]), "one-line") +
    circle(...points[asked], 5, "last");
}

function drawQuestion({ asked, answers }, width) {
  const number = Math.floor(asked);
  const text = number
    ? `question ${number}: how many ringed have a 1? ${answers[number - 1].toFixed(1)}`
    : "64 people with a secret bit each";
  return words(isNarrow(width) ? 6 : 8, 16, text, "small");
}

export const model = {
  handles: [askedHandle, noiseHandle],
  start() {
    const state = { seed: 2003, noise: 2, asked: 20, wait: 0, hold: 0 };
    attack(state);
    return state;
  },
  height: (width) => floor(width) + 98,
  draw: (state, width) =>
    drawQuestion(state, width) + drawPeople(state, width) + drawCurve(state, width) +
    words(width - 18, plotTop(width) - 12, "bits guessed right", "small end") +
    noiseHandle.draw(state, width),
  sentence(state) {
    const asked = Math.floor(state.asked);
    const noise = state.noise ? `each off by about ${state.noise}` : "all exact";
    return `Questions asked: ${asked}, answers: ${noise}. Least squares guesses ` +
      `${percent(state.right[asked])} of the bits right (blue). Blind guesses get 50%. ` +
      `Noise resists only if it is about √64 = 8.`;
  },
  changed(state, name) {
    if (name === "noise") attack(state);
    state.wait = 0;
    state.hold = name === "asked" ? HOLD : 0;
  },
  tick(state, seconds) {
    state.hold = Math.max(0, state.hold - seconds);
    if (state.hold) return;
    state.asked = Math.min(QUESTIONS, state.asked + PER_SECOND * seconds);
    if (state.asked < QUESTIONS) return;
    state.wait += seconds;
    if (state.wait < PAUSE) return;
    Object.assign(state, { seed: state.seed + 1, asked: 0, wait: 0 });
    attack(state);
  },
  rest(state) {
    state.asked = 128;
  },
};
