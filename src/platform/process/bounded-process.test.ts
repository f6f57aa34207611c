import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBounded } from './bounded-process.ts';

/** As JSON on the standard input: what the program does. */
const run = (input: string, options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) =>
  runBounded({ program: 'tests/support/bounded-program.ts', input, timeoutMs: 60_000, maxHeapMb: 64, ...options });

const runFailing = async (...given: Parameters<typeof run>) => {
  const result = await run(...given);
  return result.ok ? result.output : result.reason;
};

test('a program in its own process returns what it computes', async () => {
  assert.deepEqual(await run('echo'), { ok: true, output: { input: 'echo', secret: null } });
});

test('a program ends at its limits of time, memory and output', async () => {
  assert.equal(await runFailing('loop', { timeoutMs: 1_000 }), 'too-slow');
  assert.equal(await runFailing('memory'), 'too-large');
  assert.equal(await runFailing('output'), 'too-large');
});

test('distinguishes programs that fail, are killed or are stopped', async () => {
  const failed = await run('throw');
  assert.ok(!failed.ok && failed.reason === 'failed');
  assert.match(failed.problem, /out of luck/);
  assert.equal(await runFailing('kill'), 'killed');
  assert.equal(await runFailing('loop', { signal: AbortSignal.abort() }), 'stopped');
});

test('[OPS-32] a failed program reports no values of rows', async () => {
  const failed = await run('statement');
  assert.ok(!failed.ok && failed.reason === 'failed');
  assert.match(failed.problem, /duplicate key/);
  assert.doesNotMatch(failed.problem, /alice/);
});
