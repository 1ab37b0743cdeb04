// Who concluded and changed what lately.
import { h, Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count, go, Id, Link, query, Text, thesis, useAddress, Since, useAsk, useTitle, Wait, When } from "./lib";

const spans: [string, string][] = [["1 day ago", "a day"], ["", "a week"], ["1 month ago", "a month"], ["1 year ago", "a year"], ["50 years ago", "all time"]];

export function Activity() {
  useTitle("Activity");
  const { params } = useAddress();
  const since = params.get("since") ?? "", author = params.get("author") ?? "";
  const a = useAsk("/api/activity" + query({ since, author })), acts: any[] = a.data?.acts ?? [];
  const people = useMemo(() => {
    const by = new Map<string, any[]>();
    for (const x of acts) {
      const who = x.mine ? "You" : `${x.author} <${x.email}>`;
      by.set(who, [...(by.get(who) ?? []), x]);
    }
    return [...by];
  }, [a.data]);
  return <article class="sheet wide">
    <form class="inline" onSubmit={(e) => e.preventDefault()}><h1>Activity</h1>
      <Since value={since} spans={spans} change={(v) => go("/activity" + query({ since: v, author }))} />
      <input type="search" aria-label="Author" placeholder="author" value={author} onChange={(e: any) => go("/activity" + query({ since, author: e.target.value }))} /></form>
    <Wait of={a}>
      {(a.data?.opposing ?? []).length > 0 && <p class="from" role="note"><strong>{count(a.data.opposing.length, "contradiction")}</strong> between checkpoints of two people: <Link to="/review">review</Link> shows how to settle them.</p>}
      {a.data && acts.length === 0 && <p class="none">Nothing happened in that time.</p>}
      {people.map(([who, list]) => <Person key={who} who={who} list={list} />)}
    </Wait>
  </article>;
}

const first = 12, step = 100;
function Person({ who, list }: { who: string; list: any[] }) {
  const [room, setRoom] = useState(first);
  return <section class="person"><h2 class="apart"><Text s={who} most={100} /> <span class="dim">{list.length.toLocaleString()}</span></h2><ul class="acts-list">{list.slice(0, room).map((x) => <li key={x.id + x.kind}>
    <span class="when"><When ts={x.ts} /></span>{x.kind === "knowledge" ? <span class="kind">knowledge</span> : <Fragment><Id id={x.id} />{x.line && <span class="name"><Text s={x.line} most={40} /></span>}</Fragment>}<span class="what"><Text s={x.kind === "knowledge" ? x.description : thesis(x.description)} most={200} /></span>{x.unconfirmed && <span class="by">unconfirmed</span>}</li>)}</ul>
    {list.length > room && <button type="button" class="more" onClick={() => setRoom(room + step)}>{(list.length - room).toLocaleString()} more</button>}</section>;
}
