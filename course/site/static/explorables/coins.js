// Coins fall on a class: each student's coin decides whether the answer is the truth or chance.
import { circle, line, path, percent, range, track, uniforms, words } from "./common.js";

export const STUDENTS = 100;
const COLUMNS = 20, ROWS = 5;
const FALL = 1.8, HEARD = 2.4, ROUND = 3.6; // seconds of a survey: coins, estimate, the next one
const MOST_ESTIMATES = 60;

/** The chance of heads, with which a student says the truth: (e^epsilon - 1) / (e^epsilon + 1). */
export const heads = (epsilon) => Math.tanh(epsilon / 2);

/** The share of cheaters computed from a share of YES. */
export const estimate = (yes, epsilon) => (yes - (1 - heads(epsilon)) / 2) / heads(epsilon);

/** The standard error of that estimate of a class, in which only the coins are chance. */
export function standardError(epsilon, students) {
  const truth = (1 + heads(epsilon)) / 2; // the chance that an answer is the truth
  return Math.sqrt((truth * (1 - truth)) / students) / heads(epsilon);
}

/** A survey of the class: of each student the truth, whether the coin fell heads, and the answer. */
export function survey(seed, share, epsilon) {
  const uniform = uniforms(seed), theta = heads(epsilon);
  return range(STUDENTS).map((number) => {
    const cheated = number < Math.round(share * STUDENTS);
    const isHeads = uniform() < theta, second = uniform() < 0.5;
    return { cheated, isHeads, yes: isHeads ? cheated : second, delay: uniform() };
  });
}

const countYes = (students) => students.filter((student) => student.yes).length;

function hear(state) {
  state.yes = countYes(state.students) / STUDENTS;
  const value = estimate(state.yes, state.epsilon);
  state.estimates = [...state.estimates, value].slice(-MOST_ESTIMATES);
}

const ends = (width) => [0.11 * width, 0.89 * width];
const at = (width, share) => ends(width)[0] + share * (ends(width)[1] - ends(width)[0]);
const cell = (width) => (ends(width)[1] - ends(width)[0]) / COLUMNS;
const classTop = 26;
const classEnd = (width) => classTop + ROWS * 1.6 * cell(width);
const pile = (width) => (width < 520 ? 62 : 84); // pixels
const axis = (width) => classEnd(width) + 30 + pile(width);

const epsilonHandle = track(
  "epsilon", "Privacy loss ε", [0.2, 4, 0.1],
  ({ epsilon }) => `ε = ${epsilon.toFixed(1)}: the coin says “tell the truth” ${percent(heads(epsilon))}`,
  ends, (width) => axis(width) + 70,
);
const shareHandle = {
  name: "share", label: "Share who cheated", least: 0, most: 1, step: 0.01,
  text: ({ share }) => `${percent(share)} cheated`,
  place: ({ share }, width) => [at(width, share), classEnd(width) + 12],
  value: ([x], state, width) => (x - ends(width)[0]) / (ends(width)[1] - ends(width)[0]),
};

/** How far a student's coin has fallen, from 0 to 1. */
const fallen = (student, time) => Math.min(1, Math.max(0, (time - student.delay) / (FALL - 1)));

function drawClass({ students, time }, width) {
  const size = cell(width);
  return students.map((student, number) => {
    const x = at(width, 0) + (Math.floor(number / ROWS) + 0.5) * size;
    const y = classTop + ((number % ROWS) + 0.5) * 1.6 * size;
    const body = `M${(x - 0.34 * size).toFixed(1)} ${(y + 0.66 * size).toFixed(1)}` +
      `a${(0.34 * size).toFixed(1)} ${(0.36 * size).toFixed(1)} 0 0 1 ${(0.68 * size).toFixed(1)} 0z`;
    const person = `<path class="${student.cheated ? "two" : "one"}" d="${body}"/>`;
    return person + drawCoin(student, x, y, size, fallen(student, time));
  }).join("");
}

function drawCoin(student, x, y, size, done) {
  if (done >= 1) return circle(x, y - 0.1 * size, 0.38 * size, student.yes ? "yes" : "no");
  if (done <= 0) return circle(x, y - 0.1 * size, 0.2 * size, "waits");
  const from = -10, height = from + (y - 0.1 * size - from) * done * done; // as things fall
  return circle(x, height, 0.34 * size, student.isHeads ? "coin" : "coin tails");
}

function drawAxis(state, width) {
  const y = axis(width), [left, right] = ends(width);
  const ticks = [0, 0.5, 1].map((share) =>
    line(at(width, share), y, at(width, share), y + 5, "axis") +
    words(at(width, share), y + 19, percent(share), "middle small"));
  return line(0.02 * width, y, 0.98 * width, y, "axis") + ticks.join("") +
    line(at(width, state.share), classTop - 16, at(width, state.share), y, "truth") +
    drawLaw(state, width, y) + drawPile(state, width, y);
}

/** The normal law near which estimates fall. */
function drawLaw({ share, epsilon }, width, y) {
  const error = standardError(epsilon, STUDENTS);
  const points = range(81).map((number) => {
    const value = share + ((number - 40) / 10) * error;
    return [at(width, value), y - 0.75 * pile(width) * Math.exp(-0.5 * ((number - 40) / 10) ** 2)];
  });
  const inside = points.filter(([x]) => x > 0.02 * width && x < 0.98 * width);
  return inside.length > 1 ? path(inside, "law") : "";
}

function drawPile({ estimates, time }, width, y) {
  const counts = new Map(), size = width < 520 ? 5 : 7;
  return estimates.map((value, number) => {
    const x = Math.round(at(width, Math.min(1.12, Math.max(-0.12, value))) / size);
    counts.set(x, (counts.get(x) ?? 0) + 1);
    const isLast = number === estimates.length - 1;
    const end = y - (counts.get(x) - 0.5) * size;
    const drop = isLast && time >= HEARD ? Math.min(1, (time - HEARD) / 0.5) : 1;
    const from = classEnd(width);
    return circle(x * size, from + (end - from) * drop * drop, 0.45 * size, isLast ? "last" : "dot");
  }).join("");
}

function drawBar(state, width) {
  if (!state.estimates.length || state.time < HEARD) return "";
  const y = axis(width) + 28;
  const error = standardError(state.epsilon, STUDENTS);
  const [least, most] = [-0.1, 1.1];
  const [from, to] = [-error, error].map((off) =>
    at(width, Math.min(most, Math.max(least, estimate(state.yes, state.epsilon) + off))));
  return line(from, y, to, y, "bar");
}

export const model = {
  handles: [shareHandle, epsilonHandle],
  start() {
    const state = { share: 0.35, epsilon: 1.1, seed: 1965, time: FALL, estimates: [] };
    state.students = survey(state.seed, state.share, state.epsilon);
    state.yes = countYes(state.students) / STUDENTS;
    return state;
  },
  height: (width) => axis(width) + 88,
  draw: (state, width) =>
    words(at(width, 0), 12, "cheated", "small two-text") +
    words(at(width, 1), 12, "did not", "small end one-text") +
    drawClass(state, width) + drawAxis(state, width) + drawBar(state, width) +
    epsilonHandle.draw(state, width),
  sentence(state) {
    const { yes } = state;
    const value = percent(estimate(yes, state.epsilon));
    const error = percent(standardError(state.epsilon, STUDENTS));
    return `${percent(state.share)} of 100 students cheated. The teacher hears ` +
      `${Math.round(yes * STUDENTS)} YES (filled), and estimates ${value}, give or take ${error}. ` +
      `An answer moves a 50% guess to at most ${percent(1 / (1 + Math.exp(-state.epsilon)))}.`;
  },
  /** The same coins fall on another class. */
  changed(state) {
    state.students = survey(state.seed, state.share, state.epsilon);
    state.estimates = [];
    hear(state);
  },
  tick(state, seconds) {
    const before = state.time;
    state.time += seconds;
    if (before < HEARD && state.time >= HEARD) hear(state);
    if (state.time < ROUND) return;
    state.seed += 1;
    state.students = survey(state.seed, state.share, state.epsilon);
    state.time = 0;
  },
  /** Twenty surveys, of which the last is shown. */
  rest(state) {
    for (const number of range(20)) {
      state.students = survey(1965 + number, state.share, state.epsilon);
      hear(state);
    }
    state.seed = 1984;
    state.time = ROUND - 0.001;
  },
};
