import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../tests/support/own-process.ts';
import { Shutdown } from './shutdown.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const waitForever = (): Promise<never> => new Promise(() => {});

test('steps run once, in reverse order, even after one fails', async () => {
  const shutdown = new Shutdown(silent);
  const ran: string[] = [];
  shutdown.add('database', async () => void ran.push('database'));
  shutdown.add('chain', () => Promise.reject(new Error('broken')));
  shutdown.add('server', async () => void ran.push('server'));
  await Promise.all([shutdown.run(), shutdown.run()]);
  await shutdown.run();
  assert.deepEqual(ran, ['server', 'database']);
});

test('hanging steps leave the first step enough of the 10 s', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const warnings: unknown[] = [];
  const shutdown = new Shutdown({ ...silent, warn: (fields: object) => void warnings.push(fields) });
  let given = 0;
  shutdown.add('database', async (withinMs) => void (given = withinMs));
  for (const name of ['connections', 'jobs', 'chain', 'server']) shutdown.add(name, waitForever, { atMostMs: 4_000 });
  const over = { ms: Infinity };
  const began = Date.now();
  void shutdown.run().then(() => (over.ms = Date.now() - began));
  for (let ms = 0; ms < 20_000; ms += 50) {
    await new Promise((resolve) => void setImmediate(resolve));
    context.mock.timers.tick(50);
  }
  assert.ok(over.ms < 7_000, `${over.ms} ms`);
  assert.ok(given >= 3_000 && over.ms + given < 10_000, `${given} ms`);
  assert.equal(warnings.length, 4);
});
