// The simulated tray: a person's hands and eyes. Faces reach the table only through the camera below.
import { html, render, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { CupShape, DieFace, faceName } from "./dice.js";
import { Buttons } from "./console.js";
import { openTable, post } from "./table.js";
import { sentence } from "./parts.js";

const LOOKS = 300; // ms between looks at the tray
const WIDE = 900;

// ---- eyes ------------------------------------------------------------------------------------------------------

// Look again and again while the page is seen, at once after `poke` changes.
function useLook(peek, poke) {
  const [seen, setSeen] = useState(null);
  useEffect(() => {
    let stop = false, timer = 0;
    const look = async () => {
      if (document.visibilityState !== "hidden") {
        try {
          const response = await fetch(peek ? "/tray/look?peek=1" : "/tray/look");
          if (response.ok && !stop) setSeen(await response.json());
        } catch (trouble) {
          // The live stream tells when the table is gone.
        }
      }
      if (!stop) timer = setTimeout(look, LOOKS);
    };
    look();
    return () => { stop = true; clearTimeout(timer); };
  }, [peek, poke]);
  return seen;
}

function PictureBelow() {
  const image = useRef(null);
  useEffect(() => {
    let stop = false, timer = 0;
    const next = () => {
      if (!stop && image.current) image.current.src = `/tray/picture?below=1&at=${Date.now()}`;
    };
    const again = () => { timer = setTimeout(next, 400); };
    image.current.onload = again;
    image.current.onerror = again;
    next();
    return () => { stop = true; clearTimeout(timer); };
  }, []);
  return html`<figure class="below"><img ref=${image} alt="What the camera sees from below"/><figcaption>The camera's own picture, from below</figcaption></figure>`;
}

// ---- the tray from above ---------------------------------------------------------------------------------------

function DieOnTray({ die, edge, high, chosen, pick }) {
  const size = edge * WIDE;
  const turn = `translate(${die.x * WIDE} ${die.y * high}) rotate(${die.angle || 0}) scale(${size / 100}) translate(-50 -50)`;
  const names = ["on-tray", die.leaning && "leaning", die.moving && "moving", chosen && "chosen"].filter(Boolean).join(" ");
  return html`
    <g class=${names} transform=${turn} onClick=${() => pick(die.id)} role="button" aria-label=${`die ${die.id + 1}${die.face ? `, ${faceName(die.face)}` : ""}`}>
      ${chosen && html`<rect x="-12" y="-12" width="124" height="124" rx="28" fill="#f3d990"/>`}
      ${die.moving || !die.face ? html`<rect x="1" y="1" width="98" height="98" rx="19" fill="#cbbd9d"/>` : html`<${DieFace} face=${die.face}/>`}
      ${die.leaning && html`<path d="M0 100 L100 100 L100 78Z" fill="#000" opacity=".45"/>`}
    </g>`;
}

function Above({ seen, chosen, pick }) {
  const high = WIDE / (seen.aspect || 1.3);
  const { cup } = seen;
  const lies = seen.dice.filter(die => die.x !== null);
  const r = cup.r * WIDE;
  return html`
    <svg class=${seen.covered ? "above covered" : "above"} viewBox=${`0 0 ${WIDE} ${high}`} aria-label="The tray from above">
      <defs><radialGradient id="cloth" cx="50%" cy="45%" r="75%"><stop offset="0" stop-color="#237553"/><stop offset="1" stop-color="#0d3626"/></radialGradient></defs>
      <rect width=${WIDE} height=${high} rx="22" fill="url(#cloth)"/>
      ${lies.map(die => html`<${DieOnTray} key=${die.id} die=${die} edge=${seen.edge} high=${high} chosen=${chosen.includes(die.id)} pick=${pick}/>`)}
      ${(cup.down || cup.hides) && html`
        <g class=${cup.hides === false ? "cup-above glass" : "cup-above"} transform=${`translate(${cup.x * WIDE} ${cup.y * high})`}>
          <circle r=${r} fill="#5a1a1f"/><circle r=${r * 0.94} fill="none" stroke="#c99a3f" stroke-width=${r * 0.07}/>
          <circle r=${r * 0.62} fill="#7a2a2c"/><circle r=${r * 0.56} fill="none" stroke="#c99a3f" stroke-width=${r * 0.045}/>
        </g>`}
      ${!(cup.down || cup.hides) && html`<g transform=${`translate(${WIDE - 120} ${high - 132}) scale(.55)`} opacity=".9"><${CupShape}/></g>`}
    </svg>`;
}

// ---- hands -----------------------------------------------------------------------------------------------------

const Act = ({ act, action, fields, children, quiet, disabled, title }) => html`
  <button type="button" class=${quiet ? "do quiet" : "do"} data-action=${action} disabled=${disabled} title=${title}
    onClick=${() => act(action, fields || {})}>${children}</button>`;

const Chosen = ({ seen, chosen, pick, all }) => html`
  <div class="choose" role="group" aria-label="Choose dice">
    ${seen.dice.map(die => html`
      <button key=${die.id} type="button" class=${chosen.includes(die.id) ? "pick on" : "pick"} aria-pressed=${chosen.includes(die.id) ? "true" : "false"}
        aria-label=${`choose die ${die.id + 1}`} onClick=${() => pick(die.id)}>
        ${die.face ? die.face : "?"}<small>${die.where === "cup" ? "in the cup" : die.where === "away" ? "away" : "open"}</small></button>`)}
    <button type="button" class="pick" onClick=${all}>all</button>
  </div>`;

function Hands({ seen, act, chosen, pick, all }) {
  const one = chosen.length === 1;
  const none = chosen.length === 0;
  return html`
    <div class="hands">
      <section><h2>The cup</h2>
        ${seen.cup.down ? html`<${Act} act=${act} action="cup_up">Lift the cup<//>` : html`<${Act} act=${act} action="cup_down">Put the cup over<//>`}
        <${Act} act=${act} action="shake" disabled=${!seen.cup.down}>Shake it: roll what is under it<//>
        <${Act} act=${act} action="nudge">Nudge<//>
      </section>
      <section><h2>Some dice</h2>
        <${Chosen} seen=${seen} chosen=${chosen} pick=${pick} all=${all}/>
        <${Act} act=${act} action="roll" fields=${{ dice: chosen }} disabled=${none}>Roll these<//>
        <${Act} act=${act} action="keep" fields=${{ dice: chosen }} disabled=${none}>Put these outside the cup<//>
      </section>
      <section><h2>Only so many</h2>
        <div class="numbers">${seen.dice.map((_, n) => n + 1).map(count => html`<${Act} key=${count} act=${act} action="only" fields=${{ count }}
          title=${`Only ${count} on the tray, freshly rolled`}>${count}<//>`)}</div>
        <p>One die for the starting roll; as many as a player holds at an exposure for everyone.</p>
      </section>
      <section><h2>Mischief</h2>
        <${Act} act=${act} action="lean" fields=${{ die: chosen[0] }} disabled=${!one} quiet>Lean this die<//>
        <${Act} act=${act} action="flip" fields=${{ die: chosen[0] }} disabled=${!one} quiet>Turn this die over<//>
        <${Act} act=${act} action="spill" quiet>Spill them all<//>
        <${Act} act=${act} action="gather" quiet>Gather and roll all<//>
        <${Act} act=${act} action="cover" fields=${{ on: !seen.covered }} quiet>${seen.covered ? "Take the beer mat away" : "A beer mat on the lens"}<//>
        ${seen.plugged ? html`<${Act} act=${act} action="unplug" quiet>Pull the camera's cable<//>` : html`<${Act} act=${act} action="plug" quiet>Plug the camera in<//>`}
      </section>
    </div>`;
}

// ---- all together ----------------------------------------------------------------------------------------------

const Peek = ({ setPeek }) => {
  const on = () => setPeek(true), off = () => setPeek(false);
  return html`<button type="button" class="do peek" onPointerDown=${on} onPointerUp=${off} onPointerLeave=${off} onPointerCancel=${off}
    onKeyDown=${event => event.key === " " && on()} onKeyUp=${off} onBlur=${off}>Hold to peek under the cup</button>`;
};

function App({ table, now }) {
  const [peek, setPeek] = useState(false);
  const [poke, setPoke] = useState(0);
  const [chosen, setChosen] = useState([]);
  const [below, setBelow] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const seen = useLook(peek, poke);
  const pick = id => setChosen(chosen.includes(id) ? chosen.filter(each => each !== id) : chosen.concat(id));
  const act = async (action, fields) => {
    const answer = await post("/tray/act", { action, fields });
    setTrouble(answer.ok ? null : answer.message);
    if (answer.ok && ["roll", "keep", "lean", "flip"].includes(action)) setChosen([]);
    setPoke(poke + 1);
  };
  if (!seen) return html`<p class="plain">Looking at the tray …</p>`;
  return html`
    <div class="bench">
      <header><h1>The simulated tray</h1>
        <p role="status">${table.lost ? "Waiting for the table" : now ? sentence(now.asks.sentence) : ""}</p></header>
      <div class="view">
        <${Above} seen=${seen} chosen=${chosen} pick=${pick}/>
        ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
        <div class="eyes"><${Peek} setPeek=${setPeek}/>
          <button type="button" class="do quiet" aria-pressed=${below ? "true" : "false"} onClick=${() => setBelow(!below)}>${below ? "Hide the camera's picture" : "Show the camera's picture"}</button></div>
        ${below && html`<${PictureBelow}/>`}
        ${seen.console && html`<${Buttons} seen=${seen.console} act=${act}/>`}
      </div>
      <${Hands} seen=${seen} act=${act} chosen=${chosen} pick=${pick} all=${() => setChosen(seen.dice.map(die => die.id))}/>
    </div>`;
}

const root = document.getElementById("app");
root.textContent = "";
openTable("screen", table => render(html`<${App} table=${table} now=${table.data}/>`, root));
