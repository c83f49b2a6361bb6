// One-cup answers on a phone: how many dice, accept or challenge, the dog.
import { html } from "./vendor/htm-preact.js";
import { Cup } from "./dice.js";
import { Button, spoken } from "./parts.js";

const COUNTS = [
  [0, "none", "pass it on unrolled"], [1, "one", ""], [2, "two", ""], [3, "three", ""], [4, "four", ""], [5, "all five", ""],
];

// The first roll of a hand is of all five (nothing could be voided yet), and so is the first at five aces.
function mustRollFive(view) {
  return view.phase === "five-aces" ? !view.open_dice : !(view.table_can || []).includes("void");
}

function hint(view, first) {
  if (first) return "Shake the cup and roll, then tap. Or tap first: the table waits for the dice.";
  if (view.phase === "five-aces") return "0 stops here.";
  return "0 passes the cup on as it is. The number must be true; which dice is your own affair.";
}

export function Rolling({ table, view }) {
  const first = mustRollFive(view);
  const counts = first ? COUNTS.slice(5) : COUNTS;
  return html`
    <section class="panel" aria-label="How many dice do you roll?">
      <h2>${first ? "Roll all five" : "How many did you roll?"}</h2>
      <div class=${first ? "counts one" : "counts"}>
        ${counts.map(([count, word, hint]) => html`
          <${Button} key=${count} table=${table} kind="roll" fields=${{ count }} className="button count"
            label=${`${word} ${hint}`}><b>${count}</b><span>${word}</span><//>`)}
      </div>
      ${view.rolls_left && html`<p class="hint">Openly, for five aces; rolls left: ${view.rolls_left}.</p>`}
      <p class="hint">${hint(view, first)}</p>
    </section>`;
}

export const Challenge = ({ table, view, can }) => html`
  <section class="panel answer" aria-label="Accept or challenge">
    ${can.includes("challenge") && html`<${Button} table=${table} kind="challenge" className="button huge danger"
      label="Challenge: lift the cup"><b>Challenge</b><span>I do not believe it. Lift the cup.</span><//>`}
    <div class="gap" aria-hidden="true"><${Cup}/></div>
    ${can.includes("accept") && html`<${Button} table=${table} kind="accept" className="button huge good"
      label="Accept the cup"><b>Accept</b><span>${view.five_aces ? "I roll for five aces." : "I take the cup."}</span><//>`}
  </section>`;

const Voted = ({ votes, you }) => you in votes && html`
  <p class="hint" role="status">You said: ${votes[you] ? "a howl" : "a woof"}. Waiting for the others.</p>`;

export function Dog({ table, view, can, votes }) {
  const who = spoken(view.to_act);
  if (can.includes("bark")) {
    return html`
      <section class="panel dog" aria-label="The dog's life">
        <h2>Howl like a dog for one more life</h2>
        <${Button} table=${table} kind="bark" className="button huge good"><b>I howl</b><span>out loud, and decently</span><//>
        <${Button} table=${table} kind="decline" className="button quiet">No, I go<//>
      </section>`;
  }
  return html`
    <section class="panel dog" aria-label="Judge the howl">
      <h2>Was that a decent howl?</h2>
      ${can.includes("howl") && html`<${Button} table=${table} kind="howl" className="button huge good">
        <b>Yes, a howl</b><span>${who ? `${who} lives` : "one more life"}</span><//>`}
      ${can.includes("woof") && html`<${Button} table=${table} kind="woof" className="button">No, a woof: try again<//>`}
      <${Voted} votes=${votes || {}} you=${view.you}/>
    </section>`;
}
