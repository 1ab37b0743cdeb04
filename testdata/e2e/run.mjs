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
import path from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { BIN, ROOT, git, initialised, inside, installed, load, mustFail, play, prepared, repository, uninstalled } from './world.mjs';
import { hostileInput } from './hostile.mjs';
import { kinds, oddRepository } from './odd.mjs';
import { plugin, pluginAlone, pluginFinds, pluginUnhooked, pluginUpdated } from './plugin.mjs';
import { twoClients, twoSessions } from './together.mjs';
import { didNothing, watched } from './watcher.mjs';

const HARNESS = process.env.SAGE_HARNESS ?? path.resolve(ROOT, '..', 'shared', 'harness');

/** The server over HTTP, added as it says itself; with another token there is no server. */
const overHTTP = (run, spoil = (line) => line) => inside(async (dir) => {
  const repo = repository(dir);
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
  return bad;
});

/** Installed, but nobody is called when a session starts: a tool has to bring back what was lost. */
const withoutStart = (name) => {
  const s = installed(name);
  const drop = `const fs = require('fs'), f = '.claude/settings.json', s = JSON.parse(fs.readFileSync(f)); delete s.hooks.SessionStart; fs.writeFileSync(f, JSON.stringify(s))`;
  return { ...s, setup: [...s.setup, `node -e "${drop}"`] };
};

/** The client behind a shell, whose exit status 137 tells that it was killed: no hook could say good-bye. */
const killed = (run) => async (scenario, options) => {
  const client = path.join(options.out, 'client');
  fs.writeFileSync(client, '#!/bin/sh\n"$CLIENT" "$@"\nexit $?\n', { mode: 0o755 });
  return run({ ...scenario, env: { ...scenario.env, CLIENT: process.env.CLAUDE_BIN } }, { ...options, client });
};

const unseen = /does not show \/Tokens rotate hourly/;

/** Every way to play, by name. */
const ways = {
  'next-session': (run) => play(run, installed('next-session')),
  'next-session, installed for the user': (run) => play(run, installed('next-session', 'user')),
  'next-session, with the older protocol': (run) => play(run, { ...installed('next-session'), env: { MCP_PROTOCOL_NEGOTIATION: 'legacy' } }),
  'next-session without hooks must fail': (run) => mustFail(play(run, prepared(installed('next-session'), uninstalled())), unseen),
  'next-session, switched off, must fail': (run) => mustFail(play(run, prepared(installed('next-session'), 'git config sage.enabled false')), /tool mcp__sage__sage_save_checkpoint: only errors/),
  'compaction': (run) => play(run, installed('compaction')),
  'compact-by-hand': (run) => play(run, installed('compact-by-hand')),
  'compact-by-hand without hooks must fail': (run) => mustFail(play(run, prepared(installed('compact-by-hand'), uninstalled())), /hook|compact|Recovered/i),
  'subagent': (run) => play(run, installed('subagent')),
  'subagent without hooks must fail': (run) => mustFail(play(run, prepared(installed('subagent'), uninstalled())), /hook|Known of/i),
  'compaction-untold': (run) => play(run, installed('compaction-untold')),
  'compaction-untold without hooks must fail': (run) =>
    mustFail(play(run, prepared(installed('compaction-untold'), uninstalled())), /does not show \/.*(We decided to ship ARC|Recovered)/),
  'killed': (run) => play(killed(run), installed('killed')),
  'killed without hooks must fail': (run) =>
    mustFail(play(killed(run), prepared(installed('killed'), uninstalled())), /does not show \/.*(We decided to ship ARC|Recovered)/),
  'conversation': (run) => play(run, installed('conversation')),
  'conversation, which is not kept by default, must fail': (run) => {
    const s = installed('conversation');
    return mustFail(play(run, { ...s, setup: s.setup.filter((c) => !c.includes('transcripts')) }), /does not show \/The conversation until then/);
  },
  'compaction, brought back by a tool': (run) => play(run, withoutStart('compaction-tool')),
  'watcher, no hooks': (run) => watched(run),
  'watcher, no hooks, polling': (run) => watched(run, { poll: true }),
  'watcher not started must fail': (run) => mustFail(watched(run, { start: false }), /git-sage continuity/),
  'watcher beside hooks': (run) => watched(run, { name: 'compaction', hooks: true, after: didNothing }),
  'clear-session': (run) => play(run, installed('clear-session')),
  'clear-session without hooks must fail': (run) => mustFail(play(run, prepared(installed('clear-session'), uninstalled())), /shows? .*Session: /),
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
    mustFail(play(run, prepared(installed('never-told'), uninstalled())), /does not show \/this may be worth a checkpoint/),
  'told-by-words': (run) => play(run, installed('told-by-words')),
  'told-by-words without hooks must fail': (run) =>
    mustFail(play(run, prepared(installed('told-by-words'), uninstalled())), /does not show \/this may be worth a checkpoint/),
  'resume-and-clear': (run) => play(run, installed('resume-and-clear')),
  'branch-diff-merge': (run) => play(run, installed('branch-diff-merge')),
  'skills': (run) => play(run, installed('skills')),
  'two-clients': twoClients,
  'hostile input': (run) => hostileInput(run),
  'hostile input, without hooks behind it, must fail': (run) => mustFail(hostileInput(run, uninstalled()), unseen),
  'follow-branch': (run) => play(run, installed('follow-branch')),
  'follow-branch without hooks must fail': (run) => mustFail(play(run, prepared(installed('follow-branch'), uninstalled())), /does not show \/Git branch feature/),
  'two-sessions': (run) => twoSessions(run),
  'two-sessions without hooks must fail': (run) => mustFail(twoSessions(run, uninstalled()), /nothing to capture for FORK/),
  ...Object.fromEntries(Object.entries(kinds).flatMap(([name, { sees }]) => [
    [`odd-repository, ${name}`, (run) => oddRepository(run, name)],
    [`odd-repository, ${name}, without hooks must fail`, (run) => mustFail(oddRepository(run, name, uninstalled('user')), new RegExp(`does not show /${sees}`))],
  ])),
  'http': (run) => overHTTP(run),
  'http with another token must fail': (run) => mustFail(overHTTP(run, (line) => line.replace(/\$\(cat [^)]*\)/, 'x'.repeat(52))), /^MCP server sage/),
  'plugin': (run) => plugin(run),
  'plugin without hooks must fail': (run) => mustFail(pluginUnhooked(run), unseen),
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
