// Questions to a model, at a terminal: of git-sage's own interface to an endpoint, and of the client.
import { atScreen } from './screen.mjs';
import { inside, load } from './world.mjs';

/** Ask and talk; options go to both commands. */
export const asked = (options = '') => inside(async (dir) => {
  const s = load('ask');
  const steps = s.steps.map((x) => (x.type ? { ...x, type: x.type.replace('${OPTIONS}', options) } : x));
  return (await atScreen({ ...s, steps }, { dir, cols: 160 })).failures;
});
