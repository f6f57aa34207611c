/** Staff calls about returns, each made once. */
import { randomUUID } from 'node:crypto';
import type { AuditWalk } from './audit-walk.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { RefundShop } from './refund-shop.ts';
import type { ReturnCalls } from './returns.ts';
import { openReturns } from './returns.ts';
import { LABEL_PDF, uploadBytes } from './upload-picture.ts';
import { waitUntil } from './wait-until.ts';

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
  await walkLabel(walk, refunded);
  await prove(refunded, 'sent', { proof: 'AUDIT-4' });
  await prove(refunded, 'receive', { position: 0 });
  const line = { position: 0, restocked: 1, damaged: 0, sent_back: 0, condition: '' };
  await prove(refunded, 'inspect', { lines: [{ ...line, deduction_usd: 0, deduction_reason: '' }] });
  await prove(refunded, 'refund', calls.anyWallet);
  await walkExchange(walk, calls);
  await walkWithdrawals(walk, refunds, calls);
}

async function walkLabel(walk: AuditWalk, id: string): Promise<void> {
  const readVersion = async () => numberAt(await walk.read(`/support/returns/${id}`), 'return', 'version');
  const version = await readVersion();
  await walk.check('POST /support/returns/{id}/label-file', false, () =>
    uploadBytes(walk.shop, `/support/returns/${id}/label-file?version=${version}`, walk.staff, LABEL_PDF),
  );
  const body = { version: await readVersion() };
  await walk.prove('DELETE /support/returns/{id}/label-file', { params: { id }, body });
}

async function walkExchange(walk: AuditWalk, calls: ReturnCalls): Promise<void> {
  const { buyer, id: orderId } = await calls.createShippedOrder(1);
  const id = textAt((await calls.request(buyer, orderId, 1)).body, 'return', 'id');
  const line = { restocked: 1, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };
  await calls.receiveAndInspect(id, 1, line);
  const found = await walk.read(`/support/returns/${id}`);
  const variant = valueAt(found, 'exchange', 0, 'variants', 0);
  const body = {
    version: numberAt(found, 'return', 'version'),
    lines: [{ position: 0, variant_id: textAt(variant, 'variant_id') }],
    expected_total_usd: numberAt(variant, 'price_usd'),
  };
  await walk.prove('POST /support/returns/{id}/exchange', { params: { id }, body });
}

async function walkWithdrawals(walk: AuditWalk, refunds: RefundShop, calls: ReturnCalls): Promise<void> {
  // Other steps switched the withdrawal off.
  const settings = await refunds.shop.api('GET', '/shop/settings', { token: walk.owner });
  const consumers = { sells_to_eu_consumers: true, version: numberAt(settings.body, 'consumers', 'version') };
  await refunds.shop.api('PUT', '/shop/settings/consumers', { token: walk.owner, body: consumers });
  const { buyer, id: orderId } = await calls.createPaidOrder(1);
  const statement = { name: 'Ada', units: null, acknowledgement_email: null, reason: null };
  await refunds.post('/withdrawal', { ...statement, order_id: orderId, key: randomUUID() }, buyer.token);
  const { body } = await refunds.shop.api('GET', `/orders/${orderId}/returns`, { token: buyer.token });
  const id = textAt(listAt(body, 'returns')[0], 'id');
  const version = numberAt(await walk.read(`/support/returns/${id}`), 'return', 'version');
  await walk.prove('POST /support/returns/{id}/void', { params: { id }, body: { version, reason: REASON } });
  const stranger = { order_number: '987654', order_email: 'nobody@shop.example' };
  await refunds.post('/withdrawal', { ...statement, ...stranger, key: randomUUID() }, buyer.token);
  let unmatched: unknown;
  await waitUntil(async () => {
    unmatched = listAt(await walk.read('/support/withdrawals'), 'withdrawals')[0];
    return unmatched !== undefined;
  });
  await walk.prove('POST /support/withdrawals/{id}/answer', { params: { id: textAt(unmatched, 'id') } });
}
