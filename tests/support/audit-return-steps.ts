/** Staff calls about returns, each made once. */
import type { AuditWalk } from './audit-walk.ts';
import { numberAt, textAt } from './read-json.ts';
import type { RefundShop } from './refund-shop.ts';
import { openReturns } from './returns.ts';

const REASON = 'Audited';

export async function walkReturns(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  await refunds.setStock(50);
  const calls = openReturns(refunds);
  const { buyer, id: orderId } = await calls.createShippedOrder(3);
  const request = async () => textAt((await calls.request(buyer, orderId, 1)).body, 'return', 'id');
  const prove = async (id: string, action: string, more: object = {}, method = 'POST'): Promise<void> => {
    const version = numberAt(await walk.read(`/support/returns/${id}`), 'return', 'version');
    await walk.prove(`${method} /support/returns/{id}/${action}`, { params: { id }, body: { version, ...more } });
  };
  await prove(await request(), 'refuse', { reason: REASON });
  const closed = await request();
  await prove(closed, 'approve');
  await prove(closed, 'close', { reason: REASON });
  const refunded = await request();
  await prove(refunded, 'approve');
  await prove(refunded, 'label', { label_url: 'https://carrier.example/label/1' }, 'PUT');
  await prove(refunded, 'sent', { proof: 'AUDIT-4' });
  await prove(refunded, 'receive', { position: 0 });
  const line = { position: 0, restocked: 1, damaged: 0, sent_back: 0, condition: '' };
  await prove(refunded, 'inspect', { lines: [{ ...line, deduction_usd: 0, deduction_reason: '' }] });
  await prove(refunded, 'refund', calls.anyWallet);
}
