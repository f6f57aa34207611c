import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { order as orderCodec } from './contract.ts';
import { showOrder, showPayment } from './show-order.ts';
import type { PaymentContext, LineToShow, OrderToShow } from './show-order.ts';

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const ID = '019a0000-0000-7000-8000-000000000001';
const start = new Date('2026-03-01T12:00:00Z');
const end = new Date('2026-03-01T14:00:00Z');

const stored: OrderToShow & { readonly user_id: string } = {
  id: ID,
  user_id: 'not shown',
  number: 100_001n,
  payment_status: 'pending',
  fulfilment_status: 'unfulfilled',
  is_open: true,
  billing: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    region: 'Europe',
    country: 'GB',
    streetAddress: 'Elm Street',
    houseNumber: '45',
    city: 'London',
    postcode: 'W8 4AA',
  },
  total_cents: cents(199_800n),
  total_sats: sats(1_800_000n),
  total_after_cents: cents(99_950n),
  total_after_sats: sats(900_500n),
  promo: null,
  discount_percent: '49.97',
  due_sats: sats(900_500n),
  tolerance_sats: NO_SATS,
  required_confirmations: 2,
  created_at: start,
  expires_at: end,
  paid_at: null,
  expired_at: null,
  cancelled_at: null,
  recorded_state: null,
  recorded_received_sats: NO_SATS,
  credited_sats: NO_SATS,
  credited_until: null,
  unpaid_cents: null,
  settled_sats: null,
  refund_state: null,
  full_expires_at: null,
  returned_sats: NO_SATS,
  written_off_sats: NO_SATS,
};
const line: LineToShow & { readonly order_id: string } = {
  order_id: ID,
  product_id: ID,
  name: 'iPhone',
  slug: 'iphone',
  main_image: '/i.avif',
  property_values: [{ id: ID, property: 'Memory Capacity', value: '1TB' }],
  sku: 'IPH-1TB',
  quantity: 2,
  price_cents: cents(99_900n),
  price_sats: sats(900_000n),
  is_free: false,
};
const createOutput = (vout: number, amount: bigint, height: number | null, isLive = true): LedgerOutput => ({
  txid: 'ab'.repeat(32),
  vout,
  amountSats: sats(amount),
  isCoinbase: false,
  isLive,
  height,
  firstSeen: new Date(start.getTime() + (10 - vout) * 1000),
  leftBecause: isLive ? null : 'replaced',
  leftAt: isLive ? null : start,
});
const createLedger = (...outputs: LedgerOutput[]) => ({ address: ADDRESS, outputs, tip: { height: 100 } });
const writeUri = ({ address, amountBtc, label }: { address: string; amountBtc: string; label: string }): string =>
  `${address} ${amountBtc} ${label}`;
const context: PaymentContext = { writeUri, chain: 'up', shop: { name: 'Crypto Market', orderPrefix: 'CM-' } };

test('[API-11] [API-13] returns only the listed fields of an order', () => {
  const shown = z.encode(orderCodec.strict(), showOrder(stored, [line], createLedger(), context));
  assert.deepEqual(shown, {
    id: ID,
    number: 'CM-100001',
    order_items: [
      {
        product_id: ID,
        product: { name: 'iPhone', slug: 'iphone', main_image: '/i.avif' },
        quantity: 2,
        price_usd: 999,
        price_btc: 0.009,
        total_usd: 1998,
        total_btc: 0.018,
        isFree: false,
        sku: 'IPH-1TB',
        property_values: [{ id: ID, property: 'Memory Capacity', value: '1TB' }],
      },
    ],
    payment_status: 'pending',
    fulfilment_status: 'unfulfilled',
    total_price_usd: 1998,
    total_price_btc: 0.018,
    total_usd_after: 999.5,
    total_btc_after: 0.009005,
    discount: 49.97,
    discount_usd: 998.5,
    discount_btc: 0.008995,
    shipping_usd: 0,
    shipping_btc: 0,
    waived_usd: 0,
    waived_btc: 0,
    refunded_usd: 0,
    refunded_btc: 0,
    net_usd: 999.5,
    net_btc: 0.009005,
    tax: null,
    promoCode: null,
    billing: stored.billing,
    created_at: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-01T14:00:00.000Z',
    is_briefly_reserved: false,
    payment: {
      address: ADDRESS,
      amount_btc: 0.009005,
      received_btc: 0,
      confirmed_btc: 0,
      returned_btc: 0,
      confirmations: 0,
      required_confirmations: 2,
      state: 'awaiting',
      seen_in_time: false,
      short_btc: 0,
      day_fee_rate: null,
      loss: null,
      bip21: `${ADDRESS} 0.00900500 Crypto Market CM-100001`,
      chain: 'up',
      transactions: [],
    },
  });
});

test('[PAY-09] a part that staff accepted is waived, but not of a cancelled order', () => {
  const settled = { ...stored, settled_sats: sats(900_000n) };
  const showNet = (order: typeof settled) => {
    const { waived_btc, net_btc } = showOrder(order, [line], createLedger(), context);
    return [waived_btc, net_btc];
  };
  assert.deepEqual(showNet({ ...settled, payment_status: 'paid' }), [500n, 900_000n]);
  assert.deepEqual(showNet({ ...settled, payment_status: 'cancelled' }), [0n, 900_500n]);
});

const showUri = (...outputs: LedgerOutput[]) => showPayment(stored, createLedger(...outputs), context).bip21;

test('[API-11] the URI asks for the missing amount, or nothing', () => {
  assert.equal(showUri(createOutput(0, 900_000n, null)), `${ADDRESS} 0.00000500 Crypto Market CM-100001`);
  assert.equal(showUri(createOutput(0, 900_500n, null)), null);
  assert.equal(showUri(createOutput(0, 900_500n, null, false)), `${ADDRESS} 0.00900500 Crypto Market CM-100001`);
});

const showWith = (change: Partial<OrderToShow>, ...outputs: LedgerOutput[]) =>
  showPayment({ ...stored, ...change }, createLedger(...outputs), context);

test('[API-11] [PAY-11] [OPS-03] a cancelled order has no URI; an accepted amount is shown', () => {
  assert.equal(showWith({ payment_status: 'cancelled', cancelled_at: end }, createOutput(0, 100n, null)).bip21, null);
  const part = createOutput(0, 850_000n, 90);
  assert.equal(showWith({ settled_sats: sats(850_000n) }, part).amount_btc, 850_000n);
});

test('[PAY-10] [PAY-11] an expired order has no URI', () => {
  const part = createOutput(0, 100n, null);
  assert.equal(showWith({ payment_status: 'expired', expired_at: end, is_open: false }).bip21, null);
  assert.equal(showWith({ payment_status: 'expired', expired_at: end, is_open: false }, part).bip21, null);
});

test('[PAY-10] shows the fee of an unconfirmed payment and whether it is low', () => {
  const waiting = { ...createOutput(0, 900_500n, null), feePerKvb: 1_500n };
  const ledger = { ...createLedger(waiting, { ...waiting, vout: 1, height: 100 }), dayFeePerKvb: 2_000n };
  const { day_fee_rate: dayRate, transactions } = showPayment(stored, ledger, context);
  assert.equal(dayRate, 2);
  assert.deepEqual(
    transactions.map(({ fee_rate: rate, is_fee_low: isLow }) => [rate, isLow]),
    [
      [1.5, true],
      [null, false],
    ],
  );
});

test('[API-11] lists live transactions, oldest first, with confirmations', () => {
  const payment = showPayment(
    stored,
    createLedger(
      createOutput(0, 100n, null),
      createOutput(1, 200n, 100),
      createOutput(2, 300n, 91),
      createOutput(3, 400n, null, false),
    ),
    context,
  );
  assert.deepEqual(
    payment.transactions.map(({ vout, amount_btc, confirmations }) => [vout, amount_btc, confirmations]),
    [
      [2, 300n, 10],
      [1, 200n, 1],
      [0, 100n, 0],
    ],
  );
  assert.deepEqual([payment.received_btc, payment.confirmed_btc], [600n, 500n]);
});

const createReward = (height: number): LedgerOutput => ({ ...createOutput(0, 900_500n, height), isCoinbase: true });

test('[API-11] [PAY-09] shows the blocks until a mining reward matures', () => {
  const shown = [100, 2, 1].map((height) => {
    const { received_btc, state, transactions } = showPayment(stored, createLedger(createReward(height)), context);
    return [received_btc, state, transactions.map(({ immature_blocks: left }) => left)];
  });
  assert.deepEqual(shown, [
    [0n, 'awaiting', [99]],
    [0n, 'awaiting', [1]],
    [900_500n, 'paid', [0]],
  ]);
});

test('[OPS-07] a payment of a shop without name and prefix is labelled by number', () => {
  const bare = { ...context, shop: { name: '', orderPrefix: '' } };
  assert.equal(showPayment(stored, createLedger(), bare).bip21, `${ADDRESS} 0.00900500 100001`);
});
