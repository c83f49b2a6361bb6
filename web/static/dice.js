// Our own drawings: dice faces (poker and pips), the cup, matchsticks for lives. Ivory, ink and brass.
import { html } from "./vendor/htm-preact.js";

const SPADE = "M50 6 C60 24 88 38 88 60 C88 74 70 80 57 68 C58 80 62 88 68 94 L32 94 C38 88 42 80 43 68 C30 80 12 74 12 60 C12 38 40 24 50 6Z";
const CROWN = "M14 78 L8 30 L32 50 L50 16 L68 50 L92 30 L86 78Z M14 84 H86 V94 H14Z";
const HEART = "M50 92 C20 66 8 48 8 32 C8 16 20 8 31 8 C40 8 47 13 50 21 C53 13 60 8 69 8 C80 8 92 16 92 32 C92 48 80 66 50 92Z";
const FEATHER = "M84 10 C40 14 18 44 22 78 L12 92 L20 96 L30 82 C62 84 84 56 84 10Z";
const DIAMOND = "M50 6 L84 50 L50 94 L16 50Z";
const CLUB = "M50 8 A19 19 0 0 1 67 40 A19 19 0 1 1 57 70 C58 80 62 88 68 94 H32 C38 88 42 80 43 70 A19 19 0 1 1 33 40 A19 19 0 0 1 50 8Z";

// Ink and emblem of a face; the letter alone tells it, colour only helps.
const POKER = {
  A: { ink: "#16120f", emblem: SPADE },
  K: { ink: "#8c1522", emblem: CROWN },
  Q: { ink: "#14633f", emblem: HEART },
  J: { ink: "#1d3f82", emblem: FEATHER },
  10: { ink: "#8c1522", emblem: DIAMOND },
  9: { ink: "#16120f", emblem: CLUB },
};

const SPOTS = { tl: [28, 28], tr: [72, 28], l: [28, 50], r: [72, 50], m: [50, 50], bl: [28, 72], br: [72, 72] };
const PIPS = {
  1: ["m"], 2: ["tl", "br"], 3: ["tl", "m", "br"], 4: ["tl", "tr", "bl", "br"],
  5: ["tl", "tr", "m", "bl", "br"], 6: ["tl", "tr", "l", "r", "bl", "br"],
};

const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", 10: "ten", 9: "nine", T: "ten" };

// "10" for "T", else the face itself.
export const faceOf = letter => (letter === "T" ? "10" : String(letter));

// The face in words, as a screen reader says it.
export const faceName = face => NAMES[face] || String(face);

// The faces of a hand written as one string, "QQKT9", or as a list.
export const facesOf = hand => (typeof hand === "string" ? hand.split("") : hand || []).map(faceOf);

const letters = face => html`
  <text x="50" y=${face === "Q" ? 54 : 60} class="die-letter" text-anchor="middle" fill=${POKER[face].ink}
    font-size=${face === "10" ? 50 : 58} textLength=${face === "10" ? 56 : undefined}>${face}</text>
  <g transform="translate(37.5 66) scale(.25)" fill=${POKER[face].ink}><path d=${POKER[face].emblem}/></g>`;

const ace = () => html`
  <g transform="translate(12 9) scale(.76 .8)" fill=${POKER.A.ink}><path d=${SPADE}/></g>
  <text x="50" y="62" class="die-letter" text-anchor="middle" fill="#f8efdb" font-size="34">A</text>`;

const pips = face => PIPS[face].map(spot => html`
  <circle cx=${SPOTS[spot][0]} cy=${SPOTS[spot][1]} r=${face === "1" ? 14 : 9.5} fill=${face === "1" ? "#8c1522" : "#16120f"}/>`);

function drawn(face) {
  if (face === "A") return ace();
  if (POKER[face]) return letters(face);
  if (PIPS[face]) return pips(face);
  return html`<text x="50" y="68" class="die-letter" text-anchor="middle" fill="#7d6a4f" font-size="52">?</text>`;
}

// The inside of a die, for use within another SVG; 100 units wide.
export const DieFace = ({ face }) => html`
  <g>
    <rect x="1" y="4" width="98" height="95" rx="19" fill="#6d5a3c"/>
    <rect x="1" y="1" width="98" height="95" rx="19" fill="#f8efdb"/>
    <rect x="5" y="4.5" width="90" height="87" rx="16" fill="none" stroke="#fffaf0" stroke-width="4"/>
    <g transform="translate(0 -1.5)">${drawn(faceOf(face))}</g>
  </g>`;

export const Die = ({ face, label }) => html`
  <svg class="die" viewBox="0 0 100 100" role="img" aria-label=${label || faceName(faceOf(face))}>
    <${DieFace} face=${face}/>
  </svg>`;

export const Hand = ({ hand, big }) => html`
  <div class=${big ? "hand hand-big" : "hand"} role="img" aria-label=${facesOf(hand).map(faceName).join(", ")}>
    ${facesOf(hand).map((face, n) => html`<${Die} key=${n} face=${face} label=" "/>`)}
  </div>`;

// The inside of the cup, 200 by 220 units, mouth down: turned leather with brass bands.
export const CupShape = () => html`
  <g>
    <ellipse cx="100" cy="204" rx="96" ry="14" fill="#000" opacity=".35"/>
    <path d="M46 14 H154 L178 186 Q180 202 164 202 H36 Q20 202 22 186Z" fill="#5a1a1f"/>
    <path d="M46 14 H78 L70 202 H36 Q20 202 22 186Z" fill="#7a2a2c"/>
    <path d="M128 14 H154 L178 186 Q180 202 164 202 H140Z" fill="#3f1015"/>
    <path d="M42 42 H158 L160 56 H40Z" fill="#c99a3f"/>
    <path d="M42 42 H78 L77 56 H40Z" fill="#efcf7c"/>
    <path d="M24 166 H176 L178 186 H22Z" fill="#c99a3f"/>
    <path d="M24 166 H74 L73 186 H22Z" fill="#efcf7c"/>
    <ellipse cx="100" cy="14" rx="54" ry="9" fill="#7a2a2c"/>
    <ellipse cx="100" cy="13" rx="44" ry="6" fill="#8e3a3a"/>
    <g transform="translate(76 82) scale(.48)" fill="#d8b45c" opacity=".9"><path d=${SPADE}/></g>
  </g>`;

export const Cup = ({ tilted }) => html`
  <svg class="cup" viewBox=${tilted ? "-70 -30 320 262" : "0 0 200 220"} aria-hidden="true">
    <g transform=${tilted ? "rotate(-20 100 110)" : undefined}><${CupShape}/></g>
  </svg>`;

// One matchstick, 12 by 40 units; a burnt one is short, bent and black.
export const Match = ({ lit }) => (lit
  ? html`<g><rect x="4" y="9" width="4" height="31" rx="1.4" fill="#e2bd78"/><ellipse cx="6" cy="7" rx="4.6" ry="6.4" fill="#d8402f"/>
      <ellipse cx="4.8" cy="5" rx="1.3" ry="2.2" fill="#f2907a"/></g>`
  : html`<g><path d="M4.4 40 L5 27 L3 19 L6 17.4 L8 26.4 L7.8 40Z" fill="#8a7b67"/><path d="M3 19 L6 17.4 L7 22 L4.4 24Z" fill="#463c31"/></g>`);

export const Matches = ({ lives, of }) => {
  const all = Math.max(lives, of || 0);
  const each = Array.from({ length: all }, (_, n) => n);
  return html`
    <svg class="matches" viewBox=${`0 0 ${all * 14} 42`} role="img" aria-label=${`${lives} of ${all} lives`}>
      ${each.map(n => html`<g key=${n} transform=${`translate(${n * 14 + 1} 1)`}><${Match} lit=${n < lives}/></g>`)}
    </svg>`;
};

export const SmallDice = ({ dice }) => html`
  <span class="small-dice" role="img" aria-label=${`${dice} ${dice === 1 ? "die" : "dice"}`}>
    ${Array.from({ length: dice }, (_, n) => html`<i key=${n}></i>`)}<b>${dice}</b>
  </span>`;
