import { toClientKey } from '#src/platform/http/client-key.ts';
import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { ordersApi } from './contract.ts';
import { createCheckoutRefusal } from './checkout/refusals.service.ts';
import type { Orders } from './service.ts';

const reading: Limit = { points: 60, seconds: 10, by: 'caller' };

export function createOrderRoutes(orders: Orders): RoutesOf<typeof ordersApi> {
  return {
    'POST /cart/checkout': {
      who: 'user',
      // A user has one open order at a time; the limit bounds the work of rejected calls.
      limit: { points: 30, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ body, caller }) => {
        const { userId } = caller.identity;
        const { expected_total_usd: expectedTotalCents = null, ...billing } = body;
        const checkedOut = await orders.checkout({
          userId,
          billing,
          expectedTotalCents,
          idempotencyKey: caller.idempotencyKey,
          network: toClientKey(caller.ip),
        });
        return checkedOut.ok ? { order: checkedOut.order } : createCheckoutRefusal(checkedOut);
      },
    },
    'GET /orders': {
      who: 'user',
      limit: reading,
      handle: async ({ caller }) => ({ order: await orders.findCurrent(caller.identity.userId) }),
    },
    'GET /orders/billing': {
      who: 'user',
      limit: reading,
      handle: async ({ caller }) => ({ billing: await orders.findLastBilling(caller.identity.userId) }),
    },
    'GET /orders/{id}': {
      who: 'user',
      limit: reading,
      handle: async ({ params, caller }) => {
        const order = await orders.find(caller.identity.userId, params.id);
        return order ? { order } : createNotFound();
      },
    },
    'POST /orders/history': {
      who: 'user',
      limit: reading,
      handle: async ({ caller }) => ({ orders: await orders.listHistory(caller.identity.userId) }),
    },
    'PUT /orders/paid': {
      who: 'user',
      limit: { points: 20, seconds: 60, by: 'caller' },
      handle: async ({ body, caller }) => {
        const order = await orders.markUserPaid(caller.identity.userId, body.order_id);
        return order ? { order } : createNotFound();
      },
    },
    'GET /payments/check/{orderId}': {
      who: 'user',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async ({ params, caller }) =>
        (await orders.checkPayment(caller.identity.userId, params.orderId)) ?? createNotFound(),
    },
    'GET /payments/chain': {
      who: 'anyone',
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async () => ({ state: orders.chainStatus }),
    },
    'GET /wallet': {
      who: 'user',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => {
        const address = await orders.findOpenAddress(caller.identity.userId);
        return address === null ? createNotFound() : { wallet_address: address };
      },
    },
  };
}
