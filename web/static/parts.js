// Pieces that several pages share: names, buttons that cannot be pressed twice by accident, the verdict.
import { html, render, useEffect, useState } from "./vendor/htm-preact.js";
import { commonWords } from "./bid.js";
import { Hand, faceOf, facesOf } from "./dice.js";
import { openTable } from "./table.js";

const SETTLE = 400; // ms in which a new panel ignores taps meant for the one before it

// A seat's name as people write it: the record needs one word.
export const spoken = name => String(name || "").replace(/_/g, " ");

// A sentence from the table for people: names without marks, a hand written as dice ("QQKT9": "Q Q K 10 9").
export const sentence = text => String(text || "").replace(/(\w)_(?=\w)/g, "$1 ")
  .replace(/\b[AKQJT9]{5}\b/g, hand => facesOf(hand).join("\u2009"));

// A line of a verdict; a bid of the common hand in words: "Ann bid 3 of 5." is "Ann bid three fives."
export const ruling = line => sentence(line)
  .replace(/\bbid (\d+) of (\w+)(?=\.)/, (_, quantity, face) => `bid ${commonWords(Number(quantity), faceOf(face))}`);

// What would help the tray, unless the table's sentence says it already, with or without a name before it.
export const adviceOf = ({ asks, tray }) => (tray.advice && !asks.sentence.includes(tray.advice) ? tray.advice : null);

export const list = names => (names.length < 2 ? names.join("")
  : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

// Draw `App({table, now})` into the page at every change of the table for `role`; the page names the version it shows.
export function begin(role, App) {
  const root = document.getElementById("app");
  root.textContent = "";
  return openTable(role, table => {
    render(html`<${App} table=${table} now=${table.data}/>`, root);
    root.dataset.version = table.data ? table.data.version : "";
  });
}

export const Button = ({ table, kind, fields, className, children, act, disabled, label }) => html`
  <button type="button" class=${className || "button"} aria-label=${label} data-kind=${kind}
    disabled=${disabled || (table && table.busy)}
    onClick=${act || (() => table.tap(kind, typeof fields === "function" ? fields() : fields))}>${children}</button>`;

// Children appear at once but can be pressed only after SETTLE: a second tap of a double tap meets nothing.
export function Settled({ name, children }) {
  const [ready, setReady] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setReady(name), SETTLE);
    return () => clearTimeout(timer);
  }, [name]);
  return html`<fieldset class="settled" disabled=${ready !== name}>${children}</fieldset>`;
}

// A button that asks once more before it does something that cannot be done lightly.
export function Sure({ table, kind, fields, children, question, yes, className }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return html`<${Button} table=${table} className=${className || "button quiet"} act=${() => setAsked(true)}>${children}<//>`;
  }
  const go = () => { setAsked(false); table.tap(kind, typeof fields === "function" ? fields() : fields); };
  return html`
    <div class="sure" role="alertdialog" aria-label=${question}>
      <p>${question}</p>
      <${Button} table=${table} kind=${kind} className="button danger" act=${go}>${yes}<//>
      <${Button} className="button quiet" act=${() => setAsked(false)}>No<//>
    </div>`;
}

export const Notice = ({ table }) => table.notice && html`
  <div class="notice" role="alert">
    <p>${sentence(table.notice)}</p>
    <button type="button" class="button quiet" onClick=${table.dismiss}>All right</button>
  </div>`;

// What everybody has to know before the first game, such as that a damaged journal was set aside.
export const Told = ({ now }) => now && now.notice && html`<p class="advice told" role="status">${now.notice}</p>`;

export const Lost = ({ table }) => table.lost && html`
  <div class="lost" role="alert"><b>The table is not answering.</b> It goes on where it was – keep this page open.</div>`;

// The rules in force: each with the question it answers, where the table tells it.
export function rulesOf(now) {
  if (!now.options.length) return now.rules.map(rule => ({ title: null, rule }));
  return now.options.map(option => {
    const chosen = option.values.find(each => String(each.value) === String(now.house[option.name])) || { sentence: "" };
    return { title: numbered(option) ? null : option.title, rule: chosen.sentence };
  });
}

// A number needs no question: "Everybody starts with 3 lives."
export const numbered = option => option.values.every(each => /^\d+$/.test(String(each.value)));

// What each bid was and what it came to, in the order in which they were said; both games.
export const Said = ({ verdict, last }) => html`
  <ol class="bids">${verdict.said.slice(last ? -last : 0).map((each, n) => html`
    <li key=${n}><b>${spoken(each.seat)}</b> ${counted(each.claim) ? html`<q>${bidInWords(each.claim)}</q>`
      : html`<q>${each.words}</q> <span>${sentence(each.claim)}</span>`}</li>`)}</ol>`;

// A claim of a quantity and a face, "3 5", in words.
const counted = claim => /^\d+ /.test(claim);
function bidInWords(claim) {
  const [quantity, face] = claim.split(" ");
  return commonWords(Number(quantity), faceOf(face));
}

// What was shown: [{seat, dice}], seat null for the one cup. A hand in between (five aces) is in the exposure only.
export function shownHands(verdict, exposure) {
  if (verdict && Array.isArray(verdict.shown)) return verdict.shown;
  const dice = (exposure && exposure.hand) || (verdict && verdict.shown);
  return dice ? [{ seat: null, dice }] : [];
}

// The verdict in words, line by line, with what lay there.
export const Verdict = ({ verdict, exposure }) => html`
    <section class="verdict" aria-label="The verdict">
      ${shownHands(verdict, exposure).map(({ seat, dice }) => html`
        <div key=${seat}>${seat && html`<b>${spoken(seat)}</b>`}<${Hand} hand=${dice}/></div>`)}
      <ol>${verdict.lines.map((line, n) => html`<li key=${n}>${ruling(line)}</li>`)}</ol>
      ${verdict.said.length > 1 && html`<details class="fold"><summary>Everything that was said</summary><${Said} verdict=${verdict}/></details>`}
    </section>`;
