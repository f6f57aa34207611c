import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDRESS,
  ID,
  mailFrame as frame,
  order,
  orderMailInput,
  parcel,
  TXID,
} from '../../../tests/support/order-fixture.ts';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import type { OrderMailKind } from './order-mail.ts';
import { orderMailKinds, writeOrderMail } from './order-mail.ts';
import type { OrderMailData } from './order-mail-parts.ts';
import { renderMail } from './render-mail.ts';

const receive = (amount: bigint, more: Partial<OrderMailData['event']> = {}): Pick<OrderMailData, 'event'> => ({
  event: { ...orderMailInput.event, receivedSats: sats(amount), ...more },
});
const DUE = order.payment.amount_btc;
/** State of a payment with this amount, by order status. */
function getState(amount: bigint, status: ShownOrder['payment_status']): ShownOrder['payment']['state'] {
  if (status === 'paid') return amount > DUE ? 'overpaid' : 'paid';
  if (status === 'refunded') return 'refunded';
  if (amount === 0n) return status === 'expired' ? 'expired' : 'awaiting';
  if (amount < DUE) return 'underpaid';
  return status === 'pending' || status === 'user_paid' ? 'seen' : 'late';
}
const createOrder = (amount: bigint, change: Partial<ShownOrder> = {}): ShownOrder => {
  const state = getState(amount, change.payment_status ?? order.payment_status);
  return { ...order, ...change, payment: { ...order.payment, seen_in_time: false, state, received_btc: sats(amount) } };
};
/** The order with this amount received. */
const hold = (amount: bigint, change: Partial<ShownOrder> = {}): Pick<OrderMailData, 'order'> => ({
  order: createOrder(amount, change),
});
/** Late and confirmed, or unconfirmed. */
const createLateOrder = (confirmations: number): ShownOrder => ({
  ...order,
  payment_status: 'expired',
  payment: { ...order.payment, state: 'late', confirmations },
});
const computeEnough = (amount: bigint): bigint => (amount > DUE ? amount : DUE);
const createPaidOrder = (amount: bigint): ShownOrder => createOrder(computeEnough(amount), { payment_status: 'paid' });
const createExpiredOrder = (amount: bigint): ShownOrder => createOrder(amount, { payment_status: 'expired' });
const createReorgedOrder = (fulfilment: ShownOrder['fulfilment_status'] = 'unfulfilled'): ShownOrder => ({
  ...order,
  payment_status: 'user_paid',
  fulfilment_status: fulfilment,
  payment: { ...order.payment, state: 'reorged_out', confirmations: 0 },
});
/** An order for which a mail of the kind is true, with this amount received. */
const ordersOf: Partial<Readonly<Record<OrderMailKind, (amount: bigint) => ShownOrder>>> = {
  'late-waits': () => createLateOrder(2),
  unconfirmed: () => createLateOrder(0),
  seen: (amount) => createOrder(computeEnough(amount)),
  back: (amount) => createOrder(computeEnough(amount)),
  late: (amount) => createExpiredOrder(computeEnough(amount)),
  overpaid: createPaidOrder,
  paid: createPaidOrder,
  'paid-late': createPaidOrder,
  'paid-again': createPaidOrder,
  settled: createPaidOrder,
  expired: createExpiredOrder,
  released: createExpiredOrder,
  'quote-void': createExpiredOrder,
  cancelled: (amount) => createOrder(amount, { payment_status: 'cancelled' }),
  'reorged-out': () => createReorgedOrder(),
};
const createOrderFor = (kind: OrderMailKind, amount = NO_SATS): ShownOrder => ordersOf[kind]?.(amount) ?? order;
/** What a mail of the kind is about. */
const getParcel = (kind: OrderMailKind) => (kind === 'tracking-corrected' ? { shipment: parcel } : {});
const writeContents = (kind: OrderMailKind, change: Partial<OrderMailData> = {}) =>
  writeOrderMail(kind, {
    ...orderMailInput,
    ...getParcel(kind),
    order: createOrderFor(kind, change.event?.receivedSats),
    ...change,
  });
const render = (kind: OrderMailKind, change: Partial<OrderMailData> = {}) =>
  renderMail(writeContents(kind, change) ?? assert.fail(`no mail ${kind}`), frame);

function has(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${JSON.stringify(part)} is not in:\n${text}`);
}

test('[MAIL-02] the first mail has amount, address, deadline, rate and link', () => {
  const { subject, text, html } = render('made', hold(0n));
  assert.equal(subject, 'Order CM-100001: 0.021065 BTC to pay');
  for (const version of [text, html]) {
    has(version, '0.021065 BTC (2,106,500 sats)', ADDRESS, '1 Mar 2026, 14:34 UTC', '1 BTC = $111,000.00');
    has(version, 'https://shop.example/pay/token', '2 × iPhone 17', 'Memory Capacity: 1TB, Colour: Black');
    has(version, 'Colour: Black, SKU ', 'IPH-17-1TB', 'SKU CABLE');
    has(version, '$1,299.00 each', '$2,598.00', 'Free', 'WELCOME10', '−$259.80', '$2,338.20');
  }
});

test('[MAIL-02] the mail of a seen payment has its required confirmations', () => {
  const { subject, text } = render('seen', receive(2_106_500n));
  assert.equal(subject, 'Order CM-100001: we have seen your payment');
  has(text, '0.021065 BTC', '2 confirmations', '20 to 40 minutes', 'https://shop.example/pay/token');
});

test('[MAIL-02] the mail of an underpaid order has amount and address', () => {
  const { subject, text } = render('underpaid', { ...receive(2_000_001n), ...hold(2_000_001n) });
  assert.equal(subject, 'Order CM-100001: 0.00106499 BTC still missing');
  has(text, '0.00106499 BTC (106,499 sats)', '0.02000001 BTC', ADDRESS, '14:34 UTC', '/pay/token');
  const over = render('underpaid', { ...receive(2_000_001n), order: createExpiredOrder(2_000_001n) });
  has(over.text, 'Please don’t send more for now', '/dashboard/orders/');
  assert.doesNotMatch(over.text, /\/pay\//);
});

test('[MAIL-02] the receipt has lines, amounts, rate, transactions and delivery address', () => {
  const { subject, text, html } = render('paid', receive(2_106_500n));
  assert.equal(subject, 'Receipt for order CM-100001');
  for (const version of [text, html]) {
    has(version, '2 × iPhone 17', '1 × Cable', '$2,338.20', '0.021065 BTC', '1 BTC = $111,000.00', TXID);
    has(version, 'Ada Lovelace, Elm Street 45, W8 4AA London, United Kingdom', '1 Mar 2026, 12:34 UTC');
  }
  assert.doesNotMatch(text, /more than the amount due|\/pay\//);
  has(text, `/dashboard/orders/${ID}`);
  const paidAt = new Date('2026-03-02T08:05:00Z');
  has(
    render('paid', receive(2_106_500n, { at: paidAt })).text,
    'Order: CM-100001, 1 Mar 2026',
    'Paid: 2 Mar 2026, 08:05',
  );
  const tooMuch = receive(2_107_000n, { surplusSats: sats(500n) });
  has(render('paid', tooMuch).text, 'You sent 0.000005 BTC more than the amount due. We refund it');
  has(render('paid-late', receive(2_106_500n)).text, 'arrived late, and we accepted it', TXID);
  const free = { ...order.payment, amount_btc: NO_SATS, received_btc: NO_SATS, transactions: [] };
  const gift = render('paid', {
    order: { ...order, payment_status: 'paid', total_btc_after: NO_SATS, total_usd_after: cents(0n), payment: free },
  });
  has(gift.text, '$0.00');
  assert.doesNotMatch(gift.text, /Rate|Transaction|Amount/);
});

test('[MAIL-02] the mail of an expired order has the next step', () => {
  const { subject, text } = render('expired');
  assert.equal(subject, 'Order CM-100001 has expired');
  has(text, 'no payment arrived in time', 'get a new quote', `/dashboard/orders/${ID}`);
  has(render('expired', receive(500_000n)).text, 'Only 0.005000 BTC of 0.021065 BTC', 'in which it counts');
});

test('[MAIL-02] the mail of a late payment states that it is safe', () => {
  has(
    render('late', receive(2_106_500n)).text,
    '0.021065 BTC',
    'the full amount did not arrive in time',
    'Your payment is safe',
  );
  const inTime = createExpiredOrder(2_106_500n);
  const released = { ...inTime, payment: { ...inTime.payment, seen_in_time: true } };
  assert.doesNotMatch(render('late', { order: released }).text, /did not arrive in time/);
});

const WITH_ADDRESS: ReadonlySet<string> = new Set(['paid', 'paid-late', 'shipped', 'partly-shipped']);

test('[API-00] only receipts and mails of parcels have the name and address of the buyer', () => {
  for (const kind of orderMailKinds) {
    const later = writeContents(kind, { ...receive(1n), ...hold(1n) });
    const mails = [render(kind, receive(1n)), ...(later === null ? [] : [renderMail(later, frame)])];
    for (const version of mails.flatMap(({ text, html }) => [text, html])) {
      if (!WITH_ADDRESS.has(kind)) assert.doesNotMatch(version, /Lovelace|W8 4AA/, kind);
      has(version, 'because ada ordered', 'CM-100001');
      assert.doesNotMatch(version, /undefined|null|NaN|\[object/, kind);
    }
  }
});

test('[MAIL-02] [PAY-09] the mail of an overpaid order has the surplus in satoshis', () => {
  const { subject, text, html } = render('overpaid', receive(2_107_001n, { surplusSats: sats(501n) }));
  assert.equal(subject, 'Order CM-100001: you sent 0.00000501 BTC too much');
  for (const version of [text, html]) {
    has(version, '0.00000501 BTC (501 sats)', '0.02107001 BTC', '0.021065 BTC', `/dashboard/orders/${ID}`);
    has(version, 'enter a Bitcoin address of your own wallet');
  }
  has(
    render('overpaid', receive(2_106_794n, { surplusSats: sats(294n) })).text,
    'enter a Bitcoin address of your own wallet',
  );
  const nearly = render('overpaid', receive(2_106_793n, { surplusSats: sats(293n) })).text;
  assert.doesNotMatch(nearly, /enter a Bitcoin address/);
  const dust = render('overpaid', receive(2_106_501n, { surplusSats: sats(1n) })).text;
  has(dust, '0.00000001 BTC (1 sats)', 'can’t refund it');
  assert.doesNotMatch(dust, /enter a Bitcoin address/);
});

test('[MAIL-02] [PAY-09] the mail of a lost payment requests money for open orders only', () => {
  const lost = { ...receive(0n, { beforeSats: sats(2_106_500n) }), ...hold(0n) };
  for (const kind of ['replaced', 'dropped', 'withdrawn'] as const) {
    const open = render(kind, lost).text;
    has(open, '0.021065 BTC', 'we can’t ship yet', '14:34 UTC', '/pay/token', 'no payment to it is lost');
    for (const status of ['expired', 'cancelled'] as const) {
      const closed = render(kind, { ...lost, ...hold(0n, { payment_status: status }) }).text;
      has(closed, 'don’t send anything for it', '0.021065 BTC');
      assert.doesNotMatch(closed, /\/pay\/|send the amount again/);
    }
  }
  has(render('dropped', lost).text, 'Raise the fee in your wallet, or send the amount again');
  const part = { ...receive(1_000_000n, { beforeSats: sats(2_106_500n) }), ...hold(1_000_000n) };
  has(render('part-left', part).text, '0.011065 BTC (1,106,500 sats)', 'was replaced by another transaction', ADDRESS);
  has(render('back', receive(2_106_500n)).text, 'Please don’t pay again', '2 confirmations');
});

test('[MAIL-02] a delayed mail requests no money if the payment has changed', () => {
  for (const kind of ['underpaid', 'part-left', 'replaced', 'dropped', 'withdrawn', 'requoted'] as const) {
    const { subject, text } = render(kind, { ...receive(1_000_000n), ...hold(2_106_500n) });
    assert.equal(subject, 'Order CM-100001: your payment has changed', kind);
    has(text, '0.021065 BTC of 0.021065 BTC', 'Before you send anything');
    assert.ok(!text.includes(ADDRESS), kind);
  }
});

test('[MAIL-02] a delayed mail requests no old amount and nothing for closed orders', () => {
  const paidMeanwhile = render('made', hold(2_106_500n));
  assert.equal(paidMeanwhile.subject, 'Order CM-100001: we have your order');
  has(paidMeanwhile.text, 'Thank you for your order', '0.021065 BTC of 0.021065 BTC', '2 × iPhone 17');
  for (const kind of ['made', 'requoted'] as const) {
    for (const status of ['expired', 'cancelled', 'refunded'] as const) {
      const { subject, text } = render(kind, hold(0n, { payment_status: status }));
      has(text, 'Please don’t send anything for it', `/dashboard/orders/${ID}`);
      assert.doesNotMatch(subject + text, /exactly this amount|bcrt1|to pay|\/pay\//, `${kind}, ${status}`);
    }
  }
  const dearer = {
    order: { ...order, payment: { ...order.payment, amount_btc: sats(2_200_000n), received_btc: NO_SATS } },
  };
  for (const kind of ['made', 'requoted', 'underpaid'] as const) {
    const { text } = render(kind, dearer);
    has(text, '0.000000 BTC of 0.022000 BTC');
    assert.ok(!text.includes(ADDRESS), kind);
  }
});

test('[MAIL-02] [PAY-04] the missing amount is requested after the buyer reported a payment', () => {
  const part = { ...receive(2_000_001n), ...hold(2_000_001n, { payment_status: 'user_paid' }) };
  has(render('underpaid', part).text, 'Please send the rest', ADDRESS, '/pay/token');
  const lost = { ...receive(0n, { beforeSats: sats(2_106_500n) }), ...hold(0n, { payment_status: 'user_paid' }) };
  has(render('replaced', lost).text, 'Please send the amount again', '/pay/token');
});

test('[OPS-26] [MAIL-02] mails of scarce items state how long they are reserved', () => {
  const brief = hold(0n, { is_briefly_reserved: true });
  for (const kind of ['made', 'requoted'] as const) {
    has(render(kind, brief).text, 'almost sold out', 'reserved until 1 Mar 2026', 'at least half of the amount');
    assert.doesNotMatch(render(kind, hold(0n)).text, /almost sold out/);
  }
  has(render('released').text, 'We ended the reservation', 'don’t send anything to its address', 'get a new quote');
});

test('[MAIL-02] [PAY-10] [PAY-11] mails of late payments have the reason and the next step', () => {
  const renderWait = (words: string, because: OrderMailData['late']['because'] = 'rate', missing = 500_000n): string =>
    render('late-waits', { ...receive(2_106_500n, { words }), late: { because, missingSats: sats(missing) } }).text;
  has(renderWait(''), 'At today’s price the order costs', 'pay the difference at today’s price');
  has(renderWait(''), 'costs 0.005000 BTC more than you sent');
  const soldOut = renderWait('iPhone 17 is sold out', 'sold-out');
  has(soldOut, 'please don’t pay again');
  has(soldOut, 'is now confirmed. iPhone 17 is sold out, so we could not accept the payment');
  const late = { because: 'promo', missingSats: NO_SATS } as const;
  has(render('late-waits', { ...receive(1n, { words: '<b>&' }), late }).html, '&lt;b&gt;&amp;');
  for (const status of ['cancelled', 'refunded'] as const) {
    const { subject, text } = render('late', {
      ...receive(2_106_500n),
      ...hold(2_106_500n, { payment_status: status }),
    });
    assert.equal(subject, `Order CM-100001: payment received after it was ${status}`);
    has(text, '0.021065 BTC', 'Your payment is safe');
  }
  const refunding = { order: { ...order, payment: { ...order.payment, state: 'refunding' as const } } };
  const again = render('late', { ...receive(2_106_500n), ...refunding });
  assert.equal(again.subject, 'Order CM-100001: payment received after its refund was started');
  has(again.text, 'enter a refund address');
  const part = { ...receive(1_000n), ...hold(1_000n, { payment_status: 'cancelled' }) };
  has(render('underpaid', part).text, 'the order is cancelled. Please don’t send more.', '0.000010 BTC');
  assert.doesNotMatch(render('underpaid', part).text, /new quote/);
});

const renderWaiting = (because: OrderMailData['late']['because'], missing: bigint): string =>
  render('late-waits', { ...receive(2_106_500n), late: { because, missingSats: sats(missing) } }).text;

test('[PAY-10] mails claim a missing amount only if there is one', () => {
  for (const text of [
    renderWaiting('rate', 0n),
    renderWaiting('no-rate', 0n),
    renderWaiting(null, 500n),
    renderWaiting('sold-out', 500n),
  ]) {
    assert.doesNotMatch(text, /costs|more than you sent|price recovers/);
  }
  has(renderWaiting('no-rate', 0n), 'We have no bitcoin price right now');
});

test('[PAY-10] the mail of a late payment is not sent after its decision', () => {
  for (const kind of ['late-waits', 'unconfirmed'] as const) {
    assert.equal(writeContents(kind, hold(2_106_500n)), null, kind);
    assert.equal(writeContents(kind, { order: { ...createLateOrder(2), payment_status: 'paid' } }), null, kind);
  }
  assert.equal(writeContents('unconfirmed', { order: createLateOrder(1) }), null);
  has(
    render('unconfirmed', receive(2_106_500n)).text,
    'price and the items are no longer reserved',
    'bump fee',
    'CPFP',
  );
});

test('[PAY-10] the mail of a low-fee payment has no time estimate', () => {
  const [one = assert.fail()] = order.payment.transactions;
  const payment = {
    ...createOrder(2_106_500n).payment,
    day_fee_rate: 4,
    transactions: [{ ...one, fee_rate: 1, is_fee_low: true }],
  };
  const { text } = render('seen', { ...receive(2_106_500n), order: { ...order, payment } });
  assert.doesNotMatch(text, /minutes/);
  has(text, 'Its fee is low');
});

test('[MAIL-02] [PAY-12] the mail of a reorganized payment has the parcel status', () => {
  const { text } = render('reorged-out', receive(2_106_500n));
  has(
    text,
    'You don’t need to do anything',
    'Please don’t send it again',
    'We ship your order once the payment is confirmed',
  );
  const shipped = hold(2_106_500n, { payment_status: 'paid', fulfilment_status: 'shipped' });
  const delivered = { order: createReorgedOrder('delivered') };
  has(render('reorged-out', { order: createReorgedOrder('shipped') }).text, 'Your parcel is on its way. We write');
  assert.doesNotMatch(render('reorged-out', delivered).text, /We ship|on its way/);
  has(render('paid-again').text, 'has all its confirmations again, and we continue with your order');
  assert.doesNotMatch(render('paid-again', shipped).text, /we continue/);
});

test('[MAIL-02] [PAY-11] the requote mail has the new amount and voids the old one', () => {
  const again = { ...receive(1_000_000n), ...hold(1_000_000n) };
  const { subject, text } = render('requoted', again);
  assert.equal(subject, 'Order CM-100001: the new amount is 0.011065 BTC');
  has(
    text,
    '0.011065 BTC (1,106,500 sats)',
    '0.010000 BTC that you sent counts',
    'no longer valid',
    ADDRESS,
    '14:34 UTC',
  );
  has(render('quote-void', receive(1_000_000n)).text, 'get a new quote', 'The 0.010000 BTC that arrived counts');
  has(render('cancelled').text, 'Please don’t pay it', 'back in your cart');
  has(render('settled').text, '0.021065 BTC', 'the order is paid');
});

test('[OPS-26] order mails to unconfirmed addresses have no text of the buyer', () => {
  const billing = { ...order.billing, firstName: 'WIN-a', lastName: 'WIN-b', city: 'WIN-c', streetAddress: 'WIN-d' };
  const typed = { ...order, billing: { ...billing, houseNumber: 'WIN-e', postcode: 'WIN-f' } };
  for (const kind of orderMailKinds) {
    const one = { ...createOrderFor(kind), billing: typed.billing };
    const { subject, text, html } = render(kind, { username: null, order: one });
    for (const version of [subject, text, html]) assert.doesNotMatch(version, /WIN|null/, kind);
  }
  has(
    render('paid', { username: 'WIN-name', order: { ...typed, payment_status: 'paid' } }).text,
    'Deliver to: WIN-a WIN-b',
    'because WIN-name ordered',
  );
});

/** Line totals, subtotal, discount and total of a mail, in cents. */
const parseSums = (text: string) => {
  const amounts = [...text.matchAll(/^(.+): −?\$([\d,]+\.\d\d)$/gm)].map(([, name = '', amount = '']) => ({
    name,
    cents: Number(amount.replaceAll(/[,.]/g, '')),
  }));
  const sumNamed = (name: string): number => amounts.find((one) => one.name.startsWith(name))?.cents ?? Number.NaN;
  const lines = amounts.filter(({ name }) => name.includes(' × '));
  return { lines, subtotal: sumNamed('Subtotal'), discount: sumNamed('Discount'), total: sumNamed('Total') };
};

test('[FMT-03] mail lines have unit prices and add up', () => {
  for (const kind of ['made', 'paid', 'shipped'] as const) {
    const { text } = render(kind, kind === 'made' ? hold(0n) : receive(2_106_500n));
    has(
      text,
      '2 × iPhone 17 (Memory Capacity: 1TB, Colour: Black, SKU IPH-17-1TB, $1,299.00 each): $2,598.00',
      '1 × Cable (SKU CABLE): Free gift',
    );
    const { lines, subtotal, discount, total } = parseSums(text);
    assert.equal(
      lines.reduce((sum, line) => sum + line.cents, 0),
      subtotal,
    );
    assert.equal(subtotal - discount, total);
    // All dollar amounts have cents and grouping.
    assert.doesNotMatch(text, /\$\d[\d,]*(?![\d,.])|\$\d{4}/);
  }
});
