// Two sessions with Claude Code's own client, as a person sees them: a scripted stand-in speaks for the
// model, everything else is real. What stands in the terminal is written down as day.svg, for the README.
//
//   node testdata/day/play.mjs [--text]     (needs tmux; $SAGE_HARNESS and $CLAUDE_BIN as testdata/e2e/run.mjs)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atScreen, plain } from '../e2e/screen.mjs';
import { draw } from './draw.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const COLS = 100;

const script = JSON.parse(fs.readFileSync(path.join(HERE, 'day.json'), 'utf8'));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sage-day-'));
const { frames, failures } = await atScreen(script, { dir, cols: COLS });
if (failures.length) throw new Error(failures.join('\n'));
if (process.argv.includes('--text')) for (const f of frames) console.log(`--- ${f.title}\n${plain(f.text).replace(/\n+$/, '')}`);
else fs.writeFileSync(path.join(HERE, 'day.svg'), draw(frames, COLS));
fs.rmSync(dir, { recursive: true, force: true });
