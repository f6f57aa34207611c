import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents, centsPerBtc, sats } from '#src/shop/money.ts';
import { addOutput, EXPORT_COLUMNS, createOutputCells, EMPTY_TOTALS } from './output-line.ts';
import type { ExportedOutput, ExportedQuote } from './output-line.ts';

const getTimeAt = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
const createQuote = (
  rate: bigint,
  until: number,
  evidence: ExportedQuote['evidence'] = { rule: 'fixed' },
): ExportedQuote => {
  return { rate: centsPerBtc(rate), until: getTimeAt(until), evidence };
};
const createOutput = (more: Partial<ExportedOutput> = {}): ExportedOutput => ({
  number: 100_001n,
  status: 'paid',
  firstSeen: getTimeAt(10),
  txid: 'ab'.repeat(32),
  vout: 1,
  amountSats: sats(900_000n),
  isLive: true,
  height: 100,
  blockHash: 'cd'.repeat(32),
  quotes: [createQuote(11_100_000n, 120)],
  refundAddress: null,
  refunds: [],
  waivedCents: cents(0n),
  writeOffs: [],
  shortSats: null,
  address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  isAcceptedByStaff: false,
  ...more,
});
const createCells = (one: ExportedOutput, tip: number | null = 102): Record<string, string> => {
  const cells = createOutputCells(one, tip === null ? null : { height: tip }, 'CM-');
  assert.equal(cells.length, EXPORT_COLUMNS.length);
  return Object.fromEntries(EXPORT_COLUMNS.map((column, index) => [column, cells[index] ?? '']));
};

test('an output line has amount, dollars, state and source of its rate', () => {
  const evidence = {
    rule: 'median',
    at: '2026-01-01T00:00:00.000Z',
    quotes: [{ source: 'coinbase' }, { source: 'kraken' }],
  };
  assert.deepEqual(createCells(createOutput({ quotes: [createQuote(11_100_000n, 120, evidence)] })), {
    order: 'CM-100001',
    order_status: 'paid',
    first_seen: '2026-01-01T00:10:00.000Z',
    txid: 'ab'.repeat(32),
    vout: '1',
    sats: '900000',
    btc: '0.00900000',
    usd: '999.00',
    rate_usd: '111000.00',
    rate_source: 'median of coinbase kraken',
    rate_at: '2026-01-01T00:00:00.000Z',
    block_height: '100',
    block_hash: 'cd'.repeat(32),
    confirmations: '3',
    refund_address: '',
    refund_sats: '',
    refund_txids: '',
    refund_usd: '',
    refund_rate_usd: '',
    refund_gain_usd: '',
    unclaimed_sats: '',
    unclaimed_at: '',
    unclaimed_reversed: '',
    refund_loss_sats: '',
    short_sats: '',
    short_because: '',
    waived_usd: '',
    loss_sats: '',
    loss_usd: '',
    order_usd: '',
    net_usd: '',
    tax_usd: '',
    tax_by_rate: '',
    shipping_usd: '',
    country: '',
    reverse_charge: '',
    vat_number: '',
  });
});

test('an unconfirmed output has no height and no confirmations', () => {
  const {
    block_height: height,
    block_hash: hash,
    confirmations,
  } = createCells(createOutput({ height: null, blockHash: null }));
  assert.deepEqual([height, hash, confirmations], ['', '', '0']);
});

test('[PAY-11] an output has the rate of the quote that it pays', () => {
  const quotes: ExportedOutput['quotes'] = [
    createQuote(10_000_000n, 120),
    createQuote(8_000_000n, 300),
    createQuote(9_000_000n, 500),
  ];
  const computeWorthAt = (minutes: number): string | undefined =>
    createCells(createOutput({ quotes, firstSeen: getTimeAt(minutes), amountSats: sats(100_000_000n) })).usd;
  assert.deepEqual([10, 120, 121, 300, 301, 9999].map(computeWorthAt), [
    '100000.00',
    '100000.00',
    '80000.00',
    '80000.00',
    '90000.00',
    '90000.00',
  ]);
});

test('dollars are rounded to cents, and one satoshi has a line', () => {
  assert.equal(createCells(createOutput({ amountSats: sats(1n) })).usd, '0.00');
  assert.equal(createCells(createOutput({ amountSats: sats(5n) })).usd, '0.01');
  assert.equal(createCells(createOutput({ amountSats: sats(1n) })).btc, '0.00000001');
});

test('[PAY-17] refunds have columns of their own, with gain or loss in dollars', () => {
  const refunds = [
    // At half the rate of the order, twice the satoshis are sent.
    {
      txid: 'ef'.repeat(32),
      amountSats: sats(1_800_000n),
      fullSats: sats(1_800_000n),
      debitSats: sats(900_000n),
      valueCents: cents(99_900n),
      rate: centsPerBtc(5_550_000n),
    },
    {
      txid: '12'.repeat(32),
      amountSats: sats(50n),
      fullSats: sats(50n),
      debitSats: sats(50n),
      valueCents: cents(0n),
      rate: null,
    },
  ];
  const one = createOutput({ refundAddress: 'bc1q', refunds });
  const line = createCells(one);
  assert.deepEqual(
    [line.sats, line.refund_address, line.refund_sats, line.refund_txids],
    ['900000', 'bc1q', '1800050', `${'ef'.repeat(32)} ${'12'.repeat(32)}`],
  );
  assert.deepEqual([line.refund_usd, line.refund_rate_usd, line.refund_gain_usd], ['999.00', '55500.00', '-499.50']);
  assert.deepEqual([one, createOutput()].reduce(addOutput, EMPTY_TOTALS), {
    lines: 2,
    sats: 1_800_000n,
    cents: 199_800n,
    refundSats: 1_800_050n,
    refundGainCents: -49_950n,
    unclaimedSats: 0n,
    lossSats: 0n,
  });
});

const readShortReason = (short: bigint, isAcceptedByStaff = false): string | undefined =>
  createCells(createOutput({ shortSats: sats(short), isAcceptedByStaff }))['short_because'];

test('[PAY-15] an accepted shortfall has its reason', () => {
  assert.deepEqual(
    [293n, 294n].map((short) => readShortReason(short)),
    ['dust', 'tolerance'],
  );
  assert.equal(readShortReason(100n, true), 'staff');
  assert.equal(createCells(createOutput())['short_because'], '');
});
