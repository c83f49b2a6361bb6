// From what was tapped to the words a player would say. The referee alone knows what they mean.

export const FACES = ["A", "K", "Q", "J", "10", "9"];
const ONE = { A: "ace", K: "king", Q: "queen", J: "jack", 10: "ten", 9: "nine" };
const MANY = { A: "aces", K: "kings", Q: "queens", J: "jacks", 10: "tens", 9: "nines" };
const AN = { A: "an ace" };

// What can be tapped, lowest first: its key, its chip, and which faces may be named with it.
export const CATEGORIES = [
  { key: "single", chip: "single", first: "best die", second: null },
  { key: "pair", chip: "pair", first: "pair of", second: null },
  { key: "two", chip: "two pairs", first: "higher pair", second: "lower pair" },
  { key: "three", chip: "three", first: "three", second: null },
  { key: "full", chip: "full house", first: "the three", second: "the pair" },
  { key: "four", chip: "four", first: "four", second: null },
  { key: "five", chip: "five", first: "five", second: null },
];

export const NOTHING = { climb: 0, category: null, first: null, second: null, high: null, with: [], without: [] };

const BARE = {
  single: "singleton", pair: "a pair", two: "two pairs", three: "three of a kind", full: "full house",
  four: "four of a kind", five: "five of a kind",
};

const NAMED = {
  single: bid => `singleton, ${ONE[bid.first]} high`,
  pair: bid => `a pair of ${MANY[bid.first]}`,
  two: bid => (bid.second ? `${MANY[bid.first]} and ${MANY[bid.second]}` : `two pairs, ${MANY[bid.first]} on top`),
  three: bid => `three ${MANY[bid.first]}`,
  full: bid => (bid.second ? `${MANY[bid.first]} full of ${MANY[bid.second]}` : `full house, ${MANY[bid.first]}`),
  four: bid => `four ${MANY[bid.first]}`,
  five: bid => `five ${MANY[bid.first]}`,
};

const climbing = steps => "way ".repeat(steps - 1) + "better";

function core(bid) {
  const plain = bid.first ? NAMED[bid.category](bid) : BARE[bid.category];
  if (!bid.climb) return plain;
  return `a ${climbing(bid.climb)} ${plain.replace(/^a /, "")}`;
}

// Return the words, or "" while nothing can be said yet.
export function wordsOf(bid) {
  if (!bid.category) return bid.climb ? climbing(bid.climb) : "";
  const parts = [core(bid)];
  if (bid.high) parts.push(`${ONE[bid.high]} high`);
  bid.with.forEach(face => parts.push(`with ${AN[face] || `a ${ONE[face]}`}`));
  bid.without.forEach(face => parts.push(`no ${ONE[face]}`));
  return parts.join(", ");
}

// A choice that no longer fits another one falls away, so that what is shown can always be said.
export function choose(bid, change) {
  const next = Object.assign({}, bid, change);
  if ("category" in change && change.category !== bid.category) {
    Object.assign(next, { first: null, second: null, high: null, with: [], without: [] });
  }
  const entry = CATEGORIES.find(each => each.key === next.category);
  if (!entry || !seconds(next).includes(next.second)) next.second = null;
  if (next.category === "five") Object.assign(next, { high: null, with: [], without: [] });
  if (!["pair", "three", "four"].includes(next.category) || next.high === next.first) next.high = null;
  const open = extras(next);
  next.with = next.with.filter(face => open.includes(face));
  next.without = next.without.filter(face => open.includes(face));
  return next;
}

// The faces that the second row may name: a lower pair is lower.
export function seconds(bid) {
  if (!bid.first || !["two", "full"].includes(bid.category)) return [];
  return FACES.slice(bid.category === "two" ? FACES.indexOf(bid.first) + 1 : 0).filter(face => face !== bid.first);
}

// The faces of which nothing has been said yet.
export const extras = bid => FACES.filter(face => ![bid.first, bid.second, bid.high].includes(face));

// None, with, no, none again: what a tap on an extra face does.
export function cycle(bid, face) {
  const has = bid.with.includes(face);
  const lacks = bid.without.includes(face);
  const drop = faces => faces.filter(each => each !== face);
  return choose(bid, {
    with: has || lacks ? drop(bid.with) : bid.with.concat(face),
    without: has ? bid.without.concat(face) : drop(bid.without),
  });
}

const COUNTS = ["no", "one", "two", "three", "four", "five", "six"];

// How a common-hand bid is said: "three fives".
export function commonWords(quantity, face) {
  const names = { 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six" };
  const name = ONE[face] || names[face] || face;
  const plural = MANY[face] || (face === "6" ? "sixes" : `${name}s`);
  return `${COUNTS[quantity] || quantity} ${quantity === 1 ? name : plural}`;
}
