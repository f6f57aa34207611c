import { z } from 'zod';
import { id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const MAX_VALUES = 20;

const stockAlert = z.object({
  id,
  product_id: id,
  property_value_ids: z.array(id),
  created_at: instant,
});

export const stockAlertsApi = {
  'GET /stock-alerts': {
    summary: 'Lists the variants that the caller gets a mail about when they are back in stock, newest first',
    response: z.object({ stock_alerts: z.array(stockAlert) }),
  },
  'POST /stock-alerts': {
    summary:
      'Requests one mail when a sold-out variant can be ordered again. Idempotent; at most 50 an account, with a confirmed email address',
    body: z.object({ product_id: id, property_value_ids: z.array(id).max(MAX_VALUES).optional() }),
    status: 201,
    response: stockAlert,
    refusals: { 404: 'not-found', 409: 'in-stock, email-unconfirmed, too-many' },
  },
  'DELETE /stock-alerts/{id}': {
    summary: 'Withdraws the request for a mail',
    params: z.object({ id }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
