// Claude Code in a terminal, as a person has it: tmux draws and types, a scripted stand-in speaks for the model.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { BIN, ROOT } from './world.mjs';

export const HARNESS = process.env.SAGE_HARNESS ?? path.resolve(ROOT, '..', 'shared', 'harness');
const KEY = 'sk-ant-api03-not-a-real-key-only-for-the-loopback-000';

/** What stands in a terminal, without colours. */
export const plain = (text) => text.replace(/\x1b\[[0-9;:]*m/g, '');

/** Whoever starts the client for the first time is asked for a theme, a key and trust: that was long ago. */
function settled(home, repo, settings) {
  const file = path.join(home, '.claude.json');
  const state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  state.hasCompletedOnboarding = true;
  state.customApiKeyResponses = { approved: [KEY.slice(-20)], rejected: [] };
  state.projects = { ...state.projects, [repo]: { ...state.projects?.[repo], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  fs.writeFileSync(file, JSON.stringify(state));
  const user = path.join(home, '.claude', 'settings.json');
  fs.mkdirSync(path.dirname(user), { recursive: true });
  const had = fs.existsSync(user) ? JSON.parse(fs.readFileSync(user, 'utf8')) : {};
  fs.writeFileSync(user, JSON.stringify({ ...had, ...settings, spinnerTipsEnabled: false }));
}

/**
 * Play a script: {files, turns, setup, allow, steps}. A step types a line, or presses a key, and waits until the
 * screen shows a regex; shot names what stands there then. Returns {frames, screens, requests, failures}: screens
 * are all that was to be seen, scrolled off or not, behind each step.
 */
export async function atScreen(script, { dir, cols = 100, rows = 34, set = {} }) {
  const { start } = await import(pathToFileURL(path.join(HARNESS, 'fakeapi.mjs')));
  const { getClient } = await import(pathToFileURL(path.join(HARNESS, 'get-client.mjs')));
  const client = getClient();
  const home = path.join(dir, 'home');
  const repo = path.join(home, script.folder ?? 'repo');
  fs.mkdirSync(repo, { recursive: true });
  for (const [name, text] of Object.entries(script.files ?? {})) fs.writeFileSync(path.join(repo, name), text);
  const api = await start({ scenario: script, vars: { REPO: repo, ...set }, log: path.join(dir, 'requests.jsonl') });
  const env = {
    HOME: home, TMPDIR: dir, LANG: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor',
    PATH: [BIN, path.dirname(client), process.env.PATH].join(path.delimiter),
    GIT_CONFIG_NOSYSTEM: '1', ANTHROPIC_BASE_URL: `http://127.0.0.1:${api.port}`, ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', ...script.env,
  };
  const sh = (cmd) => execFileSync('sh', ['-ec', cmd], { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  sh(`git config --global user.name Ada; git config --global user.email ada@example.org; git init -q -b main; git add .; git commit -q --allow-empty -m "${script.commit ?? 'init'}"`);
  for (const cmd of script.setup ?? []) sh(cmd);
  settled(home, repo, { permissions: { allow: script.allow ?? [] } });
  fs.writeFileSync(path.join(dir, 'rc'), "PS1='$ '\n");
  const tmux = (...args) => execFileSync('tmux', ['-S', path.join(dir, 'tmux'), '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  const screen = (...more) => tmux('capture-pane', '-e', '-p', '-t', 'sage', ...more);

  /** Wait until the screen shows something, wherever it wraps; the time is only for giving up. */
  async function until(re, within = 60_000) {
    for (const end = Date.now() + within; Date.now() < end; ) {
      const text = plain(screen());
      if (re.test(text) || re.test(text.replace(/\s+/g, ' '))) return;
      await new Promise((r) => { setTimeout(r, 100); });
    }
    throw new Error(`the screen never showed ${re}:\n${plain(screen())}`);
  }

  const frames = [];
  const screens = [];
  const gaveUp = [];
  try {
    tmux('new-session', '-d', '-s', 'sage', '-x', String(cols), '-y', String(rows), '-c', repo, `bash --rcfile ${path.join(dir, 'rc')} -i`);
    for (const step of script.steps) {
      if (step.type) tmux('send-keys', '-t', 'sage', '-l', step.type);
      if (step.type && step.sees) await until(new RegExp(step.typed ?? step.type.slice(-20).replace(/[^\w ]/g, '.')));
      if (step.type ?? step.key) tmux('send-keys', '-t', 'sage', step.key ?? 'Enter');
      if (step.sees) await until(new RegExp(step.sees));
      if (step.shot) frames.push({ title: step.shot, text: screen() });
      screens.push(plain(screen('-S', '-')));
    }
  } catch (e) {
    gaveUp.push(e.message);
  } finally {
    try { tmux('kill-server'); } catch { /* it never ran */ }
    await api.close();
  }
  const unused = api.unused();
  return { frames, screens, home, repo, requests: api.requests, failures: [...api.failures, ...gaveUp, ...(unused.length ? [`scripted turns never asked for: ${unused.join(', ')}`] : [])] };
}
