/** Rows of the access table for webhooks and API keys. */
import { ABSENT_ID } from './access-callers.ts';
import { ownerOnly } from './access-rows.ts';

const at = (path: string) => () => ({ path });
const endpoint = { url: 'https://erp.example/hooks', description: '', event_types: ['order.paid'] };

export const INTEGRATION_ROWS = {
  'GET /webhooks': ownerOnly(200),
  'GET /webhooks/{id}': ownerOnly(404, at(`/webhooks/${ABSENT_ID}`)),
  'POST /webhooks': ownerOnly(400, () => ({ body: { ...endpoint, url: 'ftp://erp.example/' } })),
  'PUT /webhooks/{id}': ownerOnly(404, () => ({ path: `/webhooks/${ABSENT_ID}`, body: { ...endpoint, version: 1 } })),
  'DELETE /webhooks/{id}': ownerOnly(404, at(`/webhooks/${ABSENT_ID}`)),
  'POST /webhooks/{id}/enable': ownerOnly(404, at(`/webhooks/${ABSENT_ID}/enable`)),
  'POST /webhooks/{id}/disable': ownerOnly(404, at(`/webhooks/${ABSENT_ID}/disable`)),
  'POST /webhooks/{id}/rotate-secret': ownerOnly(404, at(`/webhooks/${ABSENT_ID}/rotate-secret`)),
  'POST /webhooks/{id}/test': ownerOnly(404, at(`/webhooks/${ABSENT_ID}/test`)),
  'GET /webhooks/{id}/deliveries': ownerOnly(404, at(`/webhooks/${ABSENT_ID}/deliveries`)),
  'GET /webhook-deliveries/{id}': ownerOnly(404, at(`/webhook-deliveries/${ABSENT_ID}`)),
  'POST /webhook-deliveries/{id}/resend': ownerOnly(404, at(`/webhook-deliveries/${ABSENT_ID}/resend`)),
  'GET /api-keys': ownerOnly(200),
  'POST /api-keys': ownerOnly(400, () => ({ body: { name: 'ERP', scopes: [], expires_in_days: null } })),
  'DELETE /api-keys/{id}': ownerOnly(404, at(`/api-keys/${ABSENT_ID}`)),
};
