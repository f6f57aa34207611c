import { GUEST_COOKIE } from '#src/platform/http/api.ts';
import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { Caller, Reply, RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from './contract.ts';
import type { cartApi } from './contract.ts';
import { GUEST_CART_DAYS } from './service.ts';
import type { CartAnswer, Carts, Changed, NotChanged, Shopper } from './service.ts';

const reading: Limit = { points: 1200, seconds: 60, by: 'caller' };
const writing: Limit = { points: 600, seconds: 60, by: 'caller' };

const shopperOf = ({ identity, guestToken }: Caller): Shopper => ({ userId: identity?.userId ?? null, guestToken });

const refusals: Readonly<Record<NotChanged, () => Refusal>> = {
  'no-such-product': notFound,
  'not-in-cart': () => new Refusal(404, 'not-in-cart', 'This item is not in the cart'),
  'unknown-values': () => new Refusal(400, 'unknown-values', 'The product is not offered with these values'),
  'quantity-limit': () =>
    new Refusal(400, 'quantity-limit', `At most ${MAX_LINE_QUANTITY} of an item can be in the cart`),
  'lines-limit': () => new Refusal(400, 'lines-limit', `At most ${MAX_CART_LINES} different items can be in the cart`),
};

function answer(changed: Changed, reply: Reply): CartAnswer | Refusal {
  if (!changed.ok) return refusals[changed.reason]();
  if (changed.guestToken !== null) reply.setCookie(GUEST_COOKIE, changed.guestToken, GUEST_CART_DAYS * 24 * 60 * 60);
  return changed.cart;
}

export function cartRoutes(carts: Carts): RoutesOf<typeof cartApi> {
  return {
    'GET /cart': {
      who: 'anyone',
      limit: reading,
      handle: async ({ caller, reply }) => {
        reply.header('cache-control', 'no-store');
        return carts.read(shopperOf(caller));
      },
    },
    'POST /cart/add': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => answer(await carts.add(shopperOf(caller), body), reply),
    },
    'PUT /cart/update': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => answer(await carts.update(shopperOf(caller), body), reply),
    },
    'DELETE /cart/remove': {
      who: 'anyone',
      limit: writing,
      handle: async ({ body, caller, reply }) => answer(await carts.remove(shopperOf(caller), body), reply),
    },
    'GET /cart/guest': {
      who: 'anyone',
      limit: reading,
      handle: async ({ caller, reply }) => {
        reply.header('cache-control', 'no-store');
        return { cart_items: await carts.readGuestItems(shopperOf(caller)) };
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
