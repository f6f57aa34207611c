import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { convertCents, convertCreditedTax, formatRate, parseRate } from './national-tax.ts';
import { parseRates } from './parse-rates.ts';

const rate = fc.bigInt(1n, 1_000n * 10n ** 8n);
const amount = fc.bigInt(0n, 100_000_000n);

test('[OPS-16] converts tax to the nearest cent, halves up', () => {
  assert.equal(convertCents(1_900n, 86_010_000n), 1_634n);
  assert.equal(convertCents(1n, 50_000_000n), 1n);
  assert.equal(convertCents(1n, 49_999_999n), 0n);
  fc.assert(
    fc.property(amount, rate, (tax, rateE8) => {
      // Twice the error is at most one unit of the last decimal: compared without a division.
      const error = 2n * (convertCents(tax, rateE8) * 10n ** 8n - tax * rateE8);
      assert.ok(error > -(10n ** 8n) && error <= 10n ** 8n);
    }),
  );
});

test('[OPS-16] credit notes of all of an invoice sum up to its converted tax', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), rate, (parts, rateE8) => {
      const notes: { tax: bigint; converted: bigint }[] = [];
      for (const tax of parts) notes.push({ tax, converted: convertCreditedTax(tax, rateE8, notes) });
      const sum = (key: 'tax' | 'converted') => notes.reduce((all, note) => all + note[key], 0n);
      assert.equal(sum('converted'), convertCents(sum('tax'), rateE8));
      assert.ok(notes.every(({ converted }) => converted >= 0n));
    }),
  );
});

test('[OPS-16] a rate has up to 8 decimals and one spelling', () => {
  assert.equal(parseRate('0.8601'), 86_010_000n);
  assert.equal(parseRate('1'), 100_000_000n);
  for (const wrong of ['', '0', '0.0', '-1', '1e3', '1,5', '.5', '1.', '0.123456789', '1000001', ' 1'])
    assert.equal(parseRate(wrong), null, wrong);
  assert.equal(formatRate(86_010_000n), '0.8601');
  fc.assert(fc.property(rate, (rateE8) => assert.equal(parseRate(formatRate(rateE8)), rateE8)));
});

const problemOf = (text: string) => {
  const parsed = parseRates(text);
  return parsed.ok ? '' : parsed.problem;
};

test('[OPS-16] reads rates by day in any of the usual forms, or says which line is wrong', () => {
  const expected = {
    ok: true,
    rates: [
      { day: '2026-11-26', rate: '0.8601' },
      { day: '2026-11-27', rate: '0.86' },
    ],
  };
  for (const text of [
    '2026-11-26,0.8601\n2026-11-27,0.86\n',
    'day;rate\r\n2026-11-26;0.8601\r\n\r\n2026-11-27;0.86',
    ' 2026-11-26\t0.8601\n2026-11-27  0.86',
  ])
    assert.deepEqual(parseRates(text), expected, text);
  assert.match(problemOf('2026-11-27,0.86\n2026-02-30,1'), /^Line 2: Begin with a day/);
  assert.match(problemOf('2026-11-27,0'), /^Line 1: Enter one rate above 0/);
  assert.match(problemOf('2026-11-27,0,86'), /^Line 1: Enter one rate above 0/);
  assert.match(problemOf('2026-11-27,1\n2026-11-27,2'), /^Line 2: 2026-11-27 is there twice/);
  assert.match(problemOf(' \n'), /at least one day/);
});
