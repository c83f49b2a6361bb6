// The phones' page: join, agree, play, watch. One hand, dark, loud: few words, big buttons, the next act on top.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { HandEntry, diceAsked, facesIn } from "./byhand.js";
import { Cup, Hand, Matches, SmallDice } from "./dice.js";
import { Button, Lost, Notice, Settled, Sure, Told, Verdict, adviceOf, begin, list, rulesOf, sentence, spoken } from "./parts.js";
import { Bidding } from "./bidding.js";
import { Challenge, Dog, Rolling } from "./answers.js";
import { CommonBid, CommonShow, recordWords } from "./common.js";

const NAME_LETTERS = 14;

// ---- joining -------------------------------------------------------------------------------------------------

const gaps = guests => guests.map((guest, n) => ({
  place: n + 1,
  text: guests.length === 1 ? `next to ${spoken(guest.seat)}`
    : `between ${spoken(guest.seat)} and ${spoken(guests[(n + 1) % guests.length].seat)}`,
}));

function Places({ guests, place, setPlace }) {
  if (guests.length < 2) return null;
  return html`
    <fieldset class="choices">
      <legend>Where do you sit? (clockwise)</legend>
      ${gaps(guests).map(gap => html`
        <label key=${gap.place} class=${place === gap.place ? "choice on" : "choice"}>
          <input type="radio" name="place" checked=${place === gap.place} onChange=${() => setPlace(gap.place)}/>
          <span>${gap.text}</span>
        </label>`)}
    </fieldset>`;
}

function Join({ table, now }) {
  const [name, setName] = useState("");
  const [place, setPlace] = useState(null);
  const at = place === null || place > now.guests.length ? now.guests.length : place;
  const join = event => {
    event.preventDefault();
    if (name.trim()) table.tap("join", { name: name.trim(), place: at });
  };
  return html`
    <form class="card join" onSubmit=${join} autocomplete="off">
      <h1>Take a seat</h1>
      <label class="field"><span>Your name</span>
        <input type="text" value=${name} maxlength=${NAME_LETTERS} onInput=${event => setName(event.target.value)}
          autocapitalize="words" spellcheck=${false} enterkeyhint="go" required/></label>
      <${Places} guests=${now.guests} place=${at} setPlace=${setPlace}/>
      <button class="button prime" disabled=${table.busy || !name.trim()}>Sit down</button>
    </form>`;
}

// ---- the lobby -----------------------------------------------------------------------------------------------

const Guests = ({ guests, you }) => html`
  <section class="card" aria-label="Who sits at the table">
    <h2>At the table, clockwise</h2>
    <ol class="guests">${guests.map(guest => html`
      <li key=${guest.seat} class=${guest.seat === you ? "you" : ""}>
        <b>${spoken(guest.seat)}</b>
        <span>${guest.agreed ? "agrees" : "reads the rules"}${guest.here ? "" : ", phone asleep"}</span>
      </li>`)}</ol>
  </section>`;

const Rules = ({ rules, sheet }) => html`
  <section class="card" aria-label="The rules in force">
    <h2>Tonight's rules</h2>
    <ul class="rules">${rules.map(({ title, rule }, n) => html`<li key=${n}>${title && html`<b>${title}</b>`}${rule}</li>`)}</ul>
    ${sheet.length > 0 && html`<details class="sheet"><summary>How the game is played</summary>
      <ol>${sheet.map(({ rule, chosen }, n) => html`<li key=${n}>${rule}${chosen && html` <b>${chosen}</b>`}</li>`)}</ol>
    </details>`}
  </section>`;

function Begin({ table, now }) {
  const ready = now.guests.length > 1 && now.guests.every(guest => guest.agreed);
  if (!ready) {
    const late = now.guests.filter(guest => !guest.agreed).map(guest => spoken(guest.seat));
    const why = now.guests.length < 2 ? "One more player has to sit down." : `Waiting for ${list(late)} to agree.`;
    return html`<p class="hint" role="status">${why}</p>`;
  }
  return html`<${Button} table=${table} kind="begin" fields=${{ start: "roll" }} className="button prime">
    Begin: roll for the start<//>`;
}

function Seated({ table, now }) {
  const own = now.guests.find(guest => guest.seat === now.you) || {};
  return html`
    <div>
      <${Guests} guests=${now.guests} you=${now.you}/>
      <${Rules} rules=${rulesOf(now)} sheet=${now.sheet}/>
      <${Settled} name=${own.agreed ? "agreed" : "rules"}>
        ${own.agreed ? html`<${Begin} table=${table} now=${now}/>`
          : html`<${Button} table=${table} kind="agree" className="button prime">I agree to these rules<//>`}
        <${Sure} table=${table} kind="stand" question="Give your seat back?" yes="Yes, stand up">Stand up<//>
      <//>
    </div>`;
}

// ---- the game ------------------------------------------------------------------------------------------------

function stateOf(seat, now) {
  if (seat.status === "out") return "out";
  if (seat.status === "left") return "has left";
  if (seat.status === "asked") return "may howl";
  const guest = now.guests.find(each => each.seat === seat.name);
  return guest && !guest.here ? "phone asleep" : "";
}

function Seat({ seat, now }) {
  const { view, you } = now;
  const acts = view.to_act === seat.name;
  const state = stateOf(seat, now);
  const names = ["seat", acts && "acts", seat.name === you && "you", state && seat.status !== "in" && "gone"];
  return html`
    <li class=${names.filter(Boolean).join(" ")}>
      <span class="turn" aria-hidden="true">${acts ? "▶" : ""}</span>
      <b>${spoken(seat.name)}${seat.name === you ? " (you)" : ""}</b>
      ${acts && html`<span class="sr">has the turn</span>`}
      <span class="state">${state}</span>
      ${"dice" in seat ? html`<${SmallDice} dice=${seat.dice}/>`
        : html`<${Matches} lives=${seat.lives} of=${Number(now.house.lives) || 3}/>`}
    </li>`;
}

const Seats = ({ now }) => html`
  <ol class="seats" aria-label="Players, clockwise">
    ${now.view.seats.map(seat => html`<${Seat} key=${seat.name} seat=${seat} now=${now}/>`)}
  </ol>`;

function Now({ now }) {
  const { asks, you, view } = now;
  const yours = Boolean(you) && asks.seat === you;
  const advice = adviceOf(now);
  return html`
    <section class=${yours ? "now yours" : "now"} role="status" aria-live="polite">
      <h1>${yours ? "Your turn" : asks.seat ? `${spoken(asks.seat)}'s turn` : "The table"}</h1>
      <p class="asks">${sentence(asks.sentence)}</p>
      ${view.words && html`<p class="said">${spoken(view.words.seat)}: <q>${view.words.words}</q></p>`}
      ${view.record && html`<p class="said">On record: ${recordWords(view)}</p>`}
      ${advice && html`<p class="advice"><span aria-hidden="true">⚑</span> ${advice}</p>`}
    </section>`;
}

const Extras = ({ table, view, can }) => html`
  <div class="extras">
    ${can.includes("point-out") && html`<${Button} table=${table} kind="point-out" className="button quiet">That was an undercall!<//>`}
    ${can.includes("absent") && html`<${Sure} table=${table} kind="absent" yes="Yes, away"
        question=${`Is ${spoken(view.to_act)} away? The cup is then passed on unrolled, as “better”.`}>
        ${spoken(view.to_act)} is away<//>`}
  </div>`;

function Actions({ table, now }) {
  const { view } = now;
  const can = view.can || [];
  const has = kind => can.includes(kind);
  const declared = now.declared && now.declared.seat === now.you;
  const stage = [view.phase, view.to_act, declared, can.join(" ")].join("/");
  return html`
    <${Settled} name=${stage}>
      ${(has("bark") || has("decline") || has("howl") || has("woof")) && html`<${Dog} table=${table} view=${view} can=${can} votes=${now.votes}/>`}
      ${has("roll") && !declared && html`<${Rolling} table=${table} view=${view}/>`}
      ${has("say") && html`<${Bidding} key="say" table=${table} kind="say" opening=${now.opening}/>`}
      ${has("bid") && html`<${CommonBid} table=${table} now=${now}/>`}
      ${(has("accept") || has("challenge")) && html`<${Challenge} table=${table} view=${view} can=${can}/>`}
      ${has("show") && html`<${CommonShow} table=${table} now=${now}/>`}
      ${has("amend") && html`<details class="card fold"><summary>Say something higher instead</summary>
        <${Bidding} key="amend" table=${table} kind="amend" opening=${now.opening}/></details>`}
      <${Extras} table=${table} view=${view} can=${can}/>
    <//>`;
}

const Ticker = ({ ticker }) => ticker.length > 0 && html`
  <ol class="ticker" aria-label="What happened last">
    ${ticker.slice(-4).reverse().map(each => html`<li key=${each.n}>${sentence(each.text)}</li>`)}
  </ol>`;

// Dice that lie open may have to be typed in when the camera is gone and no host is there.
const OPEN = ["starting-roll", "exposure", "five-aces"];

const ByHand = ({ table, now }) => now.manual && now.you && OPEN.includes(now.view.phase) && html`
  <details class="card fold"><summary>Enter the dice by hand</summary>
    <p class="hint">The camera is lost. What lies open can be entered by the host, or here if there is none; everybody is told.</p>
    <${HandEntry} key=${`${now.view.phase} ${now.asks.seat}`} table=${table} kind="enter" faces=${facesIn(now)} count=${diceAsked(now)}>Enter this hand<//>
  </details>`;

const More = ({ table, now }) => html`
  <details class="card fold more"><summary>More</summary>
    ${(now.view.can || []).includes("leave") && html`<${Sure} table=${table} kind="leave" yes="Yes, leave for good"
      question="Leave this game for good? You cannot come back into it.">Leave the game<//>`}
    <p><a href="/host">The host's page</a></p>
  </details>`;

function Play({ table, now }) {
  const { view } = now;
  const yours = Boolean(now.you) && now.asks.seat === now.you;
  useEffect(() => {
    document.title = yours ? "Your turn – Undercup" : "Undercup";
    if (yours && navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate(80);
  }, [yours, view.phase]);
  return html`
    <div class="play">
      <${Now} now=${now}/>
      ${view.verdict && html`<${Verdict} verdict=${view.verdict} exposure=${now.exposure}/>`}
      ${!view.verdict && now.exposure && now.exposure.hand && html`<section class="verdict"><${Hand} hand=${now.exposure.hand}/></section>`}
      <${Actions} table=${table} now=${now}/>
      <${ByHand} table=${table} now=${now}/>
      <${Seats} now=${now}/>
      <${Ticker} ticker=${now.ticker}/>
      ${now.you ? html`<${More} table=${table} now=${now}/>` : html`<${Watching} table=${table} now=${now}/>`}
    </div>`;
}

function Watching({ table, now }) {
  const [name, setName] = useState("");
  const living = now.view.seats.filter(seat => seat.status !== "left");
  return html`
    <details class="card fold"><summary>You are watching. Is one of these seats yours?</summary>
      <p>If your phone died, ask the host to free your seat, then take it again here.</p>
      <label class="field"><span>Your seat</span>
        <select value=${name} onChange=${event => setName(event.target.value)}>
          <option value="">choose</option>
          ${living.map(seat => html`<option key=${seat.name} value=${seat.name}>${spoken(seat.name)}</option>`)}
        </select></label>
      <${Button} table=${table} kind="join" fields=${{ name }} disabled=${!name} className="button">Take this seat again<//>
    </details>`;
}

function Over({ table, now }) {
  const { view } = now;
  const places = (view && view.places) || [];
  return html`
    <section class="card over" role="status">
      <div class="over-cup"><${Cup} tilted/></div>
      <h1>${view && view.winner ? `${spoken(view.winner)} wins` : "The game is over"}</h1>
      <p class="asks">${sentence(now.asks.sentence)}</p>
      <ol class="places">${places.map((names, n) => html`<li key=${n}>${list(names.map(spoken))}</li>`)}</ol>
      ${now.you && html`<${Settled} name="over"><${Button} table=${table} kind="again" className="button prime">Another game<//><//>`}
      ${!now.you && html`<p class="hint">When the players begin another game you can take a seat.</p>`}
      <p><a class="button quiet" href="/record.liar">Take the record home</a></p>
      <p><a href="/host">The host's page</a></p>
    </section>`;
}

// ---- all together --------------------------------------------------------------------------------------------

const Lives = ({ now }) => {
  const own = now && now.view && now.view.seats.find(seat => seat.name === now.you);
  if (!own || now.state !== "game") return null;
  return "dice" in own ? html`<${SmallDice} dice=${own.dice}/>` : html`<${Matches} lives=${own.lives} of=${Number(now.house.lives) || 3}/>`;
};

const Top = ({ now }) => html`
  <header class="top">
    <${Cup}/>
    <b>${now && now.you ? spoken(now.you) : "Undercup"}</b>
    <${Lives} now=${now}/>
  </header>`;

function Body({ table, now }) {
  if (now.state === "over") return html`<${Over} table=${table} now=${now}/>`;
  if (now.state === "game" && now.view) return html`<${Play} table=${table} now=${now}/>`;
  if (now.you) return html`<${Seated} table=${table} now=${now}/>`;
  return html`
    <div>
      <${Join} table=${table} now=${now}/>
      ${now.guests.length > 0 && html`<${Guests} guests=${now.guests}/>`}
      <${Rules} rules=${rulesOf(now)} sheet=${now.sheet}/>
    </div>`;
}

const App = ({ table, now }) => html`
  <div class="page">
    <${Top} now=${now}/>
    <${Lost} table=${table}/>
    <${Notice} table=${table}/>
    <${Told} now=${now}/>
    ${now ? html`<${Body} table=${table} now=${now}/>` : !table.lost && html`<p class="plain">Finding the table …</p>`}
  </div>`;

begin("phone", App);
