/** Every notice of an order, by a history of it on the devchain: one each, in both parts, and none again after a restart. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { newStockBuyer } from './support/stock-storm.ts';
import { BILLING } from './support/storm-buyer.ts';
import { until } from './support/until.ts';

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());

async function dev(path: string, body: unknown): Promise<unknown> {
  const answer = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

interface Buyer {
  readonly email: string;
  readonly token: string;
  readonly orderId: string;
  readonly number: string;
  readonly address: string;
  readonly due: number;
  /** As in a mail. */
  readonly payLink: string;
  readonly orderLink: string;
}
let buyers = 0;
async function buy(): Promise<Buyer> {
  const name = `noticed-${(buyers += 1)}`;
  const token = await newStockBuyer(shop, name, productId);
  const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(status, 201, JSON.stringify(body));
  const order = valueAt(body, 'order');
  const orderId = textAt(order, 'id');
  const { body: timeline } = await shop.api('GET', `/orders/${orderId}/timeline`, { token });
  const shopUrl = shop.url.replace('127.0.0.1', 'localhost');
  return {
    email: `${name}@stock.example`,
    token,
    orderId,
    number: textAt(order, 'number'),
    address: textAt(order, 'payment', 'address'),
    due: numberAt(order, 'payment', 'amount_btc'),
    payLink: `${shopUrl}${textAt(timeline, 'pay_path')}`,
    orderLink: `${shopUrl}/dashboard/orders/${orderId}`,
  };
}

/** Of orders, oldest first. */
async function mailsTo(email: string): Promise<readonly unknown[]> {
  const mails = listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
  return mails.filter((mail) => /order CM-/i.test(textAt(mail, 'subject'))).toReversed();
}
const subjectsTo = async (email: string): Promise<readonly string[]> =>
  (await mailsTo(email)).map((mail) => textAt(mail, 'subject'));
/** Waits for the next notice, and says what stands in both of its parts. */
async function nextNotice(buyer: Buyer, subject: string, parts: readonly string[]): Promise<void> {
  await until(async () => (await subjectsTo(buyer.email)).includes(subject));
  const mail = (await mailsTo(buyer.email)).at(-1);
  assert.equal(textAt(mail, 'subject'), subject);
  for (const version of ['text', 'html']) {
    const words = textAt(mail, version);
    for (const part of [buyer.number, ...parts]) assert.ok(words.includes(part), `${subject}, ${version}: ${part}`);
  }
}

const btc = (amount: number): string => `${amount.toFixed(8).replace(/00$/, '')} BTC`;
const round = (amount: number): number => Math.round(amount * 1e8) / 1e8;

const madeSubject = ({ number, due }: Buyer): string => `Order ${number}: ${btc(due)} to pay`;
const expiredSubject = ({ number }: Buyer): string => `Order ${number} has expired`;

/** Killed as by a loss of power, and up again; then so far that what happens next is told. */
async function loseThePower(): Promise<void> {
  await shop.kill9();
  await shop.restart();
  const next = await buy();
  await nextNotice(next, madeSubject(next), []);
}

test('[MAIL-02] [OPS-03] made, underpaid, seen, paid, shipped: one notice each, and none again after a restart', async () => {
  const buyer = await buy();
  const { email, number, orderId, due, address, payLink, orderLink } = buyer;
  assert.match(payLink, /\/pay\/[0-9a-f]{64}$/);
  const made = madeSubject(buyer);
  await nextNotice(buyer, made, [btc(due), address, payLink, '1 BTC = $111,000.00', '$999.00']);

  const part = round(due / 3);
  const missing = round(due - part);
  await dev('pay', { order_id: orderId, amount_btc: part });
  const underpaid = `Order ${number}: ${btc(missing)} are still missing`;
  await nextNotice(buyer, underpaid, [btc(missing), btc(part), btc(due), address, payLink]);

  await loseThePower();
  const txid = textAt(await dev('pay', { order_id: orderId }), 'txid');
  const seen = `Order ${number}: we have seen your payment`;
  await nextNotice(buyer, seen, [btc(due), payLink]);

  // A block is no news: the receipt comes when there are enough.
  await dev('mine', { blocks: 1 });
  await dev('mine', { blocks: 2 });
  const paid = `Receipt for order ${number}`;
  await nextNotice(buyer, paid, [btc(due), '$999.00', txid, orderLink, 'Elm Street']);

  await loseThePower();
  const body = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: 'RR 1 GB' } });
  const shipped = `Order ${number} is on its way`;
  await nextNotice(buyer, shipped, ['RR 1 GB', orderLink]);

  await loseThePower();
  assert.deepEqual(await subjectsTo(email), [made, underpaid, seen, paid, shipped]);
});

test('[MAIL-02] expired, with a part and without: one notice each, and none again after a restart', async () => {
  const [without, withPart] = [await buy(), await buy()];
  const part = round(withPart.due / 3);
  const missing = round(withPart.due - part);
  await dev('pay', { order_id: withPart.orderId, amount_btc: part });
  const underpaid = `Order ${withPart.number}: ${btc(missing)} are still missing`;
  await nextNotice(withPart, underpaid, [btc(missing), withPart.payLink]);
  await nextNotice(without, madeSubject(without), [without.payLink]);

  await dev('clock', { offset_s: 7300 });
  await nextNotice(without, expiredSubject(without), ['no payment had arrived', without.orderLink]);
  await nextNotice(withPart, expiredSubject(withPart), [btc(part), btc(withPart.due), withPart.orderLink]);
  await loseThePower();
  await dev('clock', { offset_s: 0 });
  assert.deepEqual(await subjectsTo(without.email), [madeSubject(without), expiredSubject(without)]);
  assert.deepEqual(await subjectsTo(withPart.email), [madeSubject(withPart), underpaid, expiredSubject(withPart)]);
});
