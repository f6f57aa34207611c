/** The part of `runBounded` in its process. */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** The first process to end when memory runs out, and the last to get the processor. */
function yieldToShop(): void {
  setPriority(5);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
}

/** Reads the input, and writes what `work` returns for it. Ends with the process that started it. */
export function runBoundedProgram(work: (input: unknown) => Promise<unknown>): void {
  yieldToShop();
  // The shop gets the same signals, and decides what happens to its work.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const lines = createInterface({ input: process.stdin });
  lines.once('close', () => process.exit(1));
  lines.once('line', (line) => {
    void work(JSON.parse(line)).then((output) => process.stdout.write(JSON.stringify(output), () => process.exit(0)));
  });
}
