// What nobody here confirmed yet, one by one, with the keys of 'git sage review'.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, changed, Fault, Faulted, go, Id, Link, short, Suspect, Text, thesis, useAsk, useKeys, useTitle, Wait, When } from "./lib";
import { Edit } from "./knowledge";
import { Brief } from "./checkpoint";

const names: Record<string, string> = { checkpoint: "checkpoint", item: "item from elsewhere", core: "core file", conflict: "item in conflict", repeat: "two items that say the same", differ: "two items that contradict each other", opposes: "two checkpoints that contradict each other", unused: "item that was never recalled" };
const pair = (w: any) => w.kind === "repeat" || w.kind === "differ";

export function Review() {
  useTitle("Review");
  const a = useAsk("/api/review"), list: any[] = a.data?.waiting ?? [];
  const at = useRef({ key: "", i: 0 }), [, draw] = useState(0), [fault, setFault] = useState<Fault>(), [said, setSaid] = useState(""), [busy, setBusy] = useState(false), [editing, setEditing] = useState<any>(), [by, setBy] = useState<string>();
  const held = list.findIndex((o) => o.key === at.current.key); // a list that changes moves nothing under the keys
  const i = held >= 0 ? held : Math.min(at.current.i, Math.max(0, list.length - 1)), w = editing ?? list[i];
  if (list[i]) at.current = { key: list[i].key, i };
  const choose = (n: number) => { at.current = { key: list[n]?.key ?? "", i: n }; setEditing(undefined); draw((x) => x + 1); };
  useEffect(() => setBy(undefined), [w?.key]);
  const judge = async (act: string, more = {}, of = [w]) => {
    if (!w || busy || !w.acts.includes(act)) return;
    setBusy(true);
    setFault(undefined);
    try {
      for (const one of of) await ask("POST", "/api/review/" + one.key, { act, ...more });
      setSaid(`${({ keep: "Kept", drop: "Dropped", refuse: "Refused", trust: "Trusted who signed", supersede: "Superseded" } as any)[act]}: ${of.length > 1 ? of.length + " of this kind" : nameOf(w)}. 'git sage undo' lists what can be taken back.`);
      setBy(undefined);
    } catch (e: any) {
      setFault(e);
    }
    setBusy(false);
    changed();
  };
  const act: Record<string, () => void> = {
    k: () => judge("keep"), d: () => judge("drop"), r: () => judge("refuse"), t: () => judge("trust"),
    a: () => judge("keep", {}, list.slice(i).filter((o) => o.kind === w?.kind && o.acts.includes("keep"))),
    s: () => w && (pair(w) ? judge("supersede") : w.acts.includes("supersede") && setBy("")),
    e: () => w?.acts.includes("edit") && setEditing(w),
    v: () => w && go(w.kind === "checkpoint" || w.kind === "opposes" ? (w.kind === "opposes" ? `/compare/${w.other}/${w.id}` : "/checkpoints/" + w.id) : "/knowledge/" + w.id),
    n: () => choose(Math.min(i + 1, list.length - 1)), p: () => choose(Math.max(0, i - 1)),
    Escape: () => { setEditing(undefined); setBy(undefined); },
  };
  act.ArrowDown = act.j = act.n;
  act.ArrowUp = act.p;
  useKeys(act);
  return <Fragment><h1 class="sr">Review</h1><Wait of={a}>{!w ? <div class="empty"><h2>Nothing waits</h2><p>Everything here was made or confirmed by you. What others send, and what is saved by itself, waits here until you judge it.</p>{said && <p class="dim" role="status">{said}</p>}</div> : <div class="split rev">
    <div class="pane"><ol class="queue" aria-label="What waits">{list.map((o, n) => <li key={o.key}><button type="button" aria-current={n === i ? "true" : undefined} onClick={() => choose(n)}><span class="kind">{o.kind}</span><span class="what"><Text s={thesis(o.title)} most={160} brief /></span>{(o.suspect ?? []).length > 0 && <span class="bad">suspect</span>}<span class="when"><When ts={o.time} /></span></button></li>)}</ol></div>
    <section class="side open" aria-label="What to judge" aria-live="polite">
      <p class="crumbs"><b>{(i + 1).toLocaleString()} of {a.data.total.toLocaleString()}</b> {names[w.kind] ?? w.kind}{w.line && <Fragment> on <Text s={w.line} most={60} /></Fragment>}</p>
      {said && <p class="dim" role="status">{said}</p>}
      <Faulted fault={fault} />
      {w.kind !== "checkpoint" && <Suspect rules={w.suspect} />}
      {editing ? <Edit id={w.id} done={() => { setEditing(undefined); changed(); }} /> : <Fragment>
        <Choices w={w} act={act} busy={busy} />
        {by !== undefined && <form class="inline" onSubmit={(e) => { e.preventDefault(); judge("supersede", { by }); }}><label>Which item counts in its place? <input autoFocus value={by} onInput={(e: any) => setBy(e.target.value)} /></label><button class="primary" disabled={!by}>Supersede</button></form>}
        {w.kind !== "checkpoint" && <p class="from"><Text s={w.why} most={600} /></p>}
        <What w={w} />
      </Fragment>}
    </section>
  </div>}</Wait></Fragment>;
}

const nameOf = (w: any) => (w.kind === "checkpoint" || w.kind === "opposes" ? short(w.id) : w.id);

function Choices({ w, act, busy }: { w: any; act: Record<string, () => void>; busy: boolean }) {
  const all: [string, string, string][] = [["k", "keep", pair(w) || w.kind === "opposes" ? "Keep both" : "Keep"], ["e", "edit", "Edit"], ["d", "drop", w.change && !w.removed ? "Undo the change" : pair(w) ? "Drop the newer" : "Drop"], ["r", "refuse", "Refuse"], ["t", "trust", "Trust who signed"], ["s", "supersede", pair(w) ? "Supersede the older" : "Supersede"]];
  return <p class="acts">{all.filter(([, a]) => w.acts.includes(a)).map(([key, a, name]) => <button type="button" key={a} class={a === "keep" ? "primary" : ""} disabled={busy} onClick={act[key]}>{name} <kbd>{key}</kbd></button>)}
    <button type="button" onClick={act.v}>View <kbd>v</kbd></button><button type="button" onClick={act.n}>Not now <kbd>n</kbd></button>{w.acts.includes("keep") && <button type="button" disabled={busy} onClick={act.a}>Keep all of this kind <kbd>a</kbd></button>}</p>;
}

// What is to be judged, as far as one needs to see to decide.
function What({ w }: { w: any }) {
  if (w.kind === "checkpoint") return <Brief id={w.id} />;
  if (w.kind === "core") return <p><span class="path"><Text s={w.id} /></span>: <Text s={w.title} /></p>;
  if (w.change) return <section class="change"><h3>{w.removed ? "They removed it; this is as you left it" : "What they made of it"}</h3>
    {w.removed ? <Text s={w.text} block /> : (w.change.fields ?? []).map((f: any) => <Fragment key={f.key}><h3>{f.key}</h3>{(f.added || f.dropped) ? <ul class="delta">{(f.dropped ?? []).map((x: string) => <li class="was" key={x}><Text s={x} /></li>)}{(f.added ?? []).map((x: string) => <li class="is" key={x}><Text s={x} /></li>)}</ul> : <div class="two"><p class="was"><Text s={str(f.previously)} /></p><p class="is"><Text s={str(f.now)} /></p></div>}</Fragment>)}</section>;
  if (w.against !== undefined) return <div class="two"><section class="card"><p class="meta"><b>newer</b>{w.kind === "opposes" ? <Id id={w.id} /> : <Link to={"/knowledge/" + w.id}>{w.id}</Link>}</p><Text s={w.text} block /></section><section class="card"><p class="meta"><b>older</b>{w.kind === "opposes" ? <Id id={w.other} /> : <Link to={"/knowledge/" + w.other}>{w.other}</Link>}</p><Text s={w.against} block /></section></div>;
  return <section class="card"><p class="meta"><Link to={"/knowledge/" + w.id}><Text s={w.id} most={120} /></Link></p><Text s={w.text} block /></section>;
}
const str = (v: any) => (v === undefined || v === null ? "none" : typeof v === "string" ? v : JSON.stringify(v));
