import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { refuseOutdatedWith } from '#src/shop/editing/service.ts';
import type { inventoryApi } from './contract.ts';
import type { StockList, StockChangeResponse } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
/** A delivery is booked in row by row. */
const changing: Limit = { points: 300, seconds: 60, by: 'caller' };

/** Each may change a hundred variants. */
const counting: Limit = { points: 30, seconds: 60, by: 'caller' };

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;
const badKey = (): Refusal =>
  new Refusal(400, 'invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
const isBadKey = (key: string | null): boolean => key !== null && !KEY_PATTERN.test(key);

const respond = (variantId: string, changed: StockChangeResponse, reply: Reply) => {
  if (changed.ok) {
    reply.recordSecurityEvent('stock_changed', { targetId: variantId });
    return changed.levels;
  }
  if (changed.reason === 'not-found') return createNotFound();
  return changed.reason === 'outdated'
    ? refuseOutdatedWith(changed.message)
    : new Refusal(409, changed.reason, changed.message);
};

/** Several variants in one request. */
function createCountRoutes(inventory: StockList): Pick<RoutesOf<typeof inventoryApi>, 'PUT /inventory'> {
  return {
    'PUT /inventory': {
      who: 'stock',
      limit: counting,
      handle: async ({ body: { counts, thresholds = [], reason, note = null }, caller, reply }) => {
        const { idempotencyKey: requestKey } = caller;
        if (isBadKey(requestKey)) return badKey();
        const saved = await inventory.saveAll(
          {
            counts: counts.map(({ variant_id: variantId, quantity, seen }) => ({ variantId, quantity, seen })),
            thresholds: thresholds.map(({ variant_id: variantId, threshold, seen }) => ({
              variantId,
              threshold,
              seen,
            })),
          },
          { reason, note, by: toStaffActor(caller), requestKey },
        );
        if (saved instanceof Refusal) return saved;
        const changed = new Set([...counts, ...thresholds].map(({ variant_id: id }) => id));
        for (const targetId of changed) reply.recordSecurityEvent('stock_changed', { targetId });
        return saved;
      },
    },
  };
}

export function createInventoryRoutes(inventory: StockList): RoutesOf<typeof inventoryApi> {
  return {
    ...createCountRoutes(inventory),
    'GET /inventory': {
      who: 'stock',
      limit: reading,
      handle: ({ query: { q = '', show = 'all', sort = 'name', page = 1 } }) =>
        inventory.list({ q: q.trim(), show, sort }, page),
    },
    'GET /inventory/products/{product_id}': {
      who: 'stock',
      limit: reading,
      handle: async ({ params }) => (await inventory.findProduct(params.product_id)) ?? createNotFound(),
    },
    'GET /inventory/{variant_id}': {
      who: 'stock',
      limit: reading,
      handle: async ({ params }) => (await inventory.find(params.variant_id)) ?? createNotFound(),
    },
    'PUT /inventory/{variant_id}': {
      who: 'stock',
      limit: changing,
      handle: async ({ params: { variant_id: id }, body, caller, reply }) => {
        const { idempotencyKey: requestKey } = caller;
        if (isBadKey(requestKey)) return badKey();
        const { of, quantity, seen, reason, note = null } = body;
        const change = { kind: 'set', of, quantity, seen } as const;
        const by = toStaffActor(caller);
        return respond(id, await inventory.change(id, { change, reason, note, by, requestKey }), reply);
      },
    },
    'POST /inventory/{variant_id}/adjustments': {
      who: 'stock',
      limit: changing,
      handle: async ({ params: { variant_id: id }, body, caller, reply }) => {
        const { idempotencyKey: requestKey } = caller;
        if (isBadKey(requestKey)) return badKey();
        const { by: units, reason, note = null } = body;
        const by = toStaffActor(caller);
        const change = { kind: 'adjust', by: units } as const;
        return respond(id, await inventory.change(id, { change, reason, note, by, requestKey }), reply);
      },
    },
    'POST /inventory/{variant_id}/stop-tracking': {
      who: 'stock',
      limit: changing,
      handle: async ({ params: { variant_id: id }, body: { note = null }, caller, reply }) => {
        const by = toStaffActor(caller);
        const request = { change: { kind: 'stop-tracking' }, reason: 'correction', note, by } as const;
        return respond(id, await inventory.change(id, request), reply);
      },
    },
    'PUT /inventory/{variant_id}/threshold': {
      who: 'stock',
      limit: changing,
      handle: async ({ params: { variant_id: id }, body, caller, reply }) => {
        const refused = await inventory.setThreshold(id, body.threshold, toStaffActor(caller));
        if (refused !== null) return refused;
        reply.recordSecurityEvent('stock_changed', { targetId: id });
        return { message: 'success' };
      },
    },
    'GET /inventory/{variant_id}/history': {
      who: 'stock',
      limit: reading,
      handle: async ({ params, query }) =>
        (await inventory.listHistory(params.variant_id, query.page ?? 1)) ?? createNotFound(),
    },
    'PUT /low-stock': {
      who: 'stock',
      limit: changing,
      handle: async ({ body, caller, reply }) => {
        const changed = await inventory.changeSettings(body, toStaffActor(caller));
        if (changed instanceof Refusal) return changed;
        reply.recordSecurityEvent('stock_changed');
        return changed;
      },
    },
  };
}
