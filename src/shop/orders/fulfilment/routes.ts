import { Download, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { OrderChangeRefusal } from '../status/order-change-result.ts';
import type { Carriers } from './carriers.service.ts';
import type { fulfilmentApi } from './contract.ts';
import type { FulfilmentOverview } from './overview.service.ts';
import type { SerialTransfer } from './serial-transfer.service.ts';
import type { Fulfilment } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 30, seconds: 60, by: 'caller' };
const shipping: Limit = { points: 20, seconds: 60, by: 'caller' };

const respond = (changed: Awaited<ReturnType<Carriers['edit']>>) =>
  changed instanceof Refusal ? changed : { carrier: changed };

/** Each reads a file of thousands of lines, or all orders of its days. */
const transferring: Limit = { points: 10, seconds: 60, by: 'caller' };

const createSerialRoutes = (
  transfer: SerialTransfer,
): Pick<
  RoutesOf<typeof fulfilmentApi>,
  'GET /exports/serial-numbers' | 'POST /support/serial-numbers/check' | 'POST /support/serial-numbers/import'
> => ({
  'GET /exports/serial-numbers': {
    who: 'report-exports',
    hasPersonalData: true,
    limit: { ...transferring, isShared: true },
    handle: async ({ query, caller }) => {
      const { name, pieces } = await transfer.export(query, toStaffActor(caller), caller.getAbortSignal?.());
      return new Download(name, 'text/csv; charset=utf-8', pieces);
    },
  },
  'POST /support/serial-numbers/check': {
    who: 'shipping',
    limit: transferring,
    handle: ({ body }) => transfer.check(body.csv),
  },
  'POST /support/serial-numbers/import': {
    who: 'shipping',
    limit: transferring,
    handle: ({ body, caller }) => transfer.import(body.csv, toStaffActor(caller)),
  },
});

export interface FulfilmentServices {
  readonly carriers: Carriers;
  readonly fulfilment: Fulfilment;
  readonly fulfilmentOverview: FulfilmentOverview;
  readonly serialTransfer: SerialTransfer;
  /** Code and message of a refused step. */
  readonly describeRefusal: (refusal: OrderChangeRefusal) => { readonly code: string; readonly message: string };
}

export function createFulfilmentRoutes({
  carriers,
  describeRefusal,
  fulfilment,
  fulfilmentOverview,
  serialTransfer,
}: FulfilmentServices): RoutesOf<typeof fulfilmentApi> {
  return {
    'GET /carriers': {
      who: 'orders',
      limit: reading,
      handle: async () => ({ carriers: [...(await carriers.list())] }),
    },
    'POST /carriers': {
      who: 'settings-changes',
      limit: changing,
      handle: async ({ body, caller }) => respond(await carriers.create(body, toStaffActor(caller))),
    },
    'PUT /carriers/{id}': {
      who: 'settings-changes',
      limit: changing,
      handle: async ({ params, body, caller }) => respond(await carriers.edit(params.id, body, toStaffActor(caller))),
    },
    'DELETE /carriers/{id}': {
      who: 'settings-changes',
      limit: changing,
      handle: async ({ params, caller }) => respond(await carriers.remove(params.id, toStaffActor(caller))),
    },
    'GET /support/fulfilment': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ query }) => ({
        orders: await fulfilmentOverview.listOrders(query.ids.split(',')),
        time_zone: fulfilmentOverview.timeZone,
      }),
    },
    ...createSerialRoutes(serialTransfer),
    'POST /support/shipments': {
      who: 'shipping',
      limit: shipping,
      handle: async ({ body, caller }) => {
        const results = [];
        for (const {
          order_id: orderId,
          number,
          carrier_id: carrierId = null,
          tracking_reference: reference,
          serials = [],
        } of body.shipments) {
          const step = { to: 'shipped', number, carrierId, trackingReference: reference ?? null, serials } as const;
          const shipped = await fulfilment.record(orderId, step, toStaffActor(caller));
          results.push({ order_id: orderId, refusal: shipped.ok ? null : describeRefusal(shipped) });
        }
        return { results };
      },
    },
  };
}
