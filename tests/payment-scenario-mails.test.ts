/**
 * Mails of unusual payments. The shop is killed after every fifth mail, with THOROUGH=1 after each, and must not send
 * one twice.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { isThorough } from './support/extent.ts';
import { formatBtc, formatOrderSubject, MailedBuyers, roundBtc } from './support/mailed-buyer.ts';
import type { MailedBuyer } from './support/mailed-buyer.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { runWithShopDatabase, setStock } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const AFTER_THE_WINDOW_S = 7300;

let shop: SpawnedShop;
let buyers: MailedBuyers;
/** Mails of all orders after which the shop may be killed. */
let mails = 0;
before(async () => {
  shop = await startSpawnedShop();
  buyers = await MailedBuyers.create(shop);
});
after(() => shop.stop());

/** An order and all mails that its buyer must have at the end. */
class MailedOrder {
  readonly buyer: MailedBuyer;
  readonly subjects: string[];

  constructor(buyer: MailedBuyer) {
    this.buyer = buyer;
    this.subjects = [formatOrderSubject(buyer)];
  }

  static async begin(): Promise<MailedOrder> {
    const order = new MailedOrder(await buyers.buy());
    orders.push(order);
    await buyers.waitForMail(order.buyer, formatOrderSubject(order.buyer));
    return order;
  }

  /** Waits for a mail with these words after an action; the shop may be killed then. */
  async assertMailAfter(action: () => Promise<unknown>, subject: string, ...words: readonly string[]): Promise<void> {
    await action();
    await this.waitForMail(subject, ...words);
    mails += 1;
    if (isThorough || mails % 5 === 0) await buyers.kill();
  }

  /** Waits for another mail. */
  async waitForMail(subject: string, ...words: readonly string[]): Promise<void> {
    const whole = subject.replace('#', this.buyer.number);
    this.subjects.push(whole);
    // Consecutive mails may have the same subject.
    await waitUntil(async () => (await buyers.listSubjectsTo(this.buyer)).length >= this.subjects.length);
    await buyers.waitForMail(this.buyer, whole, words);
  }

  /** Payment state according to the API. */
  async readState(): Promise<string> {
    const { orderId, token } = this.buyer;
    const { body } = await shop.api('GET', `/payments/check/${orderId}`, { token });
    return textAt(body, 'payment', 'state');
  }

  async listKinds(): Promise<readonly string[]> {
    const { orderId, token } = this.buyer;
    const { body } = await shop.api('GET', `/orders/${orderId}/timeline`, { token });
    return listAt(body, 'timeline').map((turn) => textAt(turn, 'kind'));
  }
}
const orders: MailedOrder[] = [];
const SEEN = 'Order #: we have seen your payment';
const BACK = 'Order #: the full amount is on its way again';
const RECEIPT = 'Receipt for order #';
const LATE = 'Order #: your payment arrived late';
/** Evicts all transactions, like a full mempool. */
async function evictMempool(): Promise<void> {
  await runWithShopDatabase(shop, (db) => sql`delete from devchain_mempool`.execute(db));
  await buyers.kill();
}
const mine = (blocks: number) => () => buyers.callDemoTool('mine', { blocks });
const advanceClock = (seconds: number) => () => buyers.callDemoTool('clock', { offset_s: seconds });

/** Waits until the orders are expired. A restart resets the clock. */
async function endWindowOf(...ended: readonly MailedOrder[]): Promise<void> {
  for (const order of ended) {
    await waitUntil(async () => {
      await advanceClock(AFTER_THE_WINDOW_S)();
      return (await order.listKinds()).includes('expired');
    });
  }
}

test('[MAIL-02] [PAY-12] mails a reorganised payment and its return, and one receipt', async () => {
  const order = await MailedOrder.begin();
  await order.assertMailAfter(() => buyers.pay(order.buyer), SEEN);
  await order.assertMailAfter(mine(2), RECEIPT);
  const words = ['You don’t need to do anything', 'We ship your order once'];
  await order.assertMailAfter(
    () => buyers.callDemoTool('reorg', { depth: 2 }),
    'Order #: your payment is being confirmed again',
    ...words,
  );
  assert.equal(await order.readState(), 'reorged_out');
  await order.assertMailAfter(mine(2), 'Order #: your payment is confirmed again');
  assert.equal(await order.readState(), 'paid');
});

test('[MAIL-02] [PAY-09] mails the surplus of an overpayment and of each later payment', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  await order.assertMailAfter(() => buyers.pay(buyer, roundBtc(buyer.due + 0.0005)), SEEN);
  await mine(2)();
  order.subjects.push(RECEIPT.replace('#', buyer.number));
  await order.waitForMail('Order #: you sent 0.000500 BTC too much', '0.000500 BTC (50,000 sats)', buyer.orderLink);
  assert.equal(await order.readState(), 'overpaid');
  const payMore = () => buyers.pay(buyer, 0.00000547);
  await order.assertMailAfter(payMore, 'Order #: you sent 0.00050547 BTC too much', '0.00050547 BTC (50,547 sats)');
  assert.deepEqual((await order.listKinds()).slice(-3), ['paid', 'overpaid', 'overpaid']);
});

test('[MAIL-02] [PAY-09] asks to resend a replaced payment, then not to pay again', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  let txid = '';
  await order.assertMailAfter(async () => (txid = await buyers.pay(buyer)), SEEN);
  const replace = () => buyers.callDemoTool('replace', { txid });
  await order.assertMailAfter(
    replace,
    'Order #: your payment was replaced',
    formatBtc(buyer.due),
    'we can’t ship yet',
    buyer.payLink,
  );
  assert.equal(await order.readState(), 'replaced');
  await order.assertMailAfter(() => buyers.pay(buyer), BACK, 'Please don’t pay again');
  await order.assertMailAfter(mine(2), RECEIPT);
});

test('[MAIL-02] [PAY-09] asks to raise a dropped payment’s fee, then not to pay again', async () => {
  const order = await MailedOrder.begin();
  await order.assertMailAfter(() => buyers.pay(order.buyer), SEEN);
  await order.assertMailAfter(
    evictMempool,
    'Order #: the network dropped your payment',
    'Raise the fee in your wallet',
  );
  assert.equal(await order.readState(), 'dropped');
  await order.assertMailAfter(() => buyers.pay(order.buyer), BACK);
  await order.assertMailAfter(mine(2), RECEIPT);
});

test('[MAIL-02] [PAY-09] mails the missing amount after a part is replaced', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  const missing = roundBtc(buyer.due - 0.004);
  const subject = `Order #: ${formatBtc(missing)} still missing`;
  await order.assertMailAfter(() => buyers.pay(buyer, 0.004), subject, formatBtc(0.004), buyer.address);
  let txid = '';
  await order.assertMailAfter(async () => (txid = await buyers.pay(buyer)), SEEN);
  await buyers.callDemoTool('replace', { txid });
  await waitUntil(async () => (await order.readState()) === 'underpaid');
  await order.waitForMail(subject, 'was replaced by another transaction');
  await order.assertMailAfter(() => buyers.pay(buyer), BACK);
  await order.assertMailAfter(mine(2), RECEIPT, formatBtc(0.004), formatBtc(missing));
});

test('[MAIL-02] [PAY-11] mails the cancellation, then that a later payment is safe', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  const { token, orderId } = buyer;
  await order.assertMailAfter(() => shop.api('POST', `/orders/${orderId}/cancel`, { token }), 'Order # is cancelled');
  const late = 'Order #: payment received after it was cancelled';
  await order.assertMailAfter(() => buyers.pay(buyer, buyer.due), late, formatBtc(buyer.due), 'Your payment is safe');
  await order.assertMailAfter(() => buyers.pay(buyer, 0.001), late, formatBtc(roundBtc(buyer.due + 0.001)));
});

test('[MAIL-02] [OPS-03] mails that staff accepted the payment, and the receipt', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  await order.assertMailAfter(
    () => buyers.pay(buyer, 0.0085),
    `Order #: ${formatBtc(roundBtc(buyer.due - 0.0085))} still missing`,
  );
  await mine(3)();
  const body = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  const settle = { token, body: { reason: 'a fee of the exchange' } };
  assert.equal((await shop.api('POST', `/orders/${buyer.orderId}/settle`, settle)).status, 200);
  order.subjects.push(`Order ${buyer.number}: we accepted your payment`);
  await order.waitForMail(RECEIPT, formatBtc(0.0085));
});

test('[MAIL-02] [PAY-10] mails whether a late payment is accepted, or waits, and why', async () => {
  const [first, second, third] = [await MailedOrder.begin(), await MailedOrder.begin(), await MailedOrder.begin()];
  const all = [first, second, third];
  await endWindowOf(...all);
  for (const order of all) await order.waitForMail('Order # has expired');
  // A restart resets the clock; expired orders stay expired.
  for (const order of all) {
    await advanceClock(AFTER_THE_WINDOW_S)();
    await order.assertMailAfter(() => buyers.pay(order.buyer, order.buyer.due), LATE);
  }
  await setStock(shop, buyers.productId, 1);
  await shop.restart({ RATE_SOURCE: 'fixed:100000' });
  await mine(2)();
  const waits = 'Order #: we are reviewing your late payment';
  for (const order of all) {
    await waitUntil(async () => (await buyers.listSubjectsTo(order.buyer)).length === 4);
    assert.ok((await order.listKinds()).includes('late_waits'));
    order.subjects.push(waits.replace('#', order.buyer.number));
    assert.deepEqual(await buyers.listSubjectsTo(order.buyer), order.subjects);
  }
  // At the order's rate the first order gets the last item.
  await shop.restart({});
  await waitUntil(async () => (await Promise.all(all.map((order) => order.readState()))).includes('paid'));
  const states = await Promise.all(all.map((order) => order.readState()));
  assert.deepEqual(states.toSorted(), ['late', 'late', 'paid']);
  const accepted = 'arrived late, and we accepted it';
  for (const [index, order] of all.entries()) {
    if (states[index] === 'paid') await order.waitForMail(RECEIPT, accepted);
    else await order.waitForMail(waits, 'is sold out');
  }
  await setStock(shop, buyers.productId, 1000);
  for (const [index, order] of all.entries()) if (states[index] === 'late') await order.waitForMail(RECEIPT, accepted);
});

test('[MAIL-02] [PAY-11] mails the new quote, and that a lost payment voids it', async () => {
  const order = await MailedOrder.begin();
  const { buyer } = order;
  const { token, orderId } = buyer;
  let txid = '';
  const missing = formatBtc(roundBtc(buyer.due - 0.004));
  await order.assertMailAfter(async () => (txid = await buyers.pay(buyer, 0.004)), `Order #: ${missing} still missing`);
  await endWindowOf(order);
  await order.waitForMail('Order # has expired', '0.004000 BTC');
  await advanceClock(AFTER_THE_WINDOW_S)();
  const requote = () => shop.api('POST', `/orders/${orderId}/requote`, { token });
  await order.assertMailAfter(
    requote,
    `Order #: the new amount is ${missing}`,
    '0.004000 BTC that you sent counts',
    buyer.address,
  );
  const isVoid = 'Order #: the amount is no longer valid';
  await buyers.callDemoTool('replace', { txid });
  await waitUntil(async () => (await order.listKinds()).includes('quote_void'));
  await waitUntil(async () => (await buyers.listSubjectsTo(buyer)).length === 6);
  order.subjects.push(isVoid.replace('#', buyer.number), `Order ${buyer.number}: a payment is no longer on its way`);
  assert.deepEqual(await buyers.listSubjectsTo(buyer), order.subjects);
});

test('[MAIL-01] [MAIL-02] another kill repeats and reorders no mail', async () => {
  await buyers.kill();
  await buyers.waitForAllMails();
  assert.equal(orders.length, 11);
  for (const { buyer, subjects } of orders) assert.deepEqual(await buyers.listSubjectsTo(buyer), subjects);
});
