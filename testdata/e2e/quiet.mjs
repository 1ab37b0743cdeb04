// Sessions that git-sage is in, and nobody sees it: what 'claude -p' prints, and a day in a terminal.
import path from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inside, install, load, repository } from './world.mjs';
import { HARNESS, atScreen } from './screen.mjs';

/** Something that answers at the end of turns, as git-sage once did. */
export const talkative = `node ${path.join(path.dirname(fileURLToPath(import.meta.url)), 'talkative.mjs')}`;

/** What 'claude -p' prints of a turn that decides something, and how often it asks the model. */
async function printed(setup) {
  const { start } = await import(pathToFileURL(path.join(HARNESS, 'fakeapi.mjs')));
  let out = '';
  const bad = await inside(async (dir) => {
    const repo = repository(dir, { files: { 'traces.txt': 'LRU 61\nARC 70\n' }, commands: setup });
    const read = { calls: [{ name: 'Read', input: { file_path: `${repo}/traces.txt` } }], usage: { output_tokens: 9000 } };
    const api = await start({ scenario: { turns: [read, { text: '**Decision:** we ship ARC, since it beats LRU by 9 points on our traces.', delay_ms: 300 }] } });
    const env = {
      PATH: process.env.PATH, HOME: dir, TMPDIR: dir, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ANTHROPIC_BASE_URL: `http://127.0.0.1:${api.port}`, ANTHROPIC_API_KEY: 'sk-ant-fake-key-for-tests',
    };
    const client = spawn(process.env.CLAUDE_BIN, ['-p', '--allowedTools', 'Read,mcp__sage', '--', 'Which policy do we ship?'], { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    client.stdout.on('data', (b) => chunks.push(b));
    const code = await new Promise((done) => { client.on('close', done); });
    await api.close();
    out = `${Buffer.concat(chunks).toString('latin1')}\n${api.requests.filter((q) => q.kind === 'main').length} requests, exit ${code}`;
    return [];
  });
  return { out, bad };
}

/** Every way that autosave can be set, the output of -p is the same bytes as without git-sage, with as many requests. */
export async function sameInPrint(...more) {
  const identity = ['git config user.name Test', 'git config user.email test@example.invalid'];
  const eager = ['git config sage.depthMinMessages 1', 'git config sage.depthMinTokens 1', 'git config sage.autosaveEveryTurns 1'];
  const { out: without } = await printed(identity);
  const bad = /we ship ARC.*\n\n2 requests, exit 0$/.test(without) ? [] : [`without git-sage: ${without}`];
  for (const autosave of ['suggest', 'ask', 'silent']) {
    const { out } = await printed([...identity, ...install('user'), ...eager, `git config sage.autosave ${autosave}`, ...more]);
    if (out !== without) bad.push(`autosave ${autosave}: printed ${JSON.stringify(out)}, not ${JSON.stringify(without)}`);
  }
  return bad;
}

/** A script of a person at a terminal; change adapts it to a setting. */
export const sitting = (name, setup, change = (s) => s) => inside(async (dir) => {
  const s = load(name);
  const script = change({ ...s, setup: [...setup, ...(s.setup ?? [])] });
  const seen = await atScreen(script, { dir, cols: 160 });
  const more = seen.requests.filter((q) => ['main', 'compact'].includes(q.kind) && q.turn === null).length;
  return [...seen.failures, ...ours(seen.screens, script.shows), ...(more ? [`${more} requests that nobody asked for`] : [])];
});

/**
 * What stands on the screens that is git-sage's, but for notices of recall, the tools that the agent calls, and
 * what the client lists by itself while they run: hooks, without a word.
 */
function ours(screens, more) {
  const lines = new Set(screens.flatMap((s) => s.split('\n')).map((l) => l.trim()));
  const passes = [
    /Knowledge recalled \(\d+\): [^{}]*$/, /^● (?:sage - sage_\w+ \(MCP\)|Called sage)/, /Called sage/, /^⎿  Saved \w{8} on /, /\(running [\w /]+ hook/,
    ...(more ?? []),
  ];
  return [...lines].filter((l) => /\bsage\b|sage_|additional context|worth a|no longer stands|PreCompact|PostCompact|[Ss]top hook/.test(l) && !passes.some((re) => re.test(l)))
    .map((l) => `on the screen: ${l}`);
}
