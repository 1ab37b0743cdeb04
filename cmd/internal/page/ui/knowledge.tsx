// Items of knowledge: a table, and each to be read and changed beside it.
import { h, Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, ask, by, changed, count, draft, Fault, Faulted, Field, Filter, From, go, Judge, keepDraft, keyOf, kindOf, lines, Link, List, Loading, query, Suspect, Text, useAddress, useAsk, useKeys, useTitle, Wait, When, wordsOf } from "./lib";
import { Fact } from "./checkpoint";
import { Virtual } from "./virtual";

const kinds = ["fact", "preference", "todo", "reference", "failure", "note"];
const statuses = ["active", "pending", "done", "archived", "deprecated", "superseded"];

export function Knowledge({ id }: { id?: string }) {
  const { params } = useAddress();
  const kind = params.get("type") ?? "", all = params.has("all");
  const [q, setQ] = useState(params.get("q") ?? "");
  const a = useAsk("/api/knowledge" + query({ type: kind, all }));
  const items = useMemo(() => {
    const words = wordsOf(q);
    const every: any[] = a.data?.items ?? [];
    return words.length ? every.filter((it) => { const t = [it.id, it.title, it.keywords, it.when, it.description, it.author].flat().join("\n").toLowerCase(); return words.every((w) => t.includes(w)); }) : every;
  }, [a.data, q]);
  const at = Math.max(0, id && id !== "+" ? items.findIndex((it) => keyOf(it) === id) : -1);
  const list = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState(false);
  const to = (key: string) => go("/knowledge" + (key ? "/" + key : "") + query({ type: kind, all, q }), !!id);
  const chosen = id || (items[at] && keyOf(items[at]));
  useTitle(id && id !== "+" ? id : "Knowledge");
  // The address names what is edited, so that it stays when the list changes; then one goes on in the list.
  const edit = (on: boolean) => {
    if (on && !id) to(chosen);
    setEditing(on);
    if (!on) list.current?.focus();
  };
  useKeys({ e: () => chosen && chosen !== "+" && edit(true), n: () => go("/knowledge/+"), Escape: () => edit(false) });
  useEffect(() => setEditing(false), [chosen]);
  return <div class={"split even" + (id ? " opened" : "")}>
    <h1 class="sr">Knowledge</h1>{/* also where the list is hidden */}
    <div class="pane">
      <div class="tools" role="search">
        <Filter what="knowledge" value={q} list={list} change={setQ} />
        <select aria-label="Kind" value={kind} onChange={(e: any) => go("/knowledge" + query({ type: e.target.value, all, q }))}><option value="">all kinds</option>{kinds.map((k) => <option key={k}>{k}</option>)}</select>
        <label class="check"><input type="checkbox" checked={all} onChange={(e: any) => go("/knowledge" + query({ type: kind, all: e.target.checked, q }))} />every status</label>
        <Link class="button" to="/knowledge/+">Add <kbd>n</kbd></Link>
        <span class="count" role="status">{a.data ? (items.length === a.data.items.length ? count(items.length, "item") : `${items.length.toLocaleString()} of ${a.data.items.length.toLocaleString()}`) : ""}{a.data?.hidden ? `, ${a.data.hidden} hidden by age` : ""}</span>
      </div>
      <Wait of={a}>
        {items.length > 0 ? <Virtual box={list} label="Items of knowledge" total={items.length} height={34} at={at} of={query({ q, kind, all })} choose={(i) => to(keyOf(items[i]))} open={(i) => { to(keyOf(items[i])); if (!matchMedia("(max-width: 60rem)").matches) setEditing(true); }}
          look={(i) => (["archived", "deprecated", "superseded", "done"].includes(items[i].status) ? " past" : "")}
          draw={(i) => <ItemRow it={items[i]} />} /> : a.data && (a.data.items.length ? <p class="none">Nothing matches.</p> : <EmptyKnowledge />)}
        {(a.data?.core ?? []).length > 0 && !q && <details class="core"><summary>{count(a.data.core.length, "core file")}</summary><ul class="points">{a.data.core.map((c: any) => <li key={c.path}><span class="path"><Text s={c.path} most={200} /></span> <Text s={c.summary} most={300} />{c.unconfirmed && <span class="by"> unconfirmed</span>}{!c.exists && <span class="by"> gone</span>}</li>)}</ul></details>}
      </Wait>
    </div>
    <aside class="side" aria-label="The chosen item">{id === "+" ? <Edit key="+" done={(key) => { go("/knowledge" + (key ? "/" + key : "")); list.current?.focus(); }} /> : chosen && <Item key={chosen} id={chosen} editing={editing} edit={edit} back={() => to("")} />}</aside>
  </div>;
}

function ItemRow({ it }: { it: any }) {
  return <Fragment>
    <span class={"kind " + kindOf(it.type)}>{kindOf(it.type)}</span>
    <span class="what"><Text s={it.error || it.title} most={240} brief /></span>
    {it.status !== "active" && <span class="dim">{it.status}</span>}
    {(it.conflicts ?? []).length > 0 && <span class="by">conflict</span>}
    {it.unconfirmed && <span class="by" title="from elsewhere, and nobody here confirmed it"><Text s={by(it.author)} most={24} brief /> ?</span>}
    {it.own && <span class="name">own</span>}
    {it.private && <span class="name tag">private</span>}
    <span class="words"><Text s={(it.keywords ?? []).join(", ")} most={120} brief /></span>
    <span class="when"><When ts={it.updated} /></span>
  </Fragment>;
}

function EmptyKnowledge() {
  return <div class="empty"><h2>Nothing is known yet</h2><p>An item is something that stays true: a fact, a preference, a todo, a reference or a failure. It comes back when a prompt needs it.</p>
    <p><Link class="button" to="/knowledge/+">Add the first</Link></p><p>Or in a terminal:</p><pre>git sage remember 'The staging database is emptied every Sunday night.'</pre></div>;
}

function Item({ id, editing, edit, back }: { id: string; editing: boolean; edit: (on: boolean) => void; back: () => void }) {
  const a = useAsk(addressOf(id)), it = a.data;
  const [fault, setFault] = useState<Fault>(), seen = useRef<any>();
  if (it) seen.current = it;
  if (editing && seen.current && !seen.current.error) return <Edit id={id} shown={seen.current} done={() => edit(false)} />; // also when somebody removed it meanwhile
  const put = (body: any) => ask("PUT", addressOf(id), { base: it.blob, ...body }).then(() => { setFault(undefined); changed(); }, setFault);
  const remove = () => ask("DELETE", addressOf(id), { base: it.blob }).then(() => { changed(); back(); }, setFault);
  const titled = !it?.content || !it.content.startsWith((it.title ?? "").replace(/…$/, "")); // else the text begins with it
  return <Wait of={a}>{it && <Fragment>
    <p class="crumbs"><button type="button" class="back" onClick={back}>← All</button><span class={"kind " + kindOf(it.type)}>{kindOf(it.type)}</span> <span class="id">{it.id}</span> {it.status !== "active" && <b>{it.status}</b>} {it.own && <span class="name">own</span>} {it.private && <span class="name tag" title="it stays in this clone">private</span>}</p>
    {titled && <h2><Text s={it.title} most={400} /></h2>}
    {!titled && <div class={it.content.length < 400 ? "lead" : ""}><Text s={it.content} block /></div>}
    {it.error && <p class="suspect" role="note"><strong>Cannot be read:</strong> <Text s={it.error} /></p>}
    {it.unconfirmed && <From author={it.author} trace={it.trace} what="item" />}
    {it.refused && <p class="from" role="note"><strong>Refused.</strong> Agents are not shown it; <code>git sage refuse --undo {keyOf(it)}</code> takes that back.</p>}
    {it.unconfirmed && !it.refused && !it.changed && !it.removed && <Judge id={keyOf(it)} kind="item" />}
    {it.changed && <p class="from" role="note">Somebody elsewhere changed it; this is as it was before. <Link to="/review">Review</Link> shows the change.</p>}
    <Suspect rules={it.suspect} />
    {draft(id) && <p class="from" role="note">You changed it and did not save. <button type="button" onClick={() => edit(true)}>Go on</button></p>}
    {(it.conflicts ?? []).map((c: any) => <section class="from" key={c.field}><strong>In conflict: {c.field}</strong><ul class="points">{(c.versions ?? []).map((v: any, i: number) => <li key={i}><Text s={typeof v === "string" ? v : JSON.stringify(v)} /></li>)}</ul><button type="button" onClick={() => put({ settle: [c.field] })}>Keep the first</button></section>)}
    <p class="acts"><button type="button" onClick={() => edit(true)}>Edit <kbd>e</kbd></button>
      {it.type === "todo" && it.status === "pending" && <button type="button" onClick={() => put({ status: "done" })}>Done</button>}
      {["active", "done", "pending"].includes(it.status) ? <button type="button" onClick={() => put({ status: "archived" })} title="kept, and not recalled">Archive</button> : <button type="button" onClick={() => put({ status: it.type === "todo" ? "pending" : "active" })}>Make active</button>}
      <button type="button" onClick={remove} title="'git sage undo' brings it back">Remove</button>
      <Link class="button" to={"/recall" + query({ q: (it.when ?? [])[0] ?? it.title })}>Test recall</Link></p>
    <Faulted fault={fault} />
    {it.description && <Field name="About"><p><Text s={it.description} /></p></Field>}
    {it.approach && <Field name="Approach"><Text s={it.approach} block /></Field>}
    {it.why_failed && <Field name="Why it failed"><Text s={it.why_failed} block /></Field>}
    {it.learned && <Field name="Learned"><Text s={it.learned} block /></Field>}
    {titled && it.content && <Field name="Text"><Text s={it.content} block /></Field>}
    <Field name="Requests that want it" when={it.when?.length}><List of={it.when} /></Field>
    <footer class="facts"><dl>
      <Fact name="Keywords" when={it.keywords?.length}><Text s={(it.keywords ?? []).join(", ")} /></Fact>
      <Fact name="Patterns" when={it.patterns?.length}><code><Text s={(it.patterns ?? []).join("   ")} /></code></Fact>
      <Fact name="Always" when={it.always}>with every prompt</Fact>
      <Fact name="Skills" when={it.skills?.length}><Text s={(it.skills ?? []).join(", ")} /></Fact>
      <Fact name="Paths" when={it.paths?.length}><span class="path"><Text s={(it.paths ?? []).join(", ")} /></span></Fact>
      <Fact name="Source" when={it.source}><Text s={it.source} /></Fact>
      <Fact name="Reason" when={it.reason}><Text s={it.reason} /></Fact>
      <Fact name="Instead" when={it.replacement}><Link to={"/knowledge/" + it.replacement}><Text s={it.replacement} most={100} /></Link></Fact>
      {(it.links ?? []).map((l: any, i: number) => <Fact key={i} name={l.kind.replace(/_/g, " ")}><Link to={"/knowledge/" + l.id}><Text s={l.id} most={100} /></Link> <Text s={l.missing ? "(no such item)" : l.title} most={200} /></Fact>)}
      <Fact name="By" when={it.author}><Text s={it.author} most={100} /></Fact>
      <Fact name="Added"><When ts={it.added} /></Fact><Fact name="Changed" when={it.updated !== it.added}><When ts={it.updated} /></Fact>
      <Fact name="Size">{it.tokens} tokens</Fact>
    </dl></footer>
  </Fragment>}</Wait>;
}

const commas = (s: string) => s.split(",").map((x) => x.trim()).filter(Boolean);
const same = (a: any, b: any) => JSON.stringify(a ?? "") === JSON.stringify(b ?? "");

// Edit changes an item as it was seen, or adds one. What somebody else made of it meanwhile
// is shown, and nothing of it is lost.
export function Edit({ id, shown, done }: { id?: string; shown?: any; done: (key?: string) => void }) {
  const raw = useRef<any>(null), [ready, setReady] = useState(!id), [fault, setFault] = useState<Fault>(), [now, setNow] = useState<any>(), [busy, setBusy] = useState(false);
  const of = id ?? "+", [again, setAgain] = useState(false);
  const [f, setF] = useState<any>({ id: "", type: "fact", content: "", description: "", keywords: "", when: "", patterns: "", paths: "", skills: "", always: false, source: "", status: "active", approach: "", why_failed: "", learned: "", shared: false });
  const fill = (it: any) => {
    raw.current = it;
    setF({ id: keyOf(it), type: kindOf(it.type), content: it.content ?? "", description: it.description ?? "", keywords: (it.keywords ?? []).join(", "), when: (it.when ?? []).join("\n"), patterns: (it.patterns ?? []).join("\n"), paths: (it.paths ?? []).join("\n"), skills: (it.skills ?? []).join(", "), always: !!it.always, source: it.source ?? "", status: it.status, approach: it.approach ?? "", why_failed: it.why_failed ?? "", learned: it.learned ?? "" });
  };
  const set = (now: any) => { setF(now); keepDraft(of, { f: now, base: raw.current }); };
  const end = (key?: string) => { keepDraft(of, null); done(key); };
  const resume = () => {
    const d = draft(of);
    if (d) { raw.current = d.base; setF(d.f); setAgain(true); } // on what it was written: what is there since is not lost
    return !!d;
  };
  const load = () => ask("GET", addressOf(id!), undefined, false).then(({ data }) => { fill(data); setReady(true); }, setFault);
  useEffect(() => {
    if (resume()) setReady(true);
    else if (id) load();
  }, [id]);
  const first = useRef<any>(null);
  useEffect(() => { if (ready) first.current?.focus(); }, [ready]);
  if (!ready) return fault ? <Faulted fault={fault} /> : <Loading />;
  const wanted = () => ({ type: f.type === "fact" ? "knowledge" : f.type, content: f.content, description: f.description, keywords: commas(f.keywords), when: lines(f.when), patterns: lines(f.patterns), paths: lines(f.paths), skills: commas(f.skills), always: f.always, source: f.source, status: f.status, approach: f.approach, why_failed: f.why_failed, learned: f.learned });
  const send = (base: string) => {
    setBusy(true);
    const it = raw.current ?? {}, body: any = { base };
    for (const [k, v] of Object.entries(wanted())) {
      const was = it[k] ?? (Array.isArray(v) ? [] : typeof v === "boolean" ? false : "");
      if (!same(v, was)) body[k] = v;
    }
    if (!id) { if (f.shared) body.shared = true; delete body.status; }
    const key = id ?? (f.type === "note" ? "system/" : "") + f.id.trim();
    ask("PUT", addressOf(key), body).then(() => { changed(); end(key); }, (e: Fault) => { setFault(e); setNow(e.status === 409 ? e.now : undefined); setBusy(false); });
  };
  const text = (name: string, label: string, hint = "", low = true) => <label>{label}{hint && <span class="dim"> {hint}</span>}<textarea class={low ? "low" : ""} value={f[name]} onInput={(e: any) => set({ ...f, [name]: e.target.value })} /></label>;
  const line = (name: string, label: string, hint = "") => <label>{label}{hint && <span class="dim"> {hint}</span>}<input ref={name === "id" ? first : undefined} value={f[name]} onInput={(e: any) => set({ ...f, [name]: e.target.value })} /></label>;
  const hidden = shown ? JSON.stringify(shown).match(/\\\\u\{[0-9a-f]+\}/g) : null;
  return <form class="form" aria-label={id ? "Edit " + id : "Add an item"} onSubmit={(e) => { e.preventDefault(); send(raw.current?.blob ?? ""); }} onKeyDown={(e: KeyboardEvent) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) send(raw.current?.blob ?? ""); if (e.key === "Escape") { e.stopPropagation(); end(); } }}>
    <h2>{id ? <Fragment>Edit <span class="id">{id}</span></Fragment> : "Add an item"}</h2>
    {again && <p class="from" role="note">This is what you wrote and did not save. Cancel discards it.</p>}
    {hidden && <p class="suspect" role="note">Its texts have {count(hidden.length, "character")} that cannot be seen or change how others are seen. They stay unless you delete them.</p>}
    <div class="columns">{!id && line("id", "Id", "such as staging-wipe")}
      <label>Kind<select value={f.type} onChange={(e: any) => set({ ...f, type: e.target.value })}>{(kinds.includes(f.type) ? kinds : [f.type, ...kinds]).map((k) => <option key={k}>{k}</option>)}</select></label>
      {id && <label>Status<select value={f.status} onChange={(e: any) => set({ ...f, status: e.target.value })}>{statuses.map((k) => <option key={k}>{k}</option>)}</select></label>}</div>
    {f.type === "failure" && <Fragment>{text("approach", "Approach")}{text("why_failed", "Why it failed")}{text("learned", "Learned")}</Fragment>}
    <label>Text<textarea ref={id ? first : undefined} value={f.content} onInput={(e: any) => set({ ...f, content: e.target.value })} /></label>
    {text("when", "Requests that want it", "in other words than its own, one a line")}
    {line("keywords", "Keywords", "between commas")}
    <details open={!!(f.patterns || f.paths || f.skills || f.always || f.description || f.source)}><summary>More</summary>
      {line("description", "About", "one line that tells it from others")}{text("patterns", "Patterns", "RE2, one a line")}{text("paths", "Paths", "files or folders it is about")}{line("skills", "Skills", "only while one of these is active")}{line("source", "Source")}
      <label class="check"><input type="checkbox" checked={f.always} onChange={(e: any) => set({ ...f, always: e.target.checked })} />give it with every prompt</label>
      {!id && f.type === "preference" && <label class="check"><input type="checkbox" checked={f.shared} onChange={(e: any) => set({ ...f, shared: e.target.checked })} />of this repository, not your own alone</label>}</details>
    <Faulted fault={fault} />
    {now && <section class="change"><h3>What is there now</h3><div class="two"><div class="was"><Text s={f.content} block /></div><div class="is"><Text s={now.content} block /></div></div>
      <p class="acts"><button type="button" onClick={() => { keepDraft(of, null); setAgain(false); fill(now); setNow(undefined); setFault(undefined); setBusy(false); }}>Edit that version</button><button type="button" onClick={() => { raw.current = { ...now }; setNow(undefined); send(now.blob); }}>Save mine instead</button></p></section>}
    <p class="acts"><button class="primary" disabled={busy || (!id && !f.id.trim())}>{id ? "Save" : "Add"} <kbd>Ctrl Enter</kbd></button><button type="button" onClick={() => end()}>Cancel <kbd>Esc</kbd></button></p>
  </form>;
}
