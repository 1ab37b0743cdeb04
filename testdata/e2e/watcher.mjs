// The watcher, for clients whose hooks are off.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { BIN, inside, installed, prepared, uninstalled } from './world.mjs';

/** Hooks are taken away; the watcher is started first, if at all, and always ended. */
export const watched = (run, { name = 'watcher', start = true, poll = false, hooks = false, after = () => [] } = {}) => inside(async (dir) => {
  const setup = [...(hooks ? [] : [uninstalled()]), ...(start ? [`${poll ? 'SAGE_WATCHER_POLL=true ' : ''}git-sage watcher start`] : [])];
  try {
    const report = await run(prepared(installed(name), ...setup), { out: dir, set: { PATIENCE: start ? '300' : '20' } });
    return [...report.failures, ...await after(dir)];
  } finally {
    execFileSync(path.join(BIN, 'git-sage'), ['watcher', 'stop'], { env: { ...process.env, HOME: path.join(dir, 'home') }, stdio: 'pipe' });
  }
});

/** What the watcher says when it has seen the compaction and is done with it: nothing that a hook did before. */
export async function didNothing(dir) {
  const log = path.join(dir, 'home', '.sage', 'watcher.log');
  const read = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '');
  for (let i = 0; i < 300 && !/ended: its client is gone/.test(read()); i += 1) await new Promise((r) => setTimeout(r, 100));
  const bad = [];
  if (!/nothing left to do/.test(read())) bad.push('the watcher has not seen the compaction');
  if (/marked what it lost|saved recovery/.test(read())) bad.push(`the watcher did what hooks had done:\n${read()}`);
  return bad;
}
