/**
 * `npm run bench -- loop [--runs N]`: measures how long a test takes after an edit: the test of one
 * rule after an edit of the rule, one HTTP test file after an edit of a rule and of a page, and one journey after an
 * edit of a page, which builds the pages. Restores the edited files.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listFiles } from '../test/import-graph.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) {
  console.error('--runs must be a whole number above 0.');
  process.exit(1);
}

function findFile(pattern: string): string {
  const [file] = listFiles([pattern]);
  if (file === undefined) throw new Error(`no file matches ${pattern}`);
  return file;
}

const rule = findFile('src/**/price-cart.ts');
const page = findFile('src/**/checkout-page.tsx');
const LOOPS = [
  { name: 'one rule, after an edit of it', edited: rule, test: rule.replace('.ts', '.test.ts'), limitMs: 3000 },
  { name: 'one HTTP file, after an edit of a rule', edited: rule, test: 'tests/tickets.test.ts', limitMs: 4000 },
  { name: 'one HTTP file, after an edit of a page', edited: page, test: 'tests/tickets.test.ts', limitMs: 4000 },
  { name: 'one journey, after an edit of a page', edited: page, test: 'tests/journeys/menu.test.ts', limitMs: 10_000 },
];

/** Duration of the test command in ms. */
async function measureTest(test: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['scripts/run.mjs', 'test', test], { stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`npm test -- ${test} ended with ${code}`);
  return performance.now() - began;
}

for (const { name, edited, test, limitMs } of LOOPS) {
  const before = readFileSync(edited);
  const times: number[] = [];
  try {
    for (let index = 0; index < runs; index += 1) {
      writeFileSync(edited, `${before.toString()}// Edited ${index}.\n`);
      times.push(await measureTest(test));
    }
  } finally {
    writeFileSync(edited, before);
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const isGoalMet = median <= limitMs;
  console.log(`${name}: ${(median / 1000).toFixed(1)} s, at most ${limitMs / 1000} s${isGoalMet ? '' : ': TOO SLOW'}`);
  if (!isGoalMet) process.exitCode = 1;
}
