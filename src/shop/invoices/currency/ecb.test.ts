/** The file of the European Central Bank, the days of its publication, and the conversion through the euro. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createEcbFile } from '../../../../tests/support/fake-ecb.ts';
import {
  chooseFile,
  findPublishedDay,
  findWorkingDayBefore,
  isKnownUntil,
  isOutdated,
  scheduleFetch,
  scheduleRetry,
} from './ecb-calendar.ts';
import { readEcbFile } from './ecb-file.ts';
import { convertCents, crossRate } from './national-tax.ts';

const E8 = 10n ** 8n;
const TODAY = '2026-11-29';
const NEEDED = ['USD', 'SEK'];
const at = (text: string): Date => new Date(text);
const failureOf = (text: string, needed: readonly string[] = NEEDED): string => {
  const file = readEcbFile(text, needed, TODAY);
  return file.ok ? '' : file.failure;
};
/** Rates as the bank publishes them: four to six digits. */
const published = (lowest: number, highest: number) =>
  fc.integer({ min: lowest * 10_000, max: highest * 10_000 }).map((units) => BigInt(units) * 10_000n);

test('[OPS-16] a rate through the euro is the exact quotient, rounded once', () => {
  assert.equal(crossRate(1_095_200_000n, 115_750_000n), 946_177_106n);
  fc.assert(
    fc.property(published(0.3, 1200), published(0.4, 3.5), (national, dollars) => {
      const error = 2n * (crossRate(national, dollars) * dollars - national * E8);
      assert.ok(error > -dollars && error <= dollars);
    }),
  );
});

test('[OPS-16] tax through the euro differs by at most a cent from the unrounded conversion', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10_000_000n), published(0.3, 1200), published(0.4, 3.5), (tax, national, dollars) => {
      const converted = convertCents(tax, crossRate(national, dollars));
      const error = converted * dollars - tax * national;
      assert.ok(error > -dollars && error < dollars);
    }),
  );
});

test('[OPS-16] reads the days of the file, with either quote', () => {
  const days = {
    '2026-11-27': { USD: '1.1575', SEK: '10.9520', JPY: '180.94' },
    '2026-11-26': { USD: '1.16', SEK: '11' },
  };
  const expected = {
    ok: true,
    days: [
      {
        day: '2026-11-27',
        rates: new Map([
          ['USD', 115_750_000n],
          ['SEK', 1_095_200_000n],
        ]),
      },
      {
        day: '2026-11-26',
        rates: new Map([
          ['USD', 116_000_000n],
          ['SEK', 1_100_000_000n],
        ]),
      },
    ],
  };
  const text = createEcbFile(days);
  assert.deepEqual(readEcbFile(text, NEEDED, TODAY), expected);
  assert.deepEqual(readEcbFile(text.replaceAll('"', "'"), NEEDED, TODAY), expected);
});

test('[OPS-16] refuses a file of another form, with the reason', () => {
  const good = createEcbFile({ '2026-11-27': { USD: '1.1575', SEK: '10.9520' } });
  assert.equal(failureOf(good), '');
  const wrong: Readonly<Record<string, string>> = {
    '': 'format',
    '<html><body>Maintenance</body></html>': 'format',
    [good.slice(0, -20)]: 'format',
    [`${good}<more/>`]: 'format',
    [good.replace('<gesmes:Envelope', '<!DOCTYPE x [<!ENTITY a "b">]><gesmes:Envelope')]: 'format',
    [good.replace('<Cube currency="SEK"', '<!-- --><Cube currency="SEK"')]: 'format',
    [good.replace('10.9520', '1e1')]: 'format',
    [good.replace('10.9520', '&a;')]: 'format',
    [good.replace('"SEK"', '"USD"')]: 'format',
    [good.replace('2026-11-27', '2026-02-30')]: 'format',
    [createEcbFile({ '2026-11-26': { USD: '1', SEK: '10' }, '2026-11-27': { USD: '1', SEK: '10' } })]: 'format',
    [good.replace('2026-11-27', '2026-11-30')]: 'future-day',
    [good.replace('10.9520', '109.520')]: 'implausible-rate',
    [good.replace('10.9520', '0')]: 'implausible-rate',
    [good.replace('"SEK"', '"JPY"').replace('10.9520', '180.94')]: 'currency-missing',
  };
  for (const [text, failure] of Object.entries(wrong)) assert.equal(failureOf(text), failure, text);
  assert.equal(failureOf(createEcbFile({})), 'format');
});

test('[OPS-16] no text makes reading throw, and none is read in more than linear time', () => {
  const parts = [
    '<Cube>',
    '<Cube time="2026-11-27">',
    '<Cube currency="USD" rate="1.1"/>',
    '</Cube>',
    ' ',
    '"',
    '<',
    'é',
  ];
  const head = createEcbFile({}).split('<Cube>')[0] ?? '';
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), (pieces) => {
      readEcbFile(head + pieces.join(''), NEEDED, TODAY);
    }),
  );
  assert.equal(failureOf(`${head}<Cube>${' '.repeat(400_000)}x`), 'format');
});

test('[OPS-16] the rates of a day count from 16:00 in Frankfurt, and those of Friday on a weekend', () => {
  // Winter: 16:00 is 15:00 in UTC. Summer: 14:00.
  assert.equal(findPublishedDay(at('2026-11-27T14:59:59Z')), '2026-11-26');
  assert.equal(findPublishedDay(at('2026-11-27T15:00:00Z')), '2026-11-27');
  assert.equal(findPublishedDay(at('2026-07-01T13:59:59Z')), '2026-06-30');
  assert.equal(findPublishedDay(at('2026-07-01T14:00:00Z')), '2026-07-01');
  for (const sunday of ['2026-11-29T00:00:00Z', '2026-11-29T22:59:59Z', '2026-11-30T08:00:00Z'])
    assert.equal(findPublishedDay(at(sunday)), '2026-11-27', sunday);
  const moments = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const day = findPublishedDay(moment);
      assert.ok(new Date(`${day}T13:00:00Z`) < moment, 'no later rate');
      assert.ok(![0, 6].includes(at(`${day}T00:00:00Z`).getUTCDay()));
      assert.equal(chooseFile(day, moment), 'daily');
      assert.equal(chooseFile(findWorkingDayBefore(day), moment), 'daily');
      assert.equal(chooseFile(findWorkingDayBefore(findWorkingDayBefore(day)), moment), 'history');
      const next = scheduleFetch(day, moment);
      assert.ok(next > moment && next.getTime() - moment.getTime() < 73 * 3_600_000);
    }),
  );
  assert.equal(chooseFile(null, at('2026-11-29T12:00:00Z')), 'history');
});

test('[OPS-16] a day is known once its rate is stored, or a file without it was read late', () => {
  const day = '2026-11-27';
  // Late, or a copy of before, for three hours.
  assert.equal(isKnownUntil(day, { newestDay: '2026-11-26', checkedAt: at('2026-11-27T17:59:59Z') }), false);
  assert.equal(isKnownUntil(day, { newestDay: '2026-11-26', checkedAt: at('2026-11-27T18:00:00Z') }), true);
  assert.equal(isKnownUntil(day, { newestDay: day, checkedAt: null }), true);
  assert.equal(isKnownUntil(day, { newestDay: null, checkedAt: null }), false);
});

test('[OPS-16] a file is outdated if it lacks more working days than any holiday has', () => {
  const wednesday = at('2026-11-25T15:15:00Z');
  assert.deepEqual(
    ['2026-11-25', '2026-11-23', '2026-11-20'].map((newest) => isOutdated(newest, wednesday)),
    [false, false, true],
  );
  assert.equal(isOutdated('2026-11-20', at('2026-11-25T15:14:59Z')), false, 'that of Wednesday is not there yet');
  // The longest gaps: on Easter Monday and on the second day of Christmas.
  assert.equal(isOutdated('2026-04-02', at('2026-04-07T14:14:00Z')), false);
  assert.equal(isOutdated('2025-12-24', at('2025-12-29T15:14:00Z')), false);
});

test('[OPS-16] the file is read after each publication, soon while one is late, later after failures', () => {
  const friday = at('2026-11-27T15:20:00Z');
  assert.deepEqual(scheduleFetch('2026-11-27', friday), at('2026-11-30T15:15:00Z'));
  assert.deepEqual(scheduleFetch('2026-11-26', friday), at('2026-11-27T15:30:00Z'));
  assert.deepEqual(scheduleFetch('2026-11-26', at('2026-11-27T18:00:00Z')), at('2026-11-27T19:00:00Z'));
  const pauses = [1, 2, 3, 6, 7, 50].map((failures) => scheduleRetry(failures, friday).getTime() - friday.getTime());
  assert.deepEqual(
    pauses,
    [1, 2, 4, 32, 60, 60].map((minutes) => minutes * 60_000),
  );
});
