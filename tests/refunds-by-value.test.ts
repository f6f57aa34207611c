/** Refunds of dollars at a moving rate, of amounts, and the setting that decides what they return. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { testKey } from './support/devchain.ts';
import { FakeExchanges } from './support/fake-exchanges.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop, refundAmount } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const market = new FakeExchanges();
let shop: RefundShop;

before(async () => {
  await market.open();
  setPrice(111_000);
  const urls = `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`;
  shop = await openRefundShop({ RATE_SOURCE: 'live', RATE_URLS: urls });
  await waitForRate(111_000);
});
after(async () => {
  await shop.shop.stop();
  market.close();
});

const setPrice = (usd: number): void => market.setBehaviour(market.respondWithPrice(usd.toFixed(2)));
const waitForRate = (usd: number): Promise<void> =>
  waitUntil(async () => valueAt((await shop.shop.api('GET', '/rate')).body, 'rate_usd') === usd);
/** The exchanges are asked at the start. */
async function moveRate(usd: number): Promise<void> {
  setPrice(usd);
  await shop.shop.restart();
  await waitForRate(usd);
}

const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const dollars = (usd: number, reason = 'A scratch on the case') => ({ covers: 'amount', amount: { usd, reason } });
let transactions = 0;
const nextTxid = (): string => String((transactions += 1)).padStart(64, '0');
const withdraw = (refund: unknown): Promise<ApiResponse> => shop.post(`/refunds/${textAt(refund, 'id')}/withdraw`);
const record = async (refund: unknown): Promise<void> => {
  const recorded = await shop.post(`/refunds/${textAt(refund, 'id')}/record`, { txid: nextTxid() });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
};
const recordElsewhere = (id: string, body: object): Promise<ApiResponse> =>
  shop.post(`/orders/${id}/refunds/elsewhere`, {
    txid: nextTxid(),
    address: testKey().address,
    reason: 'Paid by hand',
    ...body,
  });

async function listCredited(id: string): Promise<number[]> {
  const { body } = await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff });
  return listAt(body, 'invoices')
    .filter((one) => textAt(one, 'kind') === 'credit_note')
    .map((one) => numberAt(one, 'total_usd'));
}
const waitForCredited = (id: string, ...totals: readonly number[]): Promise<void> =>
  waitUntil(async () => JSON.stringify(await listCredited(id)) === JSON.stringify(totals));

async function createPaidOrder(): Promise<{ readonly buyer: Buyer; readonly id: string }> {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  await shop.confirmAddress(buyer, id, testKey().address);
  return { buyer, id };
}

async function setMethod(method: 'value' | 'kind'): Promise<void> {
  const login = await shop.shop.api('POST', '/users/login', {
    body: { username: 'owner', password: 'crypto-market' },
  });
  const token = textAt(login.body, 'tokens', 'accessToken');
  const { body } = await shop.shop.api('GET', '/shop/settings', { token });
  const version = numberAt(body, 'refunds', 'version');
  const saved = await shop.shop.api('PUT', '/shop/settings/refunds', {
    token,
    body: { version, refund_method: method },
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
}

test('[PAY-17] a refund returns the dollars paid at its own rate', async () => {
  const { buyer, id } = await createPaidOrder();
  await moveRate(222_000);
  const risen = await shop.readRefunds(id);
  assert.deepEqual(valueAt(risen, 'returns', 'whole'), {
    value_usd: 999,
    returns_btc: 0.0045,
    debit_btc: 0.009,
    surplus_btc: 0,
  });
  const first = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  assert.deepEqual(
    [refundAmount(first), numberAt(first, 'rate_usd'), textAt(first, 'method')],
    [0.0045, 222_000, 'value'],
  );
  assert.equal((await withdraw(first)).status, 200);

  await moveRate(55_500);
  const fallen = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  assert.deepEqual([refundAmount(fallen), numberAt(fallen, 'debit_btc')], [0.018, 0.009], 'more than was received');
  await moveRate(111_000);
  const kept = listAt(await shop.readRefunds(id), 'refunds').at(-1);
  assert.deepEqual([numberAt(kept, 'rate_usd'), refundAmount(kept)], [55_500, 0.018], 'the rate of its creation');
  await record(fallen);
  await waitForCredited(id, 999);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  await waitUntil(async () =>
    (await shop.listMailsTo(buyer)).some((mail) => /\$999\.00/.test(mail) && /\$55,500\.00 for one bitcoin/.test(mail)),
  );
  const { refunds } = await shop.readTimeline(buyer, id);
  assert.deepEqual([numberAt(refunds[0], 'value_usd'), numberAt(refunds[0], 'rate_usd')], [999, 55_500]);
  assert.equal(textAt(refunds[0], 'rate_at'), textAt(fallen, 'rate_at'));

  const number = textAt(
    (await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff })).body,
    'order',
    'number',
  );
  const owner = await shop.shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  const token = textAt(owner.body, 'tokens', 'accessToken');
  const books = await shop.shop.api('GET', '/exports/books', { token });
  const [head = '', ...lines] = textAt(books.body, 'csv').trimEnd().split('\r\n');
  const columns = head.split(',');
  const row = lines.find((line) => line.startsWith(number))?.split(',') ?? [];
  const cell = (name: string): string | undefined => row[columns.indexOf(name)];
  assert.deepEqual(
    [cell('refund_usd'), cell('refund_rate_usd'), cell('refund_gain_usd')],
    ['999.00', '55500.00', '-499.50'],
  );
});

test('[PAY-17] surplus and payments of cancelled orders are returned in satoshis', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  await shop.confirmAddress(buyer, id, testKey().address);
  const other = await shop.createBuyer();
  const cancelled = await shop.createCancelledPaidOrder(other, 0.009);
  await shop.confirmAddress(other, cancelled, testKey().address);
  await moveRate(222_000);
  const whole = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  assert.deepEqual(
    [refundAmount(whole), numberAt(whole, 'value_usd')],
    [0.005, 999],
    'half of the price, all of the surplus',
  );
  const inKind = await shop.createRefund(cancelled, { covers: 'whole', from: 'any-wallet' });
  assert.deepEqual(
    [refundAmount(inKind), valueAt(inKind, 'value_usd'), valueAt(inKind, 'rate_usd'), textAt(inKind, 'method')],
    [0.009, null, null, 'kind'],
  );
  assert.equal((await withdraw(inKind)).status, 200);
  const part = await shop.createRefund(cancelled, { covers: 'whole', amount_btc: 0.004, from: 'any-wallet' });
  await record(part);
  assert.equal(valueAt(await shop.readRefunds(cancelled), 'refundable', 'whole_btc'), 0.005, 'the rest is owed');
  assert.equal(await shop.readTask(cancelled), 'paid-after-refund');
  assert.equal((await withdraw(whole)).status, 200);
  assert.equal(readErrorCode(await shop.requestRefund(id, { covers: 'whole', amount_btc: 0.004 })), '409 order-paid');
  await moveRate(111_000);
});

test('[PAY-17] amounts are refunded up to what is left, with a credit note each', async () => {
  const { buyer, id } = await createPaidOrder();
  assert.equal(readErrorCode(await shop.requestRefund(id, { covers: 'amount' })), '400 invalid');
  assert.equal(readErrorCode(await shop.requestRefund(id, dollars(999.01))), '409 too-much');
  assert.equal(readErrorCode(await shop.requestRefund(id, dollars(0.2))), '409 dust', 'below 294 satoshis');
  // By hand: a small payment is no refund of everything.
  const small = { amount_btc: 0.000_099_1 };
  assert.equal(readErrorCode(await recordElsewhere(id, { covers: 'whole', ...small })), '409 less-than-all');
  assert.equal((await recordElsewhere(id, { covers: 'amount', amount_usd: 11, ...small })).status, 201);
  await waitForCredited(id, 11);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
  assert.equal(numberAt(await shop.readRefunds(id), 'lines', 'left_usd'), 988);

  const refund = await shop.createRefund(id, dollars(500.5));
  assert.equal(refundAmount(refund), Math.round((50_050 * 1e8) / 11_100_000) / 1e8);
  assert.equal(textAt(refund, 'amount_reason'), 'A scratch on the case');
  const { psbt } = shop.sign(refund);
  assert.equal((await shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, { psbt })).status, 200);
  await shop.mine(2);
  await waitForCredited(id, 11, 500.5);

  // Two members of staff at once: the dollars are returned once.
  const both = await Promise.all([
    recordElsewhere(id, { covers: 'amount', amount_usd: 400 }),
    recordElsewhere(id, { covers: 'amount', amount_usd: 400 }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
  );
  const refused = both.find(({ status }) => status === 409);
  assert.ok(refused && readErrorCode(refused) === '409 too-much');
  await record(await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' }));
  await waitForCredited(id, 11, 500.5, 400, 87.5);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  assert.equal(readErrorCode(await shop.requestRefund(id, dollars(1))), '409 nothing-to-refund');
});

test('[PAY-17] a withdrawn refund of an amount gives its dollars back', async () => {
  const { id } = await createPaidOrder();
  const refund = await shop.createRefund(id, { ...dollars(900), from: 'any-wallet' });
  assert.equal(numberAt(await shop.readRefunds(id), 'lines', 'left_usd'), 99);
  await record(refund);
  await waitForCredited(id, 900);
  assert.equal((await shop.post(`/refunds/${textAt(refund, 'id')}/undo-record`, { reason: 'Not sent' })).status, 200);
  assert.equal((await withdraw(refund)).status, 200);
  assert.equal(numberAt(await shop.readRefunds(id), 'lines', 'left_usd'), 999);
  await waitUntil(async () => {
    const { body } = await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff });
    return (
      listAt(body, 'invoices')
        .map((one) => numberAt(one, 'total_usd'))
        .join(' ') === '999 900 900'
    );
  });
});

test('[PAY-17] the setting and the texts decide what a refund returns', async () => {
  const { id } = await createPaidOrder();
  const readReturns = async (): Promise<string> => (await fetch(`${shop.shop.url}/returns`)).text();
  assert.match(await readReturns(), /price in US dollars that you paid/);
  await setMethod('kind');
  await moveRate(222_000);
  await waitUntil(async () => /amount of bitcoin that you paid, to the satoshi/.test(await readReturns()));
  for (const path of ['/returns', '/terms'])
    assert.doesNotMatch(
      await (await fetch(`${shop.shop.url}${path}`)).text(),
      /price in US dollars that you paid/,
      path,
    );
  const refund = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  assert.deepEqual([refundAmount(refund), valueAt(refund, 'rate_usd')], [0.009, null]);
  await record(refund);
  await waitForCredited(id, 999);
  await setMethod('value');
  await moveRate(111_000);
});

test('[PAY-17] a full refund of the previous release counts once confirmed', async () => {
  const { buyer, id } = await createPaidOrder();
  const refund = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  // Written as by that release, during an update.
  await runWithShopDatabase(shop.shop, async (db) => {
    await sql`
      update refunds set method = null, full_sats = null, value_cents = null, value_sats = null, counted_cents = null,
        counted_sats = null, rate_cents_per_btc = null, rate_at = null, rate_evidence = null
      where id = ${textAt(refund, 'id')}
    `.execute(db);
    await sql`update orders set refund_cents = 0 where id = ${id}`.execute(db);
  });
  const readTotals = async (): Promise<number[]> => {
    const { body } = await shop.shop.api('GET', '/support/sales?period=7d', { token: shop.staff });
    return [numberAt(body, 'totals', 'refunds'), numberAt(body, 'totals', 'refunded_usd')];
  };
  const [refunds = 0, refunded = 0] = await readTotals();
  await record(refund);
  assert.deepEqual(await readTotals(), [refunds + 1, Math.round((refunded + 999) * 100) / 100]);
  const { body } = await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token });
  assert.deepEqual([numberAt(body, 'order', 'refunded_usd'), numberAt(body, 'order', 'net_usd')], [999, 0]);
  await waitForCredited(id, 999);
});

test('[PAY-15] [PAY-17] a rest that is too small to send is not asked for', async () => {
  const buyer = await shop.createBuyer();
  const { body } = await shop.checkout(buyer);
  const id = textAt(body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.008_999 });
  await shop.mine(2);
  const { body: found } = await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token });
  const payment = valueAt(found, 'order', 'payment');
  assert.deepEqual(
    [textAt(payment, 'state'), valueAt(payment, 'bip21'), numberAt(payment, 'short_btc')],
    ['paid', null, 0.000_001],
  );
});
