// What sessions took in tokens, what git-sage added, and what came of it.
import { h, Fragment, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { amount, count, go, Link, query, short, Since, Text, thesis, useAddress, useAsk, useTitle, Wait, When } from "./lib";

const spans: [string, string][] = [["1 week ago", "a week"], ["", "a month"], ["3 months ago", "three months"], ["50 years ago", "all time"]];
const kinds: [string, string][] = [["model", "models"], ["line", "lines"], ["session", "sessions"], ["day", "days"]];

// The parts of a number of tokens, with the colour of each.
const parts: [string, string, string][] = [["cache_read", "cache reads", "k5"], ["cache_creation", "cache creation", "k4"], ["input", "input", "k2"], ["output", "output", "k1"]];
const total = (t: any): number => parts.reduce((n, [k]) => n + t[k], 0);
const told = (t: any) => parts.filter(([k]) => t[k] > 0).map(([k, name]) => `${name} ${amount(t[k])}`).join(", ");

export function Usage() {
  useTitle("Usage");
  const { params } = useAddress();
  const since = params.get("since") ?? "", by = params.get("by") ?? "model";
  const a = useAsk("/api/usage" + query({ since: since || "1 month ago", by })), r = a.data;
  const to = (o: any) => go("/usage" + query({ since, by: by === "model" ? "" : by, ...o }));
  return <article class="sheet wide">
    <form class="inline" onSubmit={(e) => e.preventDefault()}><h1>Usage</h1>
      <Since value={since} spans={spans} change={(v) => to({ since: v })} /></form>
    <Wait of={a}>{r && <Fragment>{r.sessions === 0 ? <NoSessions /> : <Fragment>
      <dl class="tiles"><Tile name="Tokens">{amount(total(r.tokens))}</Tile><Tile name="Sessions">{r.sessions.toLocaleString()}</Tile>
        {r.cost && <Tile name={r.cost.partial ? "Cost, where a price is known" : "Cost"}>{money(r.cost.amount, r.cost.currency)}</Tile>}
        <Tile name="Added by git-sage">{amount(r.added.reduce((n: number, x: any) => n + x.tokens, 0))}</Tile>
        <Tile name="Of what was given, used">{share(r.recalled.used + r.restored.used, r.recalled.given + r.restored.given)}</Tile></dl>
      <Days days={r.days} link={by !== "day"} to={to} />
      <section><h2 class="apart split-head">Tokens by <span class="tabs">{kinds.map(([k, name]) => <button type="button" key={k} aria-pressed={k === by} onClick={() => to({ by: k === "model" ? "" : k })}>{name}</button>)}</span></h2>
        <Rows by={r.by} rows={r.rows} currency={r.cost?.currency} /></section>
      <section><h2 class="apart">What came of the memory</h2><div class="two">
        <Outcome name="Recalled" of={r.recalled} what="text" /><Outcome name="Restored" of={r.restored} what="checkpoint" /></div>
        {r.added.length > 0 && <Added of={r.added} />}</section></Fragment>}
      <Unused name="Never recalled" of={r.never_recalled} what="item" why="No session was given them. A request in the words of a prompt lets an item be found." to={(u) => "/knowledge/" + u.id} />
      <Unused name="Never restored" of={r.never_restored} what="checkpoint" why="No session began with them, or loaded them." to={(u) => "/checkpoints/" + u.id} />
      {r.skipped.length > 0 && <p class="dim">{count(r.skipped.length, "transcript")} could not be read: <Text s={r.skipped.join("; ")} most={300} /></p>}
    </Fragment>}</Wait>
  </article>;
}

const share = (n: number, of: number) => (of ? Math.round((100 * n) / of) + "%" : "–");
const money = (n: number, currency?: string) => `${n.toFixed(2)} ${currency ?? ""}`.trim();

function Tile({ name, children }: { name: string; children: ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}

function NoSessions() {
  return <div class="empty"><h2>No session in that time</h2><p>What sessions took is read from Claude Code's own transcripts, of sessions in this repository, its work trees and subfolders. Nothing of it is kept elsewhere or sent.</p></div>;
}

const dayMs = 86_400_000;
// least is how many bars there are at least: few would be as wide as the page.
const least = 21, mostBars = 120;

// bars are the days from the first to the last, or the weeks if they are many.
function barsOf(days: any[]) {
  const at = (s: string) => Date.parse(s + "T00:00:00Z"), iso = (t: number) => new Date(t).toISOString().slice(0, 10);
  const last = at(days[days.length - 1].key), n = Math.max(least, Math.round((last - at(days[0].key)) / dayMs) + 1);
  const step = n > mostBars ? 7 : 1, bars = Math.ceil(n / step), first = last - (bars * step - 1) * dayMs;
  const out = Array.from({ length: bars }, (_, i) => ({ key: iso(first + i * step * dayMs), sessions: 0, tokens: Object.fromEntries(parts.map(([k]) => [k, 0])) as any }));
  for (const d of days) {
    const bar = out[Math.floor((at(d.key) - first) / dayMs / step)];
    bar.sessions += d.sessions;
    for (const [k] of parts) bar.tokens[k] += d.tokens[k];
  }
  return { bars: out, week: step > 1 };
}

// Days draws a bar for each day. What it shows is a table, too: that of the days.
function Days({ days, link, to }: { days: any[]; link: boolean; to: (o: any) => void }) {
  const { bars, week } = barsOf(days);
  const peak = bars.reduce((p, b) => (total(b.tokens) > total(p.tokens) ? b : p), bars[0]), most = total(peak.tokens) || 1;
  return <figure class="plot">
    <p class="plot-head"><span class="legend">{parts.map(([k, name, colour]) => <span key={k}><svg width="10" height="10" aria-hidden="true"><rect class={colour} width="10" height="10" rx="2" /></svg>{name}</span>)}</span><span class="dim">{amount(most)}</span></p>
    <svg class="days" viewBox={`0 0 ${bars.length * 10} 100`} preserveAspectRatio="none" role="img" aria-label={`Tokens by ${week ? "week" : "day"} from ${bars[0].key} to ${days[days.length - 1].key}; the most were ${amount(most)}, ${week ? "in the week from" : "on"} ${peak.key}`}>
      {bars.map((b, i) => { let y = 100; return <g key={b.key}><title>{`${week ? "week from " : ""}${b.key}: ${b.sessions ? `${amount(total(b.tokens))} tokens (${told(b.tokens)})` : "nothing"}`}</title><rect class="ground" x={i * 10} y="0" width="10" height="100" />
        {parts.map(([k, , colour]) => { const tall = (100 * b.tokens[k]) / most; y -= tall; return tall > 0 ? <rect key={k} class={colour} x={i * 10 + 1} y={y} width="8" height={tall} /> : null; })}</g>; })}</svg>
    <figcaption><span>{bars[0].key}</span>{link && <button type="button" class="more" onClick={() => to({ by: "day" })}>the same in numbers</button>}<span>{days[days.length - 1].key}</span></figcaption>
  </figure>;
}

// Bar is a number of tokens as long as its share of the most, in the colours of its parts.
function Bar({ of, most }: { of: [number, string][]; most: number }) {
  let x = 0;
  return <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="100" height="8" />{of.map(([n, colour], i) => { const from = x, wide = most ? (100 * n) / most : 0; x += wide; return wide > 0 ? <rect key={i} class={colour} x={from} width={wide} height="8" /> : null; })}</svg>;
}

const firstRows = 12;
function Rows({ by, rows, currency }: { by: string; rows: any[]; currency?: string }) {
  const [all, setAll] = useState(false);
  const list = by === "day" ? [...rows].reverse() : rows, most = Math.max(...rows.map((r) => total(r.tokens)));
  const name = (r: any) => (by === "session" ? <span class="id" title={r.key}>{short(r.key)}</span> : r.key ? <Text s={r.key} most={60} /> : <span class="dim">{by === "line" ? "none: nothing was saved" : "unknown"}</span>);
  return <Fragment><div class="scroll" tabIndex={0} role="region" aria-label={"Tokens by " + by}><table class="numbers">
    <thead><tr><th scope="col">{by[0].toUpperCase() + by.slice(1)}</th><td /><th scope="col">Tokens</th>{by !== "session" && <th scope="col">Sessions</th>}<th scope="col">Answers</th>{parts.map(([k, n]) => <th scope="col" class="part" key={k}>{n[0].toUpperCase() + n.slice(1)}</th>)}{currency !== undefined && <th scope="col">Cost</th>}{by === "session" && <th scope="col">Last</th>}</tr></thead>
    <tbody>{(all ? list : list.slice(0, firstRows)).map((r) => <tr key={r.key}><th scope="row">{name(r)}</th><td class="wide-cell"><Bar of={parts.map(([k, , c]) => [r.tokens[k], c])} most={most} /></td><td><b>{amount(total(r.tokens))}</b></td>{by !== "session" && <td>{r.sessions.toLocaleString()}</td>}<td>{r.answers.toLocaleString()}</td>
      {parts.map(([k]) => <td class="part" key={k}>{amount(r.tokens[k])}</td>)}{currency !== undefined && <td>{r.cost === undefined ? "–" : money(r.cost)}</td>}{by === "session" && <td><When ts={r.last} /></td>}</tr>)}</tbody></table></div>
    {!all && list.length > firstRows && <button type="button" class="more" onClick={() => setAll(true)}>{list.length - firstRows} more</button>}</Fragment>;
}

const uses: [string, string, string][] = [["loaded", "loaded by id", "k0"], ["quoted", "quoted", "k2"], ["opened", "a file of it opened", "k5"]];

function Outcome({ name, of, what }: { name: string; of: any; what: string }) {
  return <section class="card"><h3>{name}</h3>{of.given === 0 ? <p class="dim">Nothing was.</p> : <Fragment>
    <p class="lead"><b>{of.used.toLocaleString()}</b> of {count(of.given, what)} used <span class="dim">({share(of.used, of.given)})</span></p>
    <Bar of={uses.map(([k, , c]) => [of.uses[k] ?? 0, c])} most={of.given} />
    <p class="legend">{uses.filter(([k]) => of.uses[k]).map(([k, n, c]) => <span key={k}><svg width="10" height="10" aria-hidden="true"><rect class={c} width="10" height="10" rx="2" /></svg>{n} {of.uses[k]}</span>)}</p>
    <p class="dim">In {count(of.sessions, "session")}: {amount(of.tokens)} tokens, for whole texts of {amount(of.texts)}.{of.missing > 0 && ` ${of.missing.toLocaleString()} are gone since.`}</p></Fragment>}</section>;
}

function Added({ of }: { of: any[] }) {
  const most = Math.max(...of.map((x) => x.tokens));
  return <div class="scroll" tabIndex={0} role="region" aria-label="Added by git-sage"><table class="numbers"><caption>What git-sage put in front of agents</caption>
    <thead><tr><th scope="col">By</th><td /><th scope="col">Tokens</th><th scope="col">Times</th></tr></thead>
    <tbody>{of.map((x) => <tr key={x.by}><th scope="row"><Text s={x.by} most={60} /> <span class="dim">{x.tool ? "tool" : "hook"}</span></th><td class="wide-cell"><Bar of={[[x.tokens, x.tool ? "k3" : "k0"]]} most={most} /></td><td><b>{amount(x.tokens)}</b></td><td>{x.times.toLocaleString()}</td></tr>)}</tbody></table></div>;
}

const firstUnused = 8;
function Unused({ name, of, what, why, to }: { name: string; of: any[]; what: string; why: string; to: (u: any) => string }) {
  const [room, setRoom] = useState(firstUnused);
  return of.length ? <section><h2 class="apart">{name} <span class="dim">{of.length.toLocaleString()}</span></h2><p class="dim">{why}</p>
    <ul class="acts-list">{of.slice(0, room).map((u) => <li key={u.id}><span class="when"><When ts={u.time} /></span><Link class="id" to={to(u)}><Text s={what === "checkpoint" ? short(u.id) : u.id} most={60} brief /></Link><span class="what"><Text s={what === "checkpoint" ? thesis(u.title) : u.title} most={200} brief /></span></li>)}</ul>
    {of.length > room && <button type="button" class="more" onClick={() => setRoom(room + 100)}>{(of.length - room).toLocaleString()} more</button>}</section> : null;
}
