import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { ADDRESS_MAIL } from './service.ts';

const [ADDRESS, OTHER] = [
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
] as const;
const DAY_MINUTES = 24 * 60;

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

async function createOrder(): Promise<{ readonly user: string; readonly id: string; readonly paidTo: string }> {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  return { user, id, paidTo: payment.address };
}

/** Writes the last enqueued mail. */
async function takeNextMail() {
  const { kind, data } = shop.mails.splice(0).at(-1) ?? assert.fail('no mail was enqueued');
  assert.equal(kind, ADDRESS_MAIL);
  return () =>
    shop.refunds.addresses.issueConfirmation(data['id'] ?? '', data['orderId'] ?? '', new Date(data['setAt'] ?? ''));
}
async function readToken(): Promise<string> {
  return (await (await takeNextMail())())?.token ?? assert.fail('nobody is notified');
}

test('[PAY-13] the latest refund address replaces others and is private', async () => {
  const { user, id, paidTo } = await createOrder();
  const elsewhere = await createOrder();
  const none = { address: null, confirmed: false, holds_from: null };
  assert.deepEqual(await shop.refunds.addresses.find(user, id), none);
  for (const wrong of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'nonsense', paidTo, elsewhere.paidTo]) {
    const result = await shop.refunds.addresses.set(user, id, wrong);
    assert.ok(!result.ok && result.reason === 'invalid-address' && result.words, wrong);
  }
  assert.deepEqual(await shop.refunds.addresses.find(user, id), none);
  assert.equal(await shop.refunds.addresses.find(elsewhere.user, id), null);
  assert.equal(shop.mails.length, 0);
  for (const text of [ADDRESS, ADDRESS.toUpperCase()]) assert.ok((await shop.refunds.addresses.set(user, id, text)).ok);
  assert.deepEqual(await shop.refunds.addresses.find(user, id), {
    address: ADDRESS,
    confirmed: false,
    holds_from: null,
  });
  assert.deepEqual(await shop.listEvents(id), ['created', 'refund_address']);
  assert.equal(shop.mails.splice(0).length, 1, 'the same address again');
  await shop.orderStatus.cancel(user, id);
  assert.ok((await shop.refunds.addresses.set(user, id, OTHER)).ok);
  await sql`update orders set payment_status = 'refunded' where id = ${id}`.execute(shop.db);
  assert.deepEqual(await shop.refunds.addresses.set(user, id, ADDRESS), { ok: false, reason: 'refunded' });
  assert.equal((await shop.refunds.addresses.find(user, id))?.address, OTHER);
  shop.mails.splice(0);
});

test('[PAY-13] a link confirms its own address once', async () => {
  const { user, id } = await createOrder();
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const issued = await (await takeNextMail())();
  assert.deepEqual([issued?.address, issued?.email], [ADDRESS, `${user}@example.com`]);
  const token = issued?.token ?? '';
  assert.equal(await shop.refunds.addresses.confirm(token), 'confirmed');
  assert.deepEqual(await shop.refunds.addresses.find(user, id), {
    address: ADDRESS,
    confirmed: true,
    holds_from: null,
  });
  assert.equal(await shop.refunds.addresses.confirm(token), 'invalid-link');
  assert.deepEqual(await shop.listEvents(id), ['created', 'refund_address', 'refund_address_confirmed']);

  shop.advanceMinutes(1);
  await shop.refunds.addresses.set(user, id, OTHER);
  assert.deepEqual(await shop.refunds.addresses.find(user, id), { address: OTHER, confirmed: false, holds_from: null });
  const earlier = await readToken();
  shop.advanceMinutes(1);
  await shop.refunds.addresses.set(user, id, ADDRESS);
  assert.equal(await shop.refunds.addresses.confirm(earlier), 'address-changed');
  assert.equal((await shop.refunds.addresses.find(user, id))?.confirmed, false);
  assert.equal(await shop.refunds.addresses.confirm(await readToken()), 'confirmed');
});

test('[PAY-13] a confirmation mail is not written after the address changed', async () => {
  const { user, id } = await createOrder();
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const write = await takeNextMail();
  shop.advanceMinutes(1);
  await shop.refunds.addresses.set(user, id, OTHER);
  assert.equal(await write(), null);
  assert.equal((await (await takeNextMail())())?.address, OTHER);
});

test('[PAY-13] a link expires after seven days; a new mail replaces it', async () => {
  const { user, id } = await createOrder();
  assert.deepEqual(await shop.refunds.addresses.resend(user, id), {
    address: null,
    confirmed: false,
    holds_from: null,
  });
  assert.equal(await shop.refunds.addresses.resend(await shop.createBuyer(0), id), null);
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const token = await readToken();
  shop.advanceMinutes(7 * DAY_MINUTES);
  assert.equal(await shop.refunds.addresses.confirm(token), 'invalid-link');
  assert.deepEqual(await shop.refunds.addresses.resend(user, id), {
    address: ADDRESS,
    confirmed: false,
    holds_from: null,
  });
  const again = await readToken();
  shop.advanceMinutes(7 * DAY_MINUTES - 1);
  await shop.refunds.addresses.deleteExpired();
  assert.equal(await shop.refunds.addresses.confirm(again), 'confirmed');
  assert.deepEqual(await shop.refunds.addresses.resend(user, id), {
    address: ADDRESS,
    confirmed: true,
    holds_from: null,
  });
  assert.equal(shop.mails.length, 0);
  for (const nonsense of ['', 'x'.repeat(43), 'x'.repeat(100)])
    assert.equal(await shop.refunds.addresses.confirm(nonsense), 'invalid-link');
});
