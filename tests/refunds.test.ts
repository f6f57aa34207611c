/** Refunds over HTTP: created by staff, signed by their wallet, detected on the chain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop, refundAmount } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

const IN_KIND = { method: 'kind', value_usd: null, rate_usd: null, rate_at: null, is_credit: false };
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readId = (refund: unknown): string => textAt(refund, 'id');
const broadcast = (refund: unknown, psbt: string) => shop.post(`/refunds/${readId(refund)}/broadcast`, { psbt });

test('[PAY-13] [API-11] refunds a surplus by PSBT; the order stays paid', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  const { address } = testKey();
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 no-address');
  await shop.nameAddress(buyer, id, address);
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 address-not-confirmed');
  await shop.confirmAddress(buyer, id, address);
  const found = await shop.readRefunds(id);
  assert.deepEqual(found, {
    refunds: [],
    refundable: { surplus_btc: 0.0005, whole_btc: 0.0095 },
    refused: { surplus: null, whole: null },
    returns: valueAt(found, 'returns'),
    lines: {
      refused: null,
      amount_refused: null,
      paid_usd: 999,
      left_usd: 999,
      amounts: [],
      settled_btc: 0.009,
      refunded_btc: 0,
      deducted_usd: 0,
      shipping: valueAt(found, 'lines', 'shipping'),
      items: [
        {
          position: 0,
          name: 'iPhone Air (256GB, Sky Blue)',
          sku: 'CM-IPA-01-1',
          quantity: 1,
          shipped_quantity: 0,
          refunded_unshipped_quantity: 0,
          refunded_shipped_quantity: 0,
          net_usd: 999,
          tax_usd: 0,
          refunded_net_usd: 0,
          refunded_tax_usd: 0,
        },
      ],
    },
    address: { address, confirmed: true, holds_from: null, reason: null },
    write_offs: [],
    unclaimed: { amount_btc: null, refusal: 'address-known', from: null },
    paid_twice_btc: null,
    may_be_forgotten: null,
  });

  const refund = await shop.createRefund(id);
  assert.deepEqual([refundAmount(refund), numberAt(refund, 'debit_btc')], [0.0005, 0.0005], 'the shop pays the fee');
  assert.match(textAt(refund, 'bip21'), new RegExp(`^bitcoin:${address}\\?amount=0\\.00050000&label=Refund`));
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 refund-open');
  const signed = shop.sign(refund);
  assert.equal(readErrorCode(await broadcast(refund, textAt(refund, 'psbt'))), '409 not-signed');
  assert.equal(
    readErrorCode(await broadcast(refund, Buffer.from(shop.signAgain(refund).raw).toString('hex'))),
    '409 another-transaction',
  );
  assert.equal(readErrorCode(await broadcast(refund, `${'abandon '.repeat(11)}about`)), '400 private-key');
  assert.deepEqual(await shop.listStates(id), [['made', null]]);
  assert.equal((await broadcast(refund, signed.psbt)).status, 200);
  await shop.syncChain();
  assert.deepEqual(await shop.listStates(id), [['sent', signed.txid]]);
  assert.equal(readErrorCode(await broadcast(refund, signed.psbt)), '409 not-open');
  await shop.mine(1);
  assert.deepEqual(await shop.listStates(id), [['sent', signed.txid]]);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'overpaid' });
  await shop.mine(1);
  assert.deepEqual(await shop.listStates(id), [['confirmed', signed.txid]]);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 nothing-to-refund');

  const { kinds, refunds } = await shop.readTimeline(buyer, id);
  assert.deepEqual(kinds.slice(-5), [
    'refund_address',
    'refund_address_confirmed',
    'refund_made',
    'refund_sent',
    'refund_confirmed',
  ]);
  const at = textAt(refunds[0], 'at');
  assert.deepEqual(refunds, [
    { covers: 'surplus', ...IN_KIND, lines: null, amount_btc: 0.0005, state: 'confirmed', txid: signed.txid, at },
  ]);
  await waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => mail.includes(signed.txid)));
  const mails = await shop.listMailsTo(buyer);
  const refundMails = mails.filter((mail) => /0\.000500 BTC/.test(mail) && mail.includes(address));
  assert.equal(refundMails.length, 2, 'one mail when it is sent, one when it has arrived');
});

test('[PAY-13] [PAY-09] refunds a whole order less the fee, and blocks other actions', async () => {
  const { address } = testKey();
  const { buyer, id } = await shop.createOverpaidOrder(address, 0.009);
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer', fee_rate: 10 });
  const fee = numberAt(refund, 'fee_btc');
  assert.equal(numberAt(refund, 'debit_btc'), 0.009);
  assert.equal(Math.round((refundAmount(refund) + fee) * 1e8), 900_000);
  assert.ok(fee > 0);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'refunding' });
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/ship`)), '409 refunding');
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/cancel`, {}, buyer.token)), '409 refunding');
  const { txid, psbt } = shop.sign(refund);
  assert.equal((await broadcast(refund, psbt)).status, 200);
  await shop.mine(2);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
  assert.equal(valueAt(await shop.readRefunds(id), 'refundable', 'whole_btc'), 0);
  // Reverted by a reorganisation until it has the required confirmations again.
  await shop.callDemoTool('reorg', { depth: 2 });
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'refunding' });
  assert.deepEqual(await shop.listStates(id), [['sent', txid]]);
  await shop.mine(2);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  const { kinds } = await shop.readTimeline(buyer, id);
  assert.deepEqual(kinds.slice(-5), [
    'refund_sent',
    'refund_confirmed',
    'units_returned',
    'refund_unconfirmed',
    'refund_confirmed',
  ]);
});

test('[PAY-13] [API-06] a refunded, unshipped last item is sold once more', async () => {
  const others = [
    await shop.createBuyer(),
    await shop.createBuyer(),
    await shop.createBuyer(),
    await shop.createBuyer(),
  ];
  const first = await shop.createBuyer();
  await shop.setStock(1);
  const id = await shop.createPaidOrder(first, 0.009);
  await shop.confirmAddress(first, id, testKey().address);
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer' });
  assert.equal((await broadcast(refund, shop.sign(refund).psbt)).status, 200);
  await shop.mine(1);
  const [early = assert.fail()] = others;
  assert.equal(readErrorCode(await shop.checkout(early)), '409 sold-out', 'the refund is not final');
  const [, ...responses] = await Promise.all([shop.mine(1), ...others.map((buyer) => shop.checkout(buyer))]);
  const checkouts = [...responses, ...(await Promise.all(others.map((buyer) => shop.checkout(buyer))))];
  assert.ok(checkouts.every(({ status }) => status === 201 || status === 409));
  assert.equal(checkouts.filter(({ status }) => status === 201).length, 1);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 1 });
  assert.deepEqual(await shop.order(first, id), { status: 'refunded', state: 'refunded' });

  // A refund that was reorganised and withdrawn: the stock was sold to another buyer.
  await shop.callDemoTool('reorg', { depth: 2 });
  assert.deepEqual(await shop.order(first, id), { status: 'paid', state: 'refunding' });
  await shop.toNetwork(shop.spendOtherwise(refund));
  await shop.mine(1);
  assert.deepEqual(await shop.listStates(id), [['made', null]]);
  assert.equal((await shop.post(`/refunds/${readId(refund)}/withdraw`)).status, 200);
  assert.equal((await shop.order(first, id)).status, 'paid');
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/ship`)), '409 sold-out');
  const { body } = await shop.shop.api('GET', '/payments/attention', { token: shop.staff });
  const need = listAt(body, 'orders').find((order) => textAt(order, 'order_id') === id);
  assert.equal(textAt(need, 'kind'), 'units-gone');
  await shop.setStock(1);
  assert.equal((await shop.post(`/orders/${id}/ship`)).status, 200);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 1 });
  const { kinds } = await shop.readTimeline(first, id);
  assert.deepEqual(kinds.slice(-4), ['refund_withdrawn', 'units_gone', 'units_taken', 'shipped']);
  await shop.setStock(100);
});

test('[PAY-13] a fee bump is the same refund; a double-spend reopens it', async () => {
  const { id } = await shop.createOverpaidOrder(testKey().address);
  const refund = await shop.createRefund(id);
  const [first, bumped] = [shop.sign(refund), shop.signAgain(refund)];
  await broadcast(refund, first.psbt);
  await shop.syncChain();
  assert.deepEqual(await shop.listStates(id), [['sent', first.txid]]);
  await shop.toNetwork(bumped.raw);
  await shop.syncChain();
  assert.deepEqual(await shop.listStates(id), [['sent', bumped.txid]]);
  await shop.toNetwork(shop.signAgain(refund, { without: true, moreFee: 9000n }).raw);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(id), [['made', null]]);
  // Its coins are spent: the broadcast fails, and staff create another refund.
  assert.equal(readErrorCode(await broadcast(refund, first.psbt)), '502 not-sent');
  assert.equal((await shop.post(`/refunds/${readId(refund)}/withdraw`)).status, 200);
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 no-coins');
  await shop.createPaidOrder(await shop.createBuyer(), 0.009);
  const again = await shop.createRefund(id);
  const { txid, raw } = shop.sign(again);
  await shop.toNetwork(raw);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(id), [
    ['withdrawn', null],
    ['confirmed', txid],
  ]);
});

test('[PAY-13] counts a withdrawn refund that is sent; staff can record one', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer' });
  assert.equal((await shop.post(`/refunds/${readId(refund)}/withdraw`)).status, 200);
  assert.equal(readErrorCode(await shop.post(`/refunds/${readId(refund)}/withdraw`)), '409 not-open');
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'overpaid' });
  assert.deepEqual((await shop.readTimeline(buyer, id)).refunds, []);
  const { raw, txid } = shop.sign(refund);
  await shop.toNetwork(raw);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });

  const other = await shop.createOverpaidOrder(testKey().address);
  const manual = await shop.createRefund(other.id, { from: 'any-wallet' });
  assert.deepEqual([valueAt(manual, 'psbt'), valueAt(manual, 'fee_btc')], [null, null]);
  assert.equal(readErrorCode(await broadcast(manual, 'cHNidP8=')), '409 no-psbt');
  const txidByStaff = 'ab'.repeat(32);
  assert.equal((await shop.post(`/refunds/${readId(manual)}/record`, { txid: txidByStaff })).status, 200);
  assert.deepEqual(await shop.listStates(other.id), [['confirmed', txidByStaff]]);
  assert.deepEqual(await shop.order(other.buyer, other.id), { status: 'paid', state: 'paid' });
  await shop.callDemoTool('reorg', { depth: 1 });
  assert.deepEqual(await shop.listStates(other.id), [['confirmed', txidByStaff]]);
});

test('[PAY-13] each transaction closes its own refund, also for equal refunds', async () => {
  const { address } = testKey();
  const [one, two] = [await shop.createOverpaidOrder(address), await shop.createOverpaidOrder(address)];
  const [first, second] = [await shop.createRefund(one.id), await shop.createRefund(two.id)];
  const [a, b] = [shop.sign(first), shop.sign(second)];
  assert.notEqual(a.txid, b.txid);
  await broadcast(second, b.psbt);
  await shop.mine(2);
  assert.deepEqual(
    [await shop.listStates(one.id), await shop.listStates(two.id)],
    [[['made', null]], [['confirmed', b.txid]]],
  );
  // The other one is sent by another wallet.
  await shop.toNetwork(shop.signAgain(first).raw);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(one.id), [['confirmed', shop.signAgain(first).txid]]);
  assert.deepEqual(await shop.listStates(two.id), [['confirmed', b.txid]]);
});

test('[PAY-13] refuses a second refund after a withdrawn one was paid', async () => {
  const { address } = testKey();
  const [{ buyer, id }, donor] = [
    await shop.createOverpaidOrder(address),
    await shop.createOverpaidOrder(testKey().address),
  ];
  const first = await shop.createRefund(id, { from: 'any-wallet' });
  assert.equal((await shop.post(`/refunds/${readId(first)}/withdraw`)).status, 200);
  // Another wallet of the merchant paid the first refund.
  const other = await shop.createRefund(donor.id);
  const paid = shop.payElsewhere(other, address, 0.0005);
  assert.equal((await shop.post(`/refunds/${readId(other)}/withdraw`)).status, 200);
  await shop.confirmAddress(buyer, id, testKey().address);
  const second = await shop.createRefund(id);
  await shop.toNetwork(paid.raw);
  await shop.syncChain();
  assert.deepEqual(await shop.listStates(id), [
    ['sent', paid.txid],
    ['made', null],
  ]);
  assert.equal(readErrorCode(await broadcast(second, shop.sign(second).psbt)), '409 not-covered');
  assert.equal((await shop.post(`/refunds/${readId(second)}/withdraw`)).status, 200);
  await shop.mine(2);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
});

test('[OPS-03] concurrent requests create one refund; a customer creates none', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  const responses = await Promise.all(Array.from({ length: 6 }, () => shop.requestRefund(id)));
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201, 409]));
  assert.equal(listAt(await shop.readRefunds(id), 'refunds').length, 1);
  assert.equal(
    readErrorCode(await shop.post(`/orders/${id}/refunds`, { covers: 'whole', fee_paid_by: 'shop' }, buyer.token)),
    '403 forbidden',
  );
});

test('[OPS-03] [PAY-13] concurrent refunds never spend the same coin', async () => {
  const orders = [await shop.createOverpaidOrder(testKey().address), await shop.createOverpaidOrder(testKey().address)];
  // A whole refund needs another coin for its fee, and both would choose the largest.
  await shop.createPaidOrder(await shop.createBuyer(), 0.0125);
  await shop.createPaidOrder(await shop.createBuyer(), 0.012);
  const started = await runWithShopDatabase(shop.shop, (db) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(20091032)`.execute(tx);
      const refunds = orders.map(({ id }) => shop.createRefund(id, { covers: 'whole' }));
      await waitUntil(async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event = 'advisory'`.execute(tx);
        return rows.length >= refunds.length;
      });
      return { refunds };
    }),
  );
  const refunds = await Promise.all(started.refunds);
  const coins = refunds.flatMap((refund) => shop.listCoins(refund));
  assert.equal(new Set(coins).size, 4, coins.join());
  for (const refund of refunds) assert.equal((await broadcast(refund, shop.sign(refund).psbt)).status, 200);
});

test('[PAY-13] [OPS-03] a dust surplus creates no staff task; a whole refund includes it', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009_002_93);
  const readRefusals = async () => valueAt(await shop.readRefunds(id), 'refused');
  assert.deepEqual(await readRefusals(), { surplus: 'dust', whole: 'no-address' });
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 dust');
  await shop.confirmAddress(buyer, id, testKey().address);
  assert.deepEqual(await readRefusals(), { surplus: 'dust', whole: null });
  const { body } = await shop.shop.api('GET', '/payments/attention', { token: shop.staff });
  assert.ok(listAt(body, 'orders').every((order) => textAt(order, 'order_id') !== id));
});

test('[PAY-13] a transaction broadcast while the shop is down closes its refund', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  const refund = await shop.createRefund(id);
  const { raw, txid } = shop.sign(refund);
  await shop.shop.restart();
  assert.deepEqual(await shop.listStates(id), [['made', null]]);
  await shop.toNetwork(raw);
  await shop.shop.restart();
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
});

test('[PAY-13] a fee bump closes the right one of two equal refunds', async () => {
  const { address } = testKey();
  const [one, two] = [await shop.createOverpaidOrder(address), await shop.createOverpaidOrder(address)];
  const [first, second] = [await shop.createRefund(one.id), await shop.createRefund(two.id)];
  const bumped = shop.signAgain(second);
  await shop.toNetwork(bumped.raw);
  await shop.syncChain();
  assert.deepEqual(
    [await shop.listStates(one.id), await shop.listStates(two.id)],
    [[['made', null]], [['sent', bumped.txid]]],
  );
  const { txid, psbt } = shop.sign(first);
  assert.equal((await broadcast(first, psbt)).status, 200);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(one.id), [['confirmed', txid]]);
  assert.deepEqual(await shop.listStates(two.id), [['confirmed', bumped.txid]]);
});

test('[PAY-13] a surplus of 294 sat waits for an address that can receive it', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009_002_94);
  const legacy = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn';
  await shop.confirmAddress(buyer, id, legacy);
  assert.equal(await shop.readTask(id), 'surplus');
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 dust');
  const { body } = await shop.shop.api('GET', `/orders/${id}/timeline`, { token: buyer.token });
  assert.equal(numberAt(body, 'refund_least_btc'), 0.000_005_46);
  await shop.confirmAddress(buyer, id, testKey().address);
  assert.equal(await shop.readTask(id), 'surplus-ready');
  await shop.createRefund(id, { from: 'any-wallet' });
});
