import { GUEST_COOKIE } from '#src/platform/http/api.ts';
import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { Caller, Reply, RoutesOf } from '#src/platform/http/call.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from './contract.ts';
import type { cartApi } from './contract.ts';
import { GUEST_CART_DAYS } from './service.ts';
import type { CartAnswer, Carts, CartChangeResult, CartChangeError, Shopper } from './service.ts';

const reading: Limit = { points: 1200, seconds: 60, by: 'caller' };
const writing: Limit = { points: 600, seconds: 60, by: 'caller' };

/** Codes must not be found by trying; who knows them may apply as many as they like. */
const failing: Limit = { points: 30, seconds: 600, by: 'caller', isShared: true };
const failingFrom: Limit = { points: 60, seconds: 600, by: 'ip', isShared: true };
const createCodeCounters = ({ identity, ip }: Caller): readonly LimitCounter[] => [
  { name: 'promo-failures', limit: failing, key: identity ? `user:${identity.userId}` : `ip:${ip}` },
  { name: 'promo-failures-from', limit: failingFrom, key: ip },
];

/** Carts that one address may open without an account: each is a row that is kept for weeks. */
const createGuestCartCounters = (ip: string): readonly LimitCounter[] => [
  { name: 'guest-carts-an-hour', limit: { points: 300, seconds: 3600, by: 'ip', isShared: true }, key: ip },
  { name: 'guest-carts-a-day', limit: { points: 1000, seconds: 86_400, by: 'ip', isShared: true }, key: ip },
];

const toShopper = ({ identity, guestToken }: Caller): Shopper => ({ userId: identity?.userId ?? null, guestToken });

const refusals: Readonly<Record<CartChangeError, () => Refusal>> = {
  'no-such-product': notFound,
  'not-in-cart': () => new Refusal(404, 'not-in-cart', 'This item is not in the cart'),
  'unknown-values': () => new Refusal(400, 'unknown-values', 'The product is not offered with these values'),
  'quantity-limit': () =>
    new Refusal(400, 'quantity-limit', `At most ${MAX_LINE_QUANTITY} of an item can be in the cart`),
  'no-such-promotion': () => new Refusal(404, 'promo-not-found', 'Promo code not found'),
  'lines-limit': () => new Refusal(400, 'lines-limit', `At most ${MAX_CART_LINES} different items can be in the cart`),
};

function answer(changed: CartChangeResult | Refusal, reply: Reply): CartAnswer | Refusal {
  if (changed instanceof Refusal) return changed;
  if (!changed.ok) return refusals[changed.reason]();
  if (changed.guestToken !== null) reply.setCookie(GUEST_COOKIE, changed.guestToken, GUEST_CART_DAYS * 24 * 60 * 60);
  return changed.cart;
}

export function cartRoutes(carts: Carts, limits: RateLimits): RoutesOf<typeof cartApi> {
  /** Makes a change that may open a cart for a guest, if the caller's address may open one more. */
  const opening = async (
    caller: Caller,
    change: () => Promise<CartChangeResult>,
  ): Promise<CartChangeResult | Refusal> => {
    const counts = (await carts.wouldOpenGuestCart(toShopper(caller))) ? createGuestCartCounters(caller.ip) : [];
    const taken = await consumeAll(limits, counts);
    if (!taken.ok) return new Refusal(429, 'too-often', 'Too many carts were opened from your network', taken);
    const changed = await change();
    if (!changed.ok) await restoreAll(limits, counts);
    return changed;
  };
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
        answer(await opening(caller, () => carts.add(toShopper(caller), body)), reply),
    },
    'PUT /cart/update': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => answer(await carts.update(toShopper(caller), body), reply),
    },
    'DELETE /cart/remove': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => answer(await carts.remove(toShopper(caller), body), reply),
    },
    'POST /cart/accept-prices': {
      who: 'anyone',
      limit: writing,
      handle: async ({ caller, reply }) => answer(await carts.acceptPrices(toShopper(caller)), reply),
    },
    'POST /promocodes/apply': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => {
        const counts = createCodeCounters(caller);
        // Counted before it is known to fail, so that many at once are not more than one after the other.
        const taken = await consumeAll(limits, counts);
        if (!taken.ok) return new Refusal(429, 'too-often', 'Too many promo codes were tried, please wait', taken);
        const applied = await opening(caller, () => carts.applyPromotion(toShopper(caller), body.code));
        if (applied instanceof Refusal || applied.ok) await restoreAll(limits, counts);
        return answer(applied, reply);
      },
    },
    'DELETE /promocodes/apply': {
      who: 'anyone',
      limit: writing,
      handle: async ({ caller, reply }) => answer(await carts.removePromotion(toShopper(caller)), reply),
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
        if (caller.guestToken !== null) reply.clearCookie(GUEST_COOKIE);
        return { cart };
      },
    },
  };
}
