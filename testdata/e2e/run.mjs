// The whole loop, with Claude Code's own client: what one session saves through MCP, the next one is
// shown by the hooks. A scripted stand-in speaks for the model; nothing leaves the machine.
//
//   node testdata/e2e/run.mjs [name ...]
//
// Several are played at once, each by a process of its own, with a home of its own: $E2E_JOBS, or two for
// each processor, for a client waits much, and what must fail waits until it gives up. Of the month its first
// week is played, or as many working days as $E2E_DAYS says.
// The scenarios are the *.json beside this file, in the words of the harness that plays them
// ($SAGE_HARNESS names its folder). Some are played in more than one way: see ways below. The client is
// the harness's: $CLAUDE_BIN, or installed into $CLAUDE_CLIENT_DIR. Without them this fails.
// Closes with 'N passed, N failed'; exit status 1 when anything failed, 2 when nothing could be played.
import fs from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asked } from './ask.mjs';
import { BIN, ROOT, git, initialised, inside, install, installed, load, mustFail, play, prepared, repository, uninstalled } from './world.mjs';
import { hostileInput } from './hostile.mjs';
import { DAYS, month } from './month.mjs';
import { kinds, oddRepository } from './odd.mjs';
import { plugin, pluginAlone, pluginFinds, pluginUnhooked, pluginUpdated } from './plugin.mjs';
import { sameInPrint, sitting, talkative } from './quiet.mjs';
import { HARNESS } from './screen.mjs';
import { laterDays } from './second.mjs';
import { teammate } from './team.mjs';
import { twoClients, twoSessions } from './together.mjs';
import { didNothing, watched } from './watcher.mjs';

/** The server over HTTP, added as it says itself; with another token there is no server. */
const overHTTP = (run, spoil = (line) => line) => inside(async (dir) => {
  const repo = repository(dir);
  const server = spawn('git-sage', ['mcp', 'serve', '--http', '127.0.0.1:0'], { cwd: repo, env: { ...process.env, HOME: dir }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  let said = '';
  const line = await Promise.race([ended, new Promise((resolve) => {
    server.stderr.on('data', (b) => {
      said += b;
      const whole = said.match(/^claude mcp add .*(?=\n)/m);
      if (whole) resolve(whole[0]);
    });
  })]);
  if (typeof line !== 'string') return [`the server ended at once: ${said}`];
  const setup = [spoil(line).replace(/^claude/, process.env.CLAUDE_BIN)];
  const report = await run({ ...load('http'), setup, allow: ['mcp__sage'] }, { repo, out: path.join(dir, 'out') }).finally(() => server.kill('SIGINT'));
  const [status] = await ended;
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

/** The client on the PATH, as its user has it: git-sage asks it to distil. */
const onPath = (run) => async (scenario, options) => {
  const dir = path.join(options.out, 'path');
  fs.mkdirSync(dir);
  fs.symlinkSync(process.env.CLAUDE_BIN, path.join(dir, 'claude'));
  return run({ ...scenario, env: { ...scenario.env, PATH: `${dir}${path.delimiter}${process.env.PATH}` } }, options);
};

/** The model that distils says nothing that was said. */
const lying = (s) => ({ ...s, turns: s.turns.map((t) => (t.when ? { ...t, calls: JSON.parse(JSON.stringify(t.calls).replaceAll('"quote":"', '"quote":"They say: ')) } : t)) });

/** Asked, the agent saves at the end of the turn itself, and the next prompt is not needed. */
const askedAtOnce = (s) => ({ ...s, shows: [/[Ss]top hook/, /^git-sage: save this with /], steps: s.steps.filter((x) => x.type !== 'What is left to do?').map((x) => (x.type === 'Which cache policy do we ship?' ? { ...x, sees: 'is left\\.[\\s\\S]*done \\d' } : x)) });

/** Saved without a word, the agent is told nothing and calls no tool. */
const untold = (s) => ({ ...s, turns: s.turns.filter((t) => !t.calls?.some((c) => /autosave/.test(c.name))).map((t) => (t.sees?.some((re) => /^Saved/.test(re)) ? { lacks: ['save this with'], text: t.text } : t)) });

/** A typed /compact may be held, where that was asked for before the hooks were installed. */
const asking = ['git config sage.autosave ask', 'git sage init --claude'];
const heldOnce = (s) => ({ ...s, shows: [/blocked by PreCompact hook/, /^git-sage: unsaved/, /PreCompact/] });

/** The server alone: nobody is called at a prompt. */
const withoutHooks = (s) => prepared(s, uninstalled('user'));

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
  'distill': (run) => play(onPath(run), installed('distill')),
  'distill, a model that lies, must fail': (run) => mustFail(play(onPath(run), lying(installed('distill'))), /does not show \/Written by a model/),
  'distill without hooks must fail': (run) => mustFail(play(onPath(run), prepared(installed('distill'), uninstalled())), /does not show \/Written by a model/),
  'killed': (run) => play(killed(run), installed('killed')),
  'killed without hooks must fail': (run) =>
    mustFail(play(killed(run), prepared(installed('killed'), uninstalled())), /does not show \/.*(We decided to ship ARC|Recovered)/),
  'earlier': (run) => play(run, load('earlier'), { SINCE: '' }),
  'earlier, of another time, must fail': (run) => mustFail(play(run, load('earlier'), { SINCE: '--since 2090-01-01' }), /does not show \/imported 1 session/),
  'three-days': (run) => play(killed(run), installed('three-days')),
  'three-days without hooks must fail': (run) =>
    mustFail(play(killed(run), prepared(installed('three-days'), uninstalled())), /does not show \/.*(retry budget|unconfirmed)/),
  'later-days': (run) => laterDays(run),
  'later-days without hooks must fail': (run) => mustFail(laterDays(run, uninstalled()), /not brought: /),
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
  'actions, by init here': (run) => play(run, initialised('actions', 'local')),
  'actions, by programs': (run) => play(run, installed('actions')),
  'actions without hooks must fail': (run) => mustFail(play(run, prepared(installed('actions'), uninstalled())), /does not show \/PreToolUse:Bash/),
  'never-told': () => sitting('never-told', install('user')),
  'never-told, by init here': () => sitting('never-told', ['git sage init --claude']),
  'never-told, asked': () => sitting('never-told', ['git sage init --claude', 'git config sage.autosave ask'], askedAtOnce),
  'never-told, silently': () => sitting('never-told', ['git sage init --claude', 'git config sage.autosave silent'], untold),
  'never-told without hooks must fail': () => mustFail(sitting('never-told', install('user'), withoutHooks), /does not show \/git-sage: save this/),
  'asked-compact': () => sitting('asked-compact', asking, heldOnce),
  'asked-compact without hooks must fail': () => mustFail(sitting('asked-compact', asking, (s) => prepared(heldOnce(s), uninstalled('local'))), /never showed .*blocked by PreCompact/),
  'quiet-day': () => sitting('quiet-day', ['git sage init --claude']),
  'quiet-day, installed for the user': () => sitting('quiet-day', install('user')),
  'quiet-day with hooks before a typed /compact must fail': () => mustFail(sitting('quiet-day', ['git sage init --claude', 'sed -i "s/\\"auto\\"/\\"auto|manual\\"/" .claude/settings.local.json']), /^on the screen: PreCompact/),
  'quiet-day without hooks must fail': () => mustFail(sitting('quiet-day', install('user'), withoutHooks), /does not show \/git-sage: save this/),
  'quiet-day with a Stop hook that talks must fail': () => mustFail(sitting('quiet-day', ['git sage init --claude', talkative]), /^on the screen: /),
  'the same bytes in -p': () => sameInPrint(),
  'the same bytes in -p, with a Stop hook that talks, must fail': () => mustFail(sameInPrint(talkative), /^autosave suggest: printed/),
  'ask': () => asked(),
  'ask, private items too, must fail': () => mustFail(asked('--private'), /shows \/blue vault/),
  'code': (run) => play(run, installed('code')),
  'recall, by init for the user': (run) => play(run, initialised('recall', 'user')),
  'subagent, by init here': (run) => play(run, initialised('subagent', 'local')),
  'resume-and-clear, by init here': (run) => play(run, initialised('resume-and-clear', 'local')),
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
  'teammate': (run) => teammate(run),
  'month': (run) => month(run, DAYS),
  'month with lines that are not private must fail': (run) => mustFail(month(run, 1, false), /^hub\.git has quagga/),
  'teammate without hooks must fail': (run) => mustFail(teammate(run, uninstalled('local')), /does not show \/.*origin has a memory/),
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
  if (names[0] === '--here') return say(names[1], await ways[names[1]](runScenario).catch((e) => [`${e.message}\n${e.stderr ?? ''}`]));
  const chosen = Object.keys(ways).filter((name) => !names.length || names.some((n) => name.startsWith(n)));
  if (!chosen.length) throw new Error(`no scenario is called ${names.join(' or ')}; there are: ${Object.keys(ways).join(', ')}`);
  const jobs = Math.max(1, Number(process.env.E2E_JOBS) || 2 * os.availableParallelism());
  const waiting = [...chosen];
  let failed = 0;
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) if (await elsewhere(name)) failed += 1;
  }));
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

/** Say how one way went. */
function say(name, bad) {
  console.log(`${bad.length ? 'FAIL' : 'ok  '} ${name}${bad.map((b) => `\n     ${b}`).join('')}`);
  return bad.length ? 1 : 0;
}

/** Play one way in a process of its own, and hand on what it says when it ends. */
async function elsewhere(name) {
  const began = Date.now();
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--here', name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (b) => { said += b; });
  const [code, signal] = await once(child, 'close');
  if (!/^(ok  |FAIL) /.test(said)) said = `FAIL ${name}\n     it ended with ${signal ?? code} and said nothing\n${said}`;
  console.log(said.trimEnd().replace(/$/m, ` (${((Date.now() - began) / 1000).toFixed(0)} s)`));
  return code !== 0 || !said.startsWith('ok  ');
}

// What a way left running keeps nobody waiting.
main(process.argv.slice(2)).then((code) => process.exit(code), (e) => { console.error(`e2e: ${e.message}`); process.exit(2); });
