// The days after: prompts in other words than those in which something was kept.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT, inside, install, load } from './world.mjs';

/** Of so many prompts of a language, how many must find what they need. */
const ENOUGH = 8;

/** For how many prompts that need nothing a title may be told. */
const TITLED = 1;

/** What else the store holds, so that it is no small one: the facts that recall is measured on. */
const others = () => fs.readFileSync(path.join(ROOT, 'testdata', 'facts', 'facts.jsonl'), 'utf8').trim().split('\n').map((l) => JSON.parse(l));

const saving = (f) => ({ name: 'mcp__sage__sage_save_knowledge', input: { knowledge_id: f.id, content: f.text, when: f.when, keywords: f.keywords } });

/** What hooks put in front of the model with a prompt: it stands behind the prompt, in the first request that has it. */
function given(requests, prompt) {
  for (const { kind, body } of requests) {
    const at = kind === 'main' ? body.messages.findLastIndex((m) => m.role === 'user') : -1;
    if (at < 0 || !JSON.stringify(body.messages[at]).includes(JSON.stringify(prompt).slice(1, -1))) continue;
    return body.messages.slice(at).map((m) => JSON.stringify(m)).filter((m) => m.includes('UserPromptSubmit hook additional context')).join('\n');
  }
  return undefined;
}

/** One session keeps facts; the next two sessions ask for them. */
export const laterDays = (run, ...more) => inside(async (dir) => {
  const { languages, foreign } = load('second-day');
  const asks = Object.values(languages).flatMap((facts) => facts.map((f) => f.prompt));
  const half = (n) => [...asks.filter((_, i) => i % 2 === n), ...foreign.filter((_, i) => i % 2 === n)];
  const day = (n) => { const all = half(n); return [...all.slice(0, 8), '/compact', ...all.slice(8)]; };
  const turns = (says) => says.map((s) => (s === '/compact' ? { kind: 'compact', text: '<summary>They asked for this and that.</summary>' } : { text: 'Understood.' }));
  const scenario = {
    setup: [...install('project'), ...more], allow: ['mcp__sage'],
    turns: [{ calls: [...Object.values(languages).flat(), ...others()].map(saving) }, { text: 'Kept.' }, ...turns(day(0)), ...turns(day(1))],
    runs: [{ say: 'Keep what we know.' }, { say: day(0) }, { say: day(1) }],
    expect: { tools: ['mcp__sage__sage_save_knowledge'], compactions: 2 },
  };
  const report = await run(scenario, { out: dir });
  const requests = fs.readFileSync(path.join(report.dir, 'requests.jsonl'), 'utf8').trim().split('\n').map((l) => JSON.parse(l));
  const bad = [...report.failures];
  for (const [language, facts] of Object.entries(languages)) {
    const missed = facts.filter((f) => !new RegExp(`\\b${f.id}\\b`).test(given(requests, f.prompt) ?? ''));
    if (facts.length - missed.length < ENOUGH) bad.push(`${language}: not brought: ${missed.map((f) => f.id).join(', ')}`);
  }
  const brought = foreign.map((prompt) => [prompt, given(requests, prompt)]).filter(([, text]) => text !== '');
  const full = ([, text]) => text === undefined || text.includes('<sage-memory');
  if (brought.length > TITLED || brought.some(full)) bad.push(...brought.map(([prompt, text]) => `brought for ${JSON.stringify(prompt)}: ${text}`));
  return bad;
});
