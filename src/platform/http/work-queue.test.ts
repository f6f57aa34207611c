import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import '../../../tests/support/own-process.ts';
import type { Priority } from './priority.ts';
import { runOutsideQueue, WorkQueue } from './work-queue.ts';
import type { ClassLimits } from './work-queue.ts';

const WAIT_MS = 500;
const createLimits = (running: number, waiting: number): ClassLimits => ({ running, waiting, waitMs: WAIT_MS });
const LIMITS = { critical: createLimits(4, 10), normal: createLimits(3, 10), browsing: createLimits(2, 10) };

/** A queue whose work ends on command. */
function createQueue() {
  const queue = new WorkQueue({ limits: LIMITS, ticksBetween: 0 });
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  return {
    started,
    run: (name: string, importance: Priority, isWanted?: () => boolean) =>
      queue.run(
        importance,
        () => {
          started.push(name);
          return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
        },
        isWanted ? { isWanted } : {},
      ),
    end: async (name: string) => {
      finish.get(name)?.();
      await turn();
    },
  };
}

test('[OPS-26] starts waiting work in order of priority', async () => {
  const { run, end, started } = createQueue();
  for (const name of ['c1', 'c2', 'c3', 'c4']) void run(name, 'critical');
  void run('page', 'browsing');
  void run('login', 'normal');
  void run('checkout', 'critical');
  await turn();
  assert.deepEqual(started, ['c1', 'c2', 'c3', 'c4']);
  await end('c1');
  assert.deepEqual(started.slice(4), ['checkout']);
  await end('c2');
  await end('c3');
  assert.deepEqual(started.slice(4), ['checkout', 'login']);
  for (const name of ['c4', 'checkout']) await end(name);
  assert.deepEqual(started.slice(4), ['checkout', 'login', 'page']);
});

test('[OPS-26] browsing leaves places free for checkouts', async () => {
  const { run, started } = createQueue();
  for (const name of ['p1', 'p2', 'p3']) void run(name, 'browsing');
  void run('login', 'normal');
  void run('checkout', 'critical');
  await turn();
  assert.deepEqual(started, ['p1', 'p2', 'login', 'checkout']);
});

test('[OPS-26] refuses work when the queue is full', async () => {
  const { run, end } = createQueue();
  const browsing = Array.from({ length: 12 }, (_, index) => run(`p${index}`, 'browsing'));
  assert.deepEqual(await run('one too many', 'browsing'), { ok: false });
  await turn();
  for (let index = 0; index < 12; index += 1) await end(`p${index}`);
  assert.ok((await Promise.all(browsing)).every(({ ok }) => ok));
});

test('[OPS-26] refuses work that has waited too long', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { run, end, started } = createQueue();
    const first = [run('p1', 'browsing'), run('p2', 'browsing')];
    const late = run('p3', 'browsing');
    mock.timers.tick(WAIT_MS - 1);
    await turn();
    assert.equal(started.length, 2);
    mock.timers.tick(1);
    assert.deepEqual(await late, { ok: false });
    await end('p1');
    await end('p2');
    assert.deepEqual(await Promise.all(first), [
      { ok: true, value: 'p1' },
      { ok: true, value: 'p2' },
    ]);
    assert.deepEqual(started, ['p1', 'p2']);
  } finally {
    mock.timers.reset();
  }
});

test('[OPS-26] lets work wait a quarter as long while the queue is never empty', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let now = 0;
    const queue = new WorkQueue({ limits: LIMITS, ticksBetween: 0, now: () => now });
    const refusedAt: Record<string, number> = {};
    const wait = (name: string): void =>
      void queue.run('browsing', () => new Promise(() => {})).then(() => (refusedAt[name] = now));
    const passUntil = async (end: number): Promise<void> => {
      for (; now < end; await turn()) {
        now += 1;
        mock.timers.tick(1);
      }
    };
    for (const name of ['runs 1', 'runs 2', 'first']) wait(name);
    for (const [at, name] of [
      [400, 'second'],
      [800, 'third'],
      [1_200, 'fourth'],
      [1_500, 'fifth'],
    ] as const) {
      await passUntil(at);
      wait(name);
    }
    await passUntil(2_100);
    assert.deepEqual(refusedAt, { first: 500, second: 900, third: 1_300, fourth: 1_325, fifth: 2_000 });
  } finally {
    mock.timers.reset();
  }
});

test('[OPS-26] does no work for a client that left while waiting', async () => {
  const { run, end, started } = createQueue();
  for (const name of ['p1', 'p2']) void run(name, 'browsing');
  const left = run('left', 'browsing', () => false);
  void run('next', 'browsing');
  await end('p1');
  assert.deepEqual(await left, { ok: false });
  assert.deepEqual(started, ['p1', 'p2', 'next']);
});

test('[OPS-26] leaves event loop turns between two pages', async () => {
  const queue = new WorkQueue({ limits: LIMITS, ticksBetween: 3 });
  let turnNumber = 0;
  // Scheduled before the callbacks of the queue, so each turn is counted before work starts in it.
  let counter = setImmediate(function count() {
    turnNumber += 1;
    counter = setImmediate(count);
  });
  const startedIn: number[] = [];
  const runWork = (): Promise<void> => {
    startedIn.push(turnNumber);
    return Promise.resolve();
  };
  const all = ['critical', 'browsing', 'critical', 'normal'] as const;
  const ran = await Promise.all(all.map((importance) => queue.run(importance, runWork)));
  clearImmediate(counter);
  assert.ok(ran.every(({ ok }) => ok));
  const pauses = startedIn.slice(1).map((number, index) => number - (startedIn[index] ?? 0));
  assert.ok(pauses.length === all.length - 1 && pauses.every((turns) => turns >= 3), startedIn.join());
});

test('[OPS-26] a place is free again after work that failed', async () => {
  const queue = new WorkQueue({ limits: LIMITS, ticksBetween: 0 });
  for (let index = 0; index < 5; index += 1) {
    await assert.rejects(
      queue.run('browsing', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  }
  assert.deepEqual(await queue.run('browsing', () => Promise.resolve(1)), { ok: true, value: 1 });
});

test('[OPS-26] work of one client waits in turn with that of others', async () => {
  const queue = new WorkQueue({ limits: { ...LIMITS, normal: createLimits(1, 4) }, ticksBetween: 0 });
  const started: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<null>();
  const run = async (client: string) => {
    const ran = await queue.run(
      'normal',
      async () => {
        started.push(client);
        await opened;
      },
      { client },
    );
    return ran.ok;
  };
  const runs = ['first', 'flood', 'flood', 'flood', 'flood', 'flood', 'a', 'b'].map(run);
  await turn();
  open(null);
  assert.deepEqual(await Promise.all(runs), [true, true, true, false, false, false, true, true]);
  assert.deepEqual(started, ['first', 'flood', 'a', 'b', 'flood']);
});

test('[OPS-26] work that waits elsewhere leaves its place to others', async () => {
  const queue = new WorkQueue({ limits: { ...LIMITS, normal: createLimits(1, 10) }, ticksBetween: 0 });
  const { promise: hashed, resolve: finishHash } = Promise.withResolvers<string>();
  const steps: string[] = [];
  const login = queue.run('normal', async () => {
    steps.push(await runOutsideQueue(() => hashed));
    await turn();
    steps.push('login ends');
  });
  assert.equal((await queue.run('normal', () => Promise.resolve(steps.push('other')))).ok, true);
  finishHash('hashed');
  await turn();
  const later = queue.run('normal', () => Promise.resolve(steps.push('later')));
  await Promise.all([login, later]);
  assert.deepEqual(steps, ['other', 'hashed', 'login ends', 'later']);
});
