// A hand entered by people, die by die, where the tray could not read it or read it wrong.
import { html, useState } from "./vendor/htm-preact.js";
import { FACES } from "./bid.js";
import { Die, faceOf } from "./dice.js";
import { Button } from "./parts.js";

const PIPS = ["6", "5", "4", "3", "2", "1"];
const letter = face => (face === "10" ? "T" : face);

// The faces of the dice in play, best first.
export const facesIn = now => (now.game === "common-hand" && now.dice !== "poker" ? PIPS : FACES);

// How many dice a person has to count: one at the starting roll, as many as he holds at a common exposure, else five.
export function diceAsked(now) {
  const { view } = now;
  if (view.phase === "starting-roll") return 1;
  if (view.game !== "common-hand") return 5;
  const seat = view.seats.find(each => each.name === now.asks.seat);
  return (seat && seat.dice) || now.tray.expect || 5;
}

// What was read already comes first: to correct a hand, mostly one die has to be changed.
export function HandEntry({ table, kind, faces, count, start, fields, children }) {
  const [hand, setHand] = useState((start || []).map(faceOf));
  const [at, setAt] = useState(null);
  const put = face => {
    const next = hand.slice();
    if (at === null) next.push(face);
    else next[at] = face;
    setHand(next.slice(0, count));
    setAt(null);
  };
  const send = () => Object.assign({ hand: hand.map(letter).join("") }, fields);
  return html`
    <div class="byhand">
      <div class="slots">${Array.from({ length: count }, (_, n) => html`
        <button key=${n} type="button" class=${at === n ? "slot on" : "slot"} disabled=${n >= hand.length}
          aria-label=${hand[n] ? `die ${n + 1}: ${hand[n]}, change it` : `die ${n + 1}: empty`} onClick=${() => setAt(at === n ? null : n)}>
          ${hand[n] && html`<${Die} face=${hand[n]}/>`}</button>`)}</div>
      <div class="faces">${faces.map(face => html`
        <button key=${face} type="button" class="face" aria-label=${`enter ${face}`} disabled=${at === null && hand.length >= count}
          onClick=${() => put(face)}><${Die} face=${face}/></button>`)}</div>
      <div class="pair">
        <button type="button" class="button quiet" disabled=${hand.length === 0} onClick=${() => { setHand([]); setAt(null); }}>Clear</button>
        <${Button} table=${table} kind=${kind} fields=${send} disabled=${hand.length !== count} className="button prime">${children}<//>
      </div>
    </div>`;
}
