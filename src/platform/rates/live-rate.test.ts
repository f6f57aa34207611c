/** The live rate, asked of servers on this machine that lie, stall, flood, redirect and answer nonsense. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exchangeNames } from './exchanges.ts';
import type { ExchangeName } from './exchanges.ts';
import { BadStatus, fetchText } from './fetch-text.ts';
import { LiveRate } from './live-rate.ts';
import type { LiveRateOptions } from './live-rate.ts';
import { steadyRate } from './steady-rate.ts';

/** An honest answer of each, at a price in whole dollars and cents. */
function answerOf(name: string, price: string, time: Date): string {
  if (name === 'kraken')
    return JSON.stringify({ error: [], result: { XXBTZUSD: { a: [price, '1'], b: [price, '1'] } } });
  const best = { bid: price, ask: price };
  if (name === 'coinbase') return JSON.stringify({ ...best, time: time.toISOString() });
  if (name === 'bitstamp') return JSON.stringify({ ...best, timestamp: String(Math.trunc(time.getTime() / 1000)) });
  return JSON.stringify(best);
}

/** What time the exchanges have. */
let theirNow = 0;

type Behaviour = (response: ServerResponse, name: string) => void;
const honest =
  (price: string): Behaviour =>
  (response, name) =>
    response.end(answerOf(name, price, new Date(theirNow)));

const behaviours = new Map<string, Behaviour>();
let asked: string[] = [];
let origin = '';
const server = createServer((request, response) => {
  const name = (request.url ?? '').slice(1);
  asked.push(name);
  behaviours.get(name)?.(response, name);
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  origin = `http://127.0.0.1:${address.port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function behave(byName: Readonly<Record<ExchangeName, Behaviour>>): void {
  for (const [name, behaviour] of Object.entries(byName)) behaviours.set(name, behaviour);
}
const everywhere = (behaviour: Behaviour) =>
  behave({ kraken: behaviour, coinbase: behaviour, bitstamp: behaviour, gemini: behaviour });

function open(options: Partial<LiveRateOptions> = {}) {
  const lines: [string, object][] = [];
  const write = (fields: object, message: string): void => void lines.push([message, fields]);
  const time = { monotonicMs: 1000, wallMs: Date.UTC(2026, 0, 1) };
  theirNow = time.wallMs;
  const live = new LiveRate({
    urls: new Map(exchangeNames.map((name) => [name, `${origin}/${name}`])),
    now: () => new Date(time.wallMs),
    log: { debug: write, info: write, warn: write, error: write },
    spread: 0n,
    moment: () => ({ ...time }),
    random: () => 0.5,
    // Stalls are given up sooner than in earnest.
    fetch: (url, limits) => fetchText(url, { ...limits, timeoutMs: 300 }),
    ...options,
  });
  const pass = (seconds: number): void => {
    time.monotonicMs += seconds * 1000;
    time.wallMs += seconds * 1000;
    theirNow = time.wallMs;
  };
  let isStarted = false;
  const askAll = async (): Promise<void> => {
    if (isStarted) await Promise.all(exchangeNames.map((name) => live.ask(name)));
    else await live.start();
    isStarted = true;
  };
  return { live, lines, time, pass, askAll, cents: () => live.current()?.centsPerBtc ?? null };
}

const silent: Behaviour = () => {};

test('the median of those that answer, with the evidence that leads to it again', async () => {
  behave({ kraken: honest('67000.10'), coinbase: honest('67010'), bitstamp: honest('67020'), gemini: honest('670') });
  const { live, askAll, cents, lines } = open({ spread: 50n });
  await askAll();
  assert.equal(cents(), (6_701_000n * 9950n) / 10_000n);
  assert.equal(live.state(), 'current');
  const evidence = live.current()?.evidence ?? {};
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
  assert.ok(lines.some(([message, fields]) => message === 'a price is not used' && 'exchange' in fields));
});

/** Fifty megabytes of nothing in fifty kilobytes. */
const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

const faults: Readonly<Record<string, Behaviour>> = {
  'says nothing': silent,
  'sends half and stalls': (response) => response.write('{"bid":"67000"'),
  'drips for ever': (response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  floods: (response) => {
    const chunk = Buffer.alloc(65_536, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  'floods compressed': (response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
  },
  'redirects to a liar': (response) => {
    response.writeHead(302, { location: '/liar' });
    response.end();
  },
  'redirects for ever': (response, name) => {
    response.writeHead(307, { location: `/${name}` });
    response.end(answerOf(name, '1.00', new Date()));
  },
  'answers 500 with a price': (response, name) => {
    response.statusCode = 500;
    response.end(answerOf(name, '1.00', new Date()));
  },
  'answers 204': (response) => {
    response.statusCode = 204;
    response.end();
  },
  'hangs up': (response) => response.destroy(),
  'hangs up in the middle': (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{', () => response.destroy());
  },
  'answers nonsense': (response) => response.end('<html>Just a moment…</html>'),
  'answers no UTF-8': (response) => response.end(Buffer.from([0xff, 0xfe, 0x7b])),
  'answers in numbers': (response) => response.end('{"bid":67000.1,"ask":67000.2,"time":1,"timestamp":1}'),
  'answers of an hour ago': (response, name) =>
    response.end(
      name === 'coinbase' || name === 'bitstamp' ? answerOf(name, '60000', new Date(theirNow - 3_600_000)) : '{}',
    ),
};

for (const [name, fault] of Object.entries(faults)) {
  test(`an exchange that ${name} changes nothing, and all of them together end the sale`, async () => {
    behaviours.set('liar', honest('1.00'));
    behave({ kraken: honest('67000'), coinbase: fault, bitstamp: fault, gemini: honest('67002') });
    const shop = open();
    asked = [];
    await shop.askAll();
    assert.equal(shop.cents(), 6_700_100n);
    everywhere(fault);
    const other = open();
    await other.askAll();
    assert.equal(other.cents(), null);
    assert.equal(other.live.state(), 'none');
    assert.ok(!asked.includes('liar'), 'no redirect is followed');
    // What they wrote stays out of the log.
    assert.doesNotMatch(JSON.stringify([...shop.lines, ...other.lines]), /67000|moment|liar|127\.0/);
  });
}

test('two liars that agree against two honest ones end the sale and never make the price, however fast they are', async () => {
  const slow: Behaviour = (response, name) => void setTimeout(() => honest('67000')(response, name), 50);
  behave({ kraken: slow, coinbase: honest('30000'), bitstamp: honest('30000'), gemini: slow });
  const { askAll, cents, live } = open();
  await askAll();
  assert.deepEqual([cents(), live.state()], [null, 'none']);
  await askAll();
  assert.equal(cents(), null);
});

test('[PAY-10] the last good rate serves for an hour, at a wider spread after two minutes, and then none', async () => {
  everywhere(honest('100000'));
  const { live, askAll, cents, pass, lines } = open();
  await askAll();
  everywhere(silent);
  pass(120);
  assert.deepEqual([cents(), live.state()], [10_000_000n, 'current']);
  pass(1);
  assert.deepEqual([cents(), live.state()], [9_900_000n, 'delayed']);
  assert.equal(live.current()?.evidence['spread_bp'], 100);
  await askAll();
  pass(3600 - 121);
  assert.deepEqual([cents(), live.state()], [9_900_000n, 'delayed']);
  pass(1);
  assert.deepEqual([cents(), live.state()], [null, 'none']);
  everywhere(honest('90000'));
  await askAll();
  assert.deepEqual([cents(), live.state()], [9_000_000n, 'current']);
  assert.equal(lines.filter(([, fields]) => 'fault' in fields).length, 4, 'each fault is told once');
});

test('one exchange alone keeps nothing alive; the other one back is a quorum again', async () => {
  everywhere(honest('100000'));
  const { askAll, cents, pass, live } = open();
  await askAll();
  behave({ kraken: honest('101000'), coinbase: silent, bitstamp: silent, gemini: silent });
  for (let minute = 0; minute < 5; minute += 1) {
    pass(60);
    await askAll();
  }
  assert.ok(cents() !== null);
  pass(121);
  await askAll();
  assert.equal(live.state(), 'delayed');
  behaviours.set('gemini', honest('101000'));
  await askAll();
  assert.deepEqual([cents(), live.state()], [10_100_000n, 'current']);
});

test('a machine that slept, or whose clock was put back, does not take an old rate for the present one', async () => {
  everywhere(honest('100000'));
  const slept = open();
  await slept.askAll();
  slept.time.wallMs += 3_601_000;
  assert.equal(slept.cents(), null);
  const putBack = open();
  await putBack.askAll();
  putBack.time.wallMs -= 86_400_000;
  putBack.time.monotonicMs += 3_601_000;
  assert.equal(putBack.cents(), null);
});

test('who fails is asked less and less often, as late as it asks for, and as before once it answers', async () => {
  everywhere((response) => {
    response.writeHead(503);
    response.end();
  });
  const { live } = open();
  const pauses = [];
  for (let time = 0; time < 6; time += 1) pauses.push(await live.ask('kraken'));
  assert.deepEqual(pauses, [30_000, 60_000, 120_000, 240_000, 240_000, 240_000]);
  behaviours.set('kraken', (response) => {
    response.writeHead(429, { 'retry-after': '900' });
    response.end();
  });
  assert.equal(await live.ask('kraken'), 900_000);
  behaviours.set('kraken', honest('100000'));
  assert.equal(await live.ask('kraken'), 30_000);
});

test('pauses vary, so that no two shops ask in step', async () => {
  everywhere(honest('100000'));
  for (const [random, pause] of [
    [0, 24_000],
    [0.999, 35_988],
  ] as const) {
    assert.equal(Math.round(await open({ random: () => random }).live.ask('kraken')), pause);
  }
});

test('the start waits for the first answers and no longer than for the slowest; after the stop nobody is asked', async () => {
  behave({ kraken: honest('67000'), coinbase: silent, bitstamp: silent, gemini: honest('67002') });
  const { live, cents, lines } = open();
  await live.start();
  assert.equal(cents(), 6_700_100n);
  assert.ok(
    !lines.some(([message]) => message.includes('nothing can be ordered')),
    'nobody is alarmed before the first round is over',
  );
  live.stop();
  const { live: stopped } = open();
  stopped.stop();
  asked = [];
  await stopped.start();
  assert.deepEqual(asked, []);
});

test('fetchText gives up a body at the bound, whatever its length claims', async () => {
  behaviours.set('long', (response) => response.end('x'.repeat(101)));
  const limits = { timeoutMs: 1000, maxBytes: 100, signal: new AbortController().signal };
  await assert.rejects(fetchText(`${origin}/long`, limits), RangeError);
  assert.equal(await fetchText(`${origin}/long`, { ...limits, maxBytes: 101 }), 'x'.repeat(101));
  behaviours.set('late', (response) => {
    response.writeHead(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' });
    response.end();
  });
  await assert.rejects(fetchText(`${origin}/late`, limits), (error) => {
    assert.ok(error instanceof BadStatus);
    assert.deepEqual([error.status, error.retryAfterSeconds], [429, null]);
    return true;
  });
});

test('a rate that moves by a cent with every answer is shown anew every ten minutes and no sooner', async () => {
  const { live, askAll, pass } = open();
  const shown = steadyRate(live, () => new Date(live.current() ? clock() : 0));
  let seconds = 0;
  const clock = (): number => Date.UTC(2026, 0, 1) + seconds * 1000;
  const seen: bigint[] = [];
  // Twenty-five minutes of answers.
  for (let answer = 0; answer < 50; answer += 1) {
    everywhere(honest((100_000 + answer / 100).toFixed(2)));
    await askAll();
    const present = shown.current()?.centsPerBtc ?? 0n;
    if (seen.at(-1) !== present) seen.push(present);
    pass(30);
    seconds += 30;
  }
  assert.deepEqual(seen, [10_000_000n, 10_000_020n, 10_000_040n]);
});
