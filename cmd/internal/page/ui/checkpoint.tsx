// One checkpoint, in brief and with all it holds.
import { h, ComponentChildren, Fragment } from "preact";
import { Confidence, Faulted, Field, From, go, Id, Judge, Link, List, Loading, Names, Pairs, short, Suspect, Text, thesis, useAsk, useKeys, useTitle, Wait, When } from "./lib";

// Brief is what stands beside the list.
export function Brief({ id }: { id: string }) {
  const a = useAsk("/api/checkpoints/" + id), c = a.data;
  if (a.fault) return <Faulted fault={a.fault} />;
  return c ? <Gist c={c} /> : <Loading />;
}

export function Gist({ c }: { c: any }) {
  return <Fragment>
    {c.core_question && <p class="question"><Text s={c.core_question} most={500} /></p>}
    <h2><Text s={thesis(c.thesis || c.description)} most={800} /></h2>
    <p class="meta"><Confidence value={c.confidence} /><span><Text s={c.author} most={60} /></span><When ts={c.ts} /><Id id={c.id} /></p>
    {c.unconfirmed && <From author={c.author} trace={c.trace} what="checkpoint" />}
    <Suspect rules={c.suspect} />
    <Sides of={c.component_theses} />
    <Field name="Evidence" when={c.key_evidence}><List of={c.key_evidence?.slice(0, 8)} /></Field>
    <Field name="Open questions" when={c.open_questions}><List of={c.open_questions?.slice(0, 8)} /></Field>
    <Field name="Files changed" when={c.files_changed}><List of={c.files_changed?.slice(0, 8)} /></Field>
  </Fragment>;
}

// Sides are the theses of a merge that waits for a synthesis.
export function Sides({ of }: { of?: any[] }) {
  return <Field name="The sides hold" when={of}><ul class="points">{(of ?? []).map((t) => <li key={t.from}><Id id={t.from} /> <Text s={t.thesis} /></li>)}</ul></Field>;
}

export function Checkpoint({ id }: { id: string }) {
  const a = useAsk("/api/checkpoints/" + id), c = a.data;
  useTitle(c ? thesis(c.thesis || c.description)! : short(id));
  const parents: string[] = c?.parents ?? [];
  const lines: any[] = useAsk("/api/lines").data?.lines ?? [];
  const side = lines.find((l) => !l.current && c?.names?.includes(l.name)); // which may be merged
  useKeys({ p: () => parents[0] && go("/checkpoints/" + parents[0]), d: () => parents[0] && go(`/compare/${parents[0]}/${c.id}`), Escape: () => go("/") });
  return <article class="sheet">{a.fault && <Fragment><h1 class="sr">Checkpoint</h1><p class="crumbs"><Link to="/">Lineage</Link> / <span class="id">{short(id)}</span></p></Fragment>}<Wait of={a}>{c && <Whole c={c}>{c.unconfirmed && !c.refused && <Judge key={c.id} id={c.id} kind="checkpoint" />}<Against c={c}>
      {side && <Link class="button" to={"/merge?rev=" + encodeURIComponent(side.name)}>Merge <Text s={side.name} most={40} brief /> …</Link>}</Against></Whole>}</Wait></article>;
}

// Against leads to what differs from each parent, and to what else can be done.
export function Against({ c, children }: { c: any; children?: ComponentChildren }) {
  const parents: string[] = c.parents ?? [];
  return <p class="acts">{parents.map((p) => <Link key={p} class="button" to={`/compare/${p}/${c.id}`}>Compare with {short(p)}{p === parents[0] && <Fragment> <kbd>d</kbd></Fragment>}</Link>)}{children}</p>;
}

// Whole is all that a checkpoint holds; children is what can be done with it.
export function Whole({ c, children }: { c: any; children?: ComponentChildren }) {
  const parents: string[] = c.parents ?? [];
  return <Fragment>
    <p class="crumbs"><Link to="/">Lineage</Link> / <span class="id">{short(c.id)}</span> <Names names={c.names} /></p>
    {c.core_question && <p class="question"><Text s={c.core_question} /></p>}
    <h1><Text s={thesis(c.thesis || c.description)} /></h1>
    <p class="meta"><Confidence value={c.confidence} /><span><Text s={c.author} most={80} /></span><When ts={c.ts} />{c.trigger && <span>{c.trigger.replace(/[-_]/g, " ")}</span>}{c.template && <span>template <Text s={c.template} most={60} /></span>}</p>
    {c.removed && <p class="from" role="note"><strong>Removed.</strong> <code>git sage checkpoint restore --removed {short(c.id)}</code> brings it back.</p>}
    {c.refused && <p class="from" role="note"><strong>Refused.</strong> Agents are not shown it; <code>git sage refuse --undo {short(c.id)}</code> takes that back.</p>}
    {c.unconfirmed && <From author={c.author} trace={c.trace} what="checkpoint" />}
    <Suspect rules={c.suspect} />
    {children}
    <Sides of={c.component_theses} />
    <Field name="Key evidence" when={c.key_evidence}><List of={c.key_evidence} /></Field>
    <Field name="Reasoning" when={c.reasoning_trace}><Text s={c.reasoning_trace} block /></Field>
    <Field name="Open questions" when={c.open_questions}><List of={c.open_questions} /></Field>
    <Field name="Sources" when={c.sources}><ul class="points">{(c.sources ?? []).map((s: any, i: number) => <li key={i}><Source of={s} /></li>)}</ul></Field>
    <Field name="Tensions" when={c.tensions}><ul class="points">{(c.tensions ?? []).map((t: any, i: number) => <li key={i}><Tension of={t} /></li>)}</ul></Field>
    <Field name="Found out here" when={c.unique_contributions}><List of={(c.unique_contributions ?? []).map((u: any) => u.content)} /></Field>
    <Field name="Action" when={c.action}><p><Text s={[c.action?.type, c.action?.goal, c.action?.deadline, (c.action?.stakeholders ?? []).join(", ")].filter(Boolean).join("; ")} /></p></Field>
    <Field name="Code" when={c.code_refs}><ul class="points code">{(c.code_refs ?? []).map((r: any, i: number) => <li key={i}><Reference of={r} /></li>)}</ul></Field>
    <Field name="Files changed" when={c.files_changed}><List of={c.files_changed} /></Field>
    <Field name="Files explored" when={c.files_explored}><List of={c.files_explored} /></Field>
    <Other c={c} />
    <footer class="facts"><dl>
      <Fact name="Checkpoint"><span class="id">{c.id}</span></Fact>
      <Fact name="Continues" when={parents.length}>{parents.map((p) => <Fragment key={p}><Id id={p} /> </Fragment>)}</Fact>
      <Fact name="Merges" when={c.merge_sources}>{(c.merge_sources ?? []).map((p: string) => <Fragment key={p}><Id id={p} /> </Fragment>)}</Fact>
      <Fact name="Code" when={c.code}><span class="id">{short(c.code?.commit)}</span>{c.code?.branch && !c.code.commit?.startsWith(c.code.branch) && <Fragment> on <Text s={c.code.branch} most={100} /></Fragment>}{c.code?.dirty && ", with changes"}</Fact>
      <Fact name="Session" when={c.session}><Text s={[c.session, c.agent].filter(Boolean).join(", ")} most={120} /></Fact>
      <Fact name="Skill" when={c.skill}><Text s={c.skill} most={100} /></Fact>
      <Fact name="Project" when={c.project}><Text s={c.project} most={100} /></Fact>
      <Fact name="Recalled" when={c.knowledge_recalled}>{(c.knowledge_recalled ?? []).map((k: string) => <Fragment key={k}><Link to={"/knowledge/" + k}><Text s={k} most={100} /></Link> </Fragment>)}</Fact>
    </dl></footer>
  </Fragment>;
}

export function Fact(o: { name: string; children?: any; when?: any }) {
  return !("when" in o) || o.when ? <Fragment><dt>{o.name}</dt><dd>{o.children}</dd></Fragment> : null;
}

// Other is what a template or a newer version keeps beside the fields that all have.
function Other({ c }: { c: any }) {
  const of = { ...c.domain_data, ...c.fields, ...c.extra };
  return Object.keys(of).length ? <Field name={c.domain ? "Domain: " + c.domain : "Further fields"}><Pairs of={of} /></Field> : null;
}

// Source, Tension and Reference are items of a checkpoint; text stands in the place of what they
// say, where that is told word by word.
export const nameOf = (s: any): string => s.identifier || s.id || s.type || "";
export function Source({ of: s, text }: { of: any; text?: ComponentChildren }) {
  return <Fragment><b><Text s={nameOf(s)} most={300} /></b>{(s.relation || s.type) && <span class="dim"> {[s.type, s.relation, s.credibility].filter(Boolean).join(", ")}</span>}{s.take && <Fragment>: {text ?? <Text s={s.take} />}</Fragment>}</Fragment>;
}
export function Tension({ of: t, text }: { of: any; text?: ComponentChildren }) {
  return <Fragment>{(t.between ?? []).length > 0 && <Fragment><b><Text s={t.between.join(" against ")} most={300} /></b>: </Fragment>}{text ?? <Text s={t.nature} />}{t.resolution && <span class="dim"> (<Text s={t.resolution} />)</span>}</Fragment>;
}
export const placeOf = (r: any): string => r.file + (!r.lines ? "" : r.lines[1] && r.lines[1] !== r.lines[0] ? `:${r.lines[0]}-${r.lines[1]}` : `:${r.lines[0]}`);
export function Reference({ of: r, text }: { of: any; text?: ComponentChildren }) {
  return <Fragment><span class="path"><Text s={placeOf(r)} most={300} /></span>{r.symbol && <Fragment> <Text s={r.symbol} most={200} /></Fragment>}{r.state && !["same", "current"].includes(r.state) && <span class="dim"> {r.state}</span>}{r.relevance && <Fragment>: <Text s={r.relevance} /></Fragment>}{r.snippet && <pre>{text ?? <Text s={r.snippet} />}</pre>}</Fragment>;
}
