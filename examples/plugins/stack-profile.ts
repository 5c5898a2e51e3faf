/**
 * A profile of the call stack, drawn as a flame graph: a box for each way to a function, as wide as
 * the calls that were made from there, on top of its caller. The deepest stack is in the title.
 *
 * The picture is written to the file that `FLAME` names, or to `flame.svg`.
 */
import { writeFileSync } from 'node:fs';
import { definePlugin } from 'redzone';

interface Box {
  readonly name: string;
  calls: number;
  readonly inner: Box[];
}

export default definePlugin({
  name: 'stack-profile',
  state: () => {
    const root: Box = { name: 'all', calls: 0, inner: [] };
    return { root, stack: [root], deepest: 0 };
  },
  hooks: {
    enter: {
      functions: /./,
      run: ({ function: name }, { state }) => {
        const top = state.stack.at(-1)!;
        const box = top.inner.find(each => each.name === name) ?? { name, calls: 0, inner: [] };
        if (box.calls === 0) top.inner.push(box);
        state.stack.push(box);
        for (const each of state.stack) each.calls++;
        state.deepest = Math.max(state.deepest, state.stack.length - 1);
      },
    },
    return: { functions: /./, run: (_, { state }) => void state.stack.pop() },
    end: (_, { state: { root, deepest } }) => {
      const height = 22 * (deepest + 1) + 30;
      const title = `<text x="500" y="18" text-anchor="middle">${root.calls} calls, ${deepest} deep</text>`;
      const boxes = draw(root, 0, height - 24, 1000 / Math.max(1, root.calls));
      const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 ${height}" font-family="monospace" font-size="12">`;
      writeFileSync(process.env.FLAME ?? 'flame.svg', `${head}\n${title}\n${boxes}</svg>\n`);
    },
  },
});

function draw({ name, calls, inner }: Box, x: number, y: number, scale: number): string {
  const width = calls * scale;
  const shade = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 40;
  const label = name.slice(0, Math.max(0, Math.floor(width / 7.5) - 1));
  let left = x;
  const above = inner.map(box => {
    const drawn = draw(box, left, y - 22, scale);
    left += box.calls * scale;
    return drawn;
  });
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="21" fill="hsl(${shade}, 85%, 65%)" stroke="white"/>`;
  const text = `<text x="${(x + 4).toFixed(1)}" y="${y + 15}">${label}</text>`;
  return `<g><title>${name}: ${calls} calls</title>${box}${text}</g>\n${above.join('')}`;
}
