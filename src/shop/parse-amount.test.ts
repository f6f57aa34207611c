import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseAmount } from './parse-amount.ts';

const PRICE = { decimals: 2, isSigned: true, unit: '$' } as const;
const readUnits = (text: string, rules: Parameters<typeof parseAmount>[1] = PRICE): bigint | null => {
  const parsed = parseAmount(text, rules);
  return parsed.ok ? parsed.units : null;
};
const readAdvice = (text: string, decimals = 2): string | null => {
  const parsed = parseAmount(text, { decimals });
  return parsed.ok ? null : parsed.advice;
};

const group = (digits: string, separator: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, separator);

/** Separators of thousands and decimals. */
const notation = fc
  .tuple(fc.constantFrom('', ',', '.', ' ', '\u00A0', '\u202F', '\u2009'), fc.constantFrom(',', '.'))
  .filter(([thousands, decimal]) => thousands !== decimal);

test('[FMT-04] reads every amount back in every notation', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      notation,
      fc.constantFrom('', '-', '+', '−'),
      fc.constantFrom('', '$'),
      fc.constantFrom(1, 2),
      (amount, [thousands, decimal], sign, dollar, decimals) => {
        const units = decimals === 1 ? (amount / 10n) * 10n : amount;
        const digits = String(units).padStart(3, '0');
        const fraction = digits.slice(-2).slice(0, decimals);
        const text = `${sign}${dollar}${group(digits.slice(0, -2), thousands)}${decimal}${fraction}`;
        assert.equal(readUnits(` ${text} `), sign === '-' || sign === '−' ? -units : units, text);
      },
    ),
    { numRuns: 1000 },
  );
});

test('[FMT-04] reads what browsers format in each language', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'pl-PL', 'sv-SE', 'pt-BR', 'ja-JP'),
      (amount, locale) => {
        const text = (amount / 100).toLocaleString(locale, { minimumFractionDigits: 2 });
        assert.equal(readUnits(text.replace('−', '-')), BigInt(amount), `${locale} ${text}`);
      },
    ),
    { numRuns: 1000 },
  );
});

test('[FMT-04] refuses three digits after a single separator', () => {
  const whole = fc.integer({ min: 1, max: 99_999 }).map(String);
  const three = fc.integer({ min: 0, max: 999 }).map((number) => String(number).padStart(3, '0'));
  fc.assert(
    fc.property(
      whole,
      three,
      fc.constantFrom(',', '.'),
      fc.constantFrom(0, 1, 2, 3, 8),
      (start, end, mark, decimals) => {
        const text = start + mark + end;
        const advice = readAdvice(text, decimals);
        assert.ok(
          advice !== null && advice.startsWith(`“${text}” is unclear. Write ${start}${end}`),
          `${text}: ${advice}`,
        );
        // Each amount that the advice shows is read.
        for (const [shown] of advice.slice(text.length + 2).matchAll(/\d[\d.]*/g)) {
          assert.notEqual(readUnits(shown, { decimals }), null, shown);
        }
      },
    ),
  );
  assert.equal(readAdvice('1,299'), '“1,299” is unclear. Write 1299 or 1.29');
  assert.equal(readAdvice('1.299', 3), '“1.299” is unclear. Write 1299 or 1.2990');
  for (const text of ['-1,299', '-$1,299', '−1,299']) {
    const parsed = parseAmount(text, PRICE);
    assert.equal(!parsed.ok && parsed.advice, `“${text}” is unclear. Write -1299 or -1.29`);
  }
  assert.equal(readAdvice('1,000', 0), '“1,000” is unclear. Write 1000 without a separator');
  assert.equal(readUnits('0.125', { decimals: 3 }), 125n);
});

test('[FMT-04] refuses everything else', () => {
  const texts = ['', ' ', '$', '-', '.5', '5.', '1e3', '0x10', 'NaN', 'Infinity', '1,2,3', '1,29,99', '12,34,567.00'];
  for (const text of [
    ...texts,
    '1.299.50',
    '1,299 000',
    '0,299.50',
    '1  299',
    '1.2345',
    '--1',
    '1-',
    '5 $',
    '٣',
    '1_000',
  ]) {
    assert.deepEqual(parseAmount(text, PRICE), { ok: false, advice: null }, text);
  }
  assert.equal(readUnits('-1', { decimals: 2 }), null);
  assert.equal(readUnits('5%', { decimals: 2 }), null);
  assert.equal(readUnits('12,5 %', { decimals: 2, unit: '%' }), 1250n);
  assert.equal(readUnits('9'.repeat(41)), null);
});

test('[FMT-04] never reads another amount than the digits that are written', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789., -$'.split('')), maxLength: 14 }), (text) => {
      const units = readUnits(text);
      if (units === null) return;
      const digits = text.replaceAll(/\D/g, '');
      const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
      const fraction = last < 0 ? '' : text.slice(last + 1).trim();
      const decimals = fraction.length === 1 || fraction.length === 2 ? fraction.length : 0;
      assert.equal(units < 0n ? -units : units, BigInt(digits + '0'.repeat(2 - decimals)), text);
    }),
    { numRuns: 2000 },
  );
});
