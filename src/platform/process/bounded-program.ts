/** The part of `runBounded` in its process. */
import process from 'node:process';
import { createInterface } from 'node:readline';
import { serializeError } from './serialize-error.ts';
import { yieldToShop } from './yield-to-shop.ts';

const NICENESS = 5;

type Work = (input: unknown) => Promise<unknown>;

/** Reads the input, and writes what `work` returns for it. Ends with the process that started it. */
export function runBoundedProgram(work: Work): void {
  yieldToShop(NICENESS);
  // The shop gets the same signals, and decides what happens to its work.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const lines = createInterface({ input: process.stdin });
  lines.once('close', () => process.exit(1));
  lines.once('line', (line) => void respond(work, line));
}

async function respond(work: Work, line: string): Promise<void> {
  try {
    const output = JSON.stringify(await work(JSON.parse(line)));
    process.stdout.write(output, () => process.exit(0));
  } catch (error) {
    // The shop logs it: without values of rows.
    process.stderr.write(JSON.stringify(serializeError(error)), () => process.exit(1));
  }
}
