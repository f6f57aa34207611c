/** Staff calls about payments and refunds, each made once. */
import { testKey } from './devchain.ts';
import { textAt, valueAt } from './read-json.ts';
import type { RefundShop } from './refund-shop.ts';
import type { AuditWalk } from './audit-walk.ts';

const REASON = 'Audited';

export async function walkRefunds(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const make = async (orderId: string): Promise<unknown> => {
    const body = { covers: 'surplus', fee_paid_by: 'shop' };
    const made = await walk.prove('POST /orders/{id}/refunds', { params: { id: orderId }, body });
    return valueAt(made, 'refund');
  };
  const sent = await make((await refunds.createOverpaidOrder(testKey().address)).id);
  await walk.prove('POST /refunds/{id}/broadcast', {
    params: { id: textAt(sent, 'id') },
    body: { psbt: refunds.sign(sent).psbt },
  });
  const { id } = await refunds.createOverpaidOrder(testKey().address);
  const withdrawn = await make(id);
  await walk.prove('POST /refunds/{id}/withdraw', { params: { id: textAt(withdrawn, 'id') }, body: {} });
  const params = { id: textAt(await make(id), 'id') };
  await walk.prove('POST /refunds/{id}/record', { params, body: { txid: 'ab'.repeat(32) } });
  await walk.prove('POST /refunds/{id}/undo-record', { params, body: { reason: REASON } });
}

const createCancelledPaidOrder = async (refunds: RefundShop): Promise<{ readonly id: string }> => ({
  id: await refunds.createCancelledPaidOrder(await refunds.createBuyer(), 0.009),
});

export async function walkManualRefunds(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  await walk.prove('POST /orders/{id}/refunds/elsewhere', {
    params: await createCancelledPaidOrder(refunds),
    body: { covers: 'whole', txid: 'cd'.repeat(32), address: testKey().address, reason: REASON },
  });
  const unclaimed = await createCancelledPaidOrder(refunds);
  await walk.prove('POST /orders/{id}/refund-address/enter', {
    params: await createCancelledPaidOrder(refunds),
    body: { address: testKey().address, reason: REASON },
  });
  await refunds.callDemoTool('clock', { offset_s: 2 * 24 * 3600 });
  const again = await walk.reopen();
  await again.prove('POST /orders/{id}/write-offs', { params: unclaimed, body: { kind: 'unclaimed', reason: REASON } });
}

export async function walkPayments(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const underpaid = await refunds.createPaidOrder(await refunds.createBuyer(), 0.005);
  await walk.prove('POST /orders/{id}/settle', { params: { id: underpaid }, body: { reason: REASON } });
  await refunds.setStock(5);
  const { body } = await refunds.checkout(await refunds.createBuyer());
  const params = { id: textAt(body, 'order', 'id') };
  await walk.prove('POST /orders/{id}/release-stock', { params, body: { reason: REASON } });
  await walk.prove('POST /payments/rescans', { body: { from_height: 1 } });
}

export async function walkExports(walk: AuditWalk): Promise<void> {
  await walk.prove('GET /exports/books', { asOwner: true, query: '?from=2026-01-01&to=2026-12-31' });
  await walk.prove('GET /exports/audit', { asOwner: true, query: '?kind=report' });
  await walk.prove('POST /exports/backup', { asOwner: true, body: { passphrase: 'a long passphrase' } });
  await walk.prove('GET /exports/serial-numbers', { asOwner: true, query: '?from=2026-01-01' });
  await walk.prove('GET /exports/orders', { asOwner: true, query: '?from=2026-01-01' });
  await walk.prove('GET /exports/invoices', { asOwner: true, query: '?from=2026-01-01&to=2026-12-31' });
}
