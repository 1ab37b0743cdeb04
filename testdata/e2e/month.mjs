// Three people and two hosts: a month of theirs, each session one of the client's own.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { ROOT, git, inside, wanted } from './world.mjs';
import { as, named } from './team.mjs';

/** How many working days are played: 20 are the month, the default is its first week. */
export const DAYS = Number(process.env.E2E_DAYS) || 5;

const NOUNS = ['invoice', 'webhook', 'ledger', 'parser', 'mailer', 'login', 'search', 'upload', 'report', 'queue', 'schema', 'billing'];
const THINGS = ['importer', 'worker', 'retry', 'index', 'table'];

/** Words that no remote may have: of a private line, a preference, a file that is not committed, a stash, a branch that was not pushed, a conversation. */
const PRIVATE = ['quagga', 'axolotl', 'walrus', 'narwhal', 'pangolin', 'capybara'];

/** A word that is purged in the midst of the month. */
const PURGED = 'wildebeest';

const tool = (name, input) => ({ name: `mcp__sage__sage_${name}`, input });
const save = (thesis, more) => tool('save_checkpoint', { thesis, confidence: 0.7, ...more });

/**
 * The month. Ann has the team's remote and the public host, where the memory is encrypted; Ben the team's
 * alone, to which what he saves goes by itself; Cara, at Ann's machine with a home of her own, the public host
 * alone. Clocks are simulated, a minute for each command.
 */
class Month {
  constructor(run, dir, isPrivate) {
    Object.assign(this, { run, dir, isPrivate, said: [], items: {}, confirmed: {}, slips: new Set(), messages: new Set(), lines: new Set(['main']), bad: [], now: Date.UTC(2026, 10, 2, 9), seed: 1 });
    this.people = ['Ann', 'Ben', 'Cara'].map((name, i) => ({ name, i, repo: path.join(dir, name.toLowerCase(), 'repo'), remotes: [['origin', 'safe'], ['origin'], ['safe']][i] }));
    const bin = path.join(dir, 'bin');
    execFileSync('go', ['test', '-c', '-o', path.join(bin, 'git-sage'), './cmd/internal/cli'], { cwd: ROOT, stdio: 'pipe' }); // git-sage, by a clock that the environment sets
    this.path = `${bin}${path.delimiter}${process.env.PATH}`;
  }

  env(p) {
    this.now += 60_000;
    const at = new Date(this.now).toISOString().replace(/\.\d+/, '');
    return { ...named(p.name), PATH: this.path, TZ: 'UTC', SAGE_TEST_CLOCK: at, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  }

  /** What somebody types. */
  typed(p, ...commands) { return as(p.name, this.dir, p.repo, commands, this.env(p)); }

  /** A random number below n, the same in every run. */
  random(n) {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * n);
  }

  begin() {
    const [ann] = this.people;
    as('Ann', this.dir, this.dir, ['git init -q --bare -b main hub.git', 'git init -q --bare -b main public.git']);
    for (const p of this.people) {
      as(p.name, this.dir, this.dir, [`git clone -q ${p.remotes.includes('origin') ? 'hub' : 'public'}.git '${p.repo}'`], this.env(p));
      if (p === ann) this.commit(p, 'begin');
      this.typed(p, 'git sage init --claude --scope user', 'git sage config set transcripts local');
      if (p.remotes.includes('safe')) this.typed(p, 'git sage remote add --encrypt safe ../../public.git', `git sage remote recipients add "$(git sage remote keygen)" ${p.name}`);
      else this.typed(p, 'git sage config set sync_auto both');
      this.commit(p, 'readers');
    }
    for (const p of this.people) {
      this.typed(p, 'git pull -q origin main');
      if (p.remotes.includes('safe')) this.typed(p, 'git sage remote recipients accept --yes');
      this.hide(p);
      for (const r of p.remotes) this.typed(p, `git sage share --yes ${r}`);
    }
  }

  /** Give somebody what is theirs alone. */
  hide(p) {
    const line = `doubts-${p.name.toLowerCase()}`;
    this.typed(p, 'echo narwhal >axes.go', 'git add axes.go', 'git stash -q', 'git switch -q -c mine', 'git commit -q --allow-empty -m pangolin', 'git switch -q main',
      'printf "package walrus\\n\\nfunc Walrus() {}\\n" >walrus.go', `git sage switch -q -c ${line}`, `git sage save -q -m "quagga, says ${p.name}"`, this.isPrivate ? 'git sage branch --private' : ':', 'git sage switch -q main');
  }

  /** Put what the work tree has on main of the team's remote and of the public host. */
  commit(p, message) {
    this.messages.add(message);
    this.typed(p, 'git add -A -- . ":!walrus.go"', `git commit -q --allow-empty -m "${message}"`, 'for r in hub public; do if git ls-remote --exit-code -q ../../$r.git main >/dev/null; then git pull -q --rebase ../../$r.git main; fi; git push -q ../../$r.git HEAD:main; done');
  }

  /** Sync with each remote, and do what a sync asks for. */
  sync(p) {
    let out = '';
    for (const r of p.remotes) {
      for (let again = 3; again; again -= 1) {
        const said = this.typed(p, `git sage sync ${r} 2>&1 || echo "status $?"`);
        out += `${said}\n`;
        if (!/^status/m.test(said)) break;
        if (/^status [^1]/m.test(said) || again === 1) throw new Error(`${p.name}: sync ${r} on day ${this.day}: ${said}`);
        if (/disagree/.test(said)) this.settle(p);
      }
    }
    return out;
  }

  /** Say one thesis for those that disagree. */
  settle(p) {
    const text = `${p.name} settles it on day ${this.day} at ${new Date(this.now).toISOString().slice(11, 16)}`;
    this.typed(p, 'git sage switch -q main', `git sage merge -c 0.8 --thesis '${text}'`);
    this.said.push({ by: p.name, text, merged: true });
  }

  /** Play a session of the client's: what the model says by turns, to what somebody says. */
  async session(p, turns, say, { repo = p.repo, over } = {}) {
    const report = await this.run({ allow: ['mcp__sage', 'Bash'], env: this.env(p), turns, runs: [{ say }] }, { repo, out: path.dirname(p.repo) });
    this.bad.push(...report.failures.map((f) => `${p.name} on day ${this.day}: ${f}`));
    for (const t of report.tools) {
      const { thesis, knowledge_id: id, content, line, item_type: type } = t.input ?? {};
      if (t.is_error || ((thesis || content) && !/^(Saved|Settled|Updated|Merged|Changed)/.test(t.text))) this.bad.push(`${p.name} on day ${this.day}: ${t.name}: ${t.text}`);
      else if (/remove_knowledge/.test(t.name)) this.items[id].removed = p.name;
      else if (thesis && !line) this.said.push({ by: p.name, text: thesis, merged: /merge/.test(t.name) });
      else if (content && type !== 'preference') this.told(p, id, content.split('\n')[0], over);
    }
    return report;
  }

  /** Somebody was told that an item is saved, over a text of it that they knew. */
  told(p, id, text, over) {
    this.items[id] ??= { topic: id.includes('-') && id.replace('-', ' '), texts: [] };
    for (const t of this.items[id].texts) if (over?.includes(t.text)) t.over = true;
    this.items[id].texts.push({ by: p.name, text });
  }

  /** What somebody asks of what others know, and their client must show with the question. */
  question(p) {
    const list = this.typed(p, 'git sage recall entries >/dev/null || true', 'git sage knowledge list'); // and waits for the index, for which a hook has a second
    const known = Object.entries(this.items).filter(([id, it]) => it.topic && !it.removed && it.texts[0].by !== p.name && list.includes(`${id}\t`));
    const [id, it] = known[this.random(known.length)] ?? [];
    if (!id) return { say: 'Look around.', turn: { text: 'I see.' } };
    return { id, list, say: `How many entries does the ${it.topic} keep?`, turn: { sees: p.remotes.includes('safe') ? [`\\b${id} \\(fact, of this repository, ${this.confirmed[p.name]?.has(id) ? '' : '[^\\n]* by '}`] : [], text: 'I see.' } }; // what comes to Ben while his session begins may be late for the index
  }

  /** What somebody does on a day. */
  async work(p) {
    const d = this.day;
    const n = (d - 1) * 3 + p.i;
    const topic = `${NOUNS[n % NOUNS.length]} ${THINGS[Math.floor(n / NOUNS.length) % THINGS.length]}`;
    const id = topic.replace(' ', '-');
    const says = (what) => save(`${p.name} finds on day ${d} that the ${topic} ${what}`, { core_question: `What of the ${topic}?` });
    const keep = tool('save_knowledge', { knowledge_id: id, content: `The ${topic} keeps ${this.random(900) + 90} entries, says ${p.name}.\nIt was counted on day ${d} by hand.`, keywords: [topic] });
    const ask = this.question(p);
    const rest = [];
    const mine = Object.keys(this.items).filter((k) => this.items[k].texts[0].by === p.name && !this.items[k].removed);
    switch ((d + p.i) % 6) {
      case 0: { // a line for another way, merged at once
        const line = `way-${d}-${p.name.toLowerCase()}`;
        this.lines.add(line);
        rest.push({ calls: [tool('branch', { name: line })] }, { calls: [says('could be split')] }, { calls: [tool('load_checkpoint', { checkpoint_id: 'main' })] }, { calls: [tool('merge', { checkpoint_id: line, thesis: `${p.name} settles on day ${d} that the ${topic} is split`, confidence: 0.8 })] });
        break;
      }
      case 1: // something that does not hold any more
        if (mine.length) rest.push({ calls: [tool('remove_knowledge', { knowledge_id: mine[this.random(mine.length)] })] });
        break;
      case 2: // what is nobody's business
        rest.push({ calls: [save(`A quagga of ${p.name} on day ${d}`, { core_question: 'What of the quagga?', line: `doubts-${p.name.toLowerCase()}` }), tool('save_knowledge', { knowledge_id: `pet-${d}`, content: `${p.name} likes an axolotl.`, item_type: 'preference' })] });
        break;
      case 3: // reads what there is
        rest.push({ calls: [tool('list_checkpoints', { all: true }), tool('search_checkpoints', { query: `What of the ${topic}?`, all: true }), tool('recall_knowledge', { query: ask.say }), tool('list_knowledge', {})] });
        break;
      case 4: // knows better than another
        if (ask.id) rest.push({ calls: [tool('update_knowledge', { knowledge_id: ask.id, content: `The ${this.items[ask.id].topic} keeps ${this.random(900) + 90} entries, knows ${p.name}.` })] });
        break;
      default: // asks what is in no memory
    }
    await this.session(p, [ask.turn, { calls: [says('is slow'), keep] }, ...rest, { text: 'Done.' }, { text: 'It does.' }], [ask.say, `What of the ${topic}?`, 'Does a capybara swim?'], { over: ask.list });
    if ((d + p.i) % 6 === 1) this.slip(p, topic);
  }

  /** Say something by mistake, and take it back. */
  slip(p, topic) {
    const text = `${p.name} slips on day ${this.day} over the ${topic}`;
    this.typed(p, `git sage save -q -m '${text}'`, 'git sage checkpoint rm @');
    this.slips.add(text);
  }

  /** Conclude on a branch in a work tree beside, which is then merged by squash. */
  async feature(p, name) {
    const tree = path.join(path.dirname(p.repo), 'tree');
    this.lines.add(name);
    this.messages.add(`take in ${name}`);
    this.typed(p, `git worktree add -q ../tree -b ${name}`, 'cd ../tree', `echo 'package ${name.replace('-', '')}' >${name}.go`, 'git add .', `git commit -q -m ${name}`);
    await this.session(p, [{ calls: [save(`${p.name} builds ${name}`, { core_question: `How is ${name} built?` })] }, { text: 'Done.' }], ['Build it.'], { repo: tree });
    return async () => {
      this.typed(p, `git merge -q --squash ${name}`, `git commit -q -m 'take in ${name}'`, 'git worktree remove --force ../tree', `git branch -q -D ${name}`);
      this.commit(p, 'after it');
      await this.session(p, [{ calls: [tool('merge', { checkpoint_id: name, thesis: `${p.name} takes in ${name}`, confidence: 0.8 })] }, { text: 'Merged.' }], ['Take it in.']);
    };
  }

  /** Somebody stands for an item as it is; its name is not told to them any more. */
  confirm(p, id) {
    this.typed(p, `git sage confirm ${id} || true`);
    (this.confirmed[p.name] ??= new Set()).add(id);
  }

  /** Somebody says a word that goes everywhere, */
  async leak(p) {
    await this.session(p, [{ calls: [save(`We buy ${PURGED} incorporated`, { core_question: 'Whom do we buy?' }), tool('save_knowledge', { knowledge_id: 'deal', content: `The deal with ${PURGED} is signed.`, keywords: ['deal'] })] }, { text: 'Done.' }], ['Whom do we buy?']);
    this.sync(p);
    for (const other of this.people) this.sync(other);
  }

  /** and somebody else takes it out. */
  purge(p) {
    this.sync(p);
    this.typed(p, `git sage purge --yes --push --match ${PURGED}`);
    for (const other of this.people.filter((o) => o !== p)) {
      this.sync(other);
      this.typed(other, 'git sage purge --finish --yes --push');
    }
    for (const t of this.items.deal.texts) t.text = t.text.replace(PURGED, '[PURGED]');
    this.said = this.said.filter((s) => !s.text.includes(PURGED));
  }

  /** A day: some begin with a sync, some end with one, and now and then two work at once. */
  async live(days) {
    const d = this.day;
    const [ann, ben, cara] = this.people;
    this.now = Date.UTC(2026, 10, 2 + Math.floor((d - 1) / 5) * 7 + ((d - 1) % 5), 9);
    if (d === Math.ceil(days / 2) + 1) this.purge(ann);
    if (d % 5 === 3) await this.takeIn();
    const before = (p) => { if (p !== ben && (d + p.i) % 3) this.sync(p); };
    const behind = (p) => { if (p !== ben && (d + p.i) % 4) this.sync(p); };
    if (d % 4 === 3) {
      before(ann);
      await Promise.all([this.work(ann), this.work(ben)]);
      behind(ann);
    }
    for (let k = 0; k < 3; k += 1) {
      const p = this.people[(d + k) % 3];
      if (d % 4 === 3 && p !== cara) continue;
      before(p);
      await this.work(p);
      behind(p);
    }
    if (d % 5 === 2) this.takeIn = await this.feature(ann, `feature-${d}`);
    if (d % 5 === 4) this.confirm(this.people[d % 3], Object.keys(this.items)[0]);
    if (d === Math.ceil(days / 2)) await this.leak(ben);
  }

  /** What must hold when all are together. */
  end() {
    for (const i of [1, 2, 0, 0, 1, 2]) this.sync(this.people[i]);
    for (const remote of ['hub.git', 'public.git']) this.account(remote);
    for (const p of this.people) {
      this.whole(p);
      this.given(p);
    }
    return this.bad;
  }

  /** Hold that a remote has nothing but what is known to be there, file by file and object by object. */
  account(name) {
    const repo = path.join(this.dir, name);
    const wrong = (what, o) => this.bad.push(`${name} has ${what}: ${o.id} ${o.type} ${o.where ?? ''} ${JSON.stringify(o.text.slice(0, 300))}`);
    const lacks = (o, words) => words.filter((w) => o.text.toLowerCase().includes(w.toLowerCase())).forEach((w) => wrong(w, o));
    for (const o of objects(repo)) lacks(o, PRIVATE); // what no ref leads to included
    git(repo, 'gc', '-q', '--prune=now'); // as the host does with what was purged
    for (const file of fs.readdirSync(repo, { recursive: true, withFileTypes: true })) {
      const where = path.relative(repo, path.join(file.parentPath, file.name));
      if (file.isFile() && !/^(HEAD|config|description|packed-refs|(hooks|objects|info)\/.*)$/.test(where)) this.bad.push(`${name} has ${where}`);
    }
    const reached = (...refs) => new Map(lines(git(repo, 'rev-list', '--objects', ...refs)).map((l) => [l.slice(0, 40), l.slice(41)]));
    const code = reached('refs/heads/main');
    const memory = reached('--glob=refs/sage', '--glob=refs/notes');
    for (const o of objects(repo)) {
      o.where = code.get(o.id) ?? memory.get(o.id);
      lacks(o, [...PRIVATE, PURGED]);
      if (o.where === undefined) wrong('what no ref leads to', o);
      else if (code.has(o.id) ? !this.isCode(o) : name === 'hub.git' ? !this.isMemory(o) : !isSealed(o)) wrong('what nobody knows of', o);
    }
    const refs = git(repo, 'for-each-ref', '--format=%(refname)').split('\n');
    const known = new RegExp(name === 'hub.git' ? `^refs/(heads/main|notes/sage|sage/(knowledge|heads/(${[...this.lines].join('|')})))$` : '^refs/(heads/main|sage/vault)$');
    for (const r of refs) if (!known.test(r)) this.bad.push(`${name} has ${r}`);
    git(repo, 'fsck', '--full', '--strict', '--no-dangling');
  }

  isPerson(commit) { return this.people.some((p) => commit.includes(`\nauthor ${p.name} <${p.name.toLowerCase()}@example.org> `)); }

  isCode({ type, text, where }) {
    if (type === 'commit') return this.isPerson(text) && this.messages.has(text.split('\n\n')[1].trim());
    return type === 'tree' ? ['', '.sage'].includes(where) : /^(\.sage\/recipients|feature-\d+\.go)$/.test(where);
  }

  /** Is it of what somebody was told is saved, or of what git-sage itself says of that? */
  isMemory({ type, text, where }) {
    const ids = Object.keys(this.items).join('|');
    const says = [...this.said.map((s) => s.text), ...this.slips, 'NEEDS SYNTHESIS', 'We buy [PURGED] incorporated'];
    const every = [...this.lines].join('|');
    if (type === 'tree') return names(text).every((n) => new RegExp(`^(checkpoint\\.md|tombstone\\.yaml|knowledge|lines|purged|[0-9a-f]{2}|[0-9a-f]{40}|(${every})\\.yaml|(${ids})\\.md)$`).test(n));
    if (type === 'blob' && where === 'checkpoint.md') return says.some((s) => text.includes(s));
    if (type === 'blob') return new RegExp(`^(tombstone\\.yaml|purged/[0-9a-f]{40}|lines/(${every})\\.yaml|knowledge/[0-9a-f]{2}/(${ids})\\.md)$`).test(where);
    const subject = text.split('\n\n')[1].trim();
    if (/\nauthor git-sage <sage@localhost> /.test(text)) return /^(NEEDS SYNTHESIS|merge \d+ states of the knowledge)$/.test(subject) || says.includes(subject);
    return this.isPerson(text) && (says.includes(subject) || says.includes(subject.replace(/^remove [0-9a-f]{8}: /, ''))
      || new RegExp(`^((add|edit|remove) fact (${ids})|line (${every}) goes with branch (${every})|branch (${every}) of line (${every}) is gone|purge a text|records of purges)$`).test(subject));
  }

  /** Hold that somebody has all that anybody was told is saved, knows whose it is, and has their own as it was. */
  whole(p) {
    const wrong = (what) => this.bad.push(`${p.name}: ${what}`);
    const refs = (repo) => lines(git(repo, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/sage/heads', 'refs/sage/forks', 'refs/sage/tags', 'refs/sage/knowledge', 'refs/notes/sage')).filter((l) => !l.includes('/doubts-')).join('\n');
    if (refs(p.repo) !== refs(path.join(this.dir, 'hub.git'))) wrong(`has\n${refs(p.repo)}\nthe team's remote has\n${refs(path.join(this.dir, 'hub.git'))}`);
    const named = (s, line) => { if ((line.includes('unconfirmed') && line.replaceAll(s.text, '').includes(s.by)) === (s.by === p.name) && !(s.merged && s.by === p.name)) wrong(`what ${s.by} said shows as: ${line}`); };
    const log = lines(this.typed(p, 'git sage log --all --oneline')).reverse(); // who said it comes before merges that say it too
    for (const s of this.said) {
      const line = log.find((l) => l.includes(s.text));
      if (line) named(s, line); else wrong(`lost ${s.text}`);
    }
    for (const l of log) if (/slips on day/.test(l)) wrong(`lists ${l}`);
    const list = lines(this.typed(p, 'git sage knowledge list'));
    for (const [id, it] of Object.entries(this.items)) {
      const line = list.find((l) => l.startsWith(`${id}\t`));
      if (it.removed) {
        if (line && it.texts.length === 1 && !line.includes(`removed by ${it.removed}`)) wrong(`still has ${line}`);
        continue;
      }
      const text = line ? this.typed(p, `git sage knowledge show ${id}`) : '';
      for (const t of it.texts) if (!t.over && !text.includes(t.text)) wrong(`lost of ${id} ${t.text}: ${text}`);
      if (line && it.topic && it.texts.length === 1 && !this.confirmed[p.name]?.has(id)) named(it.texts[0], line);
    }
    this.typed(p, 'git fsck --full --strict --no-dangling', 'git sage fsck');
    for (const o of objects(p.repo)) if (o.text.includes(PURGED)) wrong(`has ${PURGED} in ${o.id}`);
    this.bad.push(...wanted(`${p.name}: changes`, this.typed(p, 'git status --porcelain'), '?? walrus.go'), ...wanted(`${p.name}: branch`, this.typed(p, 'git log -1 --format=%s mine'), 'pangolin'), ...wanted(`${p.name}: stashed`, this.typed(p, 'git show stash@{0}:axes.go'), 'narwhal'));
    const own = this.typed(p, `git sage log --oneline doubts-${p.name.toLowerCase()}`);
    if (!own.includes(`quagga, says ${p.name}`)) wrong(`lost a private line: ${own}`);
  }

  /** Hold that the client was given nothing of others without their name, and when they said it. */
  given(p) {
    const seen = new Set();
    const items = Object.entries(this.items).filter(([id]) => !this.confirmed[p.name]?.has(id));
    const others = [...this.said, ...items.flatMap(([, it]) => it.texts)].filter((s) => s.by !== p.name);
    for (const { body } of lines(fs.readFileSync(path.join(path.dirname(p.repo), 'requests.jsonl'), 'utf8')).map((l) => JSON.parse(l))) {
      for (const m of body.messages ?? []) {
        const text = shown(m);
        if (m.role === 'assistant' || seen.has(text)) continue;
        seen.add(text);
        for (const s of others) {
          for (let at = text.indexOf(s.text); at >= 0; at = text.indexOf(s.text, at + 1)) {
            const said = beside(text, at).replaceAll(s.text, '...');
            if (!said.includes(s.by) || !AGE.test(said)) this.bad.push(`${p.name} was given what ${s.by} said as: ${said}`);
          }
        }
      }
    }
  }
}

/** How long ago something was said. */
const AGE = /\b(just now|now|yesterday|\d+[smhdw]|\d+ (second|minute|hour|day|week|month)s? ago)\b/;

/** What a message shows the model. */
const shown = (m) => (typeof m.content === 'string' ? m.content : m.content.map((b) => b.text ?? (typeof b.content === 'string' ? b.content : (b.content ?? []).map((c) => c.text).join('\n'))).join('\n'));

/** The line that a text stands in, and else the heading above it. */
function beside(text, at) {
  const above = text.slice(Math.max(0, text.lastIndexOf('<sage-memory', at)), text.lastIndexOf('\n', at) + 1).split('\n');
  const heading = above.findLast((l) => /^## .*\((?!confidence)|^Line .*, checkpoint |^\d+%  /.test(l)) ?? '';
  const end = text.indexOf('\n', at);
  const line = text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
  return /^(- |\d+%|[0-9a-f]{8} |\S+  )/.test(line) || line.startsWith('It continues') ? line : `${heading}\n${line}`;
}

/** Is it of an encrypted remote's: an age file, or a commit and a tree that say nothing? */
function isSealed({ type, text }) {
  if (type === 'blob') return text.startsWith('age-encryption.org/v1\n') && !/example\.org|importer|entries|refs\/sage|Sage-|knowledge/.test(text);
  if (type === 'tree') return names(text).every((n) => /^\d{8}-\d{3}$/.test(n));
  return /^tree \w+\n(parent \w+\n)*author vault <vault@localhost> 946684800 \+0000\ncommitter vault <vault@localhost> 946684800 \+0000\n\nvault\n$/.test(text);
}

/** The names in a tree. */
const names = (tree) => [...tree.matchAll(/\d+ ([^\0]+)\0[^]{20}/g)].map(([, name]) => name);

/** All objects of a repository: {id, type, text}. */
function objects(repo) {
  const all = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], { cwd: repo, maxBuffer: 1 << 30 });
  const found = [];
  for (let at = 0; at < all.length;) {
    const nl = all.indexOf(10, at);
    const [id, type, size] = all.toString('latin1', at, nl).split(' ');
    found.push({ id, type, text: all.toString(type === 'tree' ? 'latin1' : 'utf8', nl + 1, nl + 1 + Number(size)) });
    at = nl + 2 + Number(size);
  }
  return found;
}

const lines = (text) => text.split('\n').filter(Boolean);

/** Play so many days, and look at what is left. */
export const month = (run, days, isPrivate = true) => inside(async (dir) => {
  const m = new Month(run, dir, isPrivate);
  m.begin();
  for (m.day = 1; m.day <= days; m.day += 1) await m.live(days);
  return m.end();
});
