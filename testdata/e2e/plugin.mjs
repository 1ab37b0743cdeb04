// The plugin: installed from a clone, updated, and gone.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { BIN, ROOT, git, inside, load } from './world.mjs';

/** The plugin, from the clone: it works, leaves the clone as it is, and goes without a trace. */
export const plugin = (run, scenario = load('plugin'), options = {}) => inside(async (dir) => {
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
  return bad;
});

/** The part of the clone that a client reads. */
function cloned(dir) {
  const clone = path.join(dir, 'clone');
  for (const part of ['.claude-plugin', 'plugin']) fs.cpSync(path.join(ROOT, part), path.join(clone, part), { recursive: true });
  return clone;
}

const unhook = (clone) => fs.writeFileSync(path.join(clone, 'plugin', 'hooks', 'hooks.json'), '{"hooks":{}}');

/** The plugin as it is, but for its hooks. */
export const pluginUnhooked = (run) => inside(async (dir) => {
  const clone = cloned(dir);
  unhook(clone);
  return (await run(load('plugin'), { out: path.join(dir, 'out'), set: { CLIENT: process.env.CLAUDE_BIN, ROOT: clone } })).failures;
});

const elsewhere = process.env.PATH.split(path.delimiter).filter((d) => !fs.existsSync(path.join(d, 'git-sage'))).join(path.delimiter);

/** An older plugin, whose owner updates the clone: the client has the newer one after its own update. */
export const pluginUpdated = (run) => inside(async (dir) => {
  const clone = cloned(dir);
  const manifest = path.join(clone, 'plugin', '.claude-plugin', 'plugin.json');
  fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(fs.readFileSync(manifest)), version: '0.0.1' }));
  fs.rmSync(path.join(clone, 'plugin', 'skills', 'sage-save'), { recursive: true });
  unhook(clone);
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
  return bad;
});

/** The program is not on PATH, but where it is installed to: hooks, server and the agent's shell find it. */
export function pluginFinds(run) {
  const s = load('plugin');
  const setup = [`mkdir -p ~/.local/bin && ln -s ${BIN}/git-sage ~/.local/bin/`, ...s.setup];
  return plugin(run, { ...s, setup, env: { PATH: elsewhere } });
}

/** The program is nowhere: a session says how to get it, and goes on. */
export const pluginAlone = (run) => inside(async (dir) => {
  const s = load('plugin-gone');
  const setup = [`${process.env.CLAUDE_BIN} plugin marketplace add ${cloned(dir)}`, `${process.env.CLAUDE_BIN} plugin install sage@git-sage`];
  const report = await run({ ...s, setup, env: { PATH: elsewhere }, expect: { ...s.expect, hooks: ['SessionStart:startup', 'UserPromptSubmit'], mcp_servers: { 'plugin:sage:sage': 'failed' } } }, { out: dir });
  const said = fs.readFileSync(path.join(dir, 'run0.stdout.jsonl'), 'utf8').includes("run 'make install'");
  const bad = [...report.failures, ...(said ? [] : ['nobody was told how to get it'])];
  return bad;
});
