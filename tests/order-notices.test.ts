/** Every notice of an order, by a history of it on the devchain: one each, in both parts, and none again after a restart. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { btc, madeSubject, NoticedBuyers, round } from './support/noticed-buyer.ts';
import type { NoticedBuyer } from './support/noticed-buyer.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
let buyers: NoticedBuyers;
before(async () => {
  shop = await startTestShop();
  buyers = await NoticedBuyers.of(shop);
});
after(() => shop.stop());

const expiredSubject = ({ number }: NoticedBuyer): string => `Order ${number} has expired`;

/** Killed as by a loss of power, and up again; then so far that what happens next is told. */
async function loseThePower(): Promise<void> {
  await buyers.kill();
  await buyers.tellAll();
}

test('[MAIL-02] [OPS-03] made, underpaid, seen, paid, shipped: one notice each, and none again after a restart', async () => {
  const buyer = await buyers.buy();
  const { number, orderId, due, address, payLink, orderLink } = buyer;
  assert.match(payLink, /\/pay\/[0-9a-f]{64}$/);
  const made = madeSubject(buyer);
  await buyers.nextNotice(buyer, made, [btc(due), address, payLink, '1 BTC = $111,000.00', '$999.00']);

  const part = round(due / 3);
  const missing = round(due - part);
  await buyers.pay(buyer, part);
  const underpaid = `Order ${number}: ${btc(missing)} are still missing`;
  await buyers.nextNotice(buyer, underpaid, [btc(missing), btc(part), btc(due), address, payLink]);

  await loseThePower();
  const txid = await buyers.pay(buyer);
  const seen = `Order ${number}: we have seen your payment`;
  await buyers.nextNotice(buyer, seen, [btc(due), payLink]);

  // A block is no news: the receipt comes when there are enough.
  await buyers.dev('mine', { blocks: 1 });
  await buyers.dev('mine', { blocks: 2 });
  const paid = `Receipt for order ${number}`;
  await buyers.nextNotice(buyer, paid, [btc(due), '$999.00', txid, orderLink, 'Elm Street']);

  await loseThePower();
  const body = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: 'RR 1 GB' } });
  const shipped = `Order ${number} is on its way`;
  await buyers.nextNotice(buyer, shipped, ['RR 1 GB', orderLink]);

  await loseThePower();
  assert.deepEqual(await buyers.subjectsTo(buyer), [made, underpaid, seen, paid, shipped]);
});

test('[MAIL-02] expired, with a part and without: one notice each, and none again after a restart', async () => {
  const [without, withPart] = [await buyers.buy(), await buyers.buy()];
  const part = round(withPart.due / 3);
  const missing = round(withPart.due - part);
  // Paid before it is told, it would not be asked to pay any more.
  await buyers.nextNotice(withPart, madeSubject(withPart), [withPart.payLink]);
  await buyers.pay(withPart, part);
  const underpaid = `Order ${withPart.number}: ${btc(missing)} are still missing`;
  await buyers.nextNotice(withPart, underpaid, [btc(missing), withPart.payLink]);
  await buyers.nextNotice(without, madeSubject(without), [without.payLink]);

  await buyers.dev('clock', { offset_s: 7300 });
  await buyers.nextNotice(without, expiredSubject(without), ['no payment had arrived', without.orderLink]);
  await buyers.nextNotice(withPart, expiredSubject(withPart), [btc(part), btc(withPart.due), withPart.orderLink]);
  await loseThePower();
  await buyers.dev('clock', { offset_s: 0 });
  assert.deepEqual(await buyers.subjectsTo(without), [madeSubject(without), expiredSubject(without)]);
  assert.deepEqual(await buyers.subjectsTo(withPart), [madeSubject(withPart), underpaid, expiredSubject(withPart)]);
});
