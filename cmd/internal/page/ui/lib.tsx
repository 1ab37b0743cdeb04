// What all views share: asking the server, showing texts, moving between addresses.
import { h, Fragment, ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

// A Fault is why there is no answer.
export type Fault = { status: number; message: string; hints: string[]; now?: any };

// ask fetches JSON. shown has the server write out what is invisible in texts.
// What did not change since is not sent again; the browser itself keeps nothing.
const kept = new Map<string, { data: any; tag: string }>();
export async function ask(method: string, path: string, body?: unknown, shown = true, signal?: AbortSignal): Promise<{ data: any; tag: string }> {
  const headers: Record<string, string> = {};
  const old = method === "GET" && shown ? kept.get(path) : undefined;
  if (old) headers["If-None-Match"] = old.tag;
  if (shown) headers["X-Sage-Shown"] = "1";
  if (method !== "GET") {
    headers["X-Sage-Write"] = "1";
    headers["Content-Type"] = "application/json";
  }
  let r: Response;
  try {
    r = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw { status: 0, message: "The server is no longer running.", hints: ["'git sage ui' starts it again, at another address"] } as Fault;
  }
  if (r.status === 304 && old) {
    noteTag(old.tag);
    return old;
  }
  let data: any = null;
  try {
    data = await r.json();
  } catch {
    throw { status: r.status, message: `The answer cannot be read (${r.status}).`, hints: [] } as Fault;
  }
  if (!r.ok) throw { status: r.status, message: data?.error?.message ?? `Error ${r.status}`, hints: data?.error?.hints ?? [], now: data?.now } as Fault;
  const answer = { data, tag: r.headers.get("ETag") ?? "" };
  if (method === "GET" && shown && answer.tag) {
    noteTag(answer.tag);
    kept.delete(path);
    kept.set(path, answer);
    if (kept.size > 60) kept.delete(kept.keys().next().value!);
  }
  return answer;
}

// The state of the memory, as a number that grows when it changes: what was fetched is
// fetched again then. A page that is in view looks every few seconds.
let epoch = 0, tag = "";
const watchers = new Set<(n: number) => void>();
export function changed() {
  epoch++;
  watchers.forEach((f) => f(epoch));
}
export function useEpoch() {
  const [n, set] = useState(epoch);
  useEffect(() => {
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return n;
}
// noteTag compares the states that two answers are of, whichever they are: a page that was
// loaded where nobody saw it has looked at nothing else.
function noteTag(t: string) {
  const old = tag;
  tag = t;
  if (old && t !== old) changed();
}

export type Answer<T> = { data?: T; fault?: Fault; busy: boolean };

// useAsk fetches a path, anew when it or the memory changes; "" is nothing. What was there
// stays in view until the answer comes.
export function useAsk<T = any>(path: string, shown = true): Answer<T> {
  const n = useEpoch();
  const [state, set] = useState<Answer<T> & { path?: string }>({ busy: path !== "" });
  useEffect(() => {
    if (!path) return set({ busy: false });
    const c = new AbortController();
    set((s) => (s.path === path ? { ...s, busy: true } : { busy: true, data: s.data, path: s.path }));
    ask("GET", path, undefined, shown, c.signal).then(
      ({ data }) => set({ data, busy: false, path }),
      (fault) => c.signal.aborted || set({ fault, busy: false, path }),
    );
    return () => c.abort();
  }, [path, n]);
  return state;
}

// query makes the part of an address behind the ?, of what is not empty.
export function query(o: Record<string, string | number | boolean | undefined | string[]>) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(o)) {
    if (Array.isArray(v)) v.forEach((x) => x && q.append(k, x));
    else if (v !== undefined && v !== "" && v !== false) q.set(k, v === true ? "1" : String(v));
  }
  const s = q.toString();
  return s ? "?" + s : "";
}

// Addresses. A link inside is followed without loading the page again. Those of a file are
// behind its #, for what is before is where the file lies.
const movers = new Set<() => void>();
const lead = document.getElementById("memory") ? "#" : "";
const here = () => (lead ? location.hash.slice(1) || "/" : location.pathname + location.search);
export function go(to: string, replace = false) {
  if (to === here()) return;
  history[replace ? "replaceState" : "pushState"](null, "", lead + to);
  movers.forEach((f) => f());
}
addEventListener("popstate", () => movers.forEach((f) => f()));
export function useAddress() {
  const [, set] = useState(0);
  useLayoutEffect(() => { // from when on it is shown: who goes back at once is followed
    const f = () => set((n) => n + 1);
    movers.add(f);
    return () => void movers.delete(f);
  }, []);
  const [path, search] = here().split("?", 2);
  return { path: decoded(path), params: new URLSearchParams(search) };
}
export function decoded(s: string, decode = decodeURI) {
  try {
    return decode(s);
  } catch {
    return s; // which somebody typed
  }
}
export function Link({ to, children, ...rest }: { to: string; children?: ComponentChildren; [k: string]: any }) {
  const click = (e: MouseEvent) => {
    if (e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    go(to);
  };
  return <a href={lead + to} onClick={click} {...rest}>{children}</a>;
}

// Text shows a text of somebody's as it is: no markup, each in a direction of its own. What
// the server wrote out is marked, and long ones are cut until somebody asks.
const written = /\\u\{[0-9a-f]{1,6}\}|\\x\{[0-9a-f]{2}\}/g;
const step = 100_000;
export function Text({ s, most = 4000, block = false, brief = false }: { s?: string; most?: number; block?: boolean; brief?: boolean }) {
  const [room, setRoom] = useState(most);
  const t = s ?? "";
  const parts = useMemo(() => {
    const seen = t.length > room ? t.slice(0, room) : t;
    const out: ComponentChildren[] = [];
    let at = 0;
    for (const m of seen.matchAll(written)) {
      out.push(seen.slice(at, m.index), <Mark code={m[0]} />);
      at = m.index! + m[0].length;
    }
    out.push(seen.slice(at));
    return out;
  }, [t, room]);
  const left = t.length - room;
  const body = <Fragment>{parts}{left > 0 && brief && "…"}{left > 0 && !brief && <Fragment>{"… "}<button class="more" type="button" onClick={(e) => { e.stopPropagation(); setRoom(room + step); }}>{left.toLocaleString()} more characters</button></Fragment>}</Fragment>;
  return block ? <div class="text" dir="auto">{body}</div> : <bdi dir="auto">{body}</bdi>;
}
function Mark({ code }: { code: string }) {
  const hex = code.slice(3, -1).toUpperCase();
  const name = code[1] === "u" ? "U+" + hex.padStart(4, "0") : "byte " + hex;
  return <span class="mark" title={"an invisible character, or one that changes how others are seen: " + name}>{name}</span>;
}

// Times, in words and in full.
const units: [string, number][] = [["second", 60], ["minute", 60], ["hour", 24], ["day", 7], ["week", 4.348], ["month", 12], ["year", 1e9]];
export function ago(ts?: string) {
  if (!ts) return "";
  let n = (Date.now() - Date.parse(ts)) / 1000;
  if (!isFinite(n)) return "";
  if (n < 0) return ts.slice(0, 10);
  for (const [name, size] of units) {
    if (n < size) {
      const k = Math.floor(n);
      return name === "second" ? "just now" : `${k} ${name}${k === 1 ? "" : "s"} ago`;
    }
    n /= size;
  }
  return "";
}
export function When({ ts }: { ts?: string }) {
  return ts && !ts.startsWith("0001") ? <time dateTime={ts} title={new Date(ts).toLocaleString()}>{ago(ts)}</time> : null;
}

export const short = (id?: string) => (id ?? "").slice(0, 8);
// by is the name that an author gives, where there is no room for an address.
export const by = (author?: string) => (author ?? "").replace(/\s*<[^>]*>\s*$/, "") || (author ?? "");

export function Id({ id, link = true }: { id: string; link?: boolean }) {
  return link ? <Link class="id" to={"/checkpoints/" + id}>{short(id)}</Link> : <span class="id">{short(id)}</span>;
}

// Confidence is one in a thesis; held has a place in a row where none is given.
export function Confidence({ value, held }: { value?: number | null; held?: boolean }) {
  if (value === undefined || value === null) return held ? <span class="conf" /> : null;
  const p = Math.round(value * 100);
  return <span class="conf" title={`confidence ${p}%`}><meter min={0} max={100} value={p} aria-label={`Confidence ${p}%`} />{p}%</span>;
}

export function Names({ names }: { names?: string[] }) {
  return <Fragment>{(names ?? []).map((n) => <span class={n.startsWith("tag: ") ? "name tag" : "name"} key={n}><Text s={n.replace(/^tag: /, "")} most={60} brief /></span>)}</Fragment>;
}

// Faulted says what went wrong and what to type.
export function Faulted({ fault }: { fault?: Fault }) {
  if (!fault) return null;
  return <div class="fault" role="alert"><p><Text s={fault.message} /></p>{(fault.hints ?? []).map((x) => <p class="hint" key={x}><Text s={x} /></p>)}</div>;
}

export const Loading = () => <p class="wait" role="status">Loading …</p>;

export function Wait({ of, children }: { of: Answer<any>; children?: ComponentChildren }) {
  if (of.fault) return <Faulted fault={of.fault} />;
  if (of.data === undefined) return <Loading />;
  return <Fragment>{children}</Fragment>;
}

// useTitle names the window, at once with what is shown in it.
export function useTitle(s: string) {
  useLayoutEffect(() => {
    document.title = s ? s.slice(0, 80) + " · git sage" : "git sage";
  }, [s]);
}

// isText reports whether a key is one of a text that somebody writes, or is held with others.
const isText = (e: KeyboardEvent) => e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName);

// useKeys listens to single keys, where nobody writes and no other keys are held, from when on
// what they act on is there.
export function useKeys(keys: Record<string, (e: KeyboardEvent) => void>) {
  const at = useRef(keys);
  at.current = keys;
  useLayoutEffect(() => {
    const f = (e: KeyboardEvent) => {
      if (isText(e)) return;
      const act = at.current[e.key];
      if (act) {
        e.preventDefault();
        act(e);
      }
    };
    addEventListener("keydown", f);
    return () => removeEventListener("keydown", f);
  }, []);
}

// chordMs is how long a chord waits for its second key.
const chordMs = 1500;

// useChord listens to a key that is pressed after another. No view hears of either: on its own
// the second may keep, drop or mark what is there.
export function useChord(first: string, then: Record<string, () => void>) {
  useLayoutEffect(() => {
    let until = 0;
    const f = (e: KeyboardEvent) => {
      if (isText(e) || e.key.length > 1) return;
      const second = e.timeStamp < until;
      if (!second && e.key !== first) return;
      e.preventDefault();
      e.stopImmediatePropagation();
      until = second ? 0 : e.timeStamp + chordMs;
      if (second) then[e.key]?.();
    };
    addEventListener("keydown", f, true);
    return () => removeEventListener("keydown", f, true);
  }, []);
}

// count says how many there are of something.
export const count = (n: number, what: string) => `${n.toLocaleString()} ${what}${n === 1 ? "" : "s"}`;

// amount is a number as people read it.
export const amount = (n: number) => (n < 10_000 ? n.toLocaleString() : n < 1e6 ? (n / 1e3).toFixed(0) + "k" : n < 1e9 ? (n / 1e6).toFixed(1) + "M" : (n / 1e9).toFixed(1) + "G");

// Drafts are what somebody wrote and did not save yet: a link, the way back or a reload of
// the page does not lose it, and each window has its own, until it is closed.
const draftAt = (what: string) => "draft " + what;
export function draft(what: string): any {
  try {
    return JSON.parse(sessionStorage.getItem(draftAt(what)) ?? "null");
  } catch {
    return null; // the browser keeps nothing
  }
}
export function keepDraft(what: string, d: any) {
  try {
    d === null ? sessionStorage.removeItem(draftAt(what)) : sessionStorage.setItem(draftAt(what), JSON.stringify(d));
  } catch {
    // it keeps nothing, or has no room: what is written is in the form alone
  }
}

export function useDraft<T>(what: string, empty: T): [T, (now: T) => void, () => void] {
  const [now, set] = useState<T>(() => draft(what) ?? empty);
  return [now, (d) => { set(d); keepDraft(what, d); }, () => keepDraft(what, null)];
}

// thesis is what a checkpoint says of itself, in words.
export const thesis = (s?: string) => (s === "NEEDS SYNTHESIS" ? "Merge that waits for a synthesis" : s);

// Items, as addresses and people name them.
export const addressOf = (key: string) => "/api/knowledge/" + key.split("/").map(encodeURIComponent).join("/");
export const keyOf = (it: any): string => (it.type === "note" ? "system/" : it.type === "skill" ? "skills/" : "") + it.id;
export const kindOf = (type: string) => (type === "knowledge" ? "fact" : type);

// lines are those of a field that has something on each.
export const lines = (s: string) => s.split("\n").map((x) => x.trim()).filter(Boolean);

// wordsOf are the words of a filter, all of which a row has to have.
export const wordsOf = (q: string) => q.toLowerCase().split(/\s+/).filter(Boolean);

// Filter is the field above a list: / leads to it, and Enter or an arrow from it to the list.
export function Filter(o: { what: string; value: string; list: RefObject<HTMLDivElement | null>; change: (q: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const onKey = (e: KeyboardEvent) => {
    if (e.key !== "ArrowDown" && e.key !== "Enter") return;
    e.preventDefault();
    o.list.current?.focus();
  };
  return <input ref={field} type="search" aria-label={"Filter " + o.what} placeholder="Filter   /" value={o.value} onInput={(e: any) => o.change(e.target.value)} onKeyDown={onKey} />;
}

// Since chooses how far back one looks; another time, which somebody typed into the address, is one, too.
export function Since({ value, spans, change }: { value: string; spans: [string, string][]; change: (v: string) => void }) {
  return <select aria-label="Since" value={value} onChange={(e: any) => change(e.target.value)}>{spans.map(([v, n]) => <option key={v} value={v}>{n}</option>)}{!spans.some(([v]) => v === value) && <option value={value}>since {value}</option>}</select>;
}

// Field is a labelled part of something, left out where it is empty.
export function Field(o: { name: string; children?: ComponentChildren; when?: any }) {
  return !("when" in o) || o.when ? <section class="field"><h2>{o.name}</h2>{o.children}</section> : null;
}
export function List({ of }: { of?: string[] }) {
  return of && of.length ? <ul class="points">{of.map((s, i) => <li key={i}><Text s={s} /></li>)}</ul> : null;
}

// label is the key of a field as people read it.
export const label = (key: string) => key.replace(/^(extra|fields|domain_data)\./, "").replace(/[_.]/g, " ");

const isObject = (v: any) => typeof v === "object" && v !== null;
const isBare = (v: any): boolean => (Array.isArray(v) ? v : Object.values(v)).every((x: any) => !isObject(x));

// inline writes a value in a line.
export const inline = (v: any): string => (v === null || v === undefined || v === "" ? "none" : Array.isArray(v) ? v.map(inline).join(", ") || "none" : isObject(v) ? Object.entries(v).map(([k, x]) => `${label(k)}: ${inline(x)}`).join("; ") : typeof v === "boolean" ? (v ? "yes" : "no") : String(v));

// Value is a value of a field: lists as lists, a line for each object that has no more in it.
export function Value({ of }: { of: any }) {
  if (!isObject(of) || (Array.isArray(of) && of.every((x) => typeof x === "number"))) return <Text s={inline(of)} />;
  if (Array.isArray(of)) return of.length ? <ul class="points">{of.map((x, i) => <li key={i}>{isObject(x) && isBare(x) ? <Text s={inline(x)} /> : <Value of={x} />}</li>)}</ul> : <span class="dim">none</span>;
  return <Pairs of={of} />;
}
export function Pairs({ of }: { of: any }) {
  return <dl class="pairs">{Object.entries(of).map(([k, v]) => <Fragment key={k}><dt><Text s={label(k)} most={80} /></dt><dd><Value of={v} /></dd></Fragment>)}</dl>;
}

const signatures: Record<string, string> = { G: "good", B: "bad", U: "good, of unknown validity", X: "good, but expired", Y: "good, but expired", R: "good, but of a revoked key", E: "one that cannot be checked" };

// From says whose something is that came from elsewhere, and since when it is here.
export function From({ author, trace, what }: { author?: string; trace?: any; what: string }) {
  return <p class="from" role="note"><strong>From elsewhere.</strong>{" "}
    {author ? <Fragment>It names <b><Text s={author} most={80} /></b>, and nobody here confirmed it.</Fragment> : `Nobody here confirmed this ${what}.`}
    {trace?.remote && <Fragment>{" "}It came by <b><Text s={trace.remote} most={80} /></b></Fragment>}{trace?.first_seen && <Fragment>{trace?.remote ? ", first seen " : " First seen "}<When ts={trace.first_seen} /></Fragment>}{trace?.remote || trace?.first_seen ? "." : ""}
    {signatures[trace?.signature?.state] && <Fragment>{" "}Its signature is {signatures[trace.signature.state]}{(trace.signature.signer || trace.signature.key) && <Fragment>, by <Text s={trace.signature.signer || trace.signature.key} most={120} /></Fragment>}.</Fragment>}</p>;
}
// Judge keeps or refuses what From says nobody here confirmed, as the review does.
export function Judge({ id, kind }: { id: string; kind: string }) {
  const w = (useAsk("/api/review" + query({ id })).data?.waiting ?? []).find((o: any) => o.kind === kind && o.id === id);
  const [fault, setFault] = useState<Fault>(), [busy, setBusy] = useState(false);
  const judge = (act: string) => {
    setBusy(true);
    ask("POST", "/api/review/" + w.key, { act }).then(() => setFault(undefined), setFault).then(() => { setBusy(false); changed(); });
  };
  return <Fragment><Faulted fault={fault} />{w && <p class="acts">{[["keep", "Keep"], ["refuse", "Refuse"]].filter(([act]) => w.acts.includes(act)).map(([act, name]) => <button type="button" key={act} class={act === "keep" ? "primary" : ""} disabled={busy} onClick={() => judge(act)} title="'git sage undo' lists what can be taken back">{name}</button>)}</p>}</Fragment>;
}

export function Suspect({ rules }: { rules?: string[] }) {
  return rules && rules.length ? <p class="suspect" role="note"><strong>Suspect:</strong> <Text s={rules.join(", ")} />. Agents are not shown it.</p> : null;
}
