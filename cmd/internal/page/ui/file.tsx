// A line, or all of a memory, in a file that needs nothing else: the lineage and each
// checkpoint. The script has nobody to ask; what it shows is in the file.
import { h, render, Fragment } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { count, Filter, go, Link, query, short, Text, thesis, useAddress, useKeys, useTitle, wordsOf } from "./lib";
import { Against, Gist, Whole } from "./checkpoint";
import { Difference, Side } from "./compare";
import { Drawing, Row, RowView } from "./lineage";
import { Virtual } from "./virtual";

type Memory = { repository: string; line: string; rows: (Row & Record<string, any>)[] } & Drawing;

// unpack reads what the file holds, gzipped and in base64.
async function unpack(): Promise<Memory> {
  const packed = Uint8Array.from(atob(document.getElementById("memory")!.textContent!), (c) => c.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
}

function File({ m }: { m: Memory }) {
  const { path, params } = useAddress();
  const byId = useMemo(() => new Map(m.rows.map((r) => [r.id, r])), []);
  const [view, id = "", other = ""] = path.slice(1).split("/"), one = byId.get(id), next = byId.get(other), d = next?.differences?.[id];
  return <Fragment>
    <header class="top"><Link class="brand" to="/">git sage</Link><span class="where"><Text s={m.repository} most={60} />{m.line && <Fragment> <span class="dim">line</span> <b><Text s={m.line} most={60} /></b></Fragment>}</span>
      <span class="dim count">{count(m.rows.length, "checkpoint")}, exported</span></header>
    <main id="main" tabIndex={-1}>{view === "compare" && one && next && d ? <Pair key={path} a={one} b={next} d={d} /> : !id ? <All m={m} asked={params.get("q") ?? ""} /> : one ? <One key={id} c={one} /> : <article class="sheet"><h1>Not in this file</h1><p>{short(id)} was not exported. <Link to="/">Lineage</Link> shows what is here.</p></article>}</main>
  </Fragment>;
}

function One({ c }: { c: any }) {
  useTitle(thesis(c.thesis || c.description)!);
  const parents: string[] = c.parents;
  useKeys({ p: () => parents[0] && go("/checkpoints/" + parents[0]), d: () => parents[0] && go(`/compare/${parents[0]}/${c.id}`), Escape: () => go("/") });
  return <article class="sheet"><Whole c={c}><Against c={c} /></Whole></article>;
}

// Pair is a checkpoint beside one of its parents.
function Pair({ a, b, d }: { a: any; b: any; d: any }) {
  useTitle(`${short(a.id)} and ${short(b.id)}`);
  useKeys({ Escape: () => go("/checkpoints/" + b.id) });
  return <article class="sheet wide"><h1 class="sr">Compare</h1>
    <p class="crumbs"><Link to="/">Lineage</Link> / <Link class="id" to={"/checkpoints/" + b.id}>{short(b.id)}</Link> / compare</p>
    <div class="two">{[a, b].map((c, i) => <section class="card" key={c.id}><Side c={c} sign={i ? "+" : "-"} d={d} /></section>)}</div>
    <Difference x={d} /></article>;
}

// The one that was chosen last, and the filter, are there again on the way back.
let last = 0;

function All({ m, asked }: { m: Memory; asked: string }) {
  useTitle("Lineage");
  const texts = useMemo(() => m.rows.map((r) => [r.description, r.thesis, r.core_question, r.key_evidence, r.open_questions, r.reasoning_trace, r.author, r.names].flat().join("\n").toLowerCase()), []);
  const [q, setQ] = useState(asked), [sel, setSel] = useState(last);
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => {
    const words = wordsOf(q);
    return words.length ? m.rows.filter((r, i) => words.every((w) => texts[i].includes(w) || r.id.startsWith(w))) : m.rows;
  }, [q]);
  const at = Math.min(sel, Math.max(0, rows.length - 1)), chosen = rows[at];
  last = at;
  const filter = (s: string) => { setQ(s); setSel(0); go("/" + query({ q: s }), true); };
  const open = (i: number) => rows[i] && go("/checkpoints/" + rows[i].id);
  return <div class="split">
    <div class="pane"><h1 class="sr">Lineage</h1>
      <div class="tools" role="search">
        <Filter what="checkpoints" value={q} list={list} change={filter} />
        <span class="count" role="status">{q ? `${rows.length.toLocaleString()} of ${m.rows.length.toLocaleString()}` : ""}</span>
      </div>
      {rows.length === 0 ? <p class="none">Nothing matches. <button type="button" onClick={() => filter("")}>Show all</button></p> : <Virtual box={list} label="Checkpoints, newest first" total={rows.length} height={m.height} at={at} of={q} choose={setSel} open={open}
        draw={(i) => <RowView r={rows[i]} lanes={rows === m.rows} g={m} />} />}
    </div>
    <aside class="side" aria-label="The chosen checkpoint" tabIndex={0}>{chosen && <Fragment><Gist c={chosen} /><p class="acts"><Link class="button" to={"/checkpoints/" + chosen.id}>Open <kbd>Enter</kbd></Link></p></Fragment>}</aside>
  </div>;
}

const root = document.getElementById("app")!;
unpack().then(
  (m) => { root.replaceChildren(); render(<File m={m} />, root); },
  (e) => { root.textContent = "This file cannot be read: it is damaged, or the browser is from before 2023. " + e; },
);
