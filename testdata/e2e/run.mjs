// The whole loop, with Claude Code's own client: what one session saves through MCP, the next one is
// shown by the hooks. A scripted stand-in speaks for the model; nothing leaves the machine.
//
//   node testdata/e2e/run.mjs [name ...]
//
// The scenarios are the *.json beside this file, in the words of the harness that plays them
// ($SAGE_HARNESS names its folder). Some are played in more than one way: see ways below. The client is
// the harness's: $CLAUDE_BIN, or installed into $CLAUDE_CLIENT_DIR. Without them this fails.
// Closes with 'N passed, N failed'; exit status 1 when anything failed, 2 when nothing could be played.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { calls, hostile, traps } from './hostile.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '..', '..');
const HARNESS = process.env.SAGE_HARNESS ?? path.resolve(ROOT, '..', 'shared', 'harness');
const BIN = path.join(ROOT, 'bin');

const load = (name) => JSON.parse(fs.readFileSync(path.join(HERE, `${name}.json`), 'utf8'));
const install = (scope) => [`git-sage hooks install --scope ${scope}`, `git-sage mcp install --scope ${scope}`];
/** What a client left behind in the background may still be at work there. */
function remove(dir, tries = 100) {
  try {
    fs.rmSync(dir, { recursive: true, force: true });
  } catch (e) {
    if (e.code !== 'ENOTEMPTY' || tries === 0) throw e;
    remove(dir, tries - 1);
  }
}
const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'sage-e2e-'));

/** A scenario with git-sage installed by its own installer. */
const installed = (name, scope = 'project') => {
  const s = load(name);
  return { ...s, setup: [...install(scope), ...(s.setup ?? [])], allow: [...(s.allow ?? []), 'mcp__sage'] };
};

/** A scenario with git-sage installed by one command: then the frequent hooks ask the server. */
const initialised = (name, scope) => {
  const s = load(name);
  return { ...s, setup: [`git-sage init --claude --scope ${scope}`, ...(s.setup ?? [])], allow: [...(s.allow ?? []), 'mcp__sage'] };
};

/** A scenario with more to be done before it. */
const prepared = (scenario, ...setup) => ({ ...scenario, setup: [...scenario.setup, ...setup] });

/** Play one scenario; returns why it failed, [] when it did not. */
async function play(run, scenario, set = {}) {
  const dir = temporary();
  let report;
  try {
    report = await run(scenario, { out: dir, set });
  } finally {
    if (report?.ok ?? true) remove(dir);
  }
  return report.ok ? [] : [...report.failures, `kept: ${dir}`];
}

/** Play a scenario that must fail, and for that reason: otherwise it proves nothing. */
async function mustFail(run, scenario, reason) {
  const dir = temporary();
  const report = await run(scenario, { out: dir }).finally(() => remove(dir));
  if (report.ok) return ['it passed, although it must not'];
  return report.failures.some((f) => reason.test(f)) ? [] : [`it failed, but not with ${reason}: ${report.failures.join(' | ')}`];
}

const git = (repo, ...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();

/**
 * Two clients save at once in one repository. Each waits until both have saved, and saves again: so one of
 * them has not seen the other's, and is told. Nothing is lost, and a third client is shown both.
 */
async function twoClients(run) {
  const dir = temporary();
  const repo = path.join(dir, 'repo');
  fs.mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'init');
  const env = { ...process.env, HOME: dir };
  for (const cmd of install('project')) execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: 'pipe' });

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
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/**
 * Two sessions at once, neither of which is told to save. Each decides, waits until both have saved by
 * themselves, and decides again, so that one of them is beside the line. A third is told so by the hook, and
 * merges with what it was told; the one after it is shown one line.
 */
async function twoSessions(run, ...setup) {
  const dir = temporary();
  const repo = path.join(dir, 'repo');
  const s = { ...load('two-sessions'), allow: ['mcp__sage', 'Bash', 'Read'] };
  fs.mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(s.files)) fs.writeFileSync(path.join(repo, name), text);
  git(repo, 'add', '.');
  git(repo, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-q', '-m', 'init');
  const env = { ...process.env, HOME: dir };
  for (const cmd of [...install('project'), 'git config sage.autosave silent', 'git config sage.triggerCooldown 0', ...setup]) execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: 'pipe' });
  delete s.files;

  const sides = { one: ['ARC', '64 shards'], other: ['LRU', '16 shards'] };
  const reports = await Promise.all(Object.entries(sides).map(([side, [FIRST, SECOND]]) => run(s, { repo, out: path.join(dir, side), set: { FIRST, SECOND } })));
  const bad = reports.flatMap((r) => r.failures);
  const forks = git(repo, 'for-each-ref', '--format=%(refname)', 'refs/sage/forks').split('\n').filter(Boolean);
  if (forks.length !== 1) bad.push(`forks: ${forks.join(', ') || 'none'}`);
  git(repo, 'fsck', '--full', '--strict');
  const merge = await run({ ...load('merge-session'), allow: ['mcp__sage'] }, { repo, out: path.join(dir, 'merge') });
  bad.push(...merge.failures);
  if (git(repo, 'for-each-ref', 'refs/sage/forks')) bad.push('the fork is still there');
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/** A client that runs where a folder cannot be written: for root that takes a mount, which goes with the client. */
function readOnlyClient(dir, folder) {
  const bin = path.join(dir, 'client');
  const mount = `mount --bind "${folder}" "${folder}" && mount -o remount,ro,bind "${folder}"`;
  const run = `exec "${process.env.CLAUDE_BIN}" "$@"`;
  const text = process.getuid() === 0 ? `exec unshare -m sh -ec '${mount}; ${run}' client "$@"` : `chmod -R a-w "${folder}"; trap 'chmod -R u+w "${folder}"' EXIT; "${process.env.CLAUDE_BIN}" "$@"`;
  fs.writeFileSync(bin, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return bin;
}

const silent = 'printf "[sage]\\n\\tautosave = silent\\n" >>~/.gitconfig';
const commit = 'git -c user.name=Test -c user.email=test@example.invalid commit -q';
const decided = 'ARC, since it beats LRU by 9 points';

/** Kinds of repositories: what makes one, what the next session is shown, and what must hold then. */
const kinds = {
  'read-only': {
    setup: ['git-sage checkpoint save -q -m "We trace with LRU counters."'],
    sees: 'We trace with LRU counters', lacks: decided,
    before: (dir, repo) => ({ client: readOnlyClient(dir, path.join(repo, '.git')), state: tree(path.join(repo, '.git')) }),
    after: (repo, { state }) => (tree(path.join(repo, '.git')) === state ? [] : ['something was written']),
  },
  'no identity': {
    setup: ['git config user.useConfigOnly true'],
    sees: decided,
    after: (repo) => wanted('author', git(repo, 'log', '-1', '--format=%an <%ae>', 'refs/sage/heads/main'), 'git-sage <sage@localhost>'),
  },
  'amid a rebase': {
    setup: ['git config user.name Test && git config user.email test@example.invalid', 'git switch -q -c topic && echo topic >f && git add f && git commit -q -m topic', 'git switch -q main && echo main >f && git add f && git commit -q -m main', 'git switch -q topic && ! git rebase -q main', 'git config sage.followBranch true'],
    sees: decided,
    after: (repo) => {
      fs.writeFileSync(path.join(repo, 'f'), 'both\n');
      git(repo, 'add', 'f');
      git(repo, '-c', 'core.editor=true', 'rebase', '--continue');
      return [...wanted('branch', git(repo, 'symbolic-ref', '--short', 'HEAD'), 'topic'), ...wanted('commits', git(repo, 'log', '--format=%s'), 'topic\nmain\ninit'),
        ...wanted('saved', git(repo, 'log', '-1', '--format=%s', 'refs/sage/heads/topic').includes('ARC'), true)];
    },
  },
  'none': { sees: decided, after: (repo) => wanted('a repository', fs.existsSync(path.join(repo, '.git')), false) },
};

const wanted = (what, got, want) => (got === want ? [] : [`${what}: ${got}, not ${want}`]);

/** What lies in a folder, as text. */
const tree = (dir) => fs.readdirSync(dir, { recursive: true }).sort().map((f) => {
  const st = fs.lstatSync(path.join(dir, f));
  return `${f} ${st.isFile() ? st.size : ''} ${st.isFile() ? st.mtimeMs : ''}`;
}).join('\n');

/** The client in a repository of some kind, with everything installed for the user. */
async function oddRepository(run, name) {
  const kind = kinds[name];
  const dir = temporary();
  const repo = path.join(dir, 'repo');
  const s = load('odd-repository');
  fs.mkdirSync(repo);
  for (const [file, text] of Object.entries(s.files)) fs.writeFileSync(path.join(repo, file), text);
  const home = path.join(dir, 'home');
  fs.mkdirSync(home);
  const env = { ...process.env, HOME: home };
  const make = name === 'none' ? [] : ['git init -q -b main .', 'git add .', `${commit} -m init`];
  for (const cmd of [...install('user'), silent, ...make, ...(kind.setup ?? [])]) execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: 'pipe' });
  delete s.files;
  if (kind.lacks) s.turns.at(-1).lacks.push(kind.lacks);
  const set = kind.before?.(dir, repo) ?? {};
  const report = await run({ ...s, allow: [...s.allow, 'mcp__sage'] }, { repo, out: dir, client: set.client, set: { SEES: kind.sees } });
  const bad = [...report.failures, ...(report.ok ? kind.after(repo, set) : [])];
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/** The plugin, from the clone: it works, leaves the clone as it is, and goes without a trace. */
async function plugin(run, scenario = load('plugin'), options = {}) {
  const dir = temporary();
  const set = { CLIENT: process.env.CLAUDE_BIN, ROOT };
  const status = git(ROOT, 'status', '--porcelain');
  const report = await run(scenario, { out: dir, set, ...options });
  const bad = [...report.failures];
  if (git(ROOT, 'status', '--porcelain') !== status) bad.push('the clone is not as it was');
  const saved = report.tools.find((t) => t.name === 'Skill');
  const cost = saved ? JSON.stringify(saved.input).length + saved.chars : Infinity;
  if (cost > 600) bad.push(`a save in a fork costs the conversation ${cost} characters, over 150 tokens`);
  const client = (...args) => execFileSync(set.CLIENT, args, { env: { ...process.env, HOME: path.join(dir, 'home') }, stdio: 'pipe' });
  client('plugin', 'uninstall', 'sage@git-sage');
  client('plugin', 'marketplace', 'remove', 'git-sage');
  const settings = fs.readFileSync(path.join(dir, 'home', '.claude', 'settings.json'), 'utf8');
  if (settings.includes('git-sage')) bad.push(`settings still have: ${settings}`);
  const gone = load('plugin-gone');
  const after = await run({ ...gone, expect: { ...gone.expect, no_hooks: ['SessionStart'] } }, { out: dir, repo: path.join(dir, 'repo') });
  bad.push(...after.failures);
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

const elsewhere = process.env.PATH.split(path.delimiter).filter((d) => !fs.existsSync(path.join(d, 'git-sage'))).join(path.delimiter);

/** An older plugin, whose owner updates the clone: the client has the newer one after its own update. */
async function pluginUpdated(run) {
  const dir = temporary();
  const clone = path.join(dir, 'clone');
  for (const part of ['.claude-plugin', 'plugin']) fs.cpSync(path.join(ROOT, part), path.join(clone, part), { recursive: true });
  const manifest = path.join(clone, 'plugin', '.claude-plugin', 'plugin.json');
  fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(fs.readFileSync(manifest)), version: '0.0.1' }));
  fs.rmSync(path.join(clone, 'plugin', 'skills', 'sage-save'), { recursive: true });
  fs.writeFileSync(path.join(clone, 'plugin', 'hooks', 'hooks.json'), '{"hooks":{}}');
  const s = load('plugin');
  const listed = (file) => `${process.env.CLAUDE_BIN} plugin list --json > ${dir}/${file}`;
  const setup = [
    `${process.env.CLAUDE_BIN} plugin marketplace add ${clone}`, `${process.env.CLAUDE_BIN} plugin install sage@git-sage`, listed('before'),
    `rm -rf ${clone}/plugin && cp -R ${ROOT}/plugin ${clone}/`,
    `${process.env.CLAUDE_BIN} plugin marketplace update git-sage`, `${process.env.CLAUDE_BIN} plugin update sage@git-sage`, listed('after'),
  ];
  const report = await run({ ...s, setup }, { out: path.join(dir, 'out'), set: { CLIENT: process.env.CLAUDE_BIN, ROOT } });
  const version = (file) => JSON.parse(fs.readFileSync(path.join(dir, file))).find((p) => p.id === 'sage@git-sage')?.version;
  const bad = [...report.failures];
  if (version('before') !== '0.0.1') bad.push(`the older one was ${version('before')}`);
  if (version('after') !== JSON.parse(fs.readFileSync(path.join(ROOT, 'plugin', '.claude-plugin', 'plugin.json'))).version) bad.push(`after the update: ${version('after')}`);
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/** The program is not on PATH, but where it is installed to: hooks, server and the agent's shell find it. */
function pluginFinds(run) {
  const s = load('plugin');
  const setup = [`mkdir -p ~/.local/bin && ln -s ${BIN}/git-sage ~/.local/bin/`, ...s.setup];
  return plugin(run, { ...s, setup, env: { PATH: elsewhere } });
}

/** The program is nowhere: a session says how to get it, and goes on. */
async function pluginAlone(run) {
  const dir = temporary();
  for (const part of ['.claude-plugin', 'plugin']) fs.cpSync(path.join(ROOT, part), path.join(dir, 'clone', part), { recursive: true });
  const s = load('plugin-gone');
  const setup = [`${process.env.CLAUDE_BIN} plugin marketplace add ${dir}/clone`, `${process.env.CLAUDE_BIN} plugin install sage@git-sage`];
  const report = await run({ ...s, setup, env: { PATH: elsewhere }, expect: { ...s.expect, hooks: ['SessionStart:startup', 'UserPromptSubmit'], mcp_servers: { 'plugin:sage:sage': 'failed' } } }, { out: dir });
  const said = fs.readFileSync(path.join(dir, 'run0.stdout.jsonl'), 'utf8').includes("run 'make install'");
  const bad = [...report.failures, ...(said ? [] : ['nobody was told how to get it'])];
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/**
 * Every hook, as installed, with input that no client should send. The client then plays a session in the
 * same repository: nothing is damaged, and what was saved before is shown.
 */
async function hostileInput(run) {
  const dir = temporary();
  const repo = path.join(dir, 'repo');
  fs.mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'init');
  const env = { ...process.env, HOME: dir };
  for (const cmd of install('project')) execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: 'pipe' });
  traps(repo, (file) => execFileSync('mkfifo', [file]));
  const hooks = calls(JSON.parse(fs.readFileSync(path.join(repo, '.claude', 'settings.json'), 'utf8')));
  const bad = await hostile(hooks, repo, env);
  if (hooks.length < 8) bad.push(`only ${hooks.length} hooks are installed`);
  git(repo, 'fsck', '--full', '--strict');
  if (git(repo, 'for-each-ref', 'refs/sage')) bad.push(`something was saved: ${git(repo, 'for-each-ref', 'refs/sage')}`);
  bad.push(...(await run({ ...load('next-session'), allow: ['mcp__sage', 'Read'] }, { repo, out: path.join(dir, 'after') })).failures);
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/** The server over HTTP, added as it says itself; with another token there is no server. */
async function overHTTP(run, spoil = (line) => line) {
  const dir = temporary();
  const repo = path.join(dir, 'repo');
  fs.mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'init');
  const server = spawn('git-sage', ['mcp', 'serve', '--http', '127.0.0.1:0'], { cwd: repo, env: { ...process.env, HOME: dir }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stderr.on('data', (b) => { said += b; });
  await once(server.stdout, 'data'); // the URL, behind all that is said
  const line = said.split('\n').find((l) => l.startsWith('claude mcp add '));
  const setup = [spoil(line).replace(/^claude/, process.env.CLAUDE_BIN)];
  const report = await run({ ...load('http'), setup, allow: ['mcp__sage'] }, { repo, out: path.join(dir, 'out') }).finally(() => server.kill('SIGINT'));
  const [status] = await once(server, 'exit');
  const bad = [...report.failures];
  if (status !== 130) bad.push(`the server ended with ${status}`);
  const saved = report.ok && git(repo, 'log', '-1', '--format=%B', 'refs/sage/heads/main');
  if (report.ok && !/Sage-Agent: claude-code/.test(saved)) bad.push(`saved as ${saved}`);
  if (bad.length) return [...bad, `kept: ${dir}`];
  remove(dir);
  return [];
}

/** Installed, but nobody is called when a session starts: a tool has to bring back what was lost. */
const withoutStart = (name) => {
  const s = installed(name);
  const drop = `const fs = require('fs'), f = '.claude/settings.json', s = JSON.parse(fs.readFileSync(f)); delete s.hooks.SessionStart; fs.writeFileSync(f, JSON.stringify(s))`;
  return { ...s, setup: [...s.setup, `node -e "${drop}"`] };
};

/** Hooks are taken away; the watcher is started first, if at all, and always ended. */
async function watched(run, { name = 'watcher', start = true, poll = false, hooks = false, after = () => [] } = {}) {
  const dir = temporary();
  const s = installed(name);
  const setup = [...s.setup, ...(hooks ? [] : ['git-sage hooks uninstall --scope project']), ...(start ? [`${poll ? 'SAGE_WATCHER_POLL=true ' : ''}git-sage watcher start`] : [])];
  let report, more = [];
  try {
    report = await run({ ...s, setup }, { out: dir, set: { PATIENCE: start ? '300' : '20' } });
    more = await after(dir);
  } finally {
    execFileSync(path.join(BIN, 'git-sage'), ['watcher', 'stop'], { env: { ...process.env, HOME: path.join(dir, 'home') }, stdio: 'pipe' });
    if ((report?.ok ?? true) && !more.length) remove(dir);
  }
  return { ...report, ok: report.ok && !more.length, failures: [...report.failures, ...more], dir };
}

/** What the watcher says when it has seen the compaction and is done with it: nothing that a hook did before. */
async function didNothing(dir) {
  const log = path.join(dir, 'home', '.sage', 'watcher.log');
  const read = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '');
  for (let i = 0; i < 300 && !/ended: its client is gone/.test(read()); i += 1) await new Promise((r) => setTimeout(r, 100));
  const bad = [];
  if (!/there was nothing to do any more/.test(read())) bad.push('the watcher has not seen the compaction');
  if (/marked what it lost|saved recovery/.test(read())) bad.push(`the watcher did what hooks had done:\n${read()}`);
  return bad;
}

const outcome = (report) => (report.ok ? [] : [...report.failures, `kept: ${report.dir}`]);

const unseen = /does not show \/Tokens rotate hourly/;

/** The client behind a shell, whose exit status 137 tells that it was killed: no hook could say good-bye. */
const killed = (run) => async (scenario, options) => {
  const client = path.join(options.out, 'client');
  fs.writeFileSync(client, '#!/bin/sh\n"$CLIENT" "$@"\nexit $?\n', { mode: 0o755 });
  return run({ ...scenario, env: { ...scenario.env, CLIENT: process.env.CLAUDE_BIN } }, { ...options, client });
};

/** Every way to play, by name. */
const ways = {
  'next-session': (run) => play(run, installed('next-session')),
  'next-session, installed for the user': (run) => play(run, installed('next-session', 'user')),
  'next-session, with the older protocol': (run) => play(run, { ...installed('next-session'), env: { MCP_PROTOCOL_NEGOTIATION: 'legacy' } }),
  'next-session without hooks must fail': (run) => {
    const s = installed('next-session');
    return mustFail(run, { ...s, setup: [...s.setup, 'git-sage hooks uninstall --scope project'] }, unseen);
  },
  'next-session, switched off, must fail': (run) => {
    const s = installed('next-session');
    return mustFail(run, { ...s, setup: [...s.setup, 'git config sage.enabled false'] }, /tool mcp__sage__sage_save_checkpoint: only errors/);
  },
  'compaction': (run) => play(run, installed('compaction')),
  'compact-by-hand': (run) => play(run, installed('compact-by-hand')),
  'compact-by-hand without hooks must fail': (run) => mustFail(run, prepared(installed('compact-by-hand'), 'git-sage hooks uninstall --scope project'), /hook|compact|Recovered/i),
  'subagent': (run) => play(run, installed('subagent')),
  'subagent without hooks must fail': (run) => mustFail(run, prepared(installed('subagent'), 'git-sage hooks uninstall --scope project'), /hook|Known of/i),
  'compaction-untold': (run) => play(run, installed('compaction-untold')),
  'compaction-untold without hooks must fail': (run) =>
    mustFail(run, prepared(installed('compaction-untold'), 'git-sage hooks uninstall --scope project'), /does not show \/.*(We decided to ship ARC|Recovered)/),
  'killed': (run) => play(killed(run), installed('killed')),
  'killed without hooks must fail': (run) =>
    mustFail(killed(run), prepared(installed('killed'), 'git-sage hooks uninstall --scope project'), /does not show \/.*(We decided to ship ARC|Recovered)/),
  'conversation': (run) => play(run, installed('conversation')),
  'conversation, which is not kept by default, must fail': (run) => {
    const s = installed('conversation');
    return mustFail(run, { ...s, setup: s.setup.filter((c) => !c.includes('transcripts')) }, /does not show \/The conversation until then/);
  },
  'compaction, brought back by a tool': (run) => play(run, withoutStart('compaction-tool')),
  'watcher, no hooks': async (run) => outcome(await watched(run)),
  'watcher, no hooks, polling': async (run) => outcome(await watched(run, { poll: true })),
  'watcher not started must fail': async (run) => {
    const report = await watched(run, { start: false });
    remove(report.dir);
    return !report.ok && report.failures.some((f) => /git-sage continuity/.test(f)) ? [] : [`it did not fail for want of the bundle: ${report.failures.join(' | ')}`];
  },
  'watcher beside hooks': async (run) => outcome(await watched(run, { name: 'compaction', hooks: true, after: didNothing })),
  'clear-session': (run) => play(run, installed('clear-session')),
  'clear-session without hooks must fail': (run) => {
    const s = installed('clear-session');
    return mustFail(run, { ...s, setup: [...s.setup, 'git-sage hooks uninstall --scope project'] }, /shows? .*Session: /);
  },
  'recall': (run) => play(run, installed('recall')),
  'never-told': (run) => play(run, installed('never-told')),
  'never-told, by init for the user': (run) => play(run, initialised('never-told', 'user')),
  'never-told, by init here': (run) => play(run, initialised('never-told', 'local')),
  'recall, by init for the user': (run) => play(run, initialised('recall', 'user')),
  'subagent, by init here': (run) => play(run, initialised('subagent', 'local')),
  'resume-and-clear, by init here': (run) => play(run, initialised('resume-and-clear', 'local')),
  'never-told, asked': (run) => play(run, prepared(installed('never-told'), 'git config sage.autosave ask')),
  'never-told, silently': (run) => {
    const s = prepared(installed('never-told'), 'git config sage.autosave silent');
    const turns = s.turns.filter((t) => !t.capture && !t.sees?.some((re) => /^Saved/.test(re)));
    return play(run, { ...s, turns, expect: { ...s.expect, tools: ['Read'] } });
  },
  'never-told without hooks must fail': (run) =>
    mustFail(run, prepared(installed('never-told'), 'git-sage hooks uninstall --scope project'), /does not show \/this may be worth a checkpoint/),
  'told-by-words': (run) => play(run, installed('told-by-words')),
  'told-by-words without hooks must fail': (run) =>
    mustFail(run, prepared(installed('told-by-words'), 'git-sage hooks uninstall --scope project'), /does not show \/this may be worth a checkpoint/),
  'resume-and-clear': (run) => play(run, installed('resume-and-clear')),
  'branch-diff-merge': (run) => play(run, installed('branch-diff-merge')),
  'skills': (run) => play(run, installed('skills')),
  'two-clients': twoClients,
  'hostile input': hostileInput,
  'follow-branch': (run) => play(run, installed('follow-branch')),
  'follow-branch without hooks must fail': (run) => mustFail(run, prepared(installed('follow-branch'), 'git-sage hooks uninstall --scope project'), /does not show \/Git branch feature/),
  'two-sessions': (run) => twoSessions(run),
  'two-sessions without hooks must fail': async (run) => {
    const bad = await twoSessions(run, 'git-sage hooks uninstall --scope project');
    for (const b of bad) if (b.startsWith('kept: ')) fs.rmSync(b.slice(6), { recursive: true, force: true });
    return bad.some((b) => /nothing to capture for FORK/.test(b)) ? [] : [`it failed, but not for want of a fork: ${bad.join(' | ')}`];
  },
  ...Object.fromEntries(Object.keys(kinds).map((name) => [`odd-repository, ${name}`, (run) => oddRepository(run, name)])),
  'http': (run) => overHTTP(run),
  'http with another token must fail': async (run) => {
    const bad = await overHTTP(run, (line) => line.replace(/\$\(cat [^)]*\)/, 'x'.repeat(52)));
    for (const b of bad) if (b.startsWith('kept: ')) fs.rmSync(b.slice('kept: '.length), { recursive: true, force: true });
    return bad.some((b) => /^MCP server sage/.test(b)) ? [] : [`it did not fail for want of the server: ${bad.join(' | ')}`];
  },
  'plugin': (run) => plugin(run),
  'plugin, updated': pluginUpdated,
  'plugin, the program not on PATH': pluginFinds,
  'plugin beside settings': (run) => play(run, load('plugin-beside'), { CLIENT: process.env.CLAUDE_BIN, ROOT }),
  'plugin without the program': pluginAlone,
};

async function main(names) {
  if (!fs.existsSync(path.join(BIN, 'git-sage'))) throw new Error(`no ${path.join(BIN, 'git-sage')}: run 'make build'`);
  if (!fs.existsSync(path.join(HARNESS, 'run-claude.mjs'))) throw new Error('no harness: set SAGE_HARNESS to the folder of run-claude.mjs');
  const { runScenario } = await import(pathToFileURL(path.join(HARNESS, 'run-claude.mjs')));
  const { getClient } = await import(pathToFileURL(path.join(HARNESS, 'get-client.mjs')));
  process.env.CLAUDE_BIN = getClient();
  process.env.PATH = `${BIN}${path.delimiter}${process.env.PATH}`;
  let failed = 0;
  const chosen = Object.entries(ways).filter(([name]) => !names.length || names.some((n) => name.startsWith(n)));
  if (!chosen.length) throw new Error(`no scenario is called ${names.join(' or ')}; there are: ${Object.keys(ways).join(', ')}`);
  for (const [name, way] of chosen) {
    const bad = await way(runScenario).catch((e) => [`${e.message}\n${e.stderr ?? ''}`]);
    if (bad.length) failed += 1;
    console.log(`${bad.length ? 'FAIL' : 'ok  '} ${name}${bad.map((b) => `\n     ${b}`).join('')}`);
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (e) => { console.error(`e2e: ${e.message}`); process.exitCode = 2; });
