/** Optimistic cart updates: shown immediately, sent in order, and reverted if the server refuses. */
import type { Cart } from '#src/shop/cart/contract.ts';
import { isApiFailure } from '../api.ts';
import { CART_CHANGING_KEY, writeStored } from '#src/ui/browser/browser-storage.ts';
import { call } from '../call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import type { OptimisticCartUpdate, SessionState } from '../session/session.ts';
import { serialize, setCart, session, useSession } from '../session/session.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';

const LIMITS: ReadonlySet<string> = new Set(['quantity-limit', 'lines-limit', 'sold-out']);

type ValueIds = readonly string[] | null;

/** Adds to a line. Without values, takes the first variant that is available. */
export function addToCart(productId: string, valueIds: ValueIds = null, quantity = 1): Promise<boolean> {
  const wanted = getQuantityInCart(session.get(), productId, valueIds) + quantity;
  return applyOptimistically({ productId, valueIds, quantity: wanted, isAddition: true }, () =>
    call('POST /cart/add', { body: { product_id: productId, quantity, ...toValueFields(valueIds) } }),
  );
}

/** Sets the quantity of a line; below 1 removes it. */
export function updateCartLine(productId: string, quantity: number, valueIds: ValueIds = null): Promise<boolean> {
  if (quantity < 1) return removeFromCart(productId, valueIds);
  return applyOptimistically({ productId, valueIds, quantity, isAddition: false }, () =>
    call('PUT /cart/update', { body: { product_id: productId, quantity, ...toValueFields(valueIds) } }),
  );
}

/** Removes a line, or without values all lines of the product. */
export function removeFromCart(productId: string, valueIds: ValueIds = null): Promise<boolean> {
  return applyOptimistically({ productId, valueIds, quantity: 0, isAddition: false }, () =>
    call('DELETE /cart/remove', { body: { product_id: productId, ...toValueFields(valueIds) } }),
  );
}

/** Quantity in the cart, optimistic updates included; without values, of all lines of the product. */
export function getQuantityInCart(state: SessionState, productId: string, valueIds: ValueIds = null): number {
  const wish = state.optimisticUpdates.find(
    (one) => one.productId === productId && isSameChoice(one.valueIds, valueIds),
  );
  if (wish) return wish.quantity;
  return (state.cart?.cart_items ?? [])
    .filter((item) => item.product_id === productId && !item.isFree)
    .filter((item) => valueIds === null || isSameChoice(item.property_value_ids, valueIds))
    .reduce((sum, item) => sum + item.quantity, 0);
}

export const useQuantityInCart = (productId: string, valueIds: ValueIds = null): number =>
  useSession((state) => getQuantityInCart(state, productId, valueIds));

const toValueFields = (valueIds: ValueIds): { property_value_ids?: string[] } =>
  valueIds ? { property_value_ids: [...valueIds] } : {};

function isSameChoice(a: ValueIds, b: ValueIds): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((id) => b.includes(id));
}

const isSameLine = (a: OptimisticCartUpdate, b: OptimisticCartUpdate): boolean =>
  a.productId === b.productId && isSameChoice(a.valueIds, b.valueIds);

/** Sends a change after all earlier ones. Throws an ApiFailure. */
export const sendCartChange = (send: () => Promise<Cart>): Promise<void> =>
  serialize(async () => setCart(await send(), { isChanged: true }));

function applyOptimistically(wish: OptimisticCartUpdate, send: () => Promise<Cart>): Promise<boolean> {
  const others = session.get().optimisticUpdates.filter((one) => !isSameLine(one, wish));
  session.update({ optimisticUpdates: [...others, wish], isCartLoading: true, hasCartFailed: false });
  writeStored(CART_CHANGING_KEY, String(Date.now()));
  return serialize(() => sendUpdate(wish, send));
}

async function sendUpdate(wish: OptimisticCartUpdate, send: () => Promise<Cart>): Promise<boolean> {
  const newest = session.get().optimisticUpdates.find((one) => isSameLine(one, wish));
  // A later press replaced this one: only the last quantity is sent.
  if (newest && newest !== wish && !newest.isAddition && !wish.isAddition) return true;
  try {
    setCart(await send(), { isChanged: true });
    return true;
  } catch (error) {
    // A limit is not an error: the message explains why no more can be added.
    if (isApiFailure(error) && LIMITS.has(error.code)) showToast('error', error.message);
    else logError('the cart was not changed', error);
    session.update({ hasCartFailed: true });
    return false;
  } finally {
    const optimisticUpdates = session.get().optimisticUpdates.filter((one) => one !== wish);
    session.update({ optimisticUpdates, isCartLoading: optimisticUpdates.length > 0 });
    if (optimisticUpdates.length === 0) writeStored(CART_CHANGING_KEY, null);
  }
}
