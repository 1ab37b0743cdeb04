// A list of any length, of which only what is in view is drawn.
import { h, ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const spare = 10;

export function Virtual(o: {
  box: RefObject<HTMLDivElement | null>; label: string; total: number; height: number; at: number; of: string;
  choose: (i: number) => void; open: (i: number) => void; draw: (i: number) => ComponentChildren;
  seen?: (a: number, b: number) => void; look?: (i: number) => string; busy?: boolean; keys?: Record<string, () => void>;
}) {
  const { box, total, height: H, at } = o;
  const pad = useRef<HTMLDivElement>(null), win = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0), [room, setRoom] = useState(600);
  const a = Math.max(0, Math.floor(top / H) - spare), b = Math.min(total, Math.ceil((top + room) / H) + spare);
  useEffect(() => o.seen?.(a, b));
  useEffect(() => {
    const r = new ResizeObserver(() => box.current && setRoom(box.current.clientHeight));
    r.observe(box.current!);
    return () => r.disconnect();
  }, []);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
  }, [o.of]);
  useEffect(() => {
    pad.current!.style.height = total * H + "px";
    win.current!.style.transform = `translateY(${a * H}px)`;
  });
  const move = (to: number) => {
    const i = Math.max(0, Math.min(total - 1, to)), e = box.current!;
    o.choose(i);
    if (i * H < e.scrollTop) e.scrollTop = i * H;
    else if ((i + 1) * H > e.scrollTop + e.clientHeight) e.scrollTop = (i + 1) * H - e.clientHeight;
  };
  const leap = Math.max(1, Math.floor(room / H) - 1);
  const by: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: leap, PageUp: -leap, Home: -1e9, End: 1e9 };
  const onKey = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key in by) move(at + by[e.key]);
    else if (e.key === "Enter") o.open(at);
    else if (o.keys?.[e.key]) o.keys[e.key]();
    else return;
    e.preventDefault();
  };
  const click = (i: number) => {
    o.choose(i);
    if (matchMedia("(max-width: 60rem)").matches) o.open(i); // there is nothing beside the list
  };
  const rows = [];
  for (let i = a; i < b; i++)
    rows.push(<div key={i} id={"row-" + i} class={"row" + (o.look?.(i) ?? "")} role="option" aria-selected={i === at} aria-posinset={i + 1} aria-setsize={total} onClick={() => click(i)} onDblClick={() => o.open(i)}>{o.draw(i)}</div>);
  return <div class="list" ref={box} tabIndex={0} role="listbox" aria-label={o.label} aria-busy={o.busy || undefined} aria-activedescendant={at >= a && at < b ? "row-" + at : undefined} onKeyDown={onKey} onScroll={(e: any) => setTop(e.currentTarget.scrollTop)}>
    <div ref={pad} role="presentation" class="pad"><div ref={win} role="presentation" class="win">{rows}</div></div>
  </div>;
}
