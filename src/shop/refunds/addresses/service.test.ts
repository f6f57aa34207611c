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

async function ordered(): Promise<{ readonly user: string; readonly id: string; readonly paidTo: string }> {
  const user = await shop.buyer();
  const { id, payment } = await shop.placeOrder(user);
  return { user, id, paidTo: payment.address };
}

/** Writes the last enqueued mail. */
async function nextMail() {
  const { kind, data } = shop.mails.splice(0).at(-1) ?? assert.fail('no mail was enqueued');
  assert.equal(kind, ADDRESS_MAIL);
  return () =>
    shop.refunds.addresses.issueConfirmation(data['id'] ?? '', data['orderId'] ?? '', new Date(data['setAt'] ?? ''));
}
async function tokenOf(): Promise<string> {
  return (await (await nextMail())())?.token ?? assert.fail('nobody is notified');
}

test('[PAY-13] the latest refund address replaces others and is private', async () => {
  const { user, id, paidTo } = await ordered();
  const elsewhere = await ordered();
  const none = { address: null, confirmed: false, holds_from: null };
  assert.deepEqual(await shop.refunds.addresses.find(user, id), none);
  for (const wrong of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'nonsense', paidTo, elsewhere.paidTo]) {
    const answer = await shop.refunds.addresses.set(user, id, wrong);
    assert.ok(!answer.ok && answer.reason === 'invalid-address' && answer.words, wrong);
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
  assert.deepEqual(await shop.eventsOf(id), ['created', 'refund_address']);
  assert.equal(shop.mails.splice(0).length, 1, 'the same address again');
  await shop.orderStatus.cancel(user, id);
  assert.ok((await shop.refunds.addresses.set(user, id, OTHER)).ok);
  await sql`update orders set payment_status = 'refunded' where id = ${id}`.execute(shop.db);
  assert.deepEqual(await shop.refunds.addresses.set(user, id, ADDRESS), { ok: false, reason: 'refunded' });
  assert.equal((await shop.refunds.addresses.find(user, id))?.address, OTHER);
  shop.mails.splice(0);
});

test('[PAY-13] a link confirms its own address once', async () => {
  const { user, id } = await ordered();
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const issued = await (await nextMail())();
  assert.deepEqual([issued?.address, issued?.email], [ADDRESS, `${user}@example.com`]);
  const token = issued?.token ?? '';
  assert.equal(await shop.refunds.addresses.confirm(token), 'confirmed');
  assert.deepEqual(await shop.refunds.addresses.find(user, id), {
    address: ADDRESS,
    confirmed: true,
    holds_from: null,
  });
  assert.equal(await shop.refunds.addresses.confirm(token), 'invalid-link');
  assert.deepEqual(await shop.eventsOf(id), ['created', 'refund_address', 'refund_address_confirmed']);

  shop.pass(1);
  await shop.refunds.addresses.set(user, id, OTHER);
  assert.deepEqual(await shop.refunds.addresses.find(user, id), { address: OTHER, confirmed: false, holds_from: null });
  const earlier = await tokenOf();
  shop.pass(1);
  await shop.refunds.addresses.set(user, id, ADDRESS);
  assert.equal(await shop.refunds.addresses.confirm(earlier), 'address-changed');
  assert.equal((await shop.refunds.addresses.find(user, id))?.confirmed, false);
  assert.equal(await shop.refunds.addresses.confirm(await tokenOf()), 'confirmed');
});

test('[PAY-13] a confirmation mail is not written after the address changed', async () => {
  const { user, id } = await ordered();
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const write = await nextMail();
  shop.pass(1);
  await shop.refunds.addresses.set(user, id, OTHER);
  assert.equal(await write(), null);
  assert.equal((await (await nextMail())())?.address, OTHER);
});

test('[PAY-13] a link expires after seven days; a new mail replaces it', async () => {
  const { user, id } = await ordered();
  assert.deepEqual(await shop.refunds.addresses.resend(user, id), {
    address: null,
    confirmed: false,
    holds_from: null,
  });
  assert.equal(await shop.refunds.addresses.resend(await shop.buyer(0), id), null);
  await shop.refunds.addresses.set(user, id, ADDRESS);
  const token = await tokenOf();
  shop.pass(7 * DAY_MINUTES);
  assert.equal(await shop.refunds.addresses.confirm(token), 'invalid-link');
  assert.deepEqual(await shop.refunds.addresses.resend(user, id), {
    address: ADDRESS,
    confirmed: false,
    holds_from: null,
  });
  const again = await tokenOf();
  shop.pass(7 * DAY_MINUTES - 1);
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
