import { GUEST_COOKIE } from '#src/platform/http/api.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Caller, Reply } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from './contract.ts';
import type { cartApi } from './contract.ts';
import { GUEST_CART_DAYS } from './service.ts';
import type { CartResponse, Carts, CartChangeResult, CartChangeError, Shopper } from './service.ts';

const reading: Limit = { points: 1200, seconds: 60, by: 'caller' };
const writing: Limit = { points: 600, seconds: 60, by: 'caller' };

/** Limits guessing of codes. Successful applications do not count. */
const failing: Limit = { points: 30, seconds: 600, by: 'caller', isShared: true };
const failingFrom: Limit = { points: 60, seconds: 600, by: 'ip', isShared: true };
const createCodeCounters = ({ identity, ip }: Caller): readonly LimitCounter[] => [
  { name: 'promo-failures', limit: failing, key: identity ? `user:${identity.userId}` : `ip:${ip}` },
  { name: 'promo-failures-from', limit: failingFrom, key: ip },
];

/** Limits guest carts per address: each is a stored row. */
const createGuestCartCounters = (ip: string): readonly LimitCounter[] => [
  { name: 'guest-carts-an-hour', limit: { points: 300, seconds: 3600, by: 'ip', isShared: true }, key: ip },
  { name: 'guest-carts-a-day', limit: { points: 1000, seconds: 86_400, by: 'ip', isShared: true }, key: ip },
];

const toShopper = ({ identity, guestToken }: Caller): Shopper => ({ userId: identity?.userId ?? null, guestToken });

const refusals: Readonly<Record<CartChangeError, () => Refusal>> = {
  'no-such-product': createNotFound,
  'not-in-cart': () => new Refusal(404, 'not-in-cart', 'This item is not in the cart'),
  'unknown-values': () => new Refusal(400, 'unknown-values', 'This product is not available with these options'),
  'quantity-limit': () => new Refusal(400, 'quantity-limit', `Maximum ${MAX_LINE_QUANTITY} per item`),
  'no-such-promotion': () => new Refusal(404, 'promo-not-found', 'Promo code not found'),
  'lines-limit': () => new Refusal(400, 'lines-limit', `Maximum ${MAX_CART_LINES} different items per cart`),
};

function toResponse(changed: CartChangeResult | Refusal, reply: Reply): CartResponse | Refusal {
  if (changed instanceof Refusal) return changed;
  if (!changed.ok) {
    return changed.reason === 'sold-out' ? new Refusal(409, 'sold-out', changed.message) : refusals[changed.reason]();
  }
  if (changed.guestToken !== null) reply.setCookie(GUEST_COOKIE, changed.guestToken, GUEST_CART_DAYS * 24 * 60 * 60);
  return changed.cart;
}

/** Makes a change that may create a guest cart, within the limit per address. */
const limitGuestCarts =
  (carts: Carts, limits: RateLimits) =>
  async (caller: Caller, change: () => Promise<CartChangeResult>): Promise<CartChangeResult | Refusal> => {
    const counts = (await carts.wouldOpenGuestCart(toShopper(caller))) ? createGuestCartCounters(caller.ip) : [];
    const limited = await consumeAll(limits, counts);
    if (!limited.ok) return new Refusal(429, 'too-often', 'Too many carts were created from your network', limited);
    const changed = await change();
    if (!changed.ok) await restoreAll(limits, counts);
    return changed;
  };

export function createCartRoutes(carts: Carts, limits: RateLimits): RoutesOf<typeof cartApi> {
  const changeWithinLimit = limitGuestCarts(carts, limits);
  return {
    'GET /cart': {
      who: 'anyone',
      limit: reading,
      handle: async ({ caller, reply }) => {
        reply.header('cache-control', 'no-store');
        return carts.read(toShopper(caller));
      },
    },
    'POST /cart/add': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) =>
        toResponse(await changeWithinLimit(caller, () => carts.add(toShopper(caller), body)), reply),
    },
    'PUT /cart/update': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => toResponse(await carts.update(toShopper(caller), body), reply),
    },
    'DELETE /cart/remove': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => toResponse(await carts.remove(toShopper(caller), body), reply),
    },
    'POST /cart/accept-prices': {
      who: 'anyone',
      limit: writing,
      handle: async ({ caller, reply }) => toResponse(await carts.acceptPrices(toShopper(caller)), reply),
    },
    'PUT /cart/delivery': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body: { country = null, vat_number: vatNumber = null }, caller, reply }) =>
        toResponse(await carts.setDelivery(toShopper(caller), { country, vatNumber }), reply),
    },
    'POST /promocodes/apply': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => {
        const counts = createCodeCounters(caller);
        // Consumed before the check and restored on success, so that concurrent guesses count too.
        const limited = await consumeAll(limits, counts);
        if (!limited.ok) return new Refusal(429, 'too-often', 'Too many attempts. Wait and try again.', limited);
        const applied = await changeWithinLimit(caller, () => carts.applyPromotion(toShopper(caller), body.code));
        if (applied instanceof Refusal || applied.ok) await restoreAll(limits, counts);
        return toResponse(applied, reply);
      },
    },
    'DELETE /promocodes/apply': {
      who: 'anyone',
      limit: writing,
      handle: async ({ caller, reply }) => toResponse(await carts.removePromotion(toShopper(caller)), reply),
    },
    'GET /cart/guest': {
      who: 'anyone',
      limit: reading,
      handle: async ({ caller, reply }) => {
        reply.header('cache-control', 'no-store');
        return { cart_items: await carts.readGuestItems(toShopper(caller)) };
      },
    },
    'POST /orders/transfer-cart': {
      who: 'user',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ caller, reply }) => {
        const cart = await carts.transfer(caller.identity.userId, caller.guestToken);
        if (cart === null) return new Refusal(403, 'blocked', 'This account is blocked');
        if (caller.guestToken !== null) reply.clearCookie(GUEST_COOKIE);
        return { cart };
      },
    },
  };
}
