// What all ways of playing share: a folder of their own, a repository in it, git-sage installed there, and
// what a way returns, the reasons why it failed, [] if it did not.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, '..', '..');
export const BIN = path.join(ROOT, 'bin');

export const load = (name) => JSON.parse(fs.readFileSync(path.join(HERE, `${name}.json`), 'utf8'));
export const install = (scope) => [`git-sage hooks install --scope ${scope}`, `git-sage mcp install --scope ${scope}`];
export const uninstalled = (scope = 'project') => `git-sage hooks uninstall --scope ${scope}`;
export const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
export const git = (repo, ...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
export const wanted = (what, got, want) => (got === want ? [] : [`${what}: ${got}, not ${want}`]);

/** A scenario with git-sage installed by its own installer. */
export const installed = (name, scope = 'project') => {
  const s = load(name);
  return { ...s, setup: [...install(scope), ...(s.setup ?? [])], allow: [...(s.allow ?? []), 'mcp__sage'] };
};

/** A scenario with git-sage installed by one command: then the frequent hooks ask the server. */
export const initialised = (name, scope) => ({ ...installed(name), setup: [`git-sage init --claude --scope ${scope}`, ...(load(name).setup ?? [])] });

/** A scenario with more to be done before it. */
export const prepared = (scenario, ...setup) => ({ ...scenario, setup: [...scenario.setup, ...setup] });

/** What a client left behind in the background may still be at work there. */
function remove(dir, tries = 100) {
  try {
    fs.rmSync(dir, { recursive: true, force: true });
  } catch (e) {
    if (e.code !== 'ENOTEMPTY' || tries === 0) throw e;
    remove(dir, tries - 1);
  }
}

/** What hooks wrote down last of what went wrong, of every repository and home below dir. */
const hookLogs = (dir) => fs.readdirSync(dir, { recursive: true })
  .filter((f) => path.basename(f) === 'hooks.log')
  .map((f) => `${f}:\n${fs.readFileSync(path.join(dir, f), 'utf8').trimEnd().split('\n').slice(-8).join('\n')}`);

/** Play something in a folder of its own, which is kept if it fails. */
export async function inside(way) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sage-e2e-'));
  const bad = await way(dir);
  if (bad.length) return [...bad, ...hookLogs(dir), `kept: ${dir}`];
  remove(dir);
  return [];
}

/** Run commands in a repository, whose user lives in home. */
export function prepare(repo, home, commands) {
  for (const cmd of commands) execFileSync('sh', ['-ec', cmd], { cwd: repo, env: { ...process.env, HOME: home }, stdio: 'pipe' });
}

/** A repository with one commit of these files, and what else is to be done there. */
export function repository(dir, { files = {}, commands = [] } = {}) {
  const repo = folder(dir, files);
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, 'add', '.');
  git(repo, ...identity, 'commit', '-q', '--allow-empty', '-m', 'init');
  prepare(repo, dir, commands);
  return repo;
}

/** A folder with these files, and nothing of git. */
export function folder(dir, files) {
  const repo = path.join(dir, 'repo');
  fs.mkdirSync(repo);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(repo, name), text);
  return repo;
}

/** Play one scenario. */
export const play = (run, scenario, set = {}) => inside(async (dir) => {
  const report = await run(scenario, { out: dir, set });
  return report.ok ? [] : report.failures;
});

/** A way that must fail, and for that reason: otherwise it proves nothing. */
export async function mustFail(way, reason) {
  const bad = await way;
  for (const b of bad) if (b.startsWith('kept: ')) remove(b.slice('kept: '.length));
  if (!bad.length) return ['it passed, although it must not'];
  return bad.some((b) => reason.test(b)) ? [] : [`it failed, but not with ${reason}: ${bad.join(' | ')}`];
}
