// A Stop hook as git-sage's once was: it tells the agent something, so that the client continues the turn and
// shows the person what it says. 'node talkative.mjs' adds it to the user's settings; a check has to notice.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.argv[2] === 'stop') {
  const { stop_hook_active: again } = JSON.parse(fs.readFileSync(0, 'utf8'));
  const additionalContext = 'git-sage: this may be worth a checkpoint';
  if (!again) console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext } }));
} else {
  const file = path.join(os.homedir(), '.claude', 'settings.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const settings = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const hook = { type: 'command', command: process.execPath, args: [fileURLToPath(import.meta.url), 'stop'] };
  settings.hooks = { ...settings.hooks, Stop: [...(settings.hooks?.Stop ?? []), { hooks: [hook] }] };
  fs.writeFileSync(file, JSON.stringify(settings));
}
