/** Changes of the cart: shown at once, sent one after the other, and taken back if the server refuses. */
import type { Cart } from '#src/shop/cart/contract.ts';
import { isApiFailure } from '../api.ts';
import { CART_CHANGING_KEY, writeStored } from '#src/ui/browser-storage.ts';
import { call } from '../call.ts';
import { logFault } from '#src/ui/log-fault.ts';
import type { CartWish, SessionState } from '../session/session.ts';
import { inTurn, keepCart, session, useSession } from '../session/session.ts';
import { showToast } from '#src/ui/show-toast.ts';

const LIMITS: ReadonlySet<string> = new Set(['quantity-limit', 'lines-limit']);

type ValueIds = readonly string[] | null;

/** Adds to a line. Without values: the first value of each property. */
export function cartAdd(productId: string, valueIds: ValueIds = null, quantity = 1): Promise<boolean> {
  const wanted = quantityInCart(session.get(), productId, valueIds) + quantity;
  return change({ productId, valueIds, quantity: wanted, isAddition: true }, () =>
    call('POST /cart/add', { body: { product_id: productId, quantity, ...valuesOf(valueIds) } }),
  );
}

/** Sets the quantity of a line; below 1 the line goes. */
export function cartUpdate(productId: string, quantity: number, valueIds: ValueIds = null): Promise<boolean> {
  if (quantity < 1) return cartRemove(productId, valueIds);
  return change({ productId, valueIds, quantity, isAddition: false }, () =>
    call('PUT /cart/update', { body: { product_id: productId, quantity, ...valuesOf(valueIds) } }),
  );
}

/** Removes a line, or without values every line of the product. */
export function cartRemove(productId: string, valueIds: ValueIds = null): Promise<boolean> {
  return change({ productId, valueIds, quantity: 0, isAddition: false }, () =>
    call('DELETE /cart/remove', { body: { product_id: productId, ...valuesOf(valueIds) } }),
  );
}

/** How many are in the cart, as far as the visitor is concerned; without values, of all lines of the product. */
export function quantityInCart(state: SessionState, productId: string, valueIds: ValueIds = null): number {
  const wish = state.cartWishes.find((one) => one.productId === productId && isSameChoice(one.valueIds, valueIds));
  if (wish) return wish.quantity;
  return (state.cart?.cart_items ?? [])
    .filter((item) => item.product_id === productId && !item.isFree)
    .filter((item) => valueIds === null || isSameChoice(item.property_value_ids, valueIds))
    .reduce((sum, item) => sum + item.quantity, 0);
}

export const useQuantityInCart = (productId: string, valueIds: ValueIds = null): number =>
  useSession((state) => quantityInCart(state, productId, valueIds));

const valuesOf = (valueIds: ValueIds): { property_value_ids?: string[] } =>
  valueIds ? { property_value_ids: [...valueIds] } : {};

function isSameChoice(a: ValueIds, b: ValueIds): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((id) => b.includes(id));
}

const isSameLine = (a: CartWish, b: CartWish): boolean =>
  a.productId === b.productId && isSameChoice(a.valueIds, b.valueIds);

/** Sends a change of the cart when all that was asked before is done. Throws an ApiFailure. */
export const cartSend = (send: () => Promise<Cart>): Promise<void> =>
  inTurn(async () => keepCart(await send(), { isChanged: true }));

function change(wish: CartWish, send: () => Promise<Cart>): Promise<boolean> {
  const others = session.get().cartWishes.filter((one) => !isSameLine(one, wish));
  session.update({ cartWishes: [...others, wish], isCartLoading: true, hasCartFailed: false });
  writeStored(CART_CHANGING_KEY, String(Date.now()));
  return inTurn(() => carryOut(wish, send));
}

async function carryOut(wish: CartWish, send: () => Promise<Cart>): Promise<boolean> {
  const newest = session.get().cartWishes.find((one) => isSameLine(one, wish));
  // Pressed again meanwhile: only the last quantity needs to be sent.
  if (newest && newest !== wish && !newest.isAddition && !wish.isAddition) return true;
  try {
    keepCart(await send(), { isChanged: true });
    return true;
  } catch (error) {
    logFault('the cart was not changed', error);
    // A limit is no fault: who wants more is told why there is no more.
    if (isApiFailure(error) && LIMITS.has(error.code)) showToast('error', error.message);
    session.update({ hasCartFailed: true });
    return false;
  } finally {
    const cartWishes = session.get().cartWishes.filter((one) => one !== wish);
    session.update({ cartWishes, isCartLoading: cartWishes.length > 0 });
    if (cartWishes.length === 0) writeStored(CART_CHANGING_KEY, null);
  }
}
