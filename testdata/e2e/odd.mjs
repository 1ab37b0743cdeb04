// Repositories of odd kinds.
import fs from 'node:fs';
import path from 'node:path';
import { folder, git, identity, inside, install, load, prepare, wanted } from './world.mjs';

/** A client that runs where a folder cannot be written: for root that takes a mount, which goes with the client. */
function readOnlyClient(dir, folder) {
  const bin = path.join(dir, 'client');
  const mount = `mount --bind "${folder}" "${folder}" && mount -o remount,ro,bind "${folder}"`;
  const run = `exec "${process.env.CLAUDE_BIN}" "$@"`;
  const text = process.getuid() === 0 ? `exec unshare -m sh -ec '${mount}; ${run}' client "$@"` : `chmod -R a-w "${folder}"; trap 'chmod -R u+w "${folder}"' EXIT; "${process.env.CLAUDE_BIN}" "$@"`;
  fs.writeFileSync(bin, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return bin;
}

const silent = 'printf "[sage]\\n\\tautosave = silent\\n" >>~/.gitconfig';
const commit = `git ${identity.join(' ')} commit -q`;
const decided = 'ARC, since it beats LRU by 9 points';

/** Kinds of repositories: what makes one, what the next session is shown, and what must hold then. */
export const kinds = {
  'read-only': {
    setup: ['git-sage checkpoint save -q -m "We trace with LRU counters."'],
    sees: 'We trace with LRU counters', lacks: decided,
    before: (dir, repo) => ({ client: readOnlyClient(dir, path.join(repo, '.git')), state: tree(path.join(repo, '.git')) }),
    after: (repo, { state }) => (tree(path.join(repo, '.git')) === state ? [] : ['something was written']),
  },
  'no identity but that of the environment': {
    setup: ['git config user.useConfigOnly true'],
    sees: decided,
    after: (repo) => wanted('author', git(repo, 'log', '-1', '--format=%an <%ae>', 'refs/sage/heads/main'), 'Test <test@example.invalid>'), // whom the environment names
  },
  'amid a rebase': {
    setup: ['git config user.name Test && git config user.email test@example.invalid', 'git switch -q -c topic && echo topic >f && git add f && git commit -q -m topic', 'git switch -q main && echo main >f && git add f && git commit -q -m main', 'git switch -q topic && ! git rebase -q main', 'git config sage.followBranch true'],
    sees: decided,
    after: (repo) => {
      fs.writeFileSync(path.join(repo, 'f'), 'both\n');
      git(repo, 'add', 'f');
      git(repo, '-c', 'core.editor=true', 'rebase', '--continue');
      return [...wanted('branch', git(repo, 'symbolic-ref', '--short', 'HEAD'), 'topic'), ...wanted('commits', git(repo, 'log', '--format=%s'), 'topic\nmain\ninit'),
        ...wanted('saved', git(repo, 'log', '-1', '--format=%s', 'refs/sage/heads/topic').includes('ARC'), true)];
    },
  },
  'none': { sees: decided, after: (repo) => wanted('a repository', fs.existsSync(path.join(repo, '.git')), false) },
};

/** What lies in a folder, as text. */
const tree = (dir) => fs.readdirSync(dir, { recursive: true }).sort().map((f) => {
  const st = fs.lstatSync(path.join(dir, f));
  return `${f} ${st.isFile() ? st.size : ''} ${st.isFile() ? st.mtimeMs : ''}`;
}).join('\n');

/** The client in a repository of some kind, with everything installed for the user, and more. */
export const oddRepository = (run, name, ...setup) => inside(async (dir) => {
  const kind = kinds[name];
  const { files, ...s } = load('odd-repository');
  const repo = folder(dir, files);
  const home = path.join(dir, 'home');
  fs.mkdirSync(home);
  const make = name === 'none' ? [] : ['git init -q -b main .', 'git add .', `${commit} -m init`];
  prepare(repo, home, [...install('user'), silent, ...make, ...(kind.setup ?? []), ...setup]);
  if (kind.lacks) s.turns.at(-1).lacks.push(kind.lacks);
  const set = kind.before?.(dir, repo) ?? {};
  const report = await run({ ...s, allow: [...s.allow, 'mcp__sage'] }, { repo, out: dir, client: set.client, set: { SEES: kind.sees } });
  return [...report.failures, ...(report.ok ? kind.after(repo, set) : [])];
});
