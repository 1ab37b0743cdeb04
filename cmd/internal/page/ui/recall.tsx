// What a prompt would bring back, and why.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, ask, by, changed, count, Fault, Faulted, go, Id, kindOf, Link, query, Text, useAddress, useAsk, useKeys, useTitle, Wait, When } from "./lib";

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
      {[...r.items, ...r.checkpoints].sort((x: any, y: any) => Number(!!y.always) - Number(!!x.always) || y.score - x.score).map((m: any) => <Match key={m.type + m.id} m={m} q={asked} />)}
      {r.left_out.length > 0 && <Fragment><h2 class="apart">Left out</h2>{r.left_out.map((m: any) => <Match key={m.id} m={m} q={asked} />)}</Fragment>}
    </Fragment>}</Wait>}
  </article>;
}

const pc = (x: number) => Math.round(100 * x) + "%";

// Match has the parts of the score as a bar: what meaning gave, what words gave, and where
// the threshold is.
function Match({ m, q }: { m: any; q: string }) {
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
      <p><Text s={m.text || m.title} most={600} /></p>
      <p class="dim why"><Text s={m.why} />; meaning {pc(m.meaning)}, words {pc(m.keyword)}, needs {pc(m.threshold)}{(m.exact ?? []).length > 0 && <Fragment>; named: <Text s={m.exact.join(", ")} most={200} /></Fragment>}; {m.tokens} tokens
        {!m.recalled && !checkpoint && (added ? <Fragment>{" "}— added as a request</Fragment> : <Fragment>{" "}<button class="more" type="button" onClick={addWhen} title="Items are found by the requests that they name: 'git sage undo' takes it back">add this prompt to its requests</button></Fragment>)}</p>
      <Faulted fault={fault} />
    </div>
  </section>;
}

function Bar({ m }: { m: any }) {
  const sum = 0.7 * m.meaning + 0.3 * m.keyword, w = 120 * Math.min(1, m.score), byMeaning = sum ? (w * 0.7 * m.meaning) / sum : 0;
  const at = 120 * Math.min(1, m.threshold);
  return <svg width="120" height="14" role="img" aria-label={`score ${pc(m.score)}, needs ${pc(m.threshold)}`}><rect class="back" x="0" y="4" width="120" height="6" rx="3" /><rect class="k2" x="0" y="4" width={byMeaning} height="6" rx="2" /><rect class="k4" x={byMeaning} y="4" width={Math.max(0, w - byMeaning)} height="6" rx="2" /><path class="limit" d={`M${at} 1V13`} /></svg>;
}
