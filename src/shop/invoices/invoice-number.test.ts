import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatInvoiceNumber, getInvoiceYear } from './invoice-number.ts';

test('[OPS-16] numbers name series, year and position', () => {
  assert.equal(formatInvoiceNumber('invoice', 2026, 123n, ''), 'INV-2026-000123');
  assert.equal(formatInvoiceNumber('credit_note', 2026, 4n, 'CM-'), 'CM-CN-2026-000004');
  assert.equal(formatInvoiceNumber('invoice', 2026, 12_345_678n, ''), 'INV-2026-12345678');
});

test('[OPS-16] the year of a document is that of the zone', () => {
  const [before, after] = [new Date('2026-12-31T23:59:59.999Z'), new Date('2027-01-01T00:00:00.000Z')];
  assert.deepEqual([getInvoiceYear(before, 'UTC'), getInvoiceYear(after, 'UTC')], [2026, 2027]);
  assert.equal(getInvoiceYear(before, 'Europe/Berlin'), 2027);
  assert.equal(getInvoiceYear(after, 'America/New_York'), 2026);
});
