// Two checkpoints side by side, by meaning.
import { h, Fragment, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confidence, From, go, Id, inline, label, Link, short, Text, thesis, useAsk, useTitle, Value, Wait, When } from "./lib";
import { nameOf, placeOf, Reference, Source, Tension } from "./checkpoint";

// named is a revision as somebody named it, of an id no more than is told elsewhere.
const named = (rev: string) => rev.replace(/^[0-9a-f]{40,64}/, short);

export function Compare({ a, b }: { a?: string; b?: string }) {
  useTitle(a && b ? `${named(a)} and ${named(b)}` : "Compare");
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
    {children}{!x.fault && !y.fault && <Wait of={d}>{d.data && <Difference x={d.data} />}</Wait>}</Fragment>;
}

// Side is one of two checkpoints, with the words marked that the other has not.
export function Side({ c, sign, d }: { c: any; sign: "-" | "+"; d?: any }) {
  const pieces = (key: string) => (d?.reworded ?? []).find((r: any) => r.key === key)?.pieces;
  const told = (key: string, s: string, most: number) => (pieces(key) ? <Words of={pieces(key)} only={sign} /> : <Text s={thesis(s)} most={most} />);
  return <Fragment>
    <p class="meta"><Id id={c.id} /><Text s={c.author} most={60} /><When ts={c.ts} /><Confidence value={c.confidence} /></p>
    {c.core_question && <p class="question">{told("core_question", c.core_question, 500)}</p>}
    <h2>{c.thesis ? told("thesis", c.thesis, 1500) : <Text s={thesis(c.description)} most={1500} />}</h2>
    {c.unconfirmed && <From author={c.author} trace={c.trace} what="checkpoint" />}
  </Fragment>;
}

// Words are the pieces of a text that was said anew: of both sides, or of one.
function Words({ of, only }: { of: any[]; only?: "-" | "+" }) {
  return <span class="words" dir="auto">{of.filter((p) => !p.sign || !only || p.sign === only).map((p, i) => (p.sign === "-" ? <del key={i}><Text s={p.text} /></del> : p.sign === "+" ? <ins key={i}><Text s={p.text} /></ins> : <Text key={i} s={p.text} />))}</span>;
}

const percent = (v: any) => (v === null || v === undefined ? "none" : Math.round(v * 100) + "%");

// A Kind of items of which lists are compared: how one is drawn, what it says, which may be told
// word by word under a key, and what it is called beside that.
type Kind = { draw: (v: any, text?: ComponentChildren) => ComponentChildren; says?: (v: any) => string; key?: string; name?: (v: any) => string };
const plain: Kind = { draw: (v, text) => text ?? <Text s={v} />, says: (v) => v };
const evidence: Kind = { ...plain, key: "key_evidence" }, questions: Kind = { ...plain, key: "open_questions" };
const conclusions: Kind = { draw: (v, text) => text ?? <Text s={v.content} />, says: (v) => v.content, key: "unique_contributions" };
const sources: Kind = { draw: (v, text) => <Source of={v} text={text} />, says: (v) => v.take, key: "sources", name: nameOf };
const tensions: Kind = { draw: (v, text) => <Tension of={v} text={text} />, says: (v) => v.nature, key: "tensions", name: (v) => (v.between ?? []).join(" against ") };
const references: Kind = { draw: (v, text) => <Reference of={v} text={text} />, says: (v) => v.snippet, key: "code_refs", name: placeOf };

// Difference draws what differs, under the headings that 'git sage diff' has. Question and
// thesis stand above, in the sides.
export function Difference({ x }: { x: any }) {
  const changes: [string, ComponentChildren, ComponentChildren][] = [];
  const reworded: any[] = x.reworded ?? [];
  const find = (key: string, before: any, after: any) => reworded.find((r) => r.key === key && side(r.pieces, "-") === before && side(r.pieces, "+") === after)?.pieces;
  const value = (name: string, key: string, before: any, after: any) => {
    const p = find(key, before, after);
    changes.push([name, p ? <Words of={p} only="-" /> : <Value of={before} />, p ? <Words of={p} only="+" /> : <Value of={after} />]);
  };
  if (x.reasoning_trace) value("Reasoning", "reasoning_trace", x.reasoning_trace.previously, x.reasoning_trace.now);
  if (x.confidence) changes.push(["Confidence", percent(x.confidence.previously), percent(x.confidence.now)]);
  for (const c of x.changed_fields ?? []) if (!isList(c)) value(label(c.key), c.key, c.previously, c.now);
  for (const [name, list, kind] of [["Source", x.changed_sources, sources], ["Tension", x.changed_tensions, tensions], ["Code reference", x.changed_code_refs, references]] as [string, any[], Kind][]) for (const c of list ?? []) {
    const p = find(kind.key!, kind.says!(c.previously), kind.says!(c.now));
    changes.push([name, kind.draw(c.previously, p && <Words of={p} only="-" />), kind.draw(c.now, p && <Words of={p} only="+" />)]);
  }
  const lists: [string, any[] | undefined, any[] | undefined, Kind, string?, string?][] = [
    ...(x.changed_fields ?? []).filter(isList).map((c: any) => [label(c.key), ...parted(c.previously ?? [], c.now ?? []), { draw: (v: any) => <Text s={v} /> }]),
    ["Conclusions", x.added_conclusions, x.dropped_conclusions, conclusions], ["Evidence", x.new_evidence, x.dropped_evidence, evidence], ["Sources", x.new_sources, x.dropped_sources, sources],
    ["Tensions", x.tensions_opened, x.tensions_settled, tensions, "opened", "no longer open"], ["Files explored", x.files_explored?.new, x.files_explored?.dropped, plain], ["Files changed", x.files_changed?.new, x.files_changed?.dropped, plain], ["Code references", x.new_code_refs, x.dropped_code_refs, references],
    ["Questions", x.questions_raised, x.questions_answered, questions, "raised", "no longer open"],
  ];
  const some = lists.filter(([, added, dropped]) => (added ?? []).length + (dropped ?? []).length > 0);
  return <Fragment>
    {!x.core_question && !x.thesis && changes.length + some.length === 0 && <p class="none">They say the same.</p>}
    {changes.map(([name, from, to], i) => <section class="change" key={i}><h3>{name}</h3><div class="two"><div class="was">{from}</div><div class="is">{to}</div></div></section>)}
    {some.map(([name, added, dropped, kind, came, went], i) => <section class="change" key={"l" + i}><h3>{name}</h3><Delta added={added ?? []} dropped={dropped ?? []} kind={kind} reworded={reworded} came={came} went={went} /></section>)}
  </Fragment>;
}

// side is one of the two texts that pieces are of.
const side = (pieces: any[], sign: "-" | "+") => pieces.filter((p) => !p.sign || p.sign === sign).map((p) => p.text).join("");

// isList tells fields of which the parts are compared; a list that is new or gone is compared with none.
const isList = (c: any) => [c.previously, c.now].every((v) => Array.isArray(v) || v === null || v === undefined) && parted(c.previously ?? [], c.now ?? []).some((l) => l.length > 0);
// parted is what came to a list and what went, in words.
function parted(before: any[], after: any[]): [string[], string[]] {
  const was = before.map(inline), is = after.map(inline);
  return [is.filter((s) => !was.includes(s)), was.filter((s) => !is.includes(s))];
}

// Delta lists what came and what went, and of what is said anew the words that changed.
function Delta(o: { added: any[]; dropped: any[]; kind: Kind; reworded: any[]; came?: string; went?: string }) {
  const { kind, kind: { says } } = o, added = [...o.added], dropped = [...o.dropped], anew: [any, any, any[]][] = [];
  for (const r of kind.key ? o.reworded : []) {
    const d = r.key === kind.key ? dropped.findIndex((v) => says!(v) === side(r.pieces, "-")) : -1, a = d < 0 ? -1 : added.findIndex((v) => says!(v) === side(r.pieces, "+"));
    if (a >= 0) anew.push([dropped.splice(d, 1)[0], added.splice(a, 1)[0], r.pieces]);
  }
  const name = kind.name ?? (() => "");
  return <ul class="delta">
    {anew.map(([was, now, pieces], i) => <li class="anew" key={"p" + i}>{name(was) !== name(now) && <span class="words"><del><Text s={name(was)} most={300} /></del> </span>}{kind.draw(now, <Words of={pieces} />)}</li>)}
    {dropped.map((v, i) => <li class="was" key={"d" + i}>{o.went ? <span class="dim">{o.went} </span> : <span class="sr">removed: </span>}{kind.draw(v)}</li>)}
    {added.map((v, i) => <li class="is" key={"a" + i}>{o.came ? <span class="dim">{o.came} </span> : <span class="sr">added: </span>}{kind.draw(v)}</li>)}
  </ul>;
}
