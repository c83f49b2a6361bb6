// The console of the simulated table: buttons to be held down, a knob, lamps and a small display.
import { html, useRef } from "./vendor/htm-preact.js";

const colour = ([red, green, blue]) => `rgb(${[red, green, blue].map(part => Math.round(part * 255)).join(",")})`;

const Key = ({ name, down, act }) => {
  // A quick finger is up again before the press has been answered: the release waits for it.
  const pressed = useRef(null);
  const press = () => { pressed.current = act("press", { button: name }); };
  const release = () => {
    const before = pressed.current;
    pressed.current = null;
    if (before) before.then(() => act("release", { button: name }));
  };
  return html`<button type="button" class=${down ? "key down" : "key"} onPointerDown=${press} onPointerUp=${release}
    onPointerLeave=${release} onPointerCancel=${release}>${name}</button>`;
};

export const Buttons = ({ seen, act }) => html`
  <section class="console"><h2>The console</h2>
    ${seen.display && html`<pre class="display">${seen.display.join("\n")}</pre>`}
    <div class="lamps">
      ${seen.status && html`<i style=${{ background: colour(seen.status) }} title="status lamp"></i>`}
      <span>${seen.buzzer ? "The buzzer sounds." : ""}</span>
    </div>
    <div class="keys">${Object.keys(seen.buttons || {}).map(name => html`<${Key} key=${name} name=${name} down=${seen.buttons[name]} act=${act}/>`)}
      <button type="button" class="key" aria-label="turn the knob back" onClick=${() => act("turn", { steps: -1 })}>⟲</button>
      <button type="button" class="key" aria-label="turn the knob on" onClick=${() => act("turn", { steps: 1 })}>⟳</button></div>
  </section>`;
