import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exchangeNames, exchanges, parseRateUrls } from './exchanges.ts';
import type { ExchangeName } from './exchanges.ts';

/** Real responses, shortened. */
const bodies: Readonly<Record<ExchangeName, string>> = {
  kraken:
    '{"error":[],"result":{"XXBTZUSD":{"a":["67510.20000","1","1.000"],"b":["67510.10000","2","2.000"],"c":["67510.20000","0.0001"],"t":[9021,21590],"o":"66000.0"}}}',
  coinbase:
    '{"ask":"67511.01","bid":"67511","volume":"9021.5","trade_id":699123456,"price":"67511.01","size":"0.0001","time":"2026-03-01T12:00:00.123456Z","rfq_volume":"1"}',
  bitstamp:
    '{"timestamp":"1772366400","open":"66000","high":"68000","low":"65000","last":"67508","volume":"900.1","vwap":"67000","bid":"67507","ask":"67509","side":"0","open_24":"66000","percent_change_24":"1.2","market_type":"SPOT"}',
  gemini:
    '{"bid":"67505.67","ask":"67505.68","volume":{"BTC":"90","USD":"6000000","timestamp":1772366400000},"last":"67505.68"}',
};

test('each exchange is parsed: bid, ask and optional time', () => {
  const read = Object.fromEntries(exchangeNames.map((name) => [name, exchanges[name].read(bodies[name])]));
  assert.deepEqual(read, {
    kraken: { bidCents: 6_751_010n, askCents: 6_751_020n, statedAt: null },
    coinbase: { bidCents: 6_751_100n, askCents: 6_751_101n, statedAt: new Date('2026-03-01T12:00:00.123Z') },
    bitstamp: { bidCents: 6_750_700n, askCents: 6_750_900n, statedAt: new Date('2026-03-01T12:00:00Z') },
    gemini: { bidCents: 6_750_567n, askCents: 6_750_568n, statedAt: null },
  });
});

test('refuses a price that is a JSON number', () => {
  for (const name of exchangeNames) {
    const asNumbers = bodies[name].replaceAll(/"(\d+\.?\d*)"/g, '$1');
    assert.notEqual(asNumbers, bodies[name]);
    assert.equal(exchanges[name].read(asNumbers), null, name);
  }
});

test('refuses the format of another exchange', () => {
  for (const name of exchangeNames) {
    for (const other of exchangeNames) {
      // Responses of Bitstamp and Coinbase contain all fields of Gemini's.
      if (other === name || name === 'gemini') continue;
      assert.equal(exchanges[name].read(bodies[other]), null, `${name} reads ${other}`);
    }
  }
});

test('invalid responses give no price and do not throw', () => {
  const nonsense = [
    '',
    'null',
    '[]',
    '{}',
    '"67000"',
    '<html>Just a moment…</html>',
    '{"error":["EService:Unavailable"]}',
    '{"error":["EService:Busy"],"result":{"XXBTZUSD":{"a":["1.0"],"b":["1.0"]}}}',
    '{"error":[],"result":{"XETHZUSD":{"a":["67510.2"],"b":["67510.1"]}}}',
    '{"bid":"67000","ask":""}',
    '{"bid":null,"ask":null,"time":"2026-03-01T12:00:00Z","timestamp":"1"}',
    '{"message":"rate limited"}',
    '['.repeat(60_000),
  ];
  for (const name of exchangeNames) {
    for (const body of nonsense) assert.equal(exchanges[name].read(body), null, `${name}: ${body.slice(0, 60)}`);
    for (let length = 0; length < bodies[name].length; length += 7) {
      assert.equal(exchanges[name].read(bodies[name].slice(0, length)), null);
    }
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        assert.equal(exchanges[name].read(body), null);
      }),
    );
  }
});

test('RATE_URLS names at least two exchanges, each once', () => {
  assert.deepEqual(
    parseRateUrls(' kraken=http://127.0.0.1:1/k\n gemini=https://x.example/?a=b '),
    new Map([
      ['kraken', 'http://127.0.0.1:1/k'],
      ['gemini', 'https://x.example/?a=b'],
    ]),
  );
  for (const text of [
    '',
    'kraken=https://a',
    'kraken=https://a kraken=https://b',
    'kraken=https://a mtgox=https://b',
  ]) {
    assert.equal(parseRateUrls(text), null, text);
  }
  for (const text of ['kraken=ftp://a gemini=https://b', 'kraken=https:// gemini=https://b', 'kraken gemini']) {
    assert.equal(parseRateUrls(text), null, text);
  }
});
