// Two checkpoints side by side, by meaning.
import { h, Fragment, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confidence, From, go, Id, Link, short, Text, useAsk, useTitle, Wait, When } from "./lib";

export function Compare({ a, b }: { a?: string; b?: string }) {
  useTitle(a && b ? `${short(a)} and ${short(b)}` : "Compare");
  if (!a || !b) return <Choose a={a} b={b} />;
  return <article class="sheet wide"><h1 class="sr">Compare</h1>
    <p class="crumbs"><Link to="/">Lineage</Link> / compare <button type="button" onClick={() => go(`/compare/${encodeURIComponent(b)}/${encodeURIComponent(a)}`)}>Swap</button></p>
    <Compared a={a} b={b} />
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

// Compared shows two checkpoints side by side, and what else differs; children stands between,
// such as a synthesis to write.
export function Compared({ a, b, children }: { a: string; b: string; children?: ComponentChildren }) {
  const x = useAsk("/api/checkpoints/" + encodeURIComponent(a)), y = useAsk("/api/checkpoints/" + encodeURIComponent(b));
  const d = useAsk(`/api/checkpoints/${encodeURIComponent(a)}/diff/${encodeURIComponent(b)}`);
  return <Fragment>
    <div class="two">{[x, y].map((one, i) => <section class="card" key={i}><Wait of={one}>{one.data && <Side c={one.data} sign={i ? "+" : "-"} d={d.data} />}</Wait></section>)}</div>
    {children}<Wait of={d}>{d.data && <Difference x={d.data} />}</Wait></Fragment>;
}

// Side is one of two checkpoints, with the words marked that the other has not.
export function Side({ c, sign, d }: { c: any; sign: "-" | "+"; d?: any }) {
  const pieces = (key: string) => (d?.reworded ?? []).find((r: any) => r.key === key)?.pieces;
  const told = (key: string, s: string, most: number) => (pieces(key) ? <Words of={pieces(key)} only={sign} /> : <Text s={s} most={most} />);
  return <Fragment>
    <p class="meta"><Id id={c.id} /><Text s={c.author} most={60} /><When ts={c.ts} /><Confidence value={c.confidence} /></p>
    {c.core_question && <p class="question">{told("core_question", c.core_question, 500)}</p>}
    <h2>{c.thesis ? told("thesis", c.thesis, 1500) : <Text s={c.description} most={1500} />}</h2>
    {c.unconfirmed && <From author={c.author} trace={c.trace} what="checkpoint" />}
  </Fragment>;
}

// Words are the pieces of a text that was said anew: of both sides, or of one.
function Words({ of, only }: { of: any[]; only?: "-" | "+" }) {
  return <span class="words" dir="auto">{of.filter((p) => !p.sign || !only || p.sign === only).map((p, i) => (p.sign === "-" ? <del key={i}><Text s={p.text} /></del> : p.sign === "+" ? <ins key={i}><Text s={p.text} /></ins> : <Text key={i} s={p.text} />))}</span>;
}

const said = (v: any): string => (v === null || v === undefined || v === "" ? "none" : typeof v === "string" ? v : Array.isArray(v) ? v.map(said).join(", ") : typeof v === "object" ? Object.entries(v).filter(([, x]) => x).map(([k, x]) => `${k}: ${said(x)}`).join("; ") : String(v));
const percent = (v: any) => (v === null || v === undefined ? "none" : Math.round(v * 100) + "%");

// Difference draws what differs, under the headings that 'git sage diff' has. Question and
// thesis stand above, in the sides.
export function Difference({ x }: { x: any }) {
  const changes: [string, any, any, string?][] = [];
  if (x.reasoning_trace) changes.push(["Reasoning", x.reasoning_trace.previously, x.reasoning_trace.now, "reasoning_trace"]);
  if (x.confidence) changes.push(["Confidence", percent(x.confidence.previously), percent(x.confidence.now)]);
  for (const c of x.changed_fields ?? []) changes.push([c.key, c.previously, c.now, c.key]);
  for (const [name, list] of [["Source", x.changed_sources], ["Tension", x.changed_tensions], ["Code", x.changed_code_refs]] as [string, any[]][]) for (const c of list ?? []) changes.push([name + (c.key ? " " + c.key : ""), c.previously, c.now]);
  const anew = (key: string): any[][] => (x.reworded ?? []).filter((r: any) => r.key === key).map((r: any) => r.pieces);
  const side = (sign: string, list: any[][]) => new Set(list.map((pieces) => pieces.filter((p) => !p.sign || p.sign === sign).map((p) => p.text).join("")));
  const lists: [string, any[] | undefined, any[] | undefined, string?][] = [
    ["Conclusions", x.added_conclusions, x.dropped_conclusions, "unique_contributions"], ["Evidence", x.new_evidence, x.dropped_evidence, "key_evidence"], ["Sources", x.new_sources, x.dropped_sources],
    ["Tensions", x.tensions_opened, x.tensions_settled], ["Files explored", x.files_explored?.new, x.files_explored?.dropped], ["Files changed", x.files_changed?.new, x.files_changed?.dropped], ["Code references", x.new_code_refs, x.dropped_code_refs],
  ];
  const one = (v: any) => (typeof v === "string" ? v : v.content ?? v.Content ?? said(v));
  const questions = (x.questions_raised ?? []).length + (x.questions_answered ?? []).length;
  const same = !x.core_question && !x.thesis && changes.length === 0 && questions === 0 && lists.every(([, n, o]) => !(n ?? []).length && !(o ?? []).length);
  return <Fragment>
    {same && <p class="none">They say the same.</p>}
    {changes.map(([name, from, to, key], i) => { const pieces = key && anew(key)[0]; return <section class="change" key={i}><h3>{name.replace(/[_.]/g, " ")}</h3><div class="two"><p class="was">{pieces ? <Words of={pieces} only="-" /> : <Text s={said(from)} />}</p><p class="is">{pieces ? <Words of={pieces} only="+" /> : <Text s={said(to)} />}</p></div></section>; })}
    {lists.map(([name, added, dropped, key]) => { const pairs = key ? anew(key) : [], was = side("-", pairs), is = side("+", pairs); return (added ?? []).length + (dropped ?? []).length > 0 && <section class="change" key={name}><h3>{name}</h3><ul class="delta">
      {pairs.map((p, i) => <li class="anew" key={"p" + i}><Words of={p} /></li>)}
      {(dropped ?? []).map((v, i) => !was.has(one(v)) && <li class="was" key={"d" + i}><span class="sr">removed: </span><Text s={one(v)} /></li>)}{(added ?? []).map((v, i) => !is.has(one(v)) && <li class="is" key={"a" + i}><span class="sr">added: </span><Text s={one(v)} /></li>)}</ul></section>; })}
    {questions > 0 && <section class="change"><h3>Questions</h3><ul class="delta">{(x.questions_answered ?? []).map((q: string) => <li class="was" key={q}><span class="dim">no longer open </span><Text s={q} /></li>)}{(x.questions_raised ?? []).map((q: string) => <li class="is" key={q}><span class="dim">raised </span><Text s={q} /></li>)}</ul></section>}
  </Fragment>;
}
