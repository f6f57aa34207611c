/** Calls about webhooks and API keys, each made once. */
import { listAt, numberAt, textAt } from './read-json.ts';
import type { AuditWalk } from './audit-walk.ts';

const idOf = (value: unknown, ...path: readonly (string | number)[]) => ({ id: textAt(value, ...path, 'id') });

export async function walkIntegrations(walk: AuditWalk): Promise<void> {
  // Nothing listens there.
  const fields = { url: 'https://erp.invalid/hooks', description: '', event_types: ['order.paid'] };
  const created = await walk.prove('POST /webhooks', { asOwner: true, body: fields });
  const params = idOf(created, 'endpoint');
  const version = numberAt(created, 'endpoint', 'version');
  const changed = { ...fields, description: 'ERP', version };
  await walk.prove('PUT /webhooks/{id}', { asOwner: true, params, body: changed });
  await walk.prove('POST /webhooks/{id}/test', { asOwner: true, params });
  const { body: listed } = await walk.shop.api('GET', `/webhooks/${params.id}/deliveries`, { token: walk.owner });
  const [delivery] = listAt(listed, 'deliveries');
  await walk.prove('POST /webhook-deliveries/{id}/resend', { asOwner: true, params: idOf(delivery) });
  await walk.prove('POST /webhooks/{id}/rotate-secret', { asOwner: true, params });
  await walk.prove('POST /webhooks/{id}/disable', { asOwner: true, params });
  await walk.prove('POST /webhooks/{id}/enable', { asOwner: true, params });
  await walk.prove('DELETE /webhooks/{id}', { asOwner: true, params });
  const key = { name: 'Audited', scopes: ['orders:read'], expires_in_days: 1 };
  const issued = await walk.prove('POST /api-keys', { asOwner: true, body: key });
  await walk.prove('DELETE /api-keys/{id}', { asOwner: true, params: idOf(issued, 'api_key') });
}
