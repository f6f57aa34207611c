/** The devchain of a new demo shop mines automatically. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOrder } from './support/new-order.ts';
import { numberAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

test('the demo mines until an order with two confirmations is paid', async (t) => {
  const shop = await startTestShop({
    fresh: true,
    settings: { DEVCHAIN_AUTOMINE: 'on', CONFIRMATIONS: '0:2' },
  });
  t.after(() => shop.stop());
  const order = await createOrder(shop, 'newcomer');
  assert.equal(numberAt(order.order, 'payment', 'required_confirmations'), 2);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/payments/check/${order.id}`, { token: order.token });
    return valueAt(body, 'isPaid') === true;
  });
});
