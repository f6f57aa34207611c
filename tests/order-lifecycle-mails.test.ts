/** Mails of an order from placement to shipping: each sent once, despite restarts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatBtc, formatOrderSubject, MailedBuyers, roundBtc } from './support/mailed-buyer.ts';
import type { MailedBuyer } from './support/mailed-buyer.ts';
import { textAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';

let shop: SpawnedShop;
let buyers: MailedBuyers;
before(async () => {
  shop = await startSpawnedShop();
  buyers = await MailedBuyers.create(shop);
});
after(() => shop.stop());

const formatExpiredSubject = ({ number }: MailedBuyer): string => `Order ${number} has expired`;

/** Kills and restarts the shop, and waits until it sends mails again. */
async function killAndWait(): Promise<void> {
  await buyers.kill();
  await buyers.waitForAllMails();
}

test('[MAIL-02] [OPS-03] sends one mail each from order to shipping, despite restarts', async () => {
  const buyer = await buyers.buy();
  const { number, orderId, due, address, payLink, orderLink } = buyer;
  assert.match(payLink, /\/pay\/[0-9a-f]{64}$/);
  const placed = formatOrderSubject(buyer);
  await buyers.waitForMail(buyer, placed, [formatBtc(due), address, payLink, '1 BTC = $111,000.00', '$999.00']);

  const part = roundBtc(due / 3);
  const missing = roundBtc(due - part);
  await buyers.pay(buyer, part);
  const underpaid = `Order ${number}: ${formatBtc(missing)} still missing`;
  await buyers.waitForMail(buyer, underpaid, [formatBtc(missing), formatBtc(part), formatBtc(due), address, payLink]);

  await killAndWait();
  const txid = await buyers.pay(buyer);
  const seen = `Order ${number}: we have seen your payment`;
  await buyers.waitForMail(buyer, seen, [formatBtc(due), payLink]);

  // A block alone sends no mail; the receipt follows the required confirmations.
  await buyers.callDemoTool('mine', { blocks: 1 });
  await buyers.callDemoTool('mine', { blocks: 2 });
  const paid = `Receipt for order ${number}`;
  await buyers.waitForMail(buyer, paid, [formatBtc(due), '$999.00', txid, orderLink, 'Elm Street']);

  await killAndWait();
  const body = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: 'RR 1 GB' } });
  const shipped = `Order ${number} is on its way`;
  await buyers.waitForMail(buyer, shipped, ['RR 1 GB', orderLink]);

  await killAndWait();
  assert.deepEqual(await buyers.listSubjectsTo(buyer), [placed, underpaid, seen, paid, shipped]);
});

test('[MAIL-02] sends one expiry mail, with or without a partial payment', async () => {
  const [without, withPart] = [await buyers.buy(), await buyers.buy()];
  const part = roundBtc(withPart.due / 3);
  const missing = roundBtc(withPart.due - part);
  // A payment before the first mail would suppress it.
  await buyers.waitForMail(withPart, formatOrderSubject(withPart), [withPart.payLink]);
  await buyers.pay(withPart, part);
  const underpaid = `Order ${withPart.number}: ${formatBtc(missing)} still missing`;
  await buyers.waitForMail(withPart, underpaid, [formatBtc(missing), withPart.payLink]);
  await buyers.waitForMail(without, formatOrderSubject(without), [without.payLink]);

  await buyers.callDemoTool('clock', { offset_s: 7300 });
  await buyers.waitForMail(without, formatExpiredSubject(without), ['no payment arrived in time', without.orderLink]);
  await buyers.waitForMail(withPart, formatExpiredSubject(withPart), [
    formatBtc(part),
    formatBtc(withPart.due),
    withPart.orderLink,
  ]);
  await killAndWait();
  await buyers.callDemoTool('clock', { offset_s: 0 });
  assert.deepEqual(await buyers.listSubjectsTo(without), [formatOrderSubject(without), formatExpiredSubject(without)]);
  assert.deepEqual(await buyers.listSubjectsTo(withPart), [
    formatOrderSubject(withPart),
    underpaid,
    formatExpiredSubject(withPart),
  ]);
});
