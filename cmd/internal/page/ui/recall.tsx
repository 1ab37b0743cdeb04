// What a prompt would bring back, and why.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, ask, by, changed, count, Fault, Faulted, go, Id, keyOf, kindOf, lines, Link, query, short, Text, thesis, useAddress, useAsk, useKeys, useTitle, Wait, When } from "./lib";

export function Recall() {
  useTitle("Recall");
  const { params } = useAddress();
  const asked = params.get("q") ?? "";
  const [q, setQ] = useState(asked), field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => setQ(asked), [asked]);
  useEffect(() => { if (!asked) field.current?.focus(); }, []);
  useKeys({ "/": () => field.current?.focus() });
  const a = useAsk(asked.trim() ? "/api/knowledge/recall" + query({ q: asked }) : ""), r = a.data;
  const send = () => q.trim() && go("/recall" + query({ q: q.trim() }));
  const [trial, setTrial] = useState("");
  useEffect(() => setTrial(""), [asked]);
  const tokens = r ? [...r.items, ...r.checkpoints].reduce((n: number, m: any) => n + m.tokens, 0) : 0;
  return <article class="sheet wide">
    <h1>What would a prompt recall?</h1>
    <form class="form" onSubmit={(e) => { e.preventDefault(); send(); }}>
      <textarea ref={field} class="low" aria-label="Prompt" placeholder="Type a prompt as you would to an agent, such as: why is the staging database empty?" value={q} onInput={(e: any) => setQ(e.target.value)} onKeyDown={(e: KeyboardEvent) => { if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); send(); } }} />
      <p class="acts"><button class="primary" disabled={!q.trim()}>Test <kbd>Enter</kbd></button></p>
    </form>
    {asked && <Wait of={a}>{r && <Fragment>
      <p class="dim" role="status">{r.items.length + r.checkpoints.length === 0 ? "An agent would be given nothing." : `An agent would be given ${count(r.items.length, "item")}${r.checkpoints.length ? ` and ${count(r.checkpoints.length, "checkpoint")}` : ""}, about ${tokens.toLocaleString()} tokens.`}
        {r.words && " There is no model: only words were compared."}{r.withheld > 0 && ` ${count(r.withheld, "text")} that fit came from elsewhere and are suspect: agents are not shown them.`}</p>
      {trial && <Trial key={trial} id={trial} q={asked} now={r} close={() => setTrial("")} />}
      {given(r).map((m) => <Match key={m.type + m.id} m={m} q={asked} attempt={setTrial} />)}
      {r.left_out.length > 0 && <Fragment><h2 class="apart">Left out</h2>{r.left_out.map((m: any) => <Match key={m.id} m={m} q={asked} attempt={setTrial} />)}</Fragment>}
      {!trial && <Other of={r} attempt={setTrial} />}
    </Fragment>}</Wait>}
  </article>;
}

// given is what an agent is told, in that order.
const given = (r: any): any[] => [...r.items, ...r.checkpoints].sort((x, y) => Number(!!y.always) - Number(!!x.always) || y.score - x.score);

// Other lets requests be tried of an item that nothing was told of.
function Other({ of, attempt }: { of: any; attempt: (id: string) => void }) {
  const [id, setId] = useState(""), items: any[] = useAsk("/api/knowledge").data?.items ?? [];
  const told = new Set([...of.items, ...of.left_out].map((m: any) => m.id)), others = items.filter((it) => !told.has(keyOf(it)));
  return others.length ? <form class="inline" onSubmit={(e) => { e.preventDefault(); if (id) attempt(id); }}>
    <label>Another item should have come: <select value={id} onChange={(e: any) => setId(e.target.value)}><option value="">which one …</option>{others.map((it) => <option key={keyOf(it)} value={keyOf(it)}>{keyOf(it)}: {(it.title ?? "").slice(0, 60)}</option>)}</select></label>
    <button disabled={!id}>Try requests</button></form> : null;
}

// pause is how long nobody types until what is there is tried, in milliseconds.
const pause = 400;

// Trial tells what the prompt would bring if an item named other requests, beside what it
// brings. Nothing is saved until somebody says so.
function Trial({ id, q, now, close }: { id: string; q: string; now: any; close: () => void }) {
  const [it, setIt] = useState<any>(), [text, setText] = useState(""), [when, setWhen] = useState<string[]>(), [fault, setFault] = useState<Fault>();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    ask("GET", addressOf(id), undefined, false).then(({ data }) => { setIt(data); setText([...new Set([...(data.when ?? []), q])].join("\n")); field.current?.scrollIntoView({ block: "nearest" }); field.current?.focus(); }, setFault);
  }, []);
  useEffect(() => {
    if (!it) return;
    const t = setTimeout(() => setWhen(lines(text)), when ? pause : 0);
    return () => clearTimeout(t);
  }, [it, text]);
  const then = useAsk(when ? "/api/knowledge/recall" + query({ q, trial: id, when }) : "");
  const save = () => ask("PUT", addressOf(id), { base: it.blob, when: lines(text) }).then(() => { changed(); close(); }, setFault);
  const find = (r: any) => [...r.items, ...r.left_out].find((m: any) => m.id === id);
  return <section class="card trial" aria-label={"Requests of " + id} onKeyDown={(e: KeyboardEvent) => { if (e.key === "Escape") close(); if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) save(); }}>
    <h2>If <Link to={"/knowledge/" + id}><Text s={id} most={100} /></Link> named these requests</h2>
    <p class="dim">One a line. The prompt itself always fits: put it as others would ask, too.</p>
    <textarea id="trial" aria-label="Requests, one a line" ref={field} class="low" value={text} onInput={(e: any) => setText(e.target.value)} />
    <Faulted fault={fault ?? then.fault} />
    <div class="two" aria-live="polite" aria-busy={then.busy}>
      <Brought name="Now" r={now} other={then.data} mark="was" of={find(now)} />
      {then.data ? <Brought name="With these requests" r={then.data} other={now} mark="is" of={find(then.data)} /> : <p class="wait">…</p>}
    </div>
    <p class="acts"><button type="button" class="primary" disabled={!it} onClick={save}>Save these requests <kbd>Ctrl Enter</kbd></button><button type="button" onClick={close}>Leave it <kbd>Esc</kbd></button></p>
  </section>;
}

// Brought lists what a prompt brings, and marks what another answer to it does not have; of is
// the item that is tried, as it scores there.
function Brought({ name, r, other, mark, of }: { name: string; r: any; other: any; mark: "was" | "is"; of: any }) {
  const there = new Set((other ? given(other) : given(r)).map((m) => m.type + m.id)), list = given(r);
  return <section><h3>{name}</h3>
    {list.length === 0 && <p class="dim">Nothing is given.</p>}
    <ol class="brought">{list.map((m) => { const apart = !there.has(m.type + m.id); return <li key={m.type + m.id} class={apart ? mark : ""}><b>{pc(m.score)}</b> <Text s={m.type === "checkpoint" ? short(m.id) : m.id} most={60} brief /> <span class="dim"><Text s={m.type === "checkpoint" ? thesis(m.title) : m.title} most={90} brief /></span>{apart && <span class="sr">{mark === "is" ? ", new" : ", not any more"}</span>}</li>; })}</ol>
    {of && !of.recalled && <p class="dim"><Text s={of.id} most={60} brief /> scores {pc(of.score)} and needs {pc(of.threshold)}.</p>}
    {!of && <p class="dim">The item is not near it.</p>}</section>;
}

const pc = (x: number) => Math.round(100 * x) + "%";

// Match has the parts of the score as a bar: what meaning gave, what words gave, and where
// the threshold is.
function Match({ m, q, attempt }: { m: any; q: string; attempt: (id: string) => void }) {
  const [fault, setFault] = useState<Fault>(), [added, setAdded] = useState(false);
  const checkpoint = m.type === "checkpoint";
  const address = addressOf(m.id);
  const addWhen = async () => {
    try {
      const { data } = await ask("GET", address, undefined, false);
      await ask("PUT", address, { base: data.blob, when: [...(data.when ?? []), q] });
      setAdded(true);
      changed();
    } catch (e: any) {
      setFault(e);
    }
  };
  return <section class={"match" + (m.recalled ? "" : " left")}>
    <div class="score"><b>{pc(m.score)}</b><Bar m={m} /></div>
    <div>
      <p class="head">{checkpoint ? <Fragment><span class="kind">checkpoint</span> <Id id={m.id} /></Fragment> : <Fragment><span class={"kind " + m.type}>{kindOf(m.type)}</span> <Link to={"/knowledge/" + m.id}><Text s={m.id} most={100} /></Link></Fragment>}{m.own && <span class="name">own</span>}{m.unconfirmed && <span class="by">{m.author ? <Fragment>by <Text s={by(m.author)} most={40} brief />, unconfirmed</Fragment> : "unconfirmed"}{m.remote && <Fragment>, by way of <Text s={m.remote} most={40} brief /></Fragment>}{m.first_seen && <Fragment>, seen <When ts={m.first_seen} /></Fragment>}</span>}{m.outdated && <span class="by"><Text s={m.outdated} most={120} /></span>}{m.stale && <span class="by"><Text s={m.stale} most={120} /></span>}</p>
      <p><Text s={checkpoint ? thesis(m.text || m.title) : m.text || m.title} most={600} /></p>
      <p class="dim why"><Text s={m.why} />; meaning {pc(m.meaning)}, words {pc(m.keyword)}{!m.why.includes("threshold") && <Fragment>, needs {pc(m.threshold)}</Fragment>}{(m.exact ?? []).length > 0 && <Fragment>; named: <Text s={m.exact.join(", ")} most={200} /></Fragment>}; {m.tokens} tokens</p>
      {!checkpoint && <p class="why">{!m.recalled && (added ? <span class="dim">added as a request </span> : <Fragment><button class="more" type="button" onClick={addWhen} title="Items are found by the requests that they name: 'git sage undo' takes it back">add this prompt to its requests</button>{" "}</Fragment>)}<button class="more" type="button" onClick={() => attempt(m.id)} title="See what the prompt would bring then; nothing is saved">try other requests</button></p>}

      <Faulted fault={fault} />
    </div>
  </section>;
}

function Bar({ m }: { m: any }) {
  const sum = 0.7 * m.meaning + 0.3 * m.keyword, w = 120 * Math.min(1, m.score), byMeaning = sum ? (w * 0.7 * m.meaning) / sum : 0;
  const at = 120 * Math.min(1, m.threshold);
  return <svg width="120" height="14" role="img" aria-label={`score ${pc(m.score)}, needs ${pc(m.threshold)}`}><rect class="back" x="0" y="4" width="120" height="6" rx="3" /><rect class="k2" x="0" y="4" width={byMeaning} height="6" rx="2" /><rect class="k4" x={byMeaning} y="4" width={Math.max(0, w - byMeaning)} height="6" rx="2" /><path class="limit" d={`M${at} 1V13`} /></svg>;
}
