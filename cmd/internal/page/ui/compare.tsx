// Two checkpoints side by side, by meaning.
import { h, Fragment } from "preact";
import { useState } from "preact/hooks";
import { Confidence, From, go, Id, Link, short, Text, useAsk, useTitle, Wait, When } from "./lib";

export function Compare({ a, b }: { a?: string; b?: string }) {
  useTitle(a && b ? `${short(a)} and ${short(b)}` : "Compare");
  if (!a || !b) return <Choose a={a} b={b} />;
  return <article class="sheet wide"><h1 class="sr">Compare</h1>
    <p class="crumbs"><Link to="/">Lineage</Link> / compare <button type="button" onClick={() => go(`/compare/${encodeURIComponent(b)}/${encodeURIComponent(a)}`)}>Swap</button></p>
    <Sides a={a} b={b} /><Difference a={a} b={b} />
  </article>;
}

// Choose asks which two; a line's name is its newest checkpoint.
function Choose({ a, b }: { a?: string; b?: string }) {
  const lines = useAsk("/api/lines").data?.lines ?? [];
  const [from, setFrom] = useState(a ?? ""), [to, setTo] = useState(b ?? "");
  return <article class="sheet"><h1>Compare two checkpoints</h1>
    <p class="dim">By meaning: what was thought before and after, and which evidence, sources and questions came or went. A line stands for its newest checkpoint; <code>main~2</code> and ids work, too. In the lineage, <kbd>c</kbd> marks one and compares it with the next.</p>
    <form class="inline" onSubmit={(e) => { e.preventDefault(); if (from && to) go(`/compare/${encodeURIComponent(from)}/${encodeURIComponent(to)}`); }}>
      <input list="revs" aria-label="Before" placeholder="before" value={from} onInput={(e: any) => setFrom(e.target.value)} />
      <input list="revs" aria-label="After" placeholder="after" value={to} onInput={(e: any) => setTo(e.target.value)} />
      <button class="primary" disabled={!from || !to}>Compare</button>
      <datalist id="revs">{lines.map((l: any) => <option key={l.ref} value={l.name} />)}</datalist>
    </form></article>;
}

export function Sides({ a, b }: { a: string; b: string }) {
  return <div class="two">{[a, b].map((id, i) => <Side key={i + id} id={id} />)}</div>;
}

function Side({ id }: { id: string }) {
  const a = useAsk("/api/checkpoints/" + encodeURIComponent(id)), c = a.data;
  return <section class="card"><Wait of={a}>{c && <Fragment>
    <p class="meta"><Id id={c.id} /><Text s={c.author} most={60} /><When ts={c.ts} /><Confidence value={c.confidence} /></p>
    {c.core_question && <p class="question"><Text s={c.core_question} most={500} /></p>}
    <h2><Text s={c.thesis || c.description} most={1500} /></h2>
    {c.unconfirmed && <From author={c.author} trace={c.trace} what="checkpoint" />}
  </Fragment>}</Wait></section>;
}

const said = (v: any): string => (v === null || v === undefined || v === "" ? "none" : typeof v === "string" ? v : Array.isArray(v) ? v.map(said).join(", ") : typeof v === "object" ? Object.entries(v).filter(([, x]) => x).map(([k, x]) => `${k}: ${said(x)}`).join("; ") : String(v));
const percent = (v: any) => (v === null || v === undefined ? "none" : Math.round(v * 100) + "%");

// Difference draws what the server says differs, under the headings that 'git sage diff' has.
export function Difference({ a, b }: { a: string; b: string }) {
  const d = useAsk(`/api/checkpoints/${encodeURIComponent(a)}/diff/${encodeURIComponent(b)}`), x = d.data ?? {};
  const changes: [string, any, any][] = [];
  for (const [name, c] of [["Question", x.core_question], ["Thesis", x.thesis], ["Reasoning", x.reasoning_trace]] as [string, any][]) if (c) changes.push([name, c.previously, c.now]);
  if (x.confidence) changes.push(["Confidence", percent(x.confidence.previously), percent(x.confidence.now)]);
  for (const c of x.changed_fields ?? []) changes.push([c.key, c.previously, c.now]);
  for (const [name, list] of [["Source", x.changed_sources], ["Tension", x.changed_tensions], ["Code", x.changed_code_refs]] as [string, any[]][]) for (const c of list ?? []) changes.push([name + (c.key ? " " + c.key : ""), c.previously, c.now]);
  const lists: [string, any[] | undefined, any[] | undefined][] = [
    ["Conclusions", x.added_conclusions, x.dropped_conclusions], ["Evidence", x.new_evidence, x.dropped_evidence], ["Sources", x.new_sources, x.dropped_sources],
    ["Tensions", x.tensions_opened, x.tensions_settled], ["Files explored", x.files_explored?.new, x.files_explored?.dropped], ["Files changed", x.files_changed?.new, x.files_changed?.dropped], ["Code references", x.new_code_refs, x.dropped_code_refs],
  ];
  const one = (v: any) => (typeof v === "string" ? v : v.content ?? v.Content ?? said(v));
  const questions = (x.questions_raised ?? []).length + (x.questions_answered ?? []).length;
  const same = changes.length === 0 && questions === 0 && lists.every(([, n, o]) => !(n ?? []).length && !(o ?? []).length);
  return <Wait of={d}>
    {same && <p class="none">They say the same.</p>}
    {changes.map(([name, from, to], i) => <section class="change" key={i}><h3>{name.replace(/[_.]/g, " ")}</h3><div class="two"><p class="was"><Text s={said(from)} /></p><p class="is"><Text s={said(to)} /></p></div></section>)}
    {lists.map(([name, added, dropped]) => (added ?? []).length + (dropped ?? []).length > 0 && <section class="change" key={name}><h3>{name}</h3><ul class="delta">
      {(dropped ?? []).map((v, i) => <li class="was" key={"d" + i}><span class="sr">removed: </span><Text s={one(v)} /></li>)}{(added ?? []).map((v, i) => <li class="is" key={"a" + i}><span class="sr">added: </span><Text s={one(v)} /></li>)}</ul></section>)}
    {questions > 0 && <section class="change"><h3>Questions</h3><ul class="delta">{(x.questions_answered ?? []).map((q: string) => <li class="was" key={q}><span class="dim">no longer open </span><Text s={q} /></li>)}{(x.questions_raised ?? []).map((q: string) => <li class="is" key={q}><span class="dim">raised </span><Text s={q} /></li>)}</ul></section>}
  </Wait>;
}
