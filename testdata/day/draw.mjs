// What stands in a terminal, as a picture: text with the 256 colours and styles of SGR, one window below the other.
const [CELL, LINE, FONT, PAD, BAR] = [7.85, 17, 13, 14, 30];
const BASIC = ['#1d1f21', '#cc6666', '#8fb573', '#e0b36a', '#81a2be', '#b294bb', '#7fb5b0', '#c5c8c6', '#707880', '#e06c75', '#a5d187', '#f0c674', '#8fb9e0', '#c9a7d8', '#93d0ca', '#ffffff'];

const hex = (r, g, b) => `#${[r, g, b].map((n) => n.toString(16).padStart(2, '0')).join('')}`;
const cube = (n) => (n ? 55 + 40 * n : 0);

/** The colour of a number of 256. */
function indexed(n) {
  if (n < 16) return BASIC[n];
  if (n >= 232) return hex(...Array(3).fill(8 + 10 * (n - 232)));
  return hex(cube(Math.floor((n - 16) / 36)), cube(Math.floor((n - 16) / 6) % 6), cube((n - 16) % 6));
}

/** Apply the numbers of one escape sequence to a style. */
function styled(style, numbers) {
  const s = { ...style };
  for (let i = 0; i < numbers.length; i += 1) {
    const n = numbers[i];
    if (n === 0) for (const k of Object.keys(s)) delete s[k];
    else if (n === 1) s.bold = true;
    else if (n === 2) s.dim = true;
    else if (n === 3) s.italic = true;
    else if (n === 7) s.inverse = true;
    else if (n === 22) { delete s.bold; delete s.dim; } else if (n === 23) delete s.italic;
    else if (n === 27) delete s.inverse;
    else if (n === 39) delete s.fg;
    else if (n === 49) delete s.bg;
    else if (n >= 30 && n <= 37) s.fg = BASIC[n - 30];
    else if (n >= 90 && n <= 97) s.fg = BASIC[n - 82];
    else if (n >= 40 && n <= 47) s.bg = BASIC[n - 40];
    else if (n === 38 || n === 48) {
      const key = n === 38 ? 'fg' : 'bg';
      if (numbers[i + 1] === 5) { s[key] = indexed(numbers[i + 2]); i += 2; } else { s[key] = hex(...numbers.slice(i + 2, i + 5)); i += 4; }
    }
  }
  return s;
}

/** A line as runs of one style each: {at, text, style}, at in cells. */
function runs(line, style) {
  const out = [];
  let at = 0;
  for (const part of line.split(/(\x1b\[[0-9;:]*m)/)) {
    const m = /^\x1b\[([0-9;:]*)m$/.exec(part);
    if (m) style = styled(style, m[1].split(/[;:]/).map(Number));
    else if (part) { out.push({ at, text: part, style }); at += [...part].length; }
  }
  return { out, style };
}

const escaped = (s) => s.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

function drawRun({ at, text, style }, y) {
  let { fg = '#d4d4d4', bg } = style;
  if (style.inverse) [fg, bg] = [bg ?? '#1b1d22', fg];
  const width = [...text].length * CELL;
  const back = bg ? `<rect x="${(at * CELL).toFixed(1)}" y="${y - 13}" width="${width.toFixed(1)}" height="${LINE}" fill="${bg}"/>` : '';
  if (!text.trim()) return back;
  const look = [style.bold && ' font-weight="bold"', style.italic && ' font-style="italic"', style.dim && ' opacity=".6"'].filter(Boolean).join('');
  return `${back}<text x="${(at * CELL).toFixed(1)}" y="${y}" fill="${fg}" textLength="${width.toFixed(1)}" xml:space="preserve"${look}>${escaped(text)}</text>`;
}

/** One window, y down; returns its picture and its height. */
function drawWindow({ title, text }, y, width) {
  const lines = text.replace(/(\s|\x1b\[[0-9;:]*m)+$/, '').replace(/\n(\s*\n){3,}/g, '\n\n\n').split('\n');
  const height = BAR + lines.length * LINE + PAD;
  let style = {};
  const body = lines.map((line, i) => {
    const r = runs(line, style);
    style = r.style;
    return r.out.map((run) => drawRun(run, BAR + (i + 1) * LINE - 4)).join('');
  }).join('\n');
  const dots = ['#e06c75', '#e0b36a', '#8fb573'].map((c, i) => `<circle cx="${PAD + 4 + i * 16}" cy="15" r="5" fill="${c}"/>`).join('');
  return {
    height,
    picture: `<g transform="translate(0 ${y})"><rect width="${width}" height="${height}" rx="8" fill="#1b1d22"/>${dots}<text x="${width / 2}" y="19" fill="#9aa0a6" text-anchor="middle">${escaped(title)}</text><g transform="translate(${PAD} 0)">${body}</g></g>`,
  };
}

/** The windows below each other. */
export function draw(frames, cols) {
  const width = Math.ceil(cols * CELL + 2 * PAD);
  let y = 0;
  const parts = frames.map((f) => {
    const w = drawWindow(f, y, width);
    y += w.height + 16;
    return w.picture;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y - 16}" width="${width}" height="${y - 16}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT}">\n${parts.join('\n')}\n</svg>\n`;
}
