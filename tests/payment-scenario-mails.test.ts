/**
 * What else can become of a payment, each by a history on the devchain: the shop is killed as soon as it has told of it,
 * and tells of nothing twice.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { formatBtc, formatOrderSubject, MailedBuyers, roundBtc } from './support/mailed-buyer.ts';
import type { MailedBuyer } from './support/mailed-buyer.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { withShopDatabase, setStock } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const AFTER_THE_WINDOW_S = 7300;

let shop: TestShop;
let buyers: MailedBuyers;
before(async () => {
  shop = await startTestShop();
  buyers = await MailedBuyers.of(shop);
});
after(() => shop.stop());

/** A buyer's order and all that its mailbox has to hold at the end. */
class Story {
  readonly buyer: MailedBuyer;
  readonly told: string[];

  constructor(buyer: MailedBuyer) {
    this.buyer = buyer;
    this.told = [formatOrderSubject(buyer)];
  }

  static async begin(): Promise<Story> {
    const story = new Story(await buyers.buy());
    stories.push(story);
    await buyers.waitForMail(story.buyer, formatOrderSubject(story.buyer));
    return story;
  }

  /** The buyer is told, with these words in it, and the shop dies in that moment. */
  async when(happen: () => Promise<unknown>, subject: string, ...words: readonly string[]): Promise<void> {
    await happen();
    await this.and(subject, ...words);
    await buyers.kill();
  }

  /** In one turn with the last. */
  async and(subject: string, ...words: readonly string[]): Promise<void> {
    const whole = subject.replace('#', this.buyer.number);
    this.told.push(whole);
    // Two in a row may have one subject.
    await waitUntil(async () => (await buyers.subjectsTo(this.buyer)).length >= this.told.length);
    await buyers.waitForMail(this.buyer, whole, words);
  }

  /** WS-03's payment as the call has it. */
  async state(): Promise<string> {
    const { orderId, token } = this.buyer;
    const { body } = await shop.api('GET', `/payments/check/${orderId}`, { token });
    return textAt(body, 'payment', 'state');
  }

  async kinds(): Promise<readonly string[]> {
    const { orderId, token } = this.buyer;
    const { body } = await shop.api('GET', `/orders/${orderId}/timeline`, { token });
    return listAt(body, 'timeline').map((turn) => textAt(turn, 'kind'));
  }
}
const stories: Story[] = [];
const SEEN = 'Order #: we have seen your payment';
const BACK = 'Order #: the full amount is on its way again';
const RECEIPT = 'Receipt for order #';
const LATE = 'Order #: your payment came late';
/** As a node whose mempool is full lets go of what pays least. */
async function forget(): Promise<void> {
  await withShopDatabase(shop, (db) => sql`delete from devchain_mempool`.execute(db));
  await buyers.kill();
}
const mine = (blocks: number) => () => buyers.dev('mine', { blocks });
const clock = (seconds: number) => () => buyers.dev('clock', { offset_s: seconds });

/** Until they have expired: the next start begins at the real time. */
async function endWindowOf(...ended: readonly Story[]): Promise<void> {
  for (const story of ended) {
    await waitUntil(async () => {
      await clock(AFTER_THE_WINDOW_S)();
      return (await story.kinds()).includes('expired');
    });
  }
}

test('[MAIL-02] [PAY-12] mails a reorganised payment and its return, and one receipt', async () => {
  const story = await Story.begin();
  await story.when(() => buyers.pay(story.buyer), SEEN);
  await story.when(mine(2), RECEIPT);
  const words = ['You don’t need to do anything', 'We ship your order once'];
  await story.when(() => buyers.dev('reorg', { depth: 2 }), 'Order #: your payment is being confirmed again', ...words);
  assert.equal(await story.state(), 'reorged_out');
  await story.when(mine(2), 'Order #: your payment is confirmed again');
  assert.equal(await story.state(), 'paid');
});

test('[MAIL-02] [PAY-09] mails the surplus of an overpayment and of each later payment', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  await story.when(() => buyers.pay(buyer, roundBtc(buyer.due + 0.0005)), SEEN);
  await mine(2)();
  story.told.push(RECEIPT.replace('#', buyer.number));
  await story.and('Order #: you sent 0.000500 BTC too much', '0.000500 BTC (50,000 sats)', buyer.orderLink);
  assert.equal(await story.state(), 'overpaid');
  const more = () => buyers.pay(buyer, 0.00000547);
  await story.when(more, 'Order #: you sent 0.00050547 BTC too much', '0.00050547 BTC (50,547 sats)');
  assert.deepEqual((await story.kinds()).slice(-3), ['paid', 'overpaid', 'overpaid']);
});

test('[MAIL-02] [PAY-09] asks to resend a replaced payment, then not to pay again', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  let txid = '';
  await story.when(async () => (txid = await buyers.pay(buyer)), SEEN);
  const replace = () => buyers.dev('replace', { txid });
  await story.when(
    replace,
    'Order #: your payment was replaced',
    formatBtc(buyer.due),
    'we can’t ship yet',
    buyer.payLink,
  );
  assert.equal(await story.state(), 'replaced');
  await story.when(() => buyers.pay(buyer), BACK, 'Please don’t pay again');
  await story.when(mine(2), RECEIPT);
});

test('[MAIL-02] [PAY-09] asks to raise a dropped payment’s fee, then not to pay again', async () => {
  const story = await Story.begin();
  await story.when(() => buyers.pay(story.buyer), SEEN);
  await story.when(forget, 'Order #: the network dropped your payment', 'Raise the fee in your wallet');
  assert.equal(await story.state(), 'dropped');
  await story.when(() => buyers.pay(story.buyer), BACK);
  await story.when(mine(2), RECEIPT);
});

test('[MAIL-02] [PAY-09] mails the missing amount after a part is replaced', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  const missing = roundBtc(buyer.due - 0.004);
  const subject = `Order #: ${formatBtc(missing)} still missing`;
  await story.when(() => buyers.pay(buyer, 0.004), subject, formatBtc(0.004), buyer.address);
  let txid = '';
  await story.when(async () => (txid = await buyers.pay(buyer)), SEEN);
  await buyers.dev('replace', { txid });
  await waitUntil(async () => (await story.state()) === 'underpaid');
  await story.and(subject, 'was replaced by another transaction');
  await story.when(() => buyers.pay(buyer), BACK);
  await story.when(mine(2), RECEIPT, formatBtc(0.004), formatBtc(missing));
});

test('[MAIL-02] [PAY-11] mails the cancellation, then that a later payment is safe', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  const { token, orderId } = buyer;
  await story.when(() => shop.api('POST', `/orders/${orderId}/cancel`, { token }), 'Order # is cancelled');
  const late = 'Order #: payment received after it was cancelled';
  await story.when(() => buyers.pay(buyer, buyer.due), late, formatBtc(buyer.due), 'Your payment is safe');
  await story.when(() => buyers.pay(buyer, 0.001), late, formatBtc(roundBtc(buyer.due + 0.001)));
});

test('[MAIL-02] [OPS-03] mails that staff accepted the payment, and the receipt', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  await story.when(
    () => buyers.pay(buyer, 0.0085),
    `Order #: ${formatBtc(roundBtc(buyer.due - 0.0085))} still missing`,
  );
  await mine(3)();
  const body = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  const settle = { token, body: { reason: 'a fee of the exchange' } };
  assert.equal((await shop.api('POST', `/orders/${buyer.orderId}/settle`, settle)).status, 200);
  story.told.push(`Order ${buyer.number}: we accepted your payment`);
  await story.and(RECEIPT, formatBtc(0.0085));
});

test('[MAIL-02] [PAY-10] mails whether a late payment is accepted, or waits, and why', async () => {
  const [taken, dearer, soldOut] = [await Story.begin(), await Story.begin(), await Story.begin()];
  const all = [taken, dearer, soldOut];
  await endWindowOf(...all);
  for (const story of all) await story.and('Order # has expired');
  // Every start begins at the real time; an order that has expired stays so.
  for (const story of all) {
    await clock(AFTER_THE_WINDOW_S)();
    await story.when(() => buyers.pay(story.buyer, story.buyer.due), LATE);
  }
  await setStock(shop, buyers.productId, 1);
  await shop.restart({ RATE_SOURCE: 'fixed:100000' });
  await mine(2)();
  const waits = 'Order #: we are reviewing your late payment';
  for (const story of all) {
    await waitUntil(async () => (await buyers.subjectsTo(story.buyer)).length === 4);
    assert.ok((await story.kinds()).includes('late_waits'));
    story.told.push(waits.replace('#', story.buyer.number));
    assert.deepEqual(await buyers.subjectsTo(story.buyer), story.told);
  }
  // At the rate of the order the first one gets the last piece.
  await shop.restart({});
  await waitUntil(async () => (await Promise.all(all.map((story) => story.state()))).includes('paid'));
  const states = await Promise.all(all.map((story) => story.state()));
  assert.deepEqual(states.toSorted(), ['late', 'late', 'paid']);
  const accepted = 'arrived late, and we accepted it';
  for (const [index, story] of all.entries()) {
    if (states[index] === 'paid') await story.and(RECEIPT, accepted);
    else await story.and(waits, 'is sold out');
  }
  await setStock(shop, buyers.productId, 1000);
  for (const [index, story] of all.entries()) if (states[index] === 'late') await story.and(RECEIPT, accepted);
});

test('[MAIL-02] [PAY-11] mails the new quote, and that a lost payment voids it', async () => {
  const story = await Story.begin();
  const { buyer } = story;
  const { token, orderId } = buyer;
  let txid = '';
  const missing = formatBtc(roundBtc(buyer.due - 0.004));
  await story.when(async () => (txid = await buyers.pay(buyer, 0.004)), `Order #: ${missing} still missing`);
  await endWindowOf(story);
  await story.and('Order # has expired', '0.004000 BTC');
  await clock(AFTER_THE_WINDOW_S)();
  const requote = () => shop.api('POST', `/orders/${orderId}/requote`, { token });
  await story.when(
    requote,
    `Order #: the new amount is ${missing}`,
    '0.004000 BTC that you sent counts',
    buyer.address,
  );
  const isVoid = 'Order #: the amount is no longer valid';
  await buyers.dev('replace', { txid });
  await waitUntil(async () => (await story.kinds()).includes('quote_void'));
  await waitUntil(async () => (await buyers.subjectsTo(buyer)).length === 6);
  story.told.push(isVoid.replace('#', buyer.number), `Order ${buyer.number}: a payment is no longer on its way`);
  assert.deepEqual(await buyers.subjectsTo(buyer), story.told);
});

test('[MAIL-01] [MAIL-02] another kill repeats and reorders no mail', async () => {
  await buyers.kill();
  await buyers.waitForAllMails();
  assert.equal(stories.length, 11);
  for (const { buyer, told } of stories) assert.deepEqual(await buyers.subjectsTo(buyer), told);
});
