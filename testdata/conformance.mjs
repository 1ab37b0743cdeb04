// The server over HTTP, held against the conformance suite of the Model Context Protocol.
//
//   node testdata/conformance.mjs
//
// The suite is $SAGE_CONFORMANCE, a folder in which npm installed it, or is installed from the npm registry
// into .build/conformance. It sends no token, so a proxy between puts one on every request and leaves all
// else as it is, the names that a browser would send included. Most of its scenarios want a server with
// tools and prompts of a certain name; these are the others. Exit status 1 when one fails, 2 when none ran.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SUITE = '@modelcontextprotocol/conformance@0.1.13'; // later ones want a newer node than 20
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'prompts-list', 'resources-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'];

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The suite's program. */
function suite() {
  const dir = process.env.SAGE_CONFORMANCE ?? path.join(ROOT, '.build', 'conformance');
  const bin = path.join(dir, 'node_modules', '.bin', 'conformance');
  if (!fs.existsSync(bin)) {
    fs.mkdirSync(dir, { recursive: true });
    execFileSync('npm', ['install', '--prefix', dir, '--no-audit', '--no-fund', '--ignore-scripts', SUITE], { stdio: 'inherit' });
  }
  return bin;
}

/** A server of an empty repository in dir, with its URL and token. */
async function serve(dir) {
  const repo = path.join(dir, 'repo');
  execFileSync('git', ['init', '-q', repo]);
  const server = spawn(path.join(ROOT, 'bin', 'git-sage'), ['mcp', 'serve', '--http', '127.0.0.1:0', '--json'], {
    cwd: repo, env: { ...process.env, HOME: dir, SAGE_HOME: path.join(dir, 'sage') }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(server.stdout), 'line');
  const said = JSON.parse(line);
  return { server, url: new URL(said.url), token: fs.readFileSync(said.token_file, 'utf8').trim() };
}

/** A proxy that puts the token on; returns its URL. */
async function proxy(url, token) {
  const between = http.createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const on = http.request({ host: url.hostname, port: url.port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
    });
    on.on('error', () => res.destroy());
    res.on('close', () => on.destroy());
    req.pipe(on);
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  return { between, url: `http://127.0.0.1:${between.address().port}${url.pathname}` };
}

async function main() {
  const bin = suite();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sage-conformance-'));
  const { server, url, token } = await serve(dir);
  const { between, url: through } = await proxy(url, token);
  let failed = 0;
  for (const name of SCENARIOS) {
    const run = spawn(process.execPath, [fs.realpathSync(bin), 'server', '--url', through, '--scenario', name], { cwd: dir, env: { ...process.env, HOME: dir } });
    let said = '';
    for (const out of [run.stdout, run.stderr]) out.on('data', (b) => { said += b; });
    const [status] = await once(run, 'close');
    const passed = status === 0 && /Passed: (\d+)\/\1, 0 failed, 0 warnings/.test(said);
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${name}`);
    if (!passed) {
      failed++;
      console.log(said);
    }
  }
  between.closeAllConnections();
  between.close();
  server.kill('SIGTERM');
  const [status] = await once(server, 'exit');
  if (status !== 143) {
    failed++;
    console.log(`FAIL it ended with ${status}, not 143`);
  }
  fs.rmSync(dir, { recursive: true, force: true });
  console.log(`${SCENARIOS.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

main().then((status) => { process.exitCode = status; }, (err) => { console.error(err.message); process.exitCode = 2; });
