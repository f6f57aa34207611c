/** A program of the tests of `runBounded`. */
import process from 'node:process';
import { runBoundedProgram } from '#src/platform/process/bounded-program.ts';

const ACTIONS: Readonly<Record<string, () => unknown>> = {
  loop: () => {
    for (;;);
  },
  memory: () => {
    const filled: string[][] = [];
    for (;;) filled.push(Array.from({ length: 100_000 }, String));
  },
  output: () => 'x'.repeat(4_000_000),
  throw: () => {
    throw new Error('out of luck');
  },
  statement: () => {
    throw Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(alice@private.example)' });
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
};

runBoundedProgram(async (input) => {
  const act = typeof input === 'string' ? ACTIONS[input] : undefined;
  return act?.() ?? { input, secret: process.env['HOME'] ?? null };
});
