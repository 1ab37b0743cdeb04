// Bringing another line into the current one, with a synthesis.
import { h, ComponentChildren, Fragment } from "preact";
import { useState } from "preact/hooks";
import { ask, changed, Fault, Faulted, go, lines, query, Text, thesis, useAddress, useAsk, useDraft, useTitle, Wait } from "./lib";
import { Sides } from "./checkpoint";
import { Compared } from "./compare";

export function Merge() {
  useTitle("Merge");
  const { params } = useAddress();
  const rev = params.get("rev") ?? "";
  const status = useAsk("/api/status"), st = status.data, all = useAsk("/api/lines").data?.lines ?? [];
  const tip = st?.parent, unsettled = tip && !st.begins && (st.unsettled ?? []).find((r: any) => r.id === tip.id);
  const others = all.filter((l: any) => !l.current && l.latest && l.latest !== tip?.id);
  return <article class="sheet wide"><Wait of={status}>{st && <Fragment>
    <h1>Merge into <Text s={st.line} most={60} /></h1>
    {!tip ? <p class="dim">Nothing is saved on this line yet, so there is nothing to merge into.</p> : unsettled ? <Settle tip={tip} line={st.line} /> : <Fragment>
      <form class="inline" onSubmit={(e) => e.preventDefault()}><label>Bring in{" "}
        <select value={rev} onChange={(e: any) => go("/merge" + query({ rev: e.target.value }))}>
          <option value="">a line or fork …</option>
          {others.map((l: any) => <option key={l.ref} value={l.name}>{l.name}{l.fork ? " (fork)" : ""}{l.closed ? " (closed)" : ""}: {(thesis(l.description) ?? "").slice(0, 60)}</option>)}
          {rev && !others.some((l: any) => l.name === rev) && <option value={rev}>{rev}</option>}
        </select></label></form>
      {others.length === 0 && !rev && <p class="dim">There is one line. <code>git sage switch -c &lt;name&gt;</code> begins another, to try another way.</p>}
      {rev && <Compared a={tip.id} b={rev}><Synthesis line={st.line} rev={rev} key={rev + tip.id} /><h2 class="apart">What differs</h2></Compared>}
    </Fragment>}
  </Fragment>}</Wait></article>;
}

// Settle is for a merge at the tip whose sides hold different theses.
function Settle({ tip, line }: { tip: any; line: string }) {
  const a = useAsk("/api/checkpoints/" + tip.id), c = a.data;
  const [fault, setFault] = useState<Fault>();
  return <Wait of={a}>{c && <Fragment>
    <p class="from" role="note"><strong>It waits for a synthesis.</strong> The merge at the tip has sides that hold different theses.</p>
    <Sides of={c.component_theses} />
    <Faulted fault={fault} />
    <Synthesis line={line} rev=""><button type="button" onClick={() => ask("POST", "/api/merge", { abort: true, into: line }).then(() => { changed(); go("/"); }, setFault)}>Abort the merge</button></Synthesis>
  </Fragment>}</Wait>;
}

// Synthesis is the form of one; children are what can be done in its place.
function Synthesis({ line, rev, children }: { line: string; rev: string; children?: ComponentChildren }) {
  const [f, set, discard] = useDraft(`merge ${line} ${rev}`, { thesis: "", sure: "", more: "" }), { thesis, sure, more } = f;
  const [busy, setBusy] = useState(false), [fault, setFault] = useState<Fault>();
  const send = (withThesis: boolean) => {
    setBusy(true);
    const body: any = { into: line, rev: rev || undefined };
    if (withThesis) {
      body.thesis = thesis;
      if (sure) body.confidence = Number(sure) / 100;
      const evidence = lines(more);
      if (evidence.length) body.key_evidence = evidence;
    }
    ask("POST", "/api/merge", body).then(
      ({ data }) => { discard(); changed(); data.unsettled ? (go("/merge"), setBusy(false)) : go("/checkpoints/" + data.id); },
      (e) => { setFault(e); setBusy(false); },
    );
  };
  return <form class="form" onSubmit={(e) => { e.preventDefault(); send(true); }}>
    <label>Synthesis<textarea value={thesis} placeholder="One thesis that holds for both sides" onInput={(e: any) => set({ ...f, thesis: e.target.value })} /></label>
    <div class="columns"><label>Confidence<span class="inline"><input type="number" min={0} max={100} step={5} value={sure} placeholder="–" onInput={(e: any) => set({ ...f, sure: e.target.value })} /> %</span></label>
      <label>Further evidence, a line each<textarea class="low" value={more} onInput={(e: any) => set({ ...f, more: e.target.value })} /></label></div>
    <Faulted fault={fault} />
    <p class="acts"><button class="primary" disabled={busy || !thesis.trim()}>{rev ? "Merge with this synthesis" : "Settle"}</button>
      {rev && <button type="button" disabled={busy} onClick={() => send(false)} title="Lists are united; theses that disagree are settled later">Merge without a synthesis</button>}{children}</p>
  </form>;
}
