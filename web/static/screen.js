// The screen over the bar: nothing to touch, everything to be read from the other end of the room.
import { html, useState } from "./vendor/htm-preact.js";
import { Cup, CupShape, DieFace, Hand, Match, Matches, SmallDice, facesOf } from "./dice.js";
import { Said, Told, adviceOf, begin, list, rulesOf, ruling, sentence, shownHands, spoken } from "./parts.js";
import { recordWords } from "./common.js";
import { around } from "./oval.js";

const TRAY_WORDS = {
  "no-camera": "no camera", covered: "covered", empty: "empty", moving: "rolling",
  settling: "settling", read: "read", unsure: "not sure", manual: "by hand",
};
const UNSURE = ["unsure", "covered", "no-camera"];

// ---- the oval table --------------------------------------------------------------------------------------------

const WIDE = 1240, HIGH = 800;
const MIDDLE = { x: WIDE / 2, y: HIGH / 2 };
const PLATE = { wide: 236, high: 104 };

const livesOf = now => Number(now.house.lives) || 3;

function SeatLives({ seat, all }) {
  if ("dice" in seat) {
    return Array.from({ length: seat.dice }, (_, n) => html`
      <rect key=${n} x=${(n - seat.dice / 2) * 28 + 3} y="12" width="22" height="22" rx="5" fill="#f8efdb"/>`);
  }
  const many = Math.max(all, seat.lives);
  const step = Math.min(20, 200 / many);
  return Array.from({ length: many }, (_, n) => html`
    <g key=${n} transform=${`translate(${(n - many / 2) * step + step / 2 - 6} 3)`}><${Match} lit=${n < seat.lives}/></g>`);
}

const STATUS = { out: "out", left: "has left", asked: "may howl" };

// Dice that a player has set outside his cup: everybody may see them.
const Outside = ({ dice }) => facesOf(dice).map((face, n, all) => html`
  <g key=${n} transform=${`translate(${(n - all.length / 2) * 46} 56) scale(.42)`}><${DieFace} face=${face}/></g>`);

function Plate({ seat, at, acts, here, all, scale, outside }) {
  const name = spoken(seat.name);
  const size = name.length > 11 ? 27 : name.length > 8 ? 31 : 36;
  const word = STATUS[seat.status];
  const names = ["plate", acts && "acts", word && "gone", !here && "away"].filter(Boolean).join(" ");
  return html`
    <g class=${names} transform=${`translate(${at.x} ${at.y}) scale(${scale})`}>
      <rect class="plate-edge" x=${-PLATE.wide / 2} y=${-PLATE.high / 2} width=${PLATE.wide} height=${PLATE.high} rx="16"/>
      <rect class="plate-face" x=${-PLATE.wide / 2 + 5} y=${-PLATE.high / 2 + 5} width=${PLATE.wide - 10} height=${PLATE.high - 10} rx="12"/>
      <text class="plate-name" text-anchor="middle" y="-8" font-size=${size}>${name}</text>
      ${acts && !word && html`<rect x="-104" y="1" width="208" height="46" rx="12" fill="#24120d"/>`}
      ${word ? html`<text class="plate-word" text-anchor="middle" y="32">${word}</text>` : html`<${SeatLives} seat=${seat} all=${all}/>`}
      ${outside && html`<${Outside} dice=${outside}/>`}
    </g>`;
}

function cupPlace(view, places) {
  const n = view.seats.findIndex(seat => seat.name === view.to_act);
  if (n < 0) return MIDDLE;
  return { x: MIDDLE.x + (places[n].x - MIDDLE.x) * 0.36, y: MIDDLE.y + (places[n].y - MIDDLE.y) * 0.3 };
}

const COUNTS = ["passed the cup on unrolled", "rolled one", "rolled two", "rolled three", "rolled four", "rolled all five"];
const rolledWords = rolled => rolled && `${spoken(rolled.seat)} ${COUNTS[rolled.declared] || "rolled"}`;

function Oval({ now }) {
  const { view } = now;
  const places = around(view.seats.length, MIDDLE, 496, 344);
  const here = name => { const guest = now.guests.find(each => each.seat === name); return !guest || guest.here; };
  const outside = name => (view.cups.find(each => each.seat === name) || { outside: "" }).outside;
  const cup = cupPlace(view, places);
  const rolled = rolledWords(view.rolled);
  return html`
    <svg class="oval" viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label="The table">
      <defs>
        <radialGradient id="felt" cx="50%" cy="42%" r="65%"><stop offset="0" stop-color="#237553"/><stop offset=".6" stop-color="#175139"/><stop offset="1" stop-color="#0d3626"/></radialGradient>
        <linearGradient id="rim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7d3a2a"/><stop offset=".5" stop-color="#54201a"/><stop offset="1" stop-color="#331010"/></linearGradient>
      </defs>
      <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y + 18} rx="486" ry="330" fill="#000" opacity=".4"/>
      <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y} rx="482" ry="322" fill="url(#rim)"/>
      <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y} rx="448" ry="288" fill="#c99a3f"/>
      <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y} rx="443" ry="283" fill="url(#felt)"/>
      <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y} rx="404" ry="246" fill="none" stroke="#d8b45c" stroke-opacity=".35" stroke-width="2.5"/>
      <g class="cup-on-table" style=${{ transform: `translate(${cup.x - 90}px, ${cup.y - 112}px)` }}><g transform="scale(.9)"><${CupShape}/></g></g>
      ${rolled && html`<text class="felt-word" text-anchor="middle" x=${MIDDLE.x} y=${MIDDLE.y + 196}>${rolled}</text>`}
      ${view.seats.map((seat, n) => html`<${Plate} key=${seat.name} seat=${seat} at=${places[n]} acts=${view.to_act === seat.name}
        here=${here(seat.name)} all=${livesOf(now)} scale=${view.seats.length > 9 ? 0.82 : 1}
        outside=${outside(seat.name)}/>`)}
    </svg>`;
}

// ---- what was shown --------------------------------------------------------------------------------------------

function Photograph({ address }) {
  const [broken, setBroken] = useState(null);
  if (!address || broken === address) return null;
  return html`
    <figure class="photograph">
      <img src=${address} alt="The tray from below, with what was read" onError=${() => setBroken(address)}/>
      <figcaption>what the tray saw, named by the face on top</figcaption>
    </figure>`;
}

const Strip = ({ now }) => html`
  <ol class=${now.view.seats.length > 6 ? "strip crowd" : "strip"}>
    ${now.view.seats.map(seat => html`
      <li key=${seat.name} class=${[now.view.to_act === seat.name ? "acts" : "", STATUS[seat.status] ? "gone" : ""].join(" ")}>
        <b>${spoken(seat.name)}</b>
        ${STATUS[seat.status] ? html`<span>${STATUS[seat.status]}</span>`
          : "dice" in seat ? html`<${SmallDice} dice=${seat.dice}/>` : html`<${Matches} lives=${seat.lives} of=${livesOf(now)}/>`}
      </li>`)}
  </ol>`;

function Exposure({ now }) {
  const { view, exposure } = now;
  const verdict = view.verdict || { lines: [] };
  const hands = shownHands(view.verdict, exposure);
  return html`
    <section class=${hands.length > 6 ? "exposure crowd" : "exposure"} aria-label="What lay under the cup">
      ${hands.length === 1 && html`<${Hand} hand=${hands[0].dice} big/>`}
      ${hands.length > 1 && html`<div class=${hands.length > 6 ? "many" : "many few"}>${hands.map(({ seat, dice }) => html`
        <div key=${seat}><b>${spoken(seat)}</b><${Hand} hand=${dice}/></div>`)}</div>`}
      <div class="shown">
        <ol class="lines">${verdict.lines.map((line, n) => html`
          <li key=${`${n} ${line}`} style=${{ animationDelay: `${n * 0.7}s` }}>${ruling(line)}</li>`)}</ol>
        <${Photograph} address=${exposure && exposure.picture}/>
      </div>
      <${Strip} now=${now}/>
    </section>`;
}

// A cup for everyone: whose dice the tray has seen, and whose are still to come.
const Gathering = ({ now }) => html`
  <section class="exposure gathering" aria-label="Dice shown so far">
    <div class=${now.view.cups.length > 6 ? "many" : "many few"}>${now.view.cups.filter(cup => cup.hidden || cup.outside).map(({ seat, seen, outside, hidden }) => html`
      <div key=${seat} class=${now.asks.seat === seat ? "turn" : ""}><b>${spoken(seat)}</b>
        <${Hand} hand=${facesOf(seen || outside).concat(seen ? [] : Array(hidden).fill("?"))}/></div>`)}</div>
  </section>`;

// ---- before and after ------------------------------------------------------------------------------------------

const Lobby = ({ now }) => html`
  <section class="lobby">
    <h1>${now.game === "common-hand" ? "Liar’s Dice" : "Liar Dice"}</h1>
    <p class="sub">${now.game === "common-hand" ? "a cup for everyone" : "five dice, one cup, many lies"}</p>
    <ul class="rules">${rulesOf(now).map(({ title, rule }, n) => html`<li key=${n}>${title && html`<b>${title}</b>`}${rule}</li>`)}</ul>
    <ol class="sitting">
      ${now.guests.map(guest => html`
        <li key=${guest.seat} class=${guest.agreed ? "agreed" : ""}><b>${spoken(guest.seat)}</b>
          <span>${guest.agreed ? "✓ agrees" : "reads the rules"}</span></li>`)}
      ${now.guests.length < 2 && html`<li class="free"><b>…</b><span>a seat is free</span></li>`}
    </ol>
  </section>`;

const Winner = ({ now }) => {
  const { view } = now;
  const places = (view && view.places) || [];
  return html`
    <section class="winner">
      <div class="laurel"><${Cup} tilted/></div>
      ${view && view.winner ? html`<p class="sub">The last one with a ${view.game === "common-hand" ? "die" : "life"}</p><h1>${spoken(view.winner)}</h1>`
        : html`<h1>The game is over</h1>`}
      <ol class="places">${places.slice(1).map((names, n) => html`<li key=${n}><i>${n + 2}</i>${list(names.map(spoken))}</li>`)}</ol>
    </section>`;
};

// ---- the side --------------------------------------------------------------------------------------------------

function Asks({ now }) {
  const { asks, view } = now;
  const advice = adviceOf(now);
  return html`
    <section class="asks-card" aria-live="polite">
      <h2>${asks.seat ? spoken(asks.seat) : now.state === "lobby" ? "Welcome" : "The table"}</h2>
      <p>${sentence(asks.sentence)}</p>
      ${view && view.words && now.state === "game" && html`<p class="words">${spoken(view.words.seat)} said <q>${view.words.words}</q></p>`}
      ${view && view.record && html`<p class="words">On record <q>${recordWords(view)}</q></p>`}
      ${advice && html`<p class="advice">${advice}</p>`}
      <${Told} now=${now}/>
      ${now.console && now.console.length > 0 && html`<p class="composing">${now.console.join(" · ")}</p>`}
    </section>`;
}

const TrayLamp = ({ tray }) => html`
  <p class=${UNSURE.includes(tray.state) ? "lamp unsure" : `lamp ${tray.state}`}><i aria-hidden="true"></i>The tray: ${TRAY_WORDS[tray.state] || tray.state}</p>`;

const Ticker = ({ now }) => html`
  <ol class="ticker">${now.ticker.slice(-5).reverse().map(each => html`<li key=${each.n}>${sentence(each.text)}</li>`)}</ol>`;

const bare = address => String(address).replace(/^https?:\/\//, "").replace(/\/$/, "");

const Scan = ({ now, big }) => html`
  <figure class=${big ? "scan big" : "scan"}>
    <img src=${`/join.svg?of=${encodeURIComponent(now.join_url)}`} alt="A code to scan with a phone"/>
    <figcaption><span>${big ? "Scan to take a seat" : "Scan to watch or join"}</span><b>${bare(now.join_url)}</b></figcaption>
  </figure>`;

function Side({ now }) {
  const quiet = now.state !== "game";
  return html`
    <aside class="side">
      <${Asks} now=${now}/>
      ${!quiet && (now.view.verdict ? html`<div class="all-said"><h3>What was said</h3><${Said} verdict=${now.view.verdict} last=${6}/></div>` : html`<${Ticker} now=${now}/>`)}
      <div class="foot">
        ${!quiet && html`<${TrayLamp} tray=${now.tray}/>`}
        <${Scan} now=${now} big=${quiet && now.state === "lobby"}/>
      </div>
    </aside>`;
}

// ---- all together ----------------------------------------------------------------------------------------------

function Main({ now }) {
  if (now.state === "over") return html`<${Winner} now=${now}/>`;
  if (now.state !== "game" || !now.view) return html`<${Lobby} now=${now}/>`;
  if (now.view.verdict || (now.exposure && now.exposure.hand)) return html`<${Exposure} now=${now}/>`;
  if (now.game === "common-hand" && now.view.phase === "exposure") return html`<${Gathering} now=${now}/>`;
  return html`<${Oval} now=${now}/>`;
}

const Waiting = () => html`
  <div class="waiting" role="status"><${Cup}/><p>Waiting for the table</p><small>The game goes on where it was.</small></div>`;

const App = ({ table, now }) => html`
  <div class="stage">
    <header class="sign"><${Cup}/><b>Undercup</b></header>
    ${now && html`<${Main} now=${now}/>`}
    ${now && html`<${Side} now=${now}/>`}
    ${(table.lost || !now) && html`<${Waiting}/>`}
  </div>`;

begin("screen", App);
