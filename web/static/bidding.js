// The bid, tapped together on a phone or typed, always shown as the words to be said before it is said.
import { html, useState } from "./vendor/htm-preact.js";
import { CATEGORIES, FACES, NOTHING, choose, cycle, extras, seconds, wordsOf } from "./bid.js";
import { faceName } from "./dice.js";
import { Button } from "./parts.js";

const CLIMBS = [[0, "as it is"], [1, "better"], [2, "way better"]];

const Chip = ({ on, act, label, children }) => html`
  <button type="button" class=${on ? "chip on" : "chip"} aria-pressed=${on ? "true" : "false"} aria-label=${label}
    onClick=${act}>${children}</button>`;

const FaceRow = ({ title, chosen, faces, act }) => html`
  <div class="row" role="group" aria-label=${title}>
    <h3>${title}</h3>
    <div class="faces">
      ${faces.map(face => html`
        <${Chip} key=${face} on=${chosen === face} label=${faceName(face)} act=${() => act(chosen === face ? null : face)}>
          ${face}<//>`)}
    </div>
  </div>`;

function marked(bid, face) {
  if (bid.with.includes(face)) return ["chip on", "with"];
  if (bid.without.includes(face)) return ["chip off", "no"];
  return ["chip", ""];
}

const Extras = ({ bid, set }) => html`
  <div class="row" role="group" aria-label="With or without">
    <h3>Other dice: tap once for <em>with</em>, twice for <em>no</em></h3>
    <div class="faces">
      ${extras(bid).map(face => {
        const [look, word] = marked(bid, face);
        return html`<button key=${face} type="button" class=${look} aria-label=${`${word || "nothing said of"} ${faceName(face)}`}
          onClick=${() => set(cycle(bid, face))}><span>${face}</span><small>${word || "·"}</small></button>`;
      })}
    </div>
  </div>`;

function Details({ bid, set }) {
  const entry = CATEGORIES.find(each => each.key === bid.category);
  if (!entry) return null;
  return html`
    <div>
      <${FaceRow} title=${entry.first} faces=${FACES} chosen=${bid.first} act=${first => set(choose(bid, { first }))}/>
      ${seconds(bid).length > 0 && html`<${FaceRow} title=${entry.second} faces=${seconds(bid)} chosen=${bid.second}
        act=${second => set(choose(bid, { second }))}/>`}
      ${["pair", "three", "four"].includes(bid.category) && html`<${FaceRow} title="best other die" chosen=${bid.high}
        faces=${FACES.filter(face => face !== bid.first)} act=${high => set(choose(bid, { high }))}/>`}
      ${bid.category !== "five" && html`<${Extras} bid=${bid} set=${set}/>`}
    </div>`;
}

// Before the first bid of a hand there is nothing to better.
const HowFarUp = ({ bid, set }) => html`
  <div class="row" role="group" aria-label="How far up">
    <div class="thirds">
      ${CLIMBS.map(([climb, word]) => html`
        <${Chip} key=${climb} on=${bid.climb === climb} act=${() => set(choose(bid, { climb }))}>${word}<//>`)}
    </div>
  </div>`;

const Tapped = ({ bid, set, opening }) => html`
  <div>
    ${!opening && html`<${HowFarUp} bid=${bid} set=${set}/>`}
    <div class="row" role="group" aria-label="What lies there">
      <div class="kinds">
        ${CATEGORIES.map(({ key, chip }) => html`
          <${Chip} key=${key} on=${bid.category === key}
            act=${() => set(choose(bid, { category: bid.category === key ? null : key }))}>${chip}<//>`)}
      </div>
    </div>
    <${Details} bid=${bid} set=${set}/>
  </div>`;

const Typed = ({ words, setWords }) => html`
  <label class="field"><span>Say it in your own words</span>
    <input type="text" value=${words} maxlength="120" autocapitalize="none" spellcheck=${false} enterkeyhint="send"
      placeholder="a pair of jacks, no ten" onInput=${event => setWords(event.target.value)}/></label>`;

// `kind` is say or amend, `opening`: no bid stands before this one. What was tapped is forgotten once it has been said.
export function Bidding({ table, kind, opening }) {
  const [bid, set] = useState(NOTHING);
  const [words, setWords] = useState("");
  const [typing, setTyping] = useState(false);
  const said = typing ? words.trim() : wordsOf(bid);
  const say = async () => {
    const answer = await table.tap(kind, { words: said });
    if (answer.ok) { set(NOTHING); setWords(""); }
  };
  return html`
    <form class="panel bidding" aria-label="Your bid" onSubmit=${event => { event.preventDefault(); if (said) say(); }}>
      ${typing ? html`<${Typed} words=${words} setWords=${setWords}/>` : html`<${Tapped} bid=${bid} set=${set} opening=${opening}/>`}
      <button type="button" class="link" onClick=${() => setTyping(!typing)}>
        ${typing ? "Tap it together instead" : "Type it instead"}</button>
      <div class="say">
        <p class="words" aria-live="polite">${said ? html`<q>${said}</q>` : html`<span class="hint">Tap what you say</span>`}</p>
        <button class="button prime" data-kind=${kind} disabled=${table.busy || !said}>
          ${kind === "say" ? "Say it" : "Say this instead"}</button>
      </div>
    </form>`;
}
