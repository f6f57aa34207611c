/** The live rate with local servers that return wrong prices, stall, flood, redirect and fail. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FakeExchanges, faults, respondNever } from '../../../tests/support/fake-exchanges.ts';
import { LEADER, MemoryRateStore } from '../../../tests/support/memory-rate-store.ts';
import { exchangeNames } from './exchanges.ts';
import { BadStatusError, fetchText } from './fetch-text.ts';
import { LiveRate } from './live-rate.ts';
import type { LiveRateOptions } from './live-rate.ts';

const market = new FakeExchanges();
before(() => market.open());
after(() => market.close());
const respondWithPrice = (price: string) => market.respondWithPrice(price);

function open(options: Partial<LiveRateOptions> = {}) {
  const lines: [string, object][] = [];
  const write = (fields: object, message: string): void => void lines.push([message, fields]);
  const time = { monotonicMs: 1000, wallMs: Date.UTC(2026, 0, 1) };
  market.nowMs = time.wallMs;
  const live = new LiveRate({
    urls: market.getUrls(),
    now: () => new Date(time.wallMs),
    log: { debug: write, info: write, warn: write, error: write },
    spread: 0n,
    store: new MemoryRateStore(() => time.wallMs),
    leader: LEADER,
    moment: () => ({ ...time }),
    random: () => 0.5,
    // Shorter timeouts than in production.
    fetch: (url, limits) => fetchText(url, { ...limits, timeoutMs: market.getTimeoutMs(url) }),
    ...options,
  });
  const advanceTime = (seconds: number): void => {
    time.monotonicMs += seconds * 1000;
    time.wallMs += seconds * 1000;
    market.nowMs = time.wallMs;
  };
  let isStarted = false;
  const pollAll = async (): Promise<void> => {
    if (isStarted) await Promise.all(exchangeNames.map((name) => live.pollExchange(name)));
    else await live.start();
    isStarted = true;
  };
  return { live, lines, time, advanceTime, pollAll, cents: () => live.getCurrent()?.centsPerBtc ?? null };
}

test('the rate is the median, with evidence to recompute it', async () => {
  market.setBehaviour(
    respondWithPrice('67000.10'),
    respondWithPrice('67010'),
    respondWithPrice('67020'),
    respondWithPrice('670'),
  );
  const { live, pollAll, cents, lines } = open({ spread: 50n });
  await pollAll();
  assert.equal(cents(), (6_701_000n * 9950n) / 10_000n);
  assert.equal(live.getState(), 'current');
  const evidence = live.getCurrent()?.evidence ?? {};
  assert.deepEqual(JSON.parse(JSON.stringify(evidence)), {
    rule: 'median',
    cents_per_btc: '6667495',
    median_cents: '6701000',
    spread_bp: 50,
    quotes: [
      { source: 'bitstamp', bid_cents: '6702000', ask_cents: '6702000', age_ms: 0 },
      { source: 'coinbase', bid_cents: '6701000', ask_cents: '6701000', age_ms: 0 },
      { source: 'kraken', bid_cents: '6700010', ask_cents: '6700010', age_ms: 0 },
    ],
    dropped: [{ source: 'gemini', because: 'outlier' }],
  });
  assert.ok(
    lines.some(([message, fields]) => message === 'the price of an exchange was rejected' && 'exchange' in fields),
  );
});

for (const [name, fault] of Object.entries(faults)) {
  test(`an exchange that ${name} is ignored, and all of them together close checkout`, async () => {
    market.behaviours.set('wrong', respondWithPrice('1.00'));
    market.setBehaviour(respondWithPrice('67000'), fault, fault, respondWithPrice('67002'));
    const shop = open();
    market.queried = [];
    await shop.pollAll();
    assert.equal(shop.cents(), 6_700_100n);
    market.setBehaviour(fault);
    const other = open();
    await other.pollAll();
    assert.equal(other.cents(), null);
    assert.equal(other.live.getState(), 'none');
    assert.ok(!market.queried.includes('wrong'), 'no redirect is followed');
    // Their text is not logged.
    assert.doesNotMatch(JSON.stringify([...shop.lines, ...other.lines]), /67000|moment|wrong|127\.0/);
  });
}

test('two wrong exchanges against two right ones close checkout', async () => {
  const respondSlowly: typeof respondNever = (response, name) =>
    void setTimeout(() => respondWithPrice('67000')(response, name), 50);
  market.setBehaviour(respondSlowly, respondWithPrice('30000'), respondWithPrice('30000'), respondSlowly);
  const { pollAll, cents, live } = open();
  await pollAll();
  assert.deepEqual([cents(), live.getState()], [null, 'none']);
  await pollAll();
  assert.equal(cents(), null);
});

test('[PAY-10] the last rate is used for an hour, with spread after two minutes', async () => {
  market.setBehaviour(respondWithPrice('100000'));
  const { live, pollAll, cents, advanceTime, lines } = open();
  await pollAll();
  market.setBehaviour(respondNever);
  advanceTime(120);
  assert.deepEqual([cents(), live.getState()], [10_000_000n, 'current']);
  advanceTime(1);
  assert.deepEqual([cents(), live.getState()], [9_900_000n, 'delayed']);
  assert.equal(live.getCurrent()?.evidence['spread_bp'], 100);
  await pollAll();
  advanceTime(3600 - 121);
  assert.deepEqual([cents(), live.getState()], [9_900_000n, 'delayed']);
  advanceTime(1);
  assert.deepEqual([cents(), live.getState()], [null, 'none']);
  market.setBehaviour(respondWithPrice('90000'));
  await pollAll();
  assert.deepEqual([cents(), live.getState()], [9_000_000n, 'current']);
  assert.equal(lines.filter(([, fields]) => 'fault' in fields).length, 4, 'each fault is logged once');
});

test('one exchange is not a quorum, two are', async () => {
  market.setBehaviour(respondWithPrice('100000'));
  const { pollAll, cents, advanceTime, live } = open();
  await pollAll();
  market.setBehaviour(respondWithPrice('101000'), respondNever, respondNever, respondNever);
  for (let minute = 0; minute < 5; minute += 1) {
    advanceTime(60);
    await pollAll();
  }
  assert.ok(cents() !== null);
  advanceTime(121);
  await pollAll();
  assert.equal(live.getState(), 'delayed');
  market.behaviours.set('gemini', respondWithPrice('101000'));
  await pollAll();
  assert.deepEqual([cents(), live.getState()], [10_100_000n, 'current']);
});

test('an old rate is not present after sleep or a clock reset', async () => {
  market.setBehaviour(respondWithPrice('100000'));
  const slept = open();
  await slept.pollAll();
  slept.time.wallMs += 3_601_000;
  assert.equal(slept.cents(), null);
  const putBack = open();
  await putBack.pollAll();
  putBack.time.wallMs -= 86_400_000;
  putBack.time.monotonicMs += 3_601_000;
  assert.equal(putBack.cents(), null);
});

test('a failing exchange is requested less often until it responds', async () => {
  market.setBehaviour((response) => {
    response.writeHead(503);
    response.end();
  });
  const { live } = open();
  const pauses = [];
  for (let time = 0; time < 6; time += 1) pauses.push(await live.pollExchange('kraken'));
  assert.deepEqual(pauses, [30_000, 60_000, 120_000, 240_000, 240_000, 240_000]);
  market.behaviours.set('kraken', (response) => {
    response.writeHead(429, { 'retry-after': '900' });
    response.end();
  });
  assert.equal(await live.pollExchange('kraken'), 900_000);
  market.behaviours.set('kraken', respondWithPrice('100000'));
  assert.equal(await live.pollExchange('kraken'), 30_000);
});

test('request intervals vary randomly', async () => {
  market.setBehaviour(respondWithPrice('100000'));
  for (const [random, pause] of [
    [0, 24_000],
    [0.999, 35_988],
  ] as const) {
    assert.equal(Math.round(await open({ random: () => random }).live.pollExchange('kraken')), pause);
  }
});

test('start waits for first responses; no request follows stop', async () => {
  market.setBehaviour(respondWithPrice('67000'), respondNever, respondNever, respondWithPrice('67002'));
  const { live, cents, lines } = open();
  await live.start();
  assert.equal(cents(), 6_700_100n);
  assert.ok(
    !lines.some(([message]) => message.includes('nothing can be ordered')),
    'no warning before every exchange has responded',
  );
  live.stop();
  const { live: stopped } = open();
  stopped.stop();
  market.queried = [];
  await stopped.start();
  assert.deepEqual(market.queried, []);
});

test('fetchText aborts a body at the limit, whatever its Content-Length', async () => {
  market.behaviours.set('long', (response) => response.end('x'.repeat(101)));
  const limits = { timeoutMs: 30_000, maxBytes: 100, signal: new AbortController().signal };
  await assert.rejects(fetchText(`${market.origin}/long`, limits), RangeError);
  assert.equal(await fetchText(`${market.origin}/long`, { ...limits, maxBytes: 101 }), 'x'.repeat(101));
  market.behaviours.set('late', (response) => {
    response.writeHead(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' });
    response.end();
  });
  await assert.rejects(fetchText(`${market.origin}/late`, limits), (error) => {
    assert.ok(error instanceof BadStatusError);
    assert.deepEqual([error.status, error.retryAfterSeconds], [429, null]);
    return true;
  });
});

test('a slowly moving rate is shown every ten minutes', async () => {
  const { live, pollAll, advanceTime } = open();
  const seen: bigint[] = [];
  // Twenty-five minutes of responses.
  for (let status = 0; status < 50; status += 1) {
    market.setBehaviour(respondWithPrice((100_000 + status / 100).toFixed(2)));
    await pollAll();
    const present = live.display.getCurrent()?.centsPerBtc ?? 0n;
    if (seen.at(-1) !== present) seen.push(present);
    advanceTime(30);
  }
  // Plus or minus one cent: which exchange responds first varies.
  assert.deepEqual(
    seen.map((cents) => (cents - 10_000_000n + 1n) / 20n),
    [0n, 1n, 2n],
  );
});

test('[PAY-06] a restart uses the stored rate according to its age', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const store = new MemoryRateStore(() => nowMs);
  market.setBehaviour(respondWithPrice('100000'));
  const former = open({ store });
  await former.pollAll();
  assert.equal(former.cents(), 10_000_000n);
  const evidence = former.live.getCurrent()?.evidence;
  former.live.stop();
  market.setBehaviour(respondNever);
  for (const [seconds, cents, state, age] of [
    [60, 10_000_000n, 'current', 60],
    [300, 9_900_000n, 'delayed', 300],
    [3601, null, 'none', 3601],
    // The clock of the database was set back.
    [-300, null, 'none', null],
  ] as const) {
    nowMs = Date.UTC(2026, 0, 1) + seconds * 1000;
    const next = open({ store });
    await next.pollAll();
    assert.deepEqual([next.cents(), next.live.getState()], [cents, state], `${seconds} s later`);
    assert.equal(next.live.getAgeMs(), age && age * 1000);
    if (state === 'current') assert.deepEqual(next.live.getCurrent()?.evidence, evidence);
    next.live.stop();
  }
});

test('[OPS-23] only the leader queries the exchanges, and others adopt its rate', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const store = new MemoryRateStore(() => nowMs);
  market.setBehaviour(respondWithPrice('100000'));
  const leader: Omit<typeof LEADER, 'fence'> & { fence: typeof LEADER.fence | null } = { ...LEADER, fence: null };
  const other = open({ store, leader });
  market.queried = [];
  await other.live.start();
  assert.deepEqual([market.queried, other.live.getState()], [[], 'none']);
  const first = open({ store });
  await first.pollAll();
  await other.live.refresh();
  assert.equal(other.cents(), 10_000_000n);
  const queried = market.queried.length;
  // The first process has lost the lock: what it computes is refused.
  market.setBehaviour(respondWithPrice('90000'));
  store.isFenced = true;
  await first.pollAll();
  assert.equal(first.cents(), 10_000_000n);
  store.isFenced = false;
  nowMs += 1000;
  leader.fence = { role: 'test', token: 2n };
  await other.live.start();
  assert.equal(other.cents(), 9_000_000n);
  await first.live.refresh();
  assert.equal(first.cents(), 9_000_000n);
  assert.ok(market.queried.length > queried);
  leader.fence = null;
  await other.live.refresh();
  first.live.stop();
});

test('[PAY-06] an unreachable database leaves the last rate, according to its age', async () => {
  market.setBehaviour(respondWithPrice('100000'));
  let nowMs = Date.UTC(2026, 0, 1);
  const store = new MemoryRateStore(() => nowMs);
  const { pollAll, cents, lines, live, advanceTime } = open({ store });
  await pollAll();
  nowMs += 1000;
  store.isAway = true;
  market.setBehaviour(respondWithPrice('90000'));
  await pollAll();
  await live.refresh();
  assert.equal(cents(), 10_000_000n, 'a rate that other processes do not have is not used');
  assert.ok(lines.some(([message]) => message === 'the stored rate could not be read'));
  assert.ok(lines.some(([message]) => message === 'the rate could not be stored'));
  advanceTime(3601);
  assert.equal(live.getState(), 'none');
  nowMs += 3_601_000;
  store.isAway = false;
  await pollAll();
  assert.equal(cents(), 9_000_000n);
});
