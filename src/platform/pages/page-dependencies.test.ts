import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Outcome } from '#src/platform/http/call.ts';
import { listAt } from '../../../tests/support/read-json.ts';
import { CompressedBody } from './compressed-body.ts';
import { PageCache } from './page-cache.ts';
import type { PageResponse } from './page-cache.ts';
import { DigestCache, PageDependencies } from './page-dependencies.ts';
import type { CallInput } from './page-dependencies.ts';

const createOutcome = (wire: unknown): Outcome => ({ ok: true, status: 200, wire });

/** One step of a run: a request of a page, or an edit of a product. */
const step = fc.record({ kind: fc.constantFrom('request', 'edit'), product: fc.integer({ min: 0, max: 2 }) });
const steps = fc.array(step, { minLength: 1, maxLength: 30 });

/** A shop whose products have prices and one version; page n shows product n and the first product. */
function setUp(scheduler: fc.Scheduler, readsLate: boolean) {
  const prices = [0, 0, 0];
  let version = 0;
  const readVersion = (): string => String(version);
  const cache = new PageCache({ versionOf: () => readVersion, maxBytes: 1_000_000 });
  const readPrice = ({ query }: CallInput): Outcome => createOutcome(prices[Number(query)]);
  const call = async (input: CallInput): Promise<Outcome> => {
    if (readsLate) await scheduler.schedule(Promise.resolve(), 'before reading');
    const outcome = readPrice(input);
    await scheduler.schedule(Promise.resolve(), 'after reading');
    return outcome;
  };
  const take = async (product: number): Promise<readonly unknown[]> => {
    const key = `/${product}`;
    await cache.revalidate(key, (page) => page.revalidate((_key, input) => call(input)));
    const { response } = await cache.getOrRender(key, async (page: PageDependencies): Promise<PageResponse> => {
      const shown: unknown[] = [];
      for (const query of [product, 0]) {
        const outcome = await page.record('GET /products/{slug}', { query }, () => call({ query }));
        shown.push(outcome.ok ? outcome.wire : null);
      }
      return { status: 200, headers: {}, cookies: [], body: new CompressedBody(Buffer.from(JSON.stringify(shown))) };
    });
    const shown: unknown = JSON.parse(response.body.identity.toString());
    return listAt(shown);
  };
  return { prices, cache, take, setVersion: (next: number) => (version = next), getVersion: () => version };
}

test('an edit during a revalidation or render is never lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, run) => {
      const { prices, cache, take, setVersion, getVersion } = setUp(scheduler, true);
      const requests: Promise<void>[] = [];
      const request = async (product: number): Promise<void> => {
        const before = [prices[product] ?? 0, prices[0] ?? 0];
        const shown = await take(product);
        // Prices only rise: a page never shows one that was replaced before the request.
        for (const [at, price] of before.entries()) assert.ok(Number(shown[at]) >= price);
      };
      const { done } = await scheduleSteps(scheduler, run, (kind, product) => {
        if (kind === 'request') {
          requests.push(request(product));
          return;
        }
        prices[product] = (prices[product] ?? 0) + 1;
        setVersion(getVersion() + 1);
      });
      assert.ok(done);
      await scheduler.waitIdle();
      await Promise.all(requests);
      for (const product of [0, 1, 2]) {
        const settled = take(product);
        await scheduler.waitFor(settled);
        assert.deepEqual(await settled, [prices[product], prices[0]]);
        const hit = cache.getFresh(`/${product}`)?.body.identity.toString();
        assert.equal(hit, JSON.stringify([prices[product], prices[0]]));
      }
    }),
    { numRuns: 200 },
  );
});

/** Runs the steps in their order, between the scheduled tasks. */
async function scheduleSteps(
  scheduler: fc.Scheduler,
  run: readonly { readonly kind: string; readonly product: number }[],
  take: (kind: string, product: number) => void,
): Promise<{ done: boolean }> {
  const { task } = scheduler.scheduleSequence(
    run.map(({ kind, product }, at) => ({
      label: `${at}: ${kind} ${product}`,
      builder: async () => take(kind, product),
    })),
  );
  await scheduler.waitFor(task);
  return task;
}

test('a version that returns to its value never restores an outdated page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, run) => {
      // Each version has its prices, as each rate has.
      const { prices, take, setVersion, getVersion } = setUp(scheduler, false);
      const setRate = (rate: number): void => {
        setVersion(rate);
        for (const product of prices.keys()) prices[product] = product === 1 ? 0 : rate;
      };
      const requests: Promise<unknown>[] = [];
      await scheduleSteps(scheduler, run, (kind, product) => {
        if (kind === 'request') requests.push(take(product));
        else setRate(product);
      });
      await scheduler.waitIdle();
      await Promise.all(requests);
      for (const rate of [getVersion(), 0, 1, 2, 0]) {
        setRate(rate);
        for (const product of [0, 1, 2]) {
          const settled = take(product);
          await scheduler.waitFor(settled);
          assert.deepEqual(await settled, [prices[product], prices[0]]);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('a version that returns to its value during a revalidation leaves the page stale', async () => {
  let version = '1';
  const readVersion = (): string => version;
  const page = new PageDependencies(() => readVersion, new DigestCache(1_000_000));
  const outcome = createOutcome('price');
  for (const query of ['first', 'second']) await page.record('GET /products', { query }, async () => outcome);
  version = '4';
  const isUnchanged = await page.revalidate(async (_key, { query }) => {
    // The outcome of the second call belongs to version 3.
    version = query === 'first' ? '3' : '4';
    return outcome;
  });
  assert.deepEqual([isUnchanged, page.isFresh], [true, false]);
});

test('a digest is not stored for a version that has changed during the call', () => {
  let version = '1';
  const digests = new DigestCache(1_000_000);
  const call = { id: 'GET /rate', readVersion: () => version };
  const first = digests.compute(call, '1', createOutcome('price'));
  version = '2';
  assert.notEqual(digests.compute(call, '1', createOutcome('new price')), first);
  assert.equal(digests.get(call, '1'), first);
  assert.equal(digests.get(call, '2'), null);
  assert.equal(digests.compute(call, '2', createOutcome('price')), first);
  assert.equal(digests.get(call, '2'), first);
});
