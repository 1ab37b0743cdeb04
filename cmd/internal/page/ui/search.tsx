// Checkpoints, knowledge and code, by meaning and by words.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Confidence, count, go, Id, kindOf, Link, query, Text, thesis, useAddress, useAsk, useKeys, useTitle, Wait, When } from "./lib";

const places = ["", "checkpoints", "knowledge", "code"];

export function Search() {
  const { params } = useAddress();
  const asked = params.get("q") ?? "", where = params.get("in") ?? "";
  useTitle(asked ? asked : "Search");
  const [q, setQ] = useState(asked), field = useRef<HTMLInputElement>(null);
  useEffect(() => setQ(asked), [asked]);
  useEffect(() => { if (!asked) field.current?.focus(); }, []);
  useKeys({ "/": () => field.current?.focus() });
  const a = useAsk(asked.trim() ? "/api/search" + query({ q: asked, in: where, limit: where ? 50 : 8 }) : ""), r = a.data;
  const to = (o: any) => go("/search" + query({ q: q.trim(), in: where, ...o }));
  const found = (kind: string) => (r?.found ?? []).filter((f: any) => f.kind === kind);
  return <article class="sheet wide"><h1 class="sr">Search</h1>
    <form class="inline big" role="search" onSubmit={(e) => { e.preventDefault(); to({}); }}>
      <input ref={field} type="search" aria-label="Search" placeholder="Search checkpoints, knowledge and code" value={q} onInput={(e: any) => setQ(e.target.value)} />
      <span class="tabs">{places.map((p) => <button type="button" key={p} aria-pressed={p === where} onClick={() => to({ in: p })}>{p || "all"}</button>)}</span>
    </form>
    {asked && <Wait of={a}>{r && <Fragment>
      {r.weak && <p class="dim">No good match; the nearest:</p>}
      <Group name="Checkpoints" of={found("checkpoint")} draw={(f) => <Fragment><p class="head"><Link to={"/checkpoints/" + f.id}><Text s={thesis(f.title)} most={300} /></Link></p><p class="meta"><Id id={f.id} /><Confidence value={f.confidence} />{f.line && !f.current && <span class="name"><Text s={f.line} most={40} /></span>}<Text s={f.author} most={50} /><When ts={f.ts} />{f.unconfirmed && <span class="by">unconfirmed</span>}</p></Fragment>} />
      <Group name="Knowledge" of={found("knowledge")} draw={(f) => <Fragment><p class="head"><Link to={"/knowledge/" + f.id}><Text s={f.title} most={300} /></Link></p><p class="meta"><span class={"kind " + f.type}>{kindOf(f.type)}</span><span class="id"><Text s={f.id} most={80} /></span>{f.status !== "active" && <span>{f.status}</span>}{f.own && <span class="name">own</span>}<When ts={f.ts} />{f.unconfirmed && <span class="by">unconfirmed</span>}{f.outdated && <span class="by"><Text s={f.outdated} most={120} /></span>}</p></Fragment>} />
      <Group name="Code" of={r.code} draw={(f) => <Fragment><p class="head"><code><Text s={f.title} most={200} /></code></p><p class="meta"><span class="path"><Text s={`${f.path}:${f.lines[0]}-${f.lines[1]}`} most={200} /></span><span>{f.type}</span><span>{f.language}</span></p></Fragment>} />
      {r.found.length + r.code.length === 0 && <p class="none">Nothing found.{where === "code" && <Fragment> <code>git sage index</code> indexes the code.</Fragment>}</p>}
      {r.hidden > 0 && <p class="dim">{count(r.hidden, "checkpoint")} {r.hidden === 1 ? "is" : "are"} hidden by age or number.</p>}
    </Fragment>}</Wait>}
  </article>;
}

function Group({ name, of, draw }: { name: string; of: any[]; draw: (f: any) => any }) {
  return of.length ? <section><h2 class="apart">{name}</h2>{of.map((f) => <div class="match" key={f.kind + f.id}><div class="score"><b>{Math.round(100 * f.score)}%</b></div><div>{draw(f)}</div></div>)}</section> : null;
}
