// Two sessions with Claude Code's own client, as a person sees them: a scripted stand-in speaks for the
// model, everything else is real. What stands in the terminal is written down as day.svg, for the README.
//
//   node testdata/day/play.mjs [--text]     (needs tmux; $SAGE_HARNESS and $CLAUDE_BIN as testdata/e2e/run.mjs)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { draw } from './draw.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '..', '..');
const HARNESS = process.env.SAGE_HARNESS ?? path.resolve(ROOT, '..', 'shared', 'harness');
const KEY = 'sk-ant-api03-not-a-real-key-only-for-the-loopback-000';
const [COLS, ROWS] = [100, 34];

const script = JSON.parse(fs.readFileSync(path.join(HERE, 'day.json'), 'utf8'));
const { start } = await import(pathToFileURL(path.join(HARNESS, 'fakeapi.mjs')));
const { getClient } = await import(pathToFileURL(path.join(HARNESS, 'get-client.mjs')));
const client = getClient();

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sage-day-'));
const home = path.join(dir, 'home');
const repo = path.join(home, 'cache');
fs.mkdirSync(repo, { recursive: true });
for (const [name, text] of Object.entries(script.files)) fs.writeFileSync(path.join(repo, name), text);

const api = await start({ scenario: { turns: script.turns }, vars: { REPO: repo }, log: path.join(dir, 'requests.jsonl') });
const env = {
  HOME: home, TMPDIR: dir, LANG: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor',
  PATH: [path.join(ROOT, 'bin'), path.dirname(client), process.env.PATH].join(path.delimiter),
  GIT_CONFIG_NOSYSTEM: '1', ANTHROPIC_BASE_URL: `http://127.0.0.1:${api.port}`, ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1',
};
const sh = (cmd) => execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: 'pipe', encoding: 'utf8' });
sh('git config --global user.name Ada; git config --global user.email ada@example.org; git init -q -b main; git add .; git commit -qm "Serve from an LRU"');
sh('git sage init --claude >/dev/null');
const state = JSON.parse(fs.readFileSync(path.join(home, '.claude.json'), 'utf8'));
state.hasCompletedOnboarding = true;
state.customApiKeyResponses = { approved: [KEY.slice(-20)], rejected: [] };
state.projects = state.projects ?? {};
state.projects[repo] = { ...state.projects[repo], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
fs.writeFileSync(path.join(home, '.claude.json'), JSON.stringify(state));
fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
fs.writeFileSync(path.join(home, '.claude', 'settings.json'), JSON.stringify({ permissions: { allow: ['mcp__sage', 'Read', 'Bash(git *)'] }, spinnerTipsEnabled: false }));

fs.writeFileSync(path.join(dir, 'rc'), "PS1='$ '\n");
const socket = path.join(dir, 'tmux');
const tmux = (...args) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
const screen = () => tmux('capture-pane', '-e', '-p', '-t', 'day');
const plain = (text) => text.replace(/\x1b\[[0-9;:]*m/g, '');

/** Wait until the screen shows something; the time is only for giving up. */
async function until(re, within = 30_000) {
  for (const end = Date.now() + within; Date.now() < end; ) {
    if (re.test(plain(screen()))) return;
    await new Promise((r) => { setTimeout(r, 100); });
  }
  throw new Error(`the screen never showed ${re}:\n${plain(screen())}`);
}

const frames = [];
try {
  tmux('new-session', '-d', '-s', 'day', '-x', String(COLS), '-y', String(ROWS), '-c', repo, `bash --rcfile ${path.join(dir, 'rc')} -i`);
  for (const step of script.steps) {
    if (step.type) tmux('send-keys', '-t', 'day', '-l', step.type);
    if (step.type && step.sees) await until(new RegExp(step.typed ?? step.type.slice(-20).replace(/[^\w ]/g, '.')));
    if (step.type ?? step.key) tmux('send-keys', '-t', 'day', step.key ?? 'Enter');
    if (step.sees) await until(new RegExp(step.sees));
    if (step.shot) frames.push({ title: step.shot, text: screen() });
  }
  if (api.failures.length) throw new Error(api.failures.join('\n'));
} finally {
  try { tmux('kill-server'); } catch { /* it never ran */ }
  await api.close();
}
if (process.argv.includes('--text')) for (const f of frames) console.log(`--- ${f.title}\n${plain(f.text).replace(/\n+$/, '')}`);
else fs.writeFileSync(path.join(HERE, 'day.svg'), draw(frames, COLS));
fs.rmSync(dir, { recursive: true, force: true });
