// Clients that work at once in one repository.
import path from 'node:path';
import { git, inside, install, load, repository } from './world.mjs';

/**
 * Two clients save at once in one repository. Each waits until both have saved, and saves again: so one of
 * them has not seen the other's, and is told. Nothing is lost, and a third client is shown both.
 */
export const twoClients = (run) => inside(async (dir) => {
  const repo = repository(dir, { commands: install('project') });
  const s = { ...load('two-clients'), allow: ['mcp__sage', 'Bash'] };
  const reports = await Promise.all(['cards', 'wallets'].map((side) => run(s, { repo, out: path.join(dir, side), set: { SIDE: side } })));
  const bad = reports.flatMap((r) => r.failures);
  const told = reports.filter((r) => r.tools.some((t) => /FORKED: main moved on/.test(t.text)));
  if (told.length !== 1) bad.push(`${told.length} of 2 clients were told of the other: ${JSON.stringify(reports.map((r) => r.tools))}`);
  const saved = git(repo, 'log', '--format=%s', '--glob=refs/sage/heads/*', '--glob=refs/sage/forks/*').split('\n').sort();
  const want = ['cards first', 'cards second', 'wallets first', 'wallets second'];
  if (saved.join() !== want.join()) bad.push(`saved: ${saved.join(', ')}`);
  git(repo, 'fsck', '--full', '--strict');

  const third = await run({ ...load('third-client'), allow: ['mcp__sage'] }, { repo, out: path.join(dir, 'third') });
  bad.push(...third.failures);
  return bad;
});

/**
 * Two sessions at once, neither of which is told to save. Each decides, waits until both have saved by
 * themselves, and decides again, so that one of them is beside the line. A third is told so by the hook, and
 * merges with what it was told; the one after it is shown one line.
 */
export const twoSessions = (run, ...setup) => inside(async (dir) => {
  const { files, ...scenario } = load('two-sessions');
  const s = { ...scenario, allow: ['mcp__sage', 'Bash', 'Read'] };
  const repo = repository(dir, { files, commands: [...install('project'), 'git config sage.autosave silent', 'git config sage.triggerCooldown 0', ...setup] });
  const sides = { one: ['ARC', '64 shards'], other: ['LRU', '16 shards'] };
  const reports = await Promise.all(Object.entries(sides).map(([side, [FIRST, SECOND]]) => run(s, { repo, out: path.join(dir, side), set: { FIRST, SECOND } })));
  const bad = reports.flatMap((r) => r.failures);
  const forks = git(repo, 'for-each-ref', '--format=%(refname)', 'refs/sage/forks').split('\n').filter(Boolean);
  if (forks.length !== 1) bad.push(`forks: ${forks.join(', ') || 'none'}`);
  git(repo, 'fsck', '--full', '--strict');
  const merge = await run({ ...load('merge-session'), allow: ['mcp__sage'] }, { repo, out: path.join(dir, 'merge') });
  bad.push(...merge.failures);
  if (git(repo, 'for-each-ref', 'refs/sage/forks')) bad.push('the fork is still there');
  return bad;
});
