import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { describeRefusedLine } from '#src/shop/cart/cart-calls.service.ts';
import { MAX_LINE_QUANTITY } from '#src/shop/cart/contract.ts';
import type { manualOrdersApi } from './contract.ts';
import { refuseManualOrder } from './refusals.service.ts';
import type { CustomerChoice, ManualOrders } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
/** Each call does the work of a checkout. */
const creating: Limit = { points: 20, seconds: 60, by: 'caller', isShared: true };

const noCustomer = new Refusal(400, 'invalid', 'Choose a customer, or enter the address and name of a new one', {
  fields: { customer_id: 'or email and name are required' },
});

/** Lines of one variant count together. */
const createExcess = (index: number): Refusal =>
  new Refusal(400, 'invalid', describeRefusedLine({ ok: false, reason: 'quantity-limit', index }), {
    fields: { [`lines.${index}.quantity`]: `Maximum ${MAX_LINE_QUANTITY} per item` },
  });

export function createManualOrderRoutes(manualOrders: ManualOrders): RoutesOf<typeof manualOrdersApi> {
  return {
    'GET /support/order-defaults': {
      who: 'manual-orders',
      limit: reading,
      handle: async () => ({ country: manualOrders.homeCountry }),
    },
    'GET /support/customers/{id}/billing': {
      who: 'manual-orders',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params }) => (await manualOrders.findLastBilling(params.id)) ?? createNotFound(),
    },
    'GET /support/order-variants': {
      who: 'manual-orders',
      limit: reading,
      handle: ({ query }) => manualOrders.searchVariants(query.q),
    },
    'POST /support/orders/preview': {
      who: 'manual-orders',
      limit: reading,
      handle: async ({ body }) => {
        const { country = null, customer_id: customerId = null, lines, promo_code: promoCode = null } = body;
        const delivery = { country, vatNumber: body.vat_number ?? null };
        const found = await manualOrders.preview({ lines, promoCode, delivery }, customerId);
        if (found.ok) return found.cart;
        return found.reason === 'quantity-limit'
          ? createExcess(found.index)
          : new Refusal(409, 'withdrawn', describeRefusedLine(found));
      },
    },
    'POST /support/orders': {
      who: 'manual-orders',
      limit: creating,
      handle: async ({ body, caller }) => {
        const { billing, customer_id: id, email, lines, name, promo_code: promoCode = null, window } = body;
        const added = email === undefined || name === undefined ? null : { email, name };
        const customer: CustomerChoice | null = id === undefined ? added : { id };
        if (customer === null) return noCustomer;
        const excess = manualOrders.findExcess(lines);
        if (excess !== null) return createExcess(excess);
        const created = await manualOrders.create(customer, {
          by: toStaffActor(caller),
          billing,
          lines,
          promoCode,
          window,
          expectedTotalCents: body.expected_total_usd,
          idempotencyKey: caller.idempotencyKey,
          request: JSON.stringify({ ...body, expected_total_usd: String(body.expected_total_usd) }),
        });
        return created.ok ? { order_id: created.id } : refuseManualOrder(created);
      },
    },
  };
}
