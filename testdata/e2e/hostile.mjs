// Every hook as the client would call it, out of the settings that the installer wrote, with input that
// no client should send: garbage, halves, gigantic values, an end that stays open. A hook has to end with
// status 0, within its limit, and to say nothing, neither to the model nor to the person.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { git, inside, install, load, prepare, repository } from './world.mjs';

/** ms: the hooks give up after 2 s, and the client waits for 10 s. */
const LIMIT = 4000;

/** The calls that settings make, by event. */
const calls = (settings) => Object.entries(settings.hooks).flatMap(([event, groups]) =>
  groups.flatMap((g) => g.hooks.filter((h) => h.type === 'command').map((h) => ({ event, command: h.command, args: h.args ?? [] }))));

/** Inputs by name; each gets what the client would rightly say of the event. */
const inputs = {
  'nothing': () => '',
  'garbage': () => 'hello \u0000\u001b[2J {{{',
  'bytes that are no text': () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28, 0x0a]),
  'half': (good) => good.slice(0, good.length / 2),
  'a list': () => '[1,2,3]',
  'a number': () => '1e999',
  'null': () => 'null',
  'other types': (good) => JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(good)).map((k) => [k, [{ k }]]))),
  'a deep nest': () => '['.repeat(200_000),
  'a deep field': (good) => good.replace(/}$/, `,"x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`),
  'a huge field': (good) => good.replace(/}$/, `,"x":"${'x'.repeat(20 << 20)}"}`),
  'huge garbage': () => 'x'.repeat(20 << 20),
  'a transcript that is a folder': (good, dir) => said(good, { transcript_path: path.join(dir, 'folder.jsonl') }),
  'a transcript that is a pipe': (good, dir) => said(good, { transcript_path: path.join(dir, 'pipe.jsonl') }),
  'a transcript that is no transcript': (good, dir) => said(good, { transcript_path: path.join(dir, 'binary.jsonl') }),
  'a transcript that is not there': (good, dir) => said(good, { transcript_path: path.join(dir, 'none.jsonl') }),
  'a transcript of a line of 40 MB': (good, dir) => said(good, { transcript_path: path.join(dir, 'long.jsonl') }),
  'a folder that is not there': (good) => said(good, { cwd: '/no/such/folder' }),
  'a session that is a path': (good) => said(good, { session_id: '../../../../etc/passwd' }),
  'a session of 1 MB': (good) => said(good, { session_id: 's'.repeat(1 << 20) }),
};

const said = (good, more) => JSON.stringify({ ...JSON.parse(good), ...more });

/** What the client says of an event: names that every event has, and those of some. */
const rightly = (event, dir) => JSON.stringify({
  session_id: `hostile-${event}`, transcript_path: path.join(dir, 'none.jsonl'), cwd: dir, hook_event_name: event, permission_mode: 'default',
  source: 'startup', prompt: 'zzz', trigger: 'auto', reason: 'other', tool_name: 'Read', tool_input: { file_path: path.join(dir, 'x') },
  agent_id: '', agent_type: '', last_assistant_message: 'zzz', stop_hook_active: false,
});

/** Files beside a repository that a transcript must not be. */
function traps(dir) {
  fs.mkdirSync(path.join(dir, 'folder.jsonl'));
  execFileSync('mkfifo', [path.join(dir, 'pipe.jsonl')]);
  fs.writeFileSync(path.join(dir, 'binary.jsonl'), Buffer.alloc(1 << 20, 0x9d));
  fs.writeFileSync(path.join(dir, 'long.jsonl'), `{"type":"user","message":{"content":"${'y'.repeat(40 << 20)}"}}\n`);
}

/** Call one hook; returns what is wrong with its answer, '' for nothing. */
function call(hook, dir, env, input, open) {
  return new Promise((done) => {
    const from = Date.now();
    const p = spawn(hook.command, hook.args, { cwd: dir, env, stdio: 'pipe' });
    let out = '';
    p.stdout.on('data', (b) => { out += b; });
    p.stderr.on('data', (b) => { out += b; });
    p.stdin.on('error', () => {}); // it need not read what it has no use for
    const timer = setTimeout(() => p.kill('SIGKILL'), LIMIT);
    p.on('error', (e) => { clearTimeout(timer); done(`cannot run: ${e.message}`); });
    p.on('close', (status, signal) => {
      clearTimeout(timer);
      p.stdin.destroy();
      const bad = [signal && `no end within ${Date.now() - from} ms`, status && `status ${status}`, out && `it said ${JSON.stringify(out.slice(0, 200))}`];
      done(bad.filter(Boolean).join(', '));
    });
    p.stdin.write(input);
    if (!open) p.stdin.end();
  });
}

/** Call every hook with every input; returns what went wrong. */
async function hostile(hooks, dir, env) {
  const bad = [];
  for (const hook of hooks) {
    const good = rightly(hook.event, dir);
    const each = Object.entries(inputs).map(([name, make]) => [name, make(good, dir), false]);
    each.push(['an end that stays open', good.slice(0, -1), true], ['nothing, and an open end', '', true]);
    for (const [name, input, open] of each) {
      const wrong = await call(hook, dir, env, input, open);
      if (wrong) bad.push(`${hook.event} with ${name}: ${wrong}`);
    }
  }
  return bad;
}

/**
 * Every hook, as installed, with input that no client should send. The client then plays a session in the
 * same repository: nothing is damaged, and what was saved before is shown.
 */
export const hostileInput = (run, ...after) => inside(async (dir) => {
  const repo = repository(dir, { commands: install('project') });
  traps(repo);
  const hooks = calls(JSON.parse(fs.readFileSync(path.join(repo, '.claude', 'settings.json'), 'utf8')));
  const bad = await hostile(hooks, repo, { ...process.env, HOME: dir });
  if (hooks.length < 8) bad.push(`only ${hooks.length} hooks are installed`);
  git(repo, 'fsck', '--full', '--strict');
  if (git(repo, 'for-each-ref', 'refs/sage')) bad.push(`something was saved: ${git(repo, 'for-each-ref', 'refs/sage')}`);
  prepare(repo, dir, after);
  bad.push(...(await run({ ...load('next-session'), allow: ['mcp__sage', 'Read'] }, { repo, out: path.join(dir, 'after') })).failures);
  return bad;
});
