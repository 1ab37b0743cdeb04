// The page: its shell, and the view that the address names.
import { h, render, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, decoded, Fault, Faulted, go, Link, Text, useAddress, useChord, useEpoch, useKeys, useTitle } from "./lib";
import { Lineage } from "./lineage";
import { Checkpoint } from "./checkpoint";
import { Compare } from "./compare";
import { Merge } from "./merge";
import { Knowledge } from "./knowledge";
import { Recall } from "./recall";
import { Review } from "./review";
import { Search } from "./search";
import { Activity } from "./activity";
import { Usage } from "./usage";

const views: [string, string, string][] = [
  ["/", "Lineage", "l"], ["/knowledge", "Knowledge", "k"], ["/recall", "Recall", "t"], ["/review", "Review", "r"], ["/search", "Search", "s"], ["/compare", "Compare", "c"], ["/merge", "Merge", "m"], ["/activity", "Activity", "a"], ["/usage", "Usage", "u"],
];
const chords = Object.fromEntries(views.map(([to, , key]) => [key, () => go(to)]));

// useStatus looks at where the memory stands while the page is in view.
function useStatus() {
  const n = useEpoch();
  const [status, set] = useState<any>(), [fault, setFault] = useState<Fault>();
  useEffect(() => {
    let gone = false;
    const look = () => document.visibilityState === "visible" && ask("GET", "/api/status").then(
      ({ data }) => { if (!gone) { set(data); setFault(undefined); } },
      (e) => gone || setFault(e),
    );
    look();
    const t = setInterval(look, 4000);
    document.addEventListener("visibilitychange", look);
    return () => { gone = true; clearInterval(t); document.removeEventListener("visibilitychange", look); };
  }, [n]);
  return { status, fault };
}

// parts are how many an address may have of a view.
const parts: Record<string, number> = { checkpoints: 2, compare: 3, knowledge: Infinity };

function View({ path }: { path: string }) {
  const p = path.split("/").slice(1);
  switch (p.length > (parts[p[0]] ?? 1) ? "nowhere" : p[0]) {
    case "": return <Lineage />;
    case "checkpoints": return p[1] ? <Checkpoint id={p[1]} /> : <Nowhere />;
    case "compare": return <Compare a={decoded(p[1] ?? "", decodeURIComponent)} b={decoded(p[2] ?? "", decodeURIComponent)} />;
    case "merge": return <Merge />;
    case "knowledge": return <Knowledge id={p.slice(1).join("/")} />;
    case "recall": return <Recall />;
    case "review": return <Review />;
    case "search": return <Search />;
    case "activity": return <Activity />;
    case "usage": return <Usage />;
  }
  return <Nowhere />;
}

function Nowhere() {
  useTitle("No such page");
  return <article class="sheet"><h1>There is no such page</h1><p>Nothing is at <span class="path"><Text s={useAddress().path} most={200} brief /></span>.</p><p class="acts"><Link class="button" to="/">Back to the lineage</Link></p></article>;
}

function App() {
  const { path } = useAddress();
  const { status, fault } = useStatus();
  const [help, setHelp] = useState(false);
  useKeys({ "?": () => setHelp(!help) });
  useChord("g", chords);
  const waiting = (status?.review?.checkpoints ?? 0) + (status?.review?.items ?? 0);
  const repository = (status?.repository ?? "").split(/[\\/]/).filter(Boolean).pop() ?? "";
  return <Fragment>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <Link class="brand" to="/"><svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true"><path class="k0" d="M5 14V2M5 9C5 6 11 8 11 4" /><circle class="k0" cx="5" cy="13" r="2" /><circle class="k1" cx="11" cy="3.5" r="2" /></svg>git sage</Link>
      <nav aria-label="Views">{views.map(([to, name, key]) => <Link key={to} to={to} title={`g ${key}`} aria-current={(to === "/" ? path === "/" || path.startsWith("/checkpoints") : path.startsWith(to)) ? "page" : undefined}>{name}{to === "/review" && waiting > 0 && <span class="badge" title={waiting.toLocaleString() + " to review"}>{waiting > 99 ? "99+" : waiting}</span>}</Link>)}</nav>
      <span class="where" title={status?.repository}>{repository && <Fragment><Text s={repository} most={40} /> <span class="dim">on</span> <b><Text s={status.line} most={40} /></b></Fragment>}</span>
      <button class="help" type="button" aria-expanded={help} onClick={() => setHelp(!help)} title="Keys">?</button>
    </header>
    {help && <Help close={() => setHelp(false)} />}
    {fault && <div class="lost"><Faulted fault={fault} /></div>}
    <main id="main" tabIndex={-1}><View path={path} /></main>
  </Fragment>;
}

function Help({ close }: { close: () => void }) {
  return <section class="keys" aria-label="Keys">
    <dl>{[["/", "find"], ["j k ↓ ↑", "next, previous"], ["Enter", "open"], ["c", "mark to compare"], ["p", "the one before"], ["d", "compare with the one before"], ["Esc", "back to the lineage"], ...views.map(([, name, key]) => ["g " + key, name.toLowerCase()])].map(([k, what]) => <Fragment key={k}><dt><kbd>{k}</kbd></dt><dd>{what}</dd></Fragment>)}</dl>
    <button type="button" onClick={close}>Close</button>
  </section>;
}

const root = document.getElementById("app")!;
root.replaceChildren();
render(<App />, root);
