// The host's page: the rules before the game, and what has to be put right by hand while it is played.
import { html, useState } from "./vendor/htm-preact.js";
import { HandEntry, diceAsked, facesIn } from "./byhand.js";
import { Matches, SmallDice, facesOf } from "./dice.js";
import { Button, Lost, Notice, Settled, Sure, Told, Verdict, adviceOf, begin, numbered, sentence, spoken } from "./parts.js";
import { post } from "./table.js";

// ---- the PIN ---------------------------------------------------------------------------------------------------

function Pin() {
  const [pin, setPin] = useState("");
  const [no, setNo] = useState("");
  const give = async event => {
    event.preventDefault();
    const answer = await post("/host/pin", { pin });
    if (answer.ok) location.reload();
    else { setNo(answer.message); setPin(""); }
  };
  return html`
    <form class="card join" onSubmit=${give}>
      <h1>The host</h1>
      <label class="field"><span>The PIN that the table printed when it started</span>
        <input type="text" inputmode="numeric" autocomplete="one-time-code" value=${pin} onInput=${event => setPin(event.target.value)}/></label>
      ${no && html`<p class="advice" role="alert">${no}</p>`}
      <button class="button prime" disabled=${!pin}>I am the host</button>
    </form>`;
}

// ---- before the game -------------------------------------------------------------------------------------------

const GAMES = [["one-cup", "One cup", "five poker dice, passed on"], ["common-hand", "A cup for everyone", "quantity and face"]];

const Games = ({ table, now }) => html`
  <section class="card"><h2>The game</h2>
    <div class="pair">${GAMES.map(([game, name, hint]) => html`
      <${Button} key=${game} table=${table} kind="game" fields=${{ game }} className=${now.game === game ? "button picked" : "button"}>
        ${name}<small>${hint}</small><//>`)}</div>
  </section>`;

const same = (one, other) => String(one) === String(other);
const Values = ({ table, option, chosen }) => (numbered(option)
  ? html`<div class="numbers">${option.values.map(({ value }) => html`
      <${Button} key=${value} table=${table} kind="house" fields=${{ option: option.name, value }}
        className=${same(chosen, value) ? "button picked" : "button"}>${value}<//>`)}</div>`
  : html`<div>${option.values.map(({ value, sentence: words }) => html`
      <${Button} key=${value} table=${table} kind="house" fields=${{ option: option.name, value }}
        className=${same(chosen, value) ? "button option picked" : "button option"}>
        ${words}${same(value, option.default) && html`<small>as usual</small>`}<//>`)}</div>`);

const House = ({ table, now }) => html`
  <section class="card"><h2>The house rules</h2>
    <p class="hint">A change asks everybody to agree again.</p>
    ${now.options.map(option => {
      const chosen = now.house[option.name];
      const words = (option.values.find(each => same(each.value, chosen)) || {}).sentence;
      return html`
        <details key=${option.name} class="fold inner"><summary>${option.title || option.name}</summary>
          <${Values} table=${table} option=${option} chosen=${chosen}/></details>
        <p class="chosen">${words}</p>`;
    })}
  </section>`;

function Begin({ table, now }) {
  const ready = now.guests.length > 1 && now.guests.every(guest => guest.agreed);
  return html`
    <section class="card"><h2>Begin</h2>
      ${!ready && html`<p class="hint">Two players at least must sit down, and all must agree to the rules.</p>`}
      <${Button} table=${table} kind="begin" fields=${{ start: "roll" }} disabled=${!ready} className="button prime">Roll for the start<//>
      <details class="fold inner"><summary>Or say who starts</summary>
        ${now.guests.map(guest => html`<${Button} key=${guest.seat} table=${table} kind="begin" disabled=${!ready}
          fields=${{ start: guest.seat }}>${spoken(guest.seat)} starts<//>`)}</details>
    </section>`;
}

// ---- while it is played ----------------------------------------------------------------------------------------

const State = ({ now }) => html`
  <section class="now" role="status"><h1>${now.asks.seat ? spoken(now.asks.seat) : "The table"}</h1>
    <p class="asks">${sentence(now.asks.sentence)}</p>
    ${adviceOf(now) && html`<p class="advice">${adviceOf(now)}</p>`}
  </section>`;

const Enter = ({ table, now }) => html`
  <details class="card fold" open=${now.manual}><summary>Enter the dice by hand</summary>
    <p class="hint">What lies on the tray${now.asks.seat ? `, for ${spoken(now.asks.seat)}` : ""}, when the camera cannot read it. Everybody is told that it was entered by hand.</p>
    <${HandEntry} key=${`${now.view.phase} ${now.asks.seat} ${diceAsked(now)}`} table=${table} kind="enter" faces=${facesIn(now)} count=${diceAsked(now)}>Enter this hand<//>
  </details>`;

// A common exposure is corrected one player at a time, since every hand was read for itself.
function Correct({ table, now }) {
  const [seat, setSeat] = useState(null);
  const { view, exposure } = now;
  const own = view.seats.find(each => each.name === seat);
  const common = view.game === "common-hand";
  return html`
    <details class="card fold"><summary>The last dice were misread</summary>
      <p class="hint">All that followed is reckoned again. Tap a die to change it.</p>
      ${common && html`<div class="pair">${view.seats.map(each => html`<button key=${each.name} type="button"
        class=${seat === each.name ? "button picked" : "button"} onClick=${() => setSeat(each.name)}>${spoken(each.name)}</button>`)}</div>`}
      ${(!common || own) && html`<${HandEntry} key=${seat} table=${table} kind="correct" faces=${facesIn(now)} count=${common ? own.dice || 1 : 5}
        start=${common ? [] : facesOf(exposure && exposure.hand)} fields=${common ? { seat } : {}}>Correct it<//>`}
    </details>`;
}

function Undo({ table, now }) {
  const last = now.undo || (now.ticker.length ? `the last act (last said: “${sentence(now.ticker[now.ticker.length - 1].text)}”)` : "the last act");
  return html`<${Sure} table=${table} kind="undo" className="button" yes="Yes, take it back" question=${`Take back ${last}?`}>Take back the last act<//>`;
}

const PutRight = ({ table, now }) => {
  const can = now.view.table_can || [];
  return html`
    <section class="card"><h2>Put right</h2>
      ${can.includes("undo") && html`<${Undo} table=${table} now=${now}/>`}
      ${can.includes("void") && html`<${Sure} table=${table} kind="void" className="button" yes="Yes, the hand is void"
        question="Are the dice spilled? The hand is void, nobody loses, and the same player starts again.">Dice spilled: void the hand<//>`}
      ${now.view.to_act && now.view.phase === "offered" && html`<${Sure} table=${table} kind="declare-absent" className="button"
        yes="Yes, away" question=${`Is ${spoken(now.view.to_act)} away? The cup is passed on unrolled, as “better”.`}>${spoken(now.view.to_act)} is away<//>`}
      ${now.view.phase === "dog" && html`<div class="pair"><${Button} table=${table} kind="howl" className="button good">A decent howl<//>
        <${Button} table=${table} kind="woof">A woof: again<//></div>`}
    </section>`;
};

// ---- seats, end, record ----------------------------------------------------------------------------------------

const Count = ({ now, name }) => {
  const seat = now.view && now.view.seats.find(each => each.name === name);
  if (!seat) return null;
  return "dice" in seat ? html`<${SmallDice} dice=${seat.dice}/>` : html`<${Matches} lives=${seat.lives} of=${Number(now.house.lives) || 3}/>`;
};

const Guest = ({ table, now, guest }) => html`
  <details class="fold inner guest"><summary><b>${spoken(guest.seat)}</b>
      <span>${guest.free ? "free for a phone" : guest.here ? "" : "phone asleep"}</span><${Count} now=${now} name=${guest.seat}/></summary>
    <${Sure} table=${table} kind="stand" fields=${{ seat: guest.seat }} className="button" yes="Yes, free it"
      question=${`Let another phone take ${spoken(guest.seat)}'s seat? Lives and turn stay.`}>Free this seat for another phone<//>
    <${Sure} table=${table} kind="remove" fields=${{ seat: guest.seat }} className="button" yes="Yes, remove"
      question=${`Remove ${spoken(guest.seat)} for good?`}>Remove from the table<//>
  </details>`;

const Guests = ({ table, now }) => html`
  <section class="card"><h2>The seats</h2>
    ${now.guests.length === 0 && html`<p class="hint">Nobody sits at the table yet.</p>`}
    ${now.guests.map(guest => html`<${Guest} key=${guest.seat} table=${table} now=${now} guest=${guest}/>`)}
  </section>`;

const VOLUMES = [[0, "off"], [40, "soft"], [70, "middle"], [100, "loud"]];

const Sound = ({ table, now }) => now.sound && html`
  <section class="card"><h2>The table's voice</h2>
    <div class="numbers four">${VOLUMES.map(([volume, word]) => {
      const on = volume > 0;
      const picked = on ? now.sound.on && now.sound.volume === volume : !now.sound.on;
      return html`<${Button} key=${word} table=${table} kind="sound" fields=${on ? { on, volume } : { on }} className=${picked ? "button picked" : "button"}>${word}<//>`;
    })}</div>
  </section>`;

const Close = ({ table, now }) => html`
  <section class="card"><h2>The evening</h2>
    ${now.state === "game" && html`<${Sure} table=${table} kind="end" className="button" yes="Yes, end it"
      question="End this game without a winner?">End this game<//>`}
    ${now.state === "over" && html`<${Button} table=${table} kind="again" className="button prime">Another game, same seats<//>`}
    ${now.state === "over" && html`<a class="button quiet" href="/record.liar">Take the record home</a>`}
    <button type="button" class="button quiet" onClick=${async () => { await post("/host/leave", {}); location.reload(); }}>I am the host no more</button>
    <p><a href="/">The phones' page</a></p>
  </section>`;

// ---- all together ----------------------------------------------------------------------------------------------

const Lobby = ({ table, now }) => html`
  <div><${Begin} table=${table} now=${now}/><${Guests} table=${table} now=${now}/><${Games} table=${table} now=${now}/><${House} table=${table} now=${now}/></div>`;

const Game = ({ table, now }) => html`
  <div>
    <${State} now=${now}/>
    ${now.view.verdict && html`<${Verdict} verdict=${now.view.verdict} exposure=${now.exposure}/>`}
    <${Enter} table=${table} now=${now}/>
    ${(now.view.table_can || []).includes("correct") && html`<${Correct} table=${table} now=${now}/>`}
    <${PutRight} table=${table} now=${now}/>
    <${Guests} table=${table} now=${now}/>
  </div>`;

const App = ({ table, now }) => html`
  <div class="page">
    <header class="top"><b>Undercup: the host</b></header>
    <${Lost} table=${table}/><${Notice} table=${table}/><${Told} now=${now}/>
    ${now && html`<${Settled} name=${`${now.state} ${now.game_version}`}>
      ${now.view && now.state !== "lobby" ? html`<${Game} table=${table} now=${now}/>` : html`<${Lobby} table=${table} now=${now}/>`}
      <${Sound} table=${table} now=${now}/>
      <${Close} table=${table} now=${now}/><//>`}
    ${!now && !table.lost && html`<p class="plain">Finding the table …</p>`}
  </div>`;

const isHost = document.getElementById("app").dataset.host === "yes";
begin(isHost ? "host" : "screen", isHost ? App : () => html`<div class="page"><${Pin}/></div>`);
