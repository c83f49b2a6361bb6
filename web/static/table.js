// The table as a page sees it: snapshots come in on one stream, taps go out. Nothing is kept here but the newest
// snapshot; after sleep, a reload or a lost network the stream is opened anew and begins with the whole of it.

const SILENCE = 40000; // ms without a sign of life (one comes every 15 s) after which a stream is taken for dead
const PATIENCE = 4000; // ms without the table before the page says so
const CONNECT = 6000; // ms to connect; a Wi-Fi that has just come back may swallow the first try for minutes
const ANSWER = 9000; // ms for the answer to a tap; the table itself gives up after 5 s
const TWICE = 300; // ms after an answer in which a second tap is still the first one's double
const TRIES = 3; // a tap that got no answer is sent again under the same id, and so is done once

const WAKERS = [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]];

// 16 letters; crypto.randomUUID is missing on plain http.
export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

const pause = ms => new Promise(done => setTimeout(done, ms));

async function fetchWithin(ms, url, options) {
  const control = typeof AbortController === "function" ? new AbortController() : null;
  const timer = setTimeout(() => control && control.abort(), ms);
  try {
    return await fetch(url, Object.assign({ credentials: "same-origin", signal: control && control.signal }, options));
  } finally {
    clearTimeout(timer);
  }
}

// Post `body` as JSON; resolve to the answer's JSON, {ok: false, message} when there was none.
export async function post(url, body) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      const response = await fetchWithin(ANSWER, url, options);
      return await response.json();
    } catch (trouble) {
      if (left > 1) await pause(1000);
    }
  }
  return { ok: false, code: "lost", message: "The table did not answer. Nothing may have happened: look, then try again." };
}

// Open the table for `role` (phone, host, screen) and call `draw(table)` at every change.
export function openTable(role, draw) {
  const table = { data: null, lost: false, busy: false, notice: null, tap, dismiss };
  let source = null;
  let heard = Date.now();
  let asked = 0;
  let waiting = [];

  const redraw = () => draw(table);

  function take(data) {
    heard = Date.now();
    table.data = data;
    table.lost = false;
    waiting = waiting.filter(each => !each(data.version));
    redraw();
  }

  // A single answer may be overtaken on its way by what the stream brought meanwhile; versions rise over restarts too.
  function takeIfNewer(data) {
    if (!table.data || data.version >= table.data.version) take(data);
  }

  function open() {
    if (source) source.close();
    asked = Date.now();
    source = new EventSource(`/live?as=${role}`);
    source.onmessage = event => take(JSON.parse(event.data));
    source.addEventListener("beat", () => {
      heard = Date.now();
      if (table.lost) { table.lost = false; redraw(); }
    });
    source.onerror = askOnce;
  }

  // Whatever keeps the stream away (a full house, a proxy), the single snapshot may still come through.
  async function askOnce() {
    try {
      const response = await fetchWithin(PATIENCE, `/snapshot?as=${role}`);
      if (response.ok) takeIfNewer(await response.json());
    } catch (trouble) {
      // The watch below tells people.
    }
  }

  function watch() {
    const silent = Date.now() - heard;
    const open_ = source.readyState === EventSource.OPEN;
    const stuck = source.readyState === EventSource.CLOSED || (!open_ && Date.now() - asked > CONNECT);
    if (stuck || (open_ && silent > SILENCE && Date.now() - asked > SILENCE)) {
      open();
      askOnce();
    }
    const lost = silent > (open_ ? SILENCE : PATIENCE);
    if (lost !== table.lost) { table.lost = lost; redraw(); }
  }

  // The answer often arrives before the snapshot it speaks of; buttons wait for both, but never for long.
  function seen(version) {
    if (table.data && table.data.version >= version) return Promise.resolve();
    return Promise.race([pause(1500), new Promise(done => waiting.push(now => now >= version && (done(), true)))]);
  }

  async function tap(kind, fields) {
    if (table.busy || !table.data) return { ok: false };
    table.busy = true;
    table.notice = null;
    redraw();
    try {
      const answer = await post("/tap", { id: freshId(), version: table.data.game_version, kind, fields: fields || {} });
      if (answer.ok) await Promise.all([seen(answer.version), pause(TWICE)]);
      else table.notice = answer.message || "The table refused that, without a word. Look at the table and try again.";
      return answer;
    } finally {
      table.busy = false;
      redraw();
    }
  }

  function dismiss() {
    table.notice = null;
    redraw();
  }

  // A page that is shown for the first time has just opened its stream.
  function wake(event) {
    if (document.visibilityState === "hidden" || (event.type === "pageshow" && !event.persisted)) return;
    open();
    askOnce();
  }

  WAKERS.forEach(([target, name]) => target.addEventListener(name, wake));
  open();
  setInterval(watch, 1000);
  redraw();
  return table;
}
