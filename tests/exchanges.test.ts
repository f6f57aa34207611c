/** Exchanges of returned units for other variants over HTTP: money, stock, documents and mails. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import type { ApiResponse } from './support/api-client.ts';
import { GERMAN_TAX, PAID_SHIPPING, logInAs, putSettings } from './support/charge-settings.ts';
import { testKey } from './support/devchain.ts';
import { openExchanges } from './support/exchanges.ts';
import type { ExchangeCalls } from './support/exchanges.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { readPage } from './support/read-page.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { readSessionCookie } from './support/session-cookie.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
let calls: ExchangeCalls;
before(async () => {
  shop = await openRefundShop();
  const owner = await logInAs(shop.shop, 'owner');
  assert.equal((await putSettings(shop.shop, 'tax', GERMAN_TAX, owner)).status, 200);
  assert.equal((await putSettings(shop.shop, 'shipping', PAID_SHIPPING, owner)).status, 200);
  calls = openExchanges(shop);
  await calls.stockAll(50);
});
after(() => shop.shop.stop());

const waitForMail = (buyer: Buyer, pattern: RegExp): Promise<void> =>
  waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => pattern.test(mail)));
const toCents = (dollars: number): number => Math.round(dollars * 100);

/** Gross totals of the documents of an order, credit notes as negative amounts. */
async function listDocuments(id: string): Promise<readonly number[]> {
  const { body } = await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff });
  return listAt(body, 'invoices').map(
    (one) => toCents(numberAt(one, 'total_usd')) * (textAt(one, 'kind') === 'credit_note' ? -1 : 1),
  );
}
const waitForDocuments = (id: string, count: number) =>
  waitUntil(async () => (await listDocuments(id)).length === count);

test('[RET-08] units of the same price are exchanged without a payment', async () => {
  const { buyer, id, returnId } = await calls.createInspected(1);
  const { same } = await calls.readVariants(returnId);
  const stock = await calls.readStock(same.variantId);
  const priced = await calls.preview(returnId, same.variantId);
  assert.deepEqual(priced.body, { credit_usd: 999, total_usd: 999, pays_usd: 0, left_usd: 0 });

  const done = await calls.exchange(returnId, same.variantId);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(textAt(done.body, 'return', 'outcome'), 'exchanged');
  assert.deepEqual(listAt(done.body, 'return', 'actions'), []);
  assert.equal(textAt(done.body, 'exchanged', 'state'), 'paid');
  const newId = textAt(done.body, 'exchanged', 'order_id');
  const found = await calls.readOrder(buyer, newId);
  assert.equal(textAt(found, 'payment_status'), 'paid');
  assert.equal(textAt(found, 'payment', 'state'), 'paid', 'no satoshi is missing or left');
  assert.equal(numberAt(found, 'shipping_usd'), 0, 'it is delivered free');
  assert.equal(numberAt(found, 'net_usd'), 999);
  assert.equal(valueAt(found, 'payment', 'transactions', 0, 'is_credit'), true);
  assert.equal(await calls.readStock(same.variantId), stock - 1);

  // The sale of the first unit is credited, and the second one is invoiced.
  await waitForDocuments(id, 2);
  assert.equal((await listDocuments(id))[1], -99_900);
  await waitForDocuments(newId, 1);
  assert.deepEqual(await listDocuments(newId), [99_900]);
  await waitForMail(buyer, /items exchanged[^]*There is nothing to pay/);
  const { kinds, refunds } = await shop.readTimeline(buyer, id);
  assert.ok(kinds.includes('return_exchanged'));
  assert.equal(valueAt(refunds, 0, 'txid'), null, 'there is no transaction to look up');
  assert.ok((await shop.readTimeline(buyer, newId)).kinds.includes('exchange_credited'));
  const linked = await shop.shop.api('GET', `/orders/${newId}/returns`, { token: buyer.token });
  assert.equal(textAt(linked.body, 'exchange_of', 'order_id'), id);

  // It is shipped and returned as any other order, and its whole price is refunded.
  assert.equal((await shop.post(`/orders/${newId}/ship`, {})).status, 200);
  await shop.confirmAddress(buyer, newId, testKey().address);
  const again = await calls.inspect(buyer, newId, 1);
  const refunded = await calls.returns.step(again, 'refund', calls.returns.anyWallet);
  assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
  assert.equal(numberAt(await shop.readRefunds(newId), 'refunds', 0, 'value_usd'), 999);
});

test('[RET-08] the buyer pays the difference to a dearer variant, and gets the rest of a cheaper one', async () => {
  const { buyer, id, returnId } = await calls.createInspected(1);
  const { dearer } = await calls.readVariants(returnId);
  const more = dearer.price - 999;
  assert.ok(more > 0);
  const priced = await calls.preview(returnId, dearer.variantId);
  assert.equal(numberAt(priced.body, 'pays_usd'), more);
  const done = await calls.exchange(returnId, dearer.variantId);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(textAt(done.body, 'exchanged', 'state'), 'waiting');
  const newId = textAt(done.body, 'exchanged', 'order_id');
  const open = await calls.readOrder(buyer, newId);
  assert.equal(textAt(open, 'payment', 'state'), 'underpaid');
  const days = (Date.parse(textAt(open, 'expires_at')) - Date.parse(textAt(open, 'created_at'))) / 86_400_000;
  assert.equal(days, 3);
  await waitForMail(buyer, /Please pay the difference of/);
  await shop.callDemoTool('pay', { order_id: newId });
  await shop.mine(6);
  await waitUntil(async () => textAt(await calls.readOrder(buyer, newId), 'payment_status') === 'paid');
  assert.equal(textAt(await calls.readOrder(buyer, newId), 'payment', 'state'), 'paid');
  await waitForDocuments(newId, 1);
  assert.deepEqual(await listDocuments(newId), [toCents(dearer.price)]);
  await waitForDocuments(id, 2);

  // The dearer unit comes back and is exchanged for the first variant.
  assert.equal((await shop.post(`/orders/${newId}/ship`, {})).status, 200);
  const second = await calls.inspect(buyer, newId, 1);
  const { cheaper } = await calls.readVariants(second);
  assert.equal(numberAt((await calls.preview(second, cheaper.variantId)).body, 'left_usd'), more);
  const back = await calls.exchange(second, cheaper.variantId);
  assert.equal(back.status, 200, JSON.stringify(back.body));
  assert.equal(textAt(back.body, 'exchanged', 'state'), 'paid');
  const lastId = textAt(back.body, 'exchanged', 'order_id');
  assert.equal(textAt(await calls.readOrder(buyer, lastId), 'payment', 'state'), 'overpaid');
  await waitForMail(buyer, /what is left of the credit/);
  assert.equal(await shop.readTask(lastId), 'surplus');
  await shop.confirmAddress(buyer, lastId, testKey().address);
  await calls.sendRefund(await shop.createRefund(lastId));
  await shop.mine(6);
  await waitUntil(async () => textAt(await calls.readOrder(buyer, lastId), 'payment', 'state') === 'paid');
  assert.equal(await calls.sumLedger(), 0n, 'credits and their refunds cancel out');
});

test('[RET-08] a difference that is not paid in time leaves the credit to refund', async (t) => {
  t.after(() => shop.callDemoTool('clock', { offset_s: 0 }));
  const { buyer, id, returnId } = await calls.createInspected(1);
  const { dearer } = await calls.readVariants(returnId);
  const done = await calls.exchange(returnId, dearer.variantId);
  const newId = textAt(done.body, 'exchanged', 'order_id');
  const stock = await calls.readStock(dearer.variantId);
  await shop.callDemoTool('clock', { offset_s: 4 * 86_400 });
  await waitUntil(async () => textAt(await calls.readOrder(buyer, newId), 'payment_status') === 'expired');
  assert.equal(await calls.readStock(dearer.variantId), stock + 1, 'the reservation is over');
  const found = await calls.returns.read(returnId);
  assert.equal(textAt(found, 'exchanged', 'state'), 'ended');
  const due = await shop.shop.api('GET', '/support/returns?view=waiting', { token: shop.staff });
  assert.ok(listAt(due.body, 'returns').some((one) => textAt(one, 'return', 'id') === returnId));
  assert.deepEqual(await calls.listOwnCoins(newId), [], 'a credit is no coin');
  await shop.confirmAddress(buyer, newId, testKey().address);
  const refund = await shop.createRefund(newId, { covers: 'whole' });
  assert.equal(numberAt(refund, 'debit_btc'), numberAt(await shop.readRefunds(id), 'refunds', 0, 'amount_btc'));
  const again = await shop.requestRefund(newId, { covers: 'whole' });
  assert.equal(again.status, 409, 'the credit is refunded once');
  await calls.sendRefund(refund);
  await shop.mine(6);
  await waitUntil(async () => {
    const listed = await shop.shop.api('GET', '/support/returns?view=waiting', { token: shop.staff });
    return !listAt(listed.body, 'returns').some((one) => textAt(one, 'return', 'id') === returnId);
  });
});

test('[RET-08] the difference can be paid at a new price after the expiry, delivered free', async (t) => {
  t.after(() => shop.callDemoTool('clock', { offset_s: 0 }));
  const { buyer, returnId } = await calls.createInspected(1);
  const { dearer } = await calls.readVariants(returnId);
  const done = await calls.exchange(returnId, dearer.variantId);
  const newId = textAt(done.body, 'exchanged', 'order_id');
  await shop.callDemoTool('clock', { offset_s: 4 * 86_400 });
  await waitUntil(async () => textAt(await calls.readOrder(buyer, newId), 'payment_status') === 'expired');
  const renewed = await shop.post(`/orders/${newId}/requote`, {}, buyer.token);
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
  const open = await calls.readOrder(buyer, newId);
  assert.equal(textAt(open, 'payment_status'), 'pending');
  assert.equal(numberAt(open, 'shipping_usd'), 0);
  assert.equal(numberAt(open, 'total_usd_after'), dearer.price);
  await shop.callDemoTool('pay', { order_id: newId });
  await shop.mine(6);
  await waitUntil(async () => textAt(await calls.readOrder(buyer, newId), 'payment_status') === 'paid');
});

test('[RET-08] what is left of a credit stays owed and can be claimed, whatever is exchanged next', async () => {
  const { buyer, returnId } = await calls.createInspected(1);
  const { dearer } = await calls.readVariants(returnId);
  const first = textAt((await calls.exchange(returnId, dearer.variantId)).body, 'exchanged', 'order_id');
  await shop.callDemoTool('pay', { order_id: first });
  await shop.mine(6);
  await waitUntil(async () => textAt(await calls.readOrder(buyer, first), 'payment_status') === 'paid');
  const exchangeAgain = async (order: string, which: 'cheaper' | 'same') => {
    const returned = await calls.inspect(buyer, order, 1);
    const chosen = (await calls.readVariants(returned))[which];
    const done = await calls.exchange(returned, chosen.variantId);
    assert.equal(done.status, 200, JSON.stringify(done.body));
    return { returned, order: textAt(done.body, 'exchanged', 'order_id') };
  };
  const ship = async (order: string): Promise<void> =>
    assert.equal((await shop.post(`/orders/${order}/ship`, {})).status, 200);
  const deleteAccount = async (): Promise<ApiResponse> => {
    const path = `/users/${await calls.returns.readUserId(buyer)}`;
    return shop.shop.api('DELETE', path, { token: buyer.token, body: { username: buyer.name } });
  };
  await ship(first);
  const cheaper = await exchangeAgain(first, 'cheaper');
  const isWaiting = async (): Promise<boolean> => {
    const { body } = await shop.shop.api('GET', '/support/returns?view=waiting', { token: shop.staff });
    return listAt(body, 'returns').some((one) => textAt(one, 'return', 'id') === cheaper.returned);
  };
  assert.ok(await isWaiting());
  await ship(cheaper.order);
  assert.equal(textAt((await deleteAccount()).body, 'error', 'code'), 'payment-under-way');
  const last = await exchangeAgain(cheaper.order, 'same');
  assert.equal(textAt(await calls.readOrder(buyer, cheaper.order), 'payment_status'), 'refunded');
  assert.ok(await isWaiting(), 'the rest of the credit is still owed');
  await ship(last.order);
  assert.equal(textAt((await deleteAccount()).body, 'error', 'code'), 'payment-under-way');
  const cookie = await readSessionCookie(shop.shop, buyer.name);
  const isAskedForAddress = async (order: string): Promise<boolean> =>
    (await readPage(`${shop.shop.url}/dashboard/orders/${order}`, cookie)).html.includes('name="refundAddress"');
  assert.ok(await isAskedForAddress(cheaper.order), 'the page asks where to send the rest');
  await shop.confirmAddress(buyer, cheaper.order, testKey().address);
  await calls.sendRefund(await shop.createRefund(cheaper.order, { covers: 'whole' }));
  await shop.mine(6);
  await waitUntil(async () => !(await isWaiting()));
  assert.ok(!(await isAskedForAddress(cheaper.order)), 'nothing is left to send');
  const none = await shop.shop.api('PUT', `/orders/${cheaper.order}/refund-address`, {
    token: buyer.token,
    body: { address: testKey().address },
  });
  assert.equal(none.status, 409, 'nothing is left');
});

test('[RET-08] staff who press at once exchange or refund a return once', async () => {
  const { buyer, id, returnId } = await calls.createInspected(2);
  const { dearer, same } = await calls.readVariants(returnId);
  const version = numberAt(await calls.returns.read(returnId), 'return', 'version');
  const body = (variantId: string, total: number) => ({
    version,
    lines: [{ position: 0, variant_id: variantId }],
    expected_total_usd: total,
  });
  const press = (action: string, more: object) =>
    shop.post(`/support/returns/${returnId}/${action}`, { version, ...more });
  const pressed = await Promise.all([
    press('exchange', body(same.variantId, 2 * 999)),
    press('exchange', body(same.variantId, 2 * 999)),
    press('exchange', body(dearer.variantId, 2 * dearer.price)),
    press('refund', calls.returns.anyWallet),
    press('close', { reason: 'Never arrived' }),
  ]);
  assert.equal(
    pressed.filter(({ status }) => status === 200).length,
    1,
    JSON.stringify(pressed.map(({ body: b }) => b)),
  );
  assert.ok(pressed.every(({ status }) => status === 200 || status === 409));
  const refunds = listAt(await shop.readRefunds(id), 'refunds');
  const outcome = textAt(await calls.returns.read(returnId), 'return', 'outcome');
  assert.equal(refunds.length, outcome === 'not-refunded' ? 0 : 1);
  assert.equal((await calls.countOrders(buyer)) - 1, outcome === 'exchanged' ? 1 : 0);
});

test('[RET-08] exchanged units are not refunded, and their credit is not undone', async () => {
  const { buyer, id, returnId } = await calls.createInspected(1);
  const { same } = await calls.readVariants(returnId);
  assert.equal((await calls.exchange(returnId, same.variantId)).status, 200);
  for (const action of ['refund', 'close', 'void', 'exchange'])
    assert.equal((await calls.press(returnId, action, same)).status, 409, action);
  const credit = listAt(await shop.readRefunds(id), 'refunds')[0];
  const refundId = textAt(credit, 'id');
  assert.equal((await shop.post(`/refunds/${refundId}/withdraw`)).status, 409);
  assert.equal((await shop.post(`/refunds/${refundId}/undo-record`, { reason: 'By mistake' })).status, 409);
  assert.equal((await calls.returns.request(buyer, id, 1)).status, 409);
  const lines = {
    units: [{ position: 0, quantity: 1, shipped: true }],
    shipping: false,
    restock: false,
    reason: 'Again',
  };
  const again = await shop.requestRefund(id, { covers: 'lines', from: 'any-wallet', lines });
  assert.equal(again.status, 409, JSON.stringify(again.body));
  await assert.rejects(
    runWithShopDatabase(shop.shop, (db) =>
      sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash,
          first_seen, raw_tx, credit_refund_id)
        select sha256(txid), 0, order_id, amount_sats, false, true, 0, block_hash, now(), raw_tx, credit_refund_id
        from payment_outputs where credit_refund_id = ${refundId}`.execute(db),
    ),
    /payment_outputs_credit_refund_id_key/,
  );
});

test('[RET-08] what can’t be exchanged changes nothing', async () => {
  const { buyer, id, returnId } = await calls.createInspected(1);
  const { own, same } = await calls.readVariants(returnId);
  const readCode = async (variantId: string, total = 999) =>
    textAt((await calls.exchange(returnId, variantId, total)).body, 'error', 'code');
  assert.equal(await readCode(own), 'same-variant');
  assert.equal(await readCode(returnId), 'withdrawn', 'no variant has this id');
  assert.equal(await readCode(await calls.findVariantOfAnotherProduct()), 'withdrawn');
  assert.equal(await readCode(same.variantId, 998), 'repriced');
  await calls.setStock(same.variantId, 0);
  assert.equal(await readCode(same.variantId), 'sold-out');
  await calls.setStock(same.variantId, 20);
  await calls.fillCart(buyer);
  const open = await shop.checkout(buyer);
  assert.equal(open.status, 201, JSON.stringify(open.body));
  assert.equal(await readCode(same.variantId), 'buyer-order-open');
  assert.equal((await shop.post(`/orders/${textAt(open.body, 'order', 'id')}/cancel`, {}, buyer.token)).status, 200);
  assert.equal(textAt(await calls.returns.read(returnId), 'return', 'state'), 'inspected');
  assert.equal(listAt(await shop.readRefunds(id), 'refunds').length, 0);
  assert.equal((await calls.exchange(returnId, same.variantId)).status, 200);
});

test('[RET-08] units whose whole price is deducted are offered no exchange', async () => {
  const { buyer, id } = await calls.returns.createShippedOrder(1);
  const requested = await calls.returns.request(buyer, id, 1);
  const returnId = textAt(requested.body, 'return', 'id');
  const kept = { damaged: 1, restocked: 0, condition: 'Broken', deduction_usd: 999, deduction_reason: 'Broken' };
  await calls.returns.receiveAndInspect(returnId, 1, { ...calls.restocked(1), ...kept });
  const found = await calls.returns.read(returnId);
  assert.equal(textAt(found, 'return', 'state'), 'inspected');
  assert.equal(valueAt(found, 'exchange'), null);
});

test('[RET-08] buyers name the variant that they want instead', async () => {
  const { buyer, id } = await calls.returns.createShippedOrder(1);
  const listed = await shop.shop.api('GET', `/orders/${id}/returns`, { token: buyer.token });
  const wanted = textAt(listed.body, 'lines', 0, 'variants', 0, 'variant_id');
  const name = textAt(listed.body, 'lines', 0, 'variants', 0, 'name');
  const request = (variantId: string) =>
    shop.post(
      `/orders/${id}/returns`,
      { cause: 'defect', lines: [{ position: 0, quantity: 1, wanted_variant_id: variantId }], reason: 'Too small' },
      buyer.token,
    );
  const foreign = await request(await calls.findVariantOfAnotherProduct());
  assert.equal(`${foreign.status} ${textAt(foreign.body, 'error', 'code')}`, '409 not-on-sale');
  const requested = await request(wanted);
  assert.equal(requested.status, 201, JSON.stringify(requested.body));
  assert.equal(textAt(requested.body, 'return', 'lines', 0, 'wanted'), name);
  const returnId = textAt(requested.body, 'return', 'id');
  await calls.returns.receiveAndInspect(returnId, 1, calls.restocked(1));
  assert.equal(textAt(await calls.returns.read(returnId), 'exchange', 0, 'wanted_variant_id'), wanted);
});
