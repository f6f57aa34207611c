/** Returns in two processes on one database: staff and buyers who press at once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { createApiClient } from './support/api-client.ts';
import { openExchanges } from './support/exchanges.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import { openReturns } from './support/returns.ts';
import type { ReturnCalls } from './support/returns.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';

const ROUNDS = 4;
let shop: RefundShop;
let second: ShopProcess;
let calls: ReturnCalls;
let apis: readonly ReturnType<typeof createApiClient>[];
before(async () => {
  shop = await openRefundShop();
  second = await startSecondProcess(shop.shop, { BITCOIN_XPUB: shop.xpub });
  calls = openReturns(shop);
  apis = [shop.shop.api, createApiClient(second.url)];
});
after(async () => {
  await second.kill9();
  await shop.shop.stop();
});

/** Makes the same call in both processes at once. Returns the statuses. */
async function pressAtOnce(path: string, bodies: readonly object[], token = shop.staff): Promise<readonly number[]> {
  const pressed = await Promise.all(apis.flatMap((api) => bodies.map((body) => api('POST', path, { token, body }))));
  return pressed.map(({ status }) => status);
}
const countDone = (statuses: readonly number[]): number => statuses.filter((status) => status < 300).length;
const read = (id: string): Promise<unknown> => calls.read(id);
const CONDITION = { restocked: 0, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };

test('[RET-06] [RET-07] two processes count each unit and refund each return once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { buyer, id } = await calls.createShippedOrder(2);
    const request = { cause: 'defect', lines: [{ position: 0, quantity: 2 }], reason: 'It does not start' };
    assert.equal(countDone(await pressAtOnce(`/orders/${id}/returns`, [request, request], buyer.token)), 1);
    const { body } = await shop.shop.api('GET', `/orders/${id}/returns`, { token: buyer.token });
    const returnId = textAt(body, 'returns', 0, 'id');
    assert.equal(listAt(body, 'returns').length, 1);

    // The buyer cancels while staff approve.
    const [approved] = await Promise.all([
      apis[1]?.('POST', `/support/returns/${returnId}/approve`, { token: shop.staff, body: { version: 1 } }),
      shop.shop.api('POST', `/returns/${returnId}/cancel`, { token: buyer.token, body: {} }),
    ]);
    const state = textAt(await read(returnId), 'return', 'state');
    assert.ok(state === 'closed' || (state === 'approved' && approved?.status === 200), state);
    if (state === 'closed') continue;
    const version = async () => numberAt(await read(returnId), 'return', 'version');
    const counted = await pressAtOnce(`/support/returns/${returnId}/receive`, [
      { version: await version(), position: 0 },
      { version: await version(), position: 0 },
    ]);
    assert.equal(countDone(counted), 1);
    assert.equal(numberAt(await read(returnId), 'return', 'lines', 0, 'received'), 1);
    const lines = [{ position: 0, ...CONDITION, restocked: 1 }];
    await pressAtOnce(`/support/returns/${returnId}/inspect`, [{ version: await version(), lines }]);
    const refund = { version: await version(), ...calls.anyWallet };
    assert.equal(countDone(await pressAtOnce(`/support/returns/${returnId}/refund`, [refund, refund])), 1);
    assert.equal(listAt(await shop.readRefunds(id), 'refunds').length, 1);
    assert.equal(numberAt(await shop.readRefunds(id), 'refunds', 0, 'value_usd'), 999);
  }
});

test('[RET-08] two processes exchange each return once', async () => {
  const exchanges = openExchanges(shop);
  await exchanges.stockAll(50);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { buyer, id, returnId } = await exchanges.createInspected(1);
    const { same } = await exchanges.readVariants(returnId);
    const stock = await exchanges.readStock(same.variantId);
    const orders = await exchanges.countOrders(buyer);
    const version = numberAt(await read(returnId), 'return', 'version');
    const lines = [{ position: 0, variant_id: same.variantId }];
    const exchange = { version, lines, expected_total_usd: same.price };
    assert.equal(countDone(await pressAtOnce(`/support/returns/${returnId}/exchange`, [exchange, exchange])), 1);
    assert.equal(listAt(await shop.readRefunds(id), 'refunds').length, 1);
    assert.equal(await exchanges.countOrders(buyer), orders + 1);
    assert.equal(await exchanges.readStock(same.variantId), stock - 1);
  }
  assert.equal(await exchanges.sumLedger(), 0n, 'each credit has its refund');
});
