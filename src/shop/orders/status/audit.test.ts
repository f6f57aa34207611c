/** Audit entries of decisions on payments. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { listAuditEntries, verifyAuditLog } from '#src/shop/audit-log/service.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const by = createStaffActor(uuidv7(), 'anna');

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
  await shop.setStock(100);
});

/** A paid order whose payment was reorganized. */
async function createReorgedPayment(isShipped: boolean): Promise<string> {
  const { id, payment } = await shop.placeOrder(await shop.createBuyer());
  const paid = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [paid]);
  if (isShipped) await shop.fulfilment.record(id, { to: 'shipped', trackingReference: null });
  await shop.setChainState(id, [{ ...paid, height: null, isLive: false, conflictHeight: shop.tip - 10 }]);
  return id;
}
const listEntries = async (id: string) =>
  (await listAuditEntries(shop.db, { subjectKind: 'order', subjectId: id }, { limit: 10, offset: 0 })).entries;

test('[OPS-06] cancelling as unpayable leaves one entry, however often it is repeated', async () => {
  const id = await createReorgedPayment(false);
  for (const reason of ['First', 'Second']) {
    assert.ok((await shop.paymentDecisions.cancelByStaff(id, { by, reason })).ok);
  }
  const entries = await listEntries(id);
  assert.deepEqual(
    entries.map(({ action, actorId, details }) => [
      action,
      actorId,
      details?.before?.['payment_status'],
      details?.after?.['payment_status'],
      details?.after?.['reason'],
    ]),
    [['order.cancelled_as_unpayable', by.userId, 'user_paid', 'cancelled', 'First']],
  );
});

test('[OPS-06] closing as a loss leaves one entry', async () => {
  const id = await createReorgedPayment(true);
  for (const reason of ['First', 'Second']) {
    assert.ok((await shop.paymentDecisions.closeAsLoss(id, { by, reason })).ok);
  }
  const entries = await listEntries(id);
  assert.deepEqual(
    entries.filter(({ action }) => action !== 'order.shipped').map(({ action, details }) => [action, details?.after]),
    [['order.closed_as_loss', { closed_as_loss_of: 'payment', reason: 'First' }]],
  );
});

test('[OPS-06] a refused decision leaves no entry', async () => {
  const { id } = await shop.placeOrder(await shop.createBuyer());
  const refused = await shop.paymentDecisions.acceptAsPaid(id, { by, reason: 'Nothing arrived' });
  assert.equal(refused.ok, false);
  assert.deepEqual(await listEntries(id), []);
  assert.ok((await verifyAuditLog(shop.db)).ok);
});
