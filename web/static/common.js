// A cup for everyone, on a phone: bid a quantity and a face, challenge, show some dice and reroll the rest.
import { html, useState } from "./vendor/htm-preact.js";
import { FACES, commonWords } from "./bid.js";
import { Die, faceOf, facesOf as facesIn } from "./dice.js";
import { Button } from "./parts.js";

const PIPS = ["1", "2", "3", "4", "5", "6"];

// The faces of these dice, lowest first, the wild one at the end (it cannot be bid but can be shown).
function facesOf(now) {
  return now.dice === "poker" ? FACES.slice().reverse() : PIPS.slice(1).concat(PIPS[0]);
}

// The bid on record, {quantity, face}, or null.
export function bidOf(view) {
  if (view.game !== "common-hand" || !view.record) return null;
  const [quantity, face] = view.record.split(" ");
  return { quantity: Number(quantity), face: faceOf(face) };
}

// The record in words: "three fives", or the dice of a claim.
export function recordWords(view) {
  const bid = bidOf(view);
  return bid ? commonWords(bid.quantity, bid.face) : facesIn(view.record).join(" ");
}

// The fewest dice of `face` that raise the bid on record, or null when none do (B6).
export function least(now, face) {
  const order = facesOf(now);
  const record = bidOf(now.view);
  if (!record) return 1;
  const higher = order.indexOf(face) - order.indexOf(record.face);
  const fewest = now.view.house.raise === "quantity-first" ? record.quantity + (higher > 0 ? 0 : 1)
    : higher > 0 ? 1 : higher === 0 ? record.quantity + 1 : Infinity;
  return fewest <= inPlay(now) ? fewest : null;
}

const inPlay = now => now.view.seats.reduce((sum, seat) => sum + (seat.dice || 0), 0);

const Stepper = ({ value, least, most, set, name }) => html`
  <div class="stepper" role="group" aria-label=${name}>
    <button type="button" class="button" aria-label="fewer" disabled=${value <= least} onClick=${() => set(value - 1)}>−</button>
    <output aria-live="polite">${value}</output>
    <button type="button" class="button" aria-label="more" disabled=${value >= most} onClick=${() => set(value + 1)}>+</button>
  </div>`;

const Face = ({ face, on, act, off }) => html`
  <button type="button" class=${on ? "face on" : "face"} aria-pressed=${on ? "true" : "false"} disabled=${off} onClick=${act}><${Die} face=${face}/></button>`;

export function CommonBid({ table, now }) {
  const faces = facesOf(now);
  const [quantity, setQuantity] = useState(1);
  const [face, setFace] = useState(null);
  const fewest = face ? least(now, face) || 1 : 1;
  const pick = each => { setFace(each); setQuantity(Math.max(quantity, least(now, each))); };
  const bid = () => ({ quantity, face: face === "10" ? "T" : face });
  return html`
    <section class="panel" aria-label="Your bid">
      <h2>How many of which face, under all cups?</h2>
      <${Stepper} name="How many" value=${quantity} least=${fewest} most=${inPlay(now)} set=${setQuantity}/>
      <div class="faces five">${faces.slice(0, 5).map(each => html`
        <${Face} key=${each} face=${each} on=${face === each} off=${least(now, each) === null} act=${() => pick(each)}/>`)}</div>
      <div class="say">
        <p class="words" aria-live="polite">${face ? html`<q>${commonWords(quantity, face)}</q>` : html`<span class="hint">Tap a face</span>`}</p>
        <${Button} table=${table} kind="bid" fields=${bid} disabled=${!face} className="button prime">Bid it<//>
      </div>
    </section>`;
}

export function CommonShow({ table, now }) {
  const faces = facesOf(now);
  const own = now.view.seats.find(seat => seat.name === now.you) || { dice: 1 };
  const [shown, setShown] = useState([]);
  const add = face => shown.length < own.dice - 1 && setShown(shown.concat(face));
  const letters = () => ({ faces: shown.map(face => (face === "10" ? "T" : face)).join("") });
  return html`
    <section class="panel" aria-label="Show dice and reroll the rest">
      <h2>Set dice outside your cup and reroll the rest?</h2>
      <div class="shown" aria-live="polite">${shown.map((face, n) => html`
        <button key=${n} type="button" class="face" aria-label=${`take back ${face}`}
          onClick=${() => setShown(shown.filter((_, at) => at !== n))}><${Die} face=${face}/></button>`)}
        ${shown.length === 0 && html`<span class="hint">Tap the dice you set outside</span>`}</div>
      <div class="faces">${faces.map(each => html`<${Face} key=${each} face=${each} act=${() => add(each)}/>`)}</div>
      <${Button} table=${table} kind="show" fields=${letters} disabled=${shown.length === 0} className="button prime">Show these<//>
      <${Button} table=${table} kind="waive" className="button">I show nothing<//>
    </section>`;
}
