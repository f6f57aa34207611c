import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { stockAlertsApi } from './contract.ts';
import type { StockAlerts } from './service.ts';

const MESSAGES = {
  'in-stock': 'This is in stock. You can order it now',
  'email-unconfirmed': 'Confirm your email address first. The link is in our mail to you',
  'too-many': 'You can wait for at most 50 items. Stop waiting for another one first',
} as const;

export function createStockAlertRoutes(alerts: StockAlerts): RoutesOf<typeof stockAlertsApi> {
  return {
    'GET /stock-alerts': {
      who: 'user',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ caller: { identity } }) => ({ stock_alerts: await alerts.list(identity.userId) }),
    },
    'POST /stock-alerts': {
      who: 'user',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async ({ body, caller: { identity } }) => {
        const opened = await alerts.open(identity.userId, body.product_id, body.property_value_ids ?? []);
        if (opened.ok) return opened.alert;
        return opened.reason === 'not-found'
          ? createNotFound()
          : new Refusal(409, opened.reason, MESSAGES[opened.reason]);
      },
    },
    'DELETE /stock-alerts/{id}': {
      who: 'user',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ params, caller: { identity } }) =>
        (await alerts.withdraw(identity.userId, params.id)) ? { message: 'success' } : createNotFound(),
    },
  };
}
