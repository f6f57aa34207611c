import { toClientKey } from '#src/platform/http/client-key.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { orderStatusApi } from './contract.ts';
import type { OrderChangeResult, OrderChangeRefusal } from './order-change-result.ts';
import type { ShipmentCorrections } from '../fulfilment/corrections.service.ts';
import type { Fulfilment } from '../fulfilment/service.ts';
import type { SerialNumbers } from '../fulfilment/serials.service.ts';
import type { PaymentDecisions } from './payment-decisions.service.ts';
import type { OrderStatus } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

/** Both totals in dollars, for the request that accepts the new one. */
const showTotals = ({ newTotalCents, oldTotalCents }: NonNullable<OrderChangeRefusal['repricing']>) => ({
  old_total_usd: (Number(oldTotalCents) / 100).toFixed(2),
  new_total_usd: (Number(newTotalCents) / 100).toFixed(2),
});

const refusals: Readonly<
  Record<
    OrderChangeRefusal['reason'],
    (message: string, retryAfterSeconds: number, repricing: OrderChangeRefusal['repricing']) => Refusal
  >
> = {
  'not-found': createNotFound,
  'payment-live': () =>
    new Refusal(
      409,
      'payment-live',
      'A payment for this order has arrived or is on its way. The order can’t be closed',
    ),
  'not-cancellable': () => new Refusal(409, 'not-cancellable', 'This order can no longer be cancelled'),
  'not-expired': () =>
    new Refusal(
      409,
      'not-expired',
      'Only an expired order, or one whose payment was double-spent, can get a new price',
    ),
  'order-open': () => new Refusal(409, 'order-open', 'Your previous order is not paid yet. Complete it first'),
  'not-manual': () => new Refusal(409, 'not-manual', 'The buyer placed this order. Only the buyer can do this'),
  blocked: () => new Refusal(403, 'blocked', 'This account is blocked'),
  promo: (message) => new Refusal(409, 'promo', message, { fields: { promoError: message } }),
  'sold-out': (message) => new Refusal(409, 'sold-out', message),
  withdrawn: (message) => new Refusal(409, 'withdrawn', message),
  'not-delivered': (message) => new Refusal(409, 'not-delivered', message),
  'weight-unknown': (message) => new Refusal(409, 'weight-unknown', message),
  'below-dust': (message) => new Refusal(409, 'below-dust', message),
  repriced: (message, _retryAfterSeconds, repricing) =>
    new Refusal(409, 'repriced', message, repricing && { fields: showTotals(repricing) }),
  'reserve-limit': (message) => new Refusal(409, 'reserve-limit', message),
  'too-often': (_words, retryAfterSeconds) =>
    new Refusal(
      429,
      'too-often',
      'Too many orders were placed or renewed from your account or network today. Try again later',
      {
        retryAfterSeconds,
      },
    ),
  'not-reserved': () => new Refusal(409, 'not-reserved', 'No stock is reserved for this order'),
  'payment-seen': () => new Refusal(409, 'payment-seen', 'A payment for this order was seen. Its items stay reserved'),
  'no-rate': () =>
    new Refusal(503, 'no-rate', 'No bitcoin price is available right now. Try again in a minute', {
      retryAfterSeconds: 60,
    }),
  'not-paid': () => new Refusal(409, 'not-paid', 'Only a paid order can be shipped'),
  'shipping-held': () =>
    new Refusal(409, 'shipping-held', 'Shipping is on hold: the payment of this order lost its confirmations'),
  refunding: () => new Refusal(409, 'refunding', 'The payment of this order is being refunded'),
  'written-off': () =>
    new Refusal(409, 'written-off', 'This order is closed. Its payment is refunded once the buyer claims it'),
  'shipped-otherwise': () =>
    new Refusal(409, 'shipped-otherwise', 'This order was shipped with another tracking reference'),
  'shipment-exists': () =>
    new Refusal(
      409,
      'shipment-exists',
      'Another shipment of this order was recorded. Reload the page to see what is left',
    ),
  'number-missing': () =>
    new Refusal(
      409,
      'number-missing',
      'A shipment with these units was recorded. Send the number of the next shipment to ship as many again',
    ),
  'no-shipment': () => new Refusal(409, 'no-shipment', 'This order has no parcel with this number'),
  delivered: () => new Refusal(409, 'delivered', 'This order was delivered. Its parcels can’t be undone'),
  'parcel-refunded': () =>
    new Refusal(409, 'parcel-refunded', 'Shipped units of this parcel are refunded. Withdraw that refund first'),
  'parcel-returned': () =>
    new Refusal(409, 'parcel-returned', 'A unit of this parcel was returned. The parcel can’t be undone'),
  'serial-numbers': (message) => new Refusal(409, 'serial-numbers', message),
  'serials-changed': () =>
    new Refusal(409, 'serials-changed', 'Somebody changed these numbers meanwhile. Reload the page to see them'),
  'unknown-carrier': () => new Refusal(409, 'unknown-carrier', 'This carrier was deleted. Choose another one'),
  'too-many-units': () =>
    new Refusal(409, 'too-many-units', 'Fewer units are left to ship. Reload the page to see how many'),
  'parcel-returning': () =>
    new Refusal(409, 'parcel-returning', 'Units of this parcel are in a return. Close or refuse that return first'),
  'contract-withdrawn': () =>
    new Refusal(
      409,
      'contract-withdrawn',
      'The buyer withdrew from units of this order, so they must not be shipped. Load the order again and ship what is left of it',
    ),
  'nothing-to-ship': () => new Refusal(409, 'nothing-to-ship', 'Choose at least one unit that is not shipped'),
  'already-paid': () => new Refusal(409, 'already-paid', 'This order is already paid'),
  'nothing-received': () => new Refusal(409, 'nothing-received', 'No payment was received for this order'),
  'not-confirmed': () =>
    new Refusal(409, 'not-confirmed', 'The received payment needs more confirmations. Try again later'),
  refunded: () => new Refusal(409, 'refunded', 'This order has been refunded'),
  'not-taken-back': () =>
    new Refusal(
      409,
      'not-taken-back',
      'Only an expired or free order, or one whose payment lost its confirmations or is only dust, can be cancelled',
    ),
  shipped: () => new Refusal(409, 'shipped', 'This order has been shipped'),
  'not-shipped': () => new Refusal(409, 'not-shipped', 'This order has not been shipped'),
};

/** Code and message of a refusal, for a response about several orders. */
export function describeRefusal(refusal: OrderChangeRefusal) {
  const { code, message } = createRefusal(refusal);
  return { code, message };
}

const createRefusal = ({
  reason,
  words = '',
  retryAfterSeconds = 60,
  repricing,
  problems,
}: OrderChangeRefusal): Refusal =>
  problems === undefined
    ? refusals[reason](words, retryAfterSeconds, repricing)
    : new Refusal(409, reason, words, { fields: problems });

const toResponse = (
  changed: OrderChangeResult,
): { order: Extract<OrderChangeResult, { ok: true }>['order'] } | Refusal =>
  changed.ok ? { order: changed.order } : createRefusal(changed);

/** Refusals that buyers read in another form. */
const STAFF_REFUSALS: Partial<Record<OrderChangeRefusal['reason'], (retryAfterSeconds: number) => Refusal>> = {
  'order-open': () => new Refusal(409, 'order-open', 'This customer has another open order. Wait until it is paid'),
  blocked: () => new Refusal(403, 'blocked', 'This customer is blocked'),
  'too-often': (retryAfterSeconds) =>
    new Refusal(429, 'too-often', 'You created or renewed 100 orders today. Try again later', { retryAfterSeconds }),
};

interface OrderStatusServices {
  readonly orderStatus: OrderStatus;
  readonly fulfilment: Fulfilment;
  readonly corrections: ShipmentCorrections;
  readonly serialNumbers: Pick<SerialNumbers, 'correct'>;
  readonly paymentDecisions: PaymentDecisions;
}

/** Changes of orders that staff created. */
const createManualOrderChanges = (
  orderStatus: OrderStatus,
): Pick<
  RoutesOf<typeof orderStatusApi>,
  'POST /support/orders/{id}/renew-price' | 'POST /support/orders/{id}/cancel'
> => ({
  'POST /support/orders/{id}/renew-price': {
    who: 'manual-orders',
    limit: changing,
    handle: async ({ params, body, caller }) => {
      const { expected_total_usd: expectedTotal = null, window } = body;
      const renewed = await orderStatus.renewManual(params.id, window, toStaffActor(caller), expectedTotal);
      if (renewed.ok) return { order: renewed.order };
      return STAFF_REFUSALS[renewed.reason]?.(renewed.retryAfterSeconds ?? 60) ?? toResponse(renewed);
    },
  },
  'POST /support/orders/{id}/cancel': {
    who: 'manual-orders',
    limit: changing,
    handle: async ({ params, body: { reason }, caller }) =>
      toResponse(await orderStatus.cancelManual(params.id, { by: toStaffActor(caller), reason })),
  },
});

const toParcel = ({ id, number }: { readonly id: string; readonly number: string }) => ({ id, number: Number(number) });

/** Shipping, delivery and corrections of parcels. */
const createShippingChanges = ({
  corrections,
  fulfilment,
  serialNumbers,
}: Pick<OrderStatusServices, 'corrections' | 'fulfilment' | 'serialNumbers'>): Pick<
  RoutesOf<typeof orderStatusApi>,
  | 'POST /orders/{id}/ship'
  | 'PUT /orders/{id}/shipments/{number}'
  | 'PUT /orders/{id}/shipments/{number}/serials'
  | 'POST /orders/{id}/shipments/{number}/undo'
  | 'POST /orders/{id}/deliver'
> => ({
  'POST /orders/{id}/ship': {
    who: 'shipping',
    limit: changing,
    handle: async ({ params, body, caller }) =>
      toResponse(
        await fulfilment.record(
          params.id,
          {
            to: 'shipped',
            trackingReference: body.tracking_reference ?? null,
            carrierId: body.carrier_id ?? null,
            number: body.number,
            units: body.lines ?? null,
            serials: body.serials ?? [],
          },
          toStaffActor(caller),
        ),
      ),
  },
  'PUT /orders/{id}/shipments/{number}': {
    who: 'shipping',
    limit: changing,
    handle: async ({ params, body, caller }) => {
      const to = { trackingNumber: body.tracking_reference ?? null, carrierId: body.carrier_id ?? null };
      return toResponse(await corrections.correctTracking(toParcel(params), to, toStaffActor(caller)));
    },
  },
  'PUT /orders/{id}/shipments/{number}/serials': {
    who: 'shipping',
    limit: changing,
    handle: async ({ params, body, caller }) => {
      const { id, number: parcel } = toParcel(params);
      return toResponse(await serialNumbers.correct(id, { ...body, parcel }, toStaffActor(caller)));
    },
  },
  'POST /orders/{id}/shipments/{number}/undo': {
    who: 'shipping',
    limit: changing,
    handle: async ({ params, caller }) => toResponse(await corrections.undo(toParcel(params), toStaffActor(caller))),
  },
  'POST /orders/{id}/deliver': {
    who: 'shipping',
    limit: changing,
    handle: async ({ params, caller }) =>
      toResponse(await fulfilment.record(params.id, { to: 'delivered' }, toStaffActor(caller))),
  },
});

export function createOrderStatusRoutes({
  orderStatus,
  corrections,
  fulfilment,
  paymentDecisions,
  serialNumbers,
}: OrderStatusServices): RoutesOf<typeof orderStatusApi> {
  return {
    'POST /orders/{id}/cancel': {
      who: 'user',
      limit: changing,
      handle: async ({ params, caller }) => toResponse(await orderStatus.cancel(caller.identity.userId, params.id)),
    },
    'POST /orders/{id}/requote': {
      who: 'user',
      limit: changing,
      handle: async ({ params, body, caller }) => {
        const { expected_total_usd: expectedTotal = null } = body;
        return toResponse(
          await orderStatus.requote(caller.identity.userId, params.id, toClientKey(caller.ip), expectedTotal),
        );
      },
    },
    ...createManualOrderChanges(orderStatus),
    'POST /orders/{id}/release-stock': {
      who: 'stock',
      limit: changing,
      handle: async ({ params, body: { reason }, caller }) =>
        toResponse(await orderStatus.releaseStock(params.id, { by: toStaffActor(caller), reason })),
    },
    ...createShippingChanges({ corrections, fulfilment, serialNumbers }),
    'POST /orders/{id}/settle': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body: { reason }, caller }) =>
        toResponse(await paymentDecisions.acceptAsPaid(params.id, { by: toStaffActor(caller), reason })),
    },
    'POST /orders/{id}/give-up': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body: { reason }, caller }) =>
        toResponse(await paymentDecisions.cancelByStaff(params.id, { by: toStaffActor(caller), reason })),
    },
    'POST /orders/{id}/close-as-loss': {
      who: 'money',
      limit: changing,
      handle: async ({ params, body: { reason }, caller }) =>
        toResponse(await paymentDecisions.closeAsLoss(params.id, { by: toStaffActor(caller), reason })),
    },
  };
}
