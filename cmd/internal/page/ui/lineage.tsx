// All checkpoints, newest first, with the lanes that hold them.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, by, Confidence, count, Fault, Faulted, Filter, go, Id, Link, Loading, Names, query, short, Text, thesis, useAddress, useAsk, useEpoch, useTitle, When } from "./lib";
import { Brief } from "./checkpoint";
import { Virtual } from "./virtual";

export type Row = {
  at: number; id: string; parents: string[]; kind: string; description: string; thesis?: string; core_question?: string; confidence?: number; trigger?: string;
  author: string; ts: string; names?: string[]; removed?: boolean; unconfirmed?: boolean; lane: number; colour: number; paths: { colour: number; d: string }[];
};
export type Drawing = { width: number; height: number; step: number; first: number };
type Graph = Drawing & { total: number; all: number; from: number; place: number; rows: Row[] };

const page = 100;

// useRows keeps the parts of a graph that were in view, by pages. Where what is held has another
// place than before, moved is told.
function useRows(q: string, line: string, removed: boolean, held: { current: string }, moved: (place: number) => void) {
  const n = useEpoch();
  const of = query({ q, line, removed });
  const [head, setHead] = useState<Graph>();
  const [fault, setFault] = useState<Fault>();
  const [, draw] = useState(0);
  const pages = useRef({ of: "", n: -1, rows: new Map<number, Row[]>(), old: new Map<number, Row[]>(), asked: new Set<number>() });
  const p = pages.current;
  if (p.of !== of || p.n !== n) {
    p.old = p.of === of ? p.rows : new Map();
    p.rows = new Map();
    p.asked = new Set();
    p.of = of;
    p.n = n;
  }
  const want = (k: number) => {
    if (p.of !== of || p.n !== n || p.asked.has(k)) return; // of a drawing that is of before, whose effects come last
    p.asked.add(k);
    const at = k === 0 ? held.current : "";
    ask("GET", "/api/graph" + query({ q, line, removed, from: k * page, limit: page, at })).then(
      ({ data }) => {
        if (p.of !== of || p.n !== n) return;
        p.rows.set(k, data.rows);
        setHead(data);
        setFault(undefined);
        draw((x) => x + 1);
        if (at && at === held.current && data.place >= 0) moved(data.place);
      },
      (e) => setFault(e),
    );
  };
  useEffect(() => want(0), [of, n]);
  return { head, fault, want, row: (i: number) => (p.rows.get(Math.floor(i / page)) ?? p.old.get(Math.floor(i / page)))?.[i % page] };
}

// The one that was picked last, and in what: it is picked and in view again on the way back.
let last = { of: "", id: "" };
// The one that was marked waits for another, whatever is looked at meanwhile.
let marked = "";

export function Lineage() {
  useTitle("Lineage");
  const { params } = useAddress();
  const [q, setQ] = useState(params.get("q") ?? "");
  const line = params.get("line") ?? "", removed = params.has("removed");
  const of = query({ q, line, removed }), again = useRef(last.of === of && last.id !== "");
  const [sel, setSel] = useState(0), [mark, keepMark] = useState(marked), [shown, show] = useState(-1);
  const held = useRef(again.current ? last.id : ""), picked = useRef(again.current), list = useRef<HTMLDivElement>(null), step = useRef(34);
  // A checkpoint that was picked stays picked, and where it is seen, when others come above it.
  const moved = (place: number) => {
    setSel(place);
    if (again.current) show(place);
    else if (list.current && list.current.scrollTop > 0) list.current.scrollTop += (place - sel) * step.current;
    again.current = false;
  };
  useEffect(() => {
    if (!list.current || shown < 0) return;
    list.current.scrollTop = shown * step.current - list.current.clientHeight / 2; // where there is room for it by now
    if (document.activeElement === document.body) list.current.focus(); // one goes on by keys
  }, [shown]);
  const { head, fault, want, row } = useRows(q, line, removed, held, moved);
  const lines = useAsk("/api/lines").data;
  const H = (step.current = head?.height ?? 34), total = head?.total ?? 0;
  const pick = (i: number) => { setSel(i); picked.current = true; held.current = row(i)?.id ?? ""; last = { of, id: held.current }; };
  const first = () => { setSel(0); picked.current = again.current = false; held.current = ""; last = { of: "", id: "" }; };
  useEffect(() => {
    const t = setTimeout(() => go("/" + query({ q, line, removed }), true), 300);
    return () => clearTimeout(t);
  }, [q]);
  const at = Math.min(sel, Math.max(0, total - 1)), chosen = row(at);
  if (picked.current && !held.current && chosen) last = { of, id: (held.current = chosen.id) }; // which was not read yet when it was picked
  const setMark = (id: string) => keepMark((marked = id));
  const compare = (id: string) => {
    setMark(mark ? "" : id);
    if (mark && mark !== id) go(`/compare/${mark}/${id}`);
  };
  const plain = !q && !line;
  const filter = (o: Record<string, any>) => { first(); go("/" + query({ q, line, removed, ...o })); };
  return <div class="split">
    <div class="pane"><h1 class="sr">Lineage</h1>
      <div class="tools" role="search">
        <Filter what="checkpoints" value={q} list={list} change={(s) => { setQ(s); first(); }} />
        <select aria-label="Line" value={line} onChange={(e: any) => filter({ line: e.target.value })}>
          <option value="">all lines</option>
          {(lines?.lines ?? []).map((l: any) => <option key={l.ref} value={l.name}>{l.name}{l.current ? " (current)" : ""}{l.closed ? " (closed)" : ""}</option>)}
        </select>
        <label class="check"><input type="checkbox" checked={removed} onChange={(e: any) => filter({ removed: e.target.checked })} />removed</label>
        <span class="count" role="status">{head ? (total === head.all ? count(total, "checkpoint") : `${total.toLocaleString()} of ${head.all.toLocaleString()}`) : ""}</span>
      </div>
      <Faulted fault={fault} />
      {!head && !fault && <Loading />}
      {head && head.all === 0 ? <Empty /> : head && total === 0 ? <p class="none">Nothing matches. <button type="button" onClick={() => { setQ(""); go("/"); }}>Show all</button></p> : <Virtual box={list} busy={!head && !fault} label="Checkpoints, newest first" total={total} height={H} at={at} choose={pick} of={of}
        seen={(a, b) => { for (let k = Math.floor(a / page); k * page < b; k++) want(k); }}
        open={(i) => { const r = row(i); if (r) { go("/" + of, true); go("/checkpoints/" + r.id); } }} keys={{ c: () => chosen && compare(chosen.id) }}
        look={(i) => { const r = row(i); return (r?.removed ? " gone" : "") + (r && r.id === mark ? " marked" : ""); }}
        draw={(i) => { const r = row(i); return r ? <RowView r={r} lanes={plain} g={head!} /> : <span class="dim">…</span>; }} />}
    </div>
    <aside class="side" aria-label="The chosen checkpoint" tabIndex={0}>{chosen && <Fragment>
      <Brief id={chosen.id} />
      <p class="acts"><Link class="button" to={"/checkpoints/" + chosen.id}>Open <kbd>Enter</kbd></Link>{" "}<button type="button" onClick={() => compare(chosen.id)}>{mark ? (mark === chosen.id ? "Unmark" : `Compare with ${short(mark)}`) : "Mark to compare"} <kbd>c</kbd></button></p></Fragment>}</aside>
  </div>;
}

export function RowView({ r, lanes, g }: { r: Row; lanes: boolean; g: Drawing }) {
  const x = g.first + r.lane * g.step, y = g.height / 2;
  return <Fragment>
    {lanes && <svg class="lanes" width={Math.min(g.width, 240)} height={g.height} aria-hidden="true">{r.paths.map((p) => <path key={p.colour} class={"k" + p.colour} d={p.d} />)}
      {r.parents.length > 1 ? <circle class={"k" + r.colour + " merge"} cx={x} cy={y} r={4.5} /> : <circle class={"k" + r.colour} cx={x} cy={y} r={4} />}</svg>}
    <Names names={r.names} />
    <span class="what"><Text s={thesis(r.description || r.thesis)} most={240} brief /></span>
    {r.unconfirmed && <span class="by" title="from elsewhere or by rules, and nobody here confirmed it"><Text s={by(r.author)} most={24} brief /> ?</span>}
    <Confidence value={r.confidence} held />
    <span class="when"><When ts={r.ts} /></span>
    <Id id={r.id} link={false} />
  </Fragment>;
}

// Empty says how a memory begins.
export function Empty() {
  return <div class="empty">
    <h2>Nothing is saved yet</h2>
    <p>A checkpoint keeps a conclusion with its evidence. In a terminal, in this repository:</p>
    <pre>git sage save -m 'ARC beats LRU on our traces by 9 points.' -c 0.7</pre>
    <p>To have Claude Code save by itself, and be told what is known:</p>
    <pre>git sage init --claude</pre>
    <p>If others share a memory of this repository, <code>git sage sync</code> brings it here. This page shows it when it is there.</p>
  </div>;
}
