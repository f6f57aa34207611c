/**
 * Carts of users and guests. A guest cart belongs to a cookie until it is merged into the user's
 * cart at login. Reading creates nothing; the first write creates the cart and a guest's cookie.
 * Lines of unavailable products are listed and not charged; they count again when the product
 * returns.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { commitWith, pipeline, transact } from '#src/platform/database/database.ts';
import type { Db, LastStatements } from '#src/platform/database/database.ts';
import { issueToken } from '#src/platform/security/tokens.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { Shipping } from '#src/shop/shipping/service.ts';
import type { Taxes } from '#src/shop/tax/service.ts';
import type { TaxedBuyer } from '#src/shop/tax/taxation.ts';
import { assessCart, compareLines, isSameLine } from './assess-cart.ts';
import type { AssessedCart, StoredLine, CartContext } from './assess-cart.ts';
import { chooseAvailable, RefusedAddition } from './available-line.service.ts';
import { createSoldOut } from './cart-calls.service.ts';
import type {
  CartChangeError,
  CartChangeResult,
  CartItemResponse,
  CartResponse,
  LineChange,
} from './cart-calls.service.ts';
import { assessForCheckout, chooseLine, listGiftVariants, readCartContext } from './cart-context.service.ts';
import type { CartSources, CheckoutCart } from './cart-context.service.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from './cart-limits.ts';
import { toCartResponse, toCartItem, toDeliveryResponse } from './cart-response.ts';
import { OrderedCarts } from './ordered-carts.service.ts';
import { StaffCarts } from './staff-carts.service.ts';
import * as store from './store.ts';
import { EMPTY_CART, resolveGuest, selectCookieToken, resolveOwner } from './store.ts';
import type { CartDelivery, CartOwner, Shopper, StoredCart, VariantRequest } from './store.ts';
import { hasCharges } from './price-charges.ts';
import type { ChargeTerms } from './price-charges.ts';
import { suggestPromotions } from './suggest-promotions.ts';

export const GUEST_CART_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

export type {
  CartChangeError,
  CartChangeResult,
  CartItemResponse,
  CartResponse,
  LineChange,
} from './cart-calls.service.ts';
export type { Shopper };

export interface CartsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly promotions: Pick<
    Promotions,
    'findByCode' | 'findById' | 'findForOrder' | 'listAdvertised' | 'findFirstUsable'
  >;
  readonly taxes: Pick<Taxes, 'current' | 'read'>;
  readonly shipping: Pick<Shipping, 'current' | 'read'>;
}

export class Carts {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #catalogue: Catalogue;
  readonly #promotions: CartsOptions['promotions'];
  readonly #taxes: CartsOptions['taxes'];
  readonly #shipping: CartsOptions['shipping'];
  readonly #sources: CartSources;
  /** Carts that staff put together. */
  readonly ofStaff: StaffCarts;
  readonly ofOrders: OrderedCarts;

  constructor(options: CartsOptions) {
    const { db, clock, catalogue, promotions, taxes, shipping } = options;
    this.#db = db;
    this.#clock = clock;
    this.#catalogue = catalogue;
    this.#promotions = promotions;
    this.#taxes = taxes;
    this.#shipping = shipping;
    this.#sources = { catalogue, promotions };
    this.ofStaff = new StaffCarts(options);
    this.ofOrders = new OrderedCarts(options);
  }

  async read(shopper: Shopper): Promise<CartResponse> {
    return this.#respond(this.#db, shopper, resolveOwner(shopper));
  }

  /** Items of the guest cookie's cart, even if a user is signed in. */
  async readGuestItems({ guestToken }: Shopper): Promise<CartItemResponse[]> {
    const owner = resolveGuest(guestToken);
    const stored = owner ? await store.findCart(this.#db, owner) : EMPTY_CART;
    return (await this.#assess(this.#db, stored, null)).cart.lines.map(toCartItem);
  }

  /** Whether the next write would create a guest cart. */
  async wouldOpenGuestCart(shopper: Shopper): Promise<boolean> {
    if (shopper.userId !== null) return false;
    const owner = resolveGuest(shopper.guestToken);
    return owner === null || !(await store.hasCart(this.#db, owner));
  }

  /** Properties not named take the first values of which something is available. */
  async add(shopper: Shopper, change: LineChange): Promise<CartChangeResult> {
    const first = chooseLine(this.#catalogue, change);
    if (!first.ok) return first;
    try {
      return await transact(this.#db, (tx) => this.#addLine(tx, shopper, change, first.line));
    } catch (error) {
      if (error instanceof RefusedAddition) return error.result;
      throw error;
    }
  }

  /** @throws RefusedAddition, so that no empty cart remains */
  async #addLine(
    tx: Db,
    shopper: Shopper,
    change: LineChange,
    first: StoredLine,
  ): Promise<LastStatements<CartChangeResult>> {
    const { cartId, guestToken, stored } = await this.#openAndRead(tx, shopper, first);
    const { line, available } = await chooseAvailable(tx, this.#catalogue, change, first, stored.variants);
    const present = stored.lines.find((of) => isSameLine(of, line));
    if (!present && stored.lines.length >= MAX_CART_LINES)
      throw new RefusedAddition({ ok: false, reason: 'lines-limit' });
    if (present && available !== null && present.quantity >= available)
      throw new RefusedAddition(createSoldOut(available));
    const quantity = (present?.quantity ?? 0) + line.quantity;
    if (quantity > MAX_LINE_QUANTITY) throw new RefusedAddition({ ok: false, reason: 'quantity-limit' });
    const lines = [...stored.lines.filter((of) => of !== present), { ...line, quantity }].toSorted(compareLines);
    const cart = await this.#show(tx, shopper, { ...stored, lines });
    // The lines cannot have changed under the lock of the cart.
    const adding = store.addToLine(tx, cartId, line, MAX_LINE_QUANTITY);
    return commitWith(
      adding.then((isAdded) => {
        if (!isAdded) throw new Error('a cart changed under its lock');
        return { ok: true, cart, guestToken };
      }),
    );
  }

  async update(shopper: Shopper, change: LineChange): Promise<CartChangeResult> {
    const chosen = chooseLine(this.#catalogue, change);
    if (!chosen.ok) return chosen;
    return this.#change(shopper, async (tx, cartId) =>
      cartId !== null && (await store.setLine(tx, cartId, chosen.line)) ? null : 'not-in-cart',
    );
  }

  /** Without values, removes every line of the product. Idempotent. */
  async remove(shopper: Shopper, change: Omit<LineChange, 'quantity'>): Promise<CartChangeResult> {
    return this.#change(shopper, async (tx, cartId) => {
      const { product_id: productId, property_value_ids: valueIds } = change;
      // Tries the stored values first: the product may no longer be offered with them.
      const exactly = valueIds ? valueIds.toSorted() : null;
      const removed = cartId ? await store.deleteLines(tx, cartId, productId, exactly) : 0;
      if (removed > 0 || !valueIds) return null;
      const chosen = chooseLine(this.#catalogue, { ...change, quantity: 1 });
      if (chosen.ok && cartId) await store.deleteLines(tx, cartId, productId, chosen.line.valueIds);
      return !chosen.ok && chosen.reason === 'unknown-values' ? chosen.reason : null;
    });
  }

  /** The buyer accepts the current prices. */
  async acceptPrices(shopper: Shopper): Promise<CartChangeResult> {
    return this.#change(shopper, async (tx, cartId, owner) => {
      if (cartId === null || owner === null) return null;
      const { cart: assessed } = await this.#assess(tx, await store.findCart(tx, owner), shopper.userId);
      const repriced = assessed.lines.filter(({ notices }) => notices.some(({ code }) => code === 'repriced'));
      for (const line of repriced) await store.setSeenPrice(tx, cartId, line, line.priceCents);
      return null;
    });
  }

  /**
   * Applies a code, replacing the applied one. Every reason against it is reported as "not found".
   */
  async applyPromotion(shopper: Shopper, code: string): Promise<CartChangeResult> {
    const promotionId = (await this.#promotions.findByCode(this.#db, code, shopper.userId))?.promotion.id;
    if (promotionId === undefined) return { ok: false, reason: 'no-such-promotion' };
    const owner = resolveOwner(shopper);
    const stored = owner ? await store.findCart(this.#db, owner) : EMPTY_CART;
    const { cart: assessed } = await this.#assess(this.#db, { ...stored, promotionId }, shopper.userId);
    if (assessed.promotionProblem !== null) return { ok: false, reason: 'no-such-promotion' };
    return transact(this.#db, async (tx): Promise<CartChangeResult> => {
      const opened = await this.#open(tx, shopper);
      await store.setPromotion(tx, opened.cartId, promotionId);
      return { ok: true, cart: await this.#respond(tx, shopper, opened.owner), guestToken: opened.guestToken };
    });
  }

  /** Removes the promotion. Idempotent. */
  async removePromotion(shopper: Shopper): Promise<CartChangeResult> {
    return this.#change(shopper, async (tx, cartId) => {
      if (cartId !== null) await store.setPromotion(tx, cartId, null);
      return null;
    });
  }

  /** Sets what shipping and tax are computed for. Idempotent. */
  async setDelivery(shopper: Shopper, delivery: CartDelivery): Promise<CartChangeResult> {
    return this.#change(shopper, async (tx, cartId) => {
      if (cartId !== null) await store.setDelivery(tx, cartId, delivery);
      return null;
    });
  }

  /** Changes an existing cart under its lock. */
  async #change(
    shopper: Shopper,
    work: (tx: Db, cartId: string | null, owner: CartOwner | null) => Promise<CartChangeError | null>,
  ): Promise<CartChangeResult> {
    const owner = resolveOwner(shopper);
    return transact(this.#db, async (tx): Promise<CartChangeResult> => {
      const cartId = owner && (await store.lockCart(tx, owner, this.#clock.now()));
      const reason = await work(tx, cartId, owner);
      if (reason !== null) return { ok: false, reason };
      return {
        ok: true,
        cart: await this.#respond(tx, shopper, owner),
        guestToken: cartId ? selectCookieToken(shopper) : null,
      };
    });
  }

  /**
   * Merges the guest cart into the user's cart: quantities of the same line add up to at most 99.
   * The line limit does not apply, so nothing is lost. The guest cart is deleted in the same
   * transaction, so repeated or concurrent merges add nothing twice. Its promo code is used unless
   * the user's cart has one.
   * @returns whether any line was moved
   */
  async mergeGuestCart(
    tx: Db,
    { userId, guestToken }: { readonly userId: string; readonly guestToken: string | null },
  ): Promise<{ readonly preserved: boolean }> {
    const owner = resolveGuest(guestToken);
    // Always locks the guest cart first, which prevents deadlocks between merges.
    const guestCartId = owner && (await store.lockCart(tx, owner, this.#clock.now()));
    if (!guestCartId) return { preserved: false };
    const cartId = await store.openCart(tx, uuidv7(), { userId }, this.#clock.now());
    const moved = await store.copyLines(tx, guestCartId, cartId, MAX_LINE_QUANTITY);
    await store.deleteCart(tx, guestCartId);
    return { preserved: moved > 0 };
  }

  /** Merges as a separate call. Idempotent. Null if the account is blocked. */
  async transfer(userId: string, guestToken: string | null): Promise<CartResponse | null> {
    return transact(this.#db, async (tx) => {
      if (await store.isOwnerBlocked(tx, userId)) return null;
      await this.mergeGuestCart(tx, { userId, guestToken });
      return this.#respond(tx, { userId, guestToken: null }, { userId });
    });
  }

  /**
   * Prices the user's cart at a rate and at the prices of the database, and locks its row until the
   * transaction ends: lines can't change, and a concurrent checkout waits and finds it empty. Null if the cart is empty.
   * @param at moment of the order, which decides on sale prices and promotions; rate; and who buys
   */
  async lockForCheckout(
    tx: Db,
    userId: string,
    { rate, now, buyer }: { readonly rate: CentsPerBtc; readonly now: Date; readonly buyer: TaxedBuyer },
  ): Promise<CheckoutCart | null> {
    // In one round trip. The reads wait for the lock; variants are read after the revisions of products.
    const [id, products, stored, tax, shipping] = await pipeline(tx, (free) => [
      store.lockCart(free, { userId }, now),
      this.#catalogue.readOnSale(free, store.selectCartProducts(userId), now),
      store.findCart(free, { userId }),
      this.#taxes.read(free),
      this.#shipping.read(free),
    ]);
    if (id === null || stored.lines.length === 0) return null;
    const onSale = { products, variants: stored.variants };
    return assessForCheckout(tx, this.#sources, stored, {
      now,
      userId,
      rate,
      charges: { tax, shipping, buyer },
      onSale,
    });
  }

  /** Empties a cart locked by `lockForCheckout`. */
  emptyAfterCheckout(tx: Db, userId: string): Promise<void> {
    return store.emptyCart(tx, userId);
  }

  /**
   * Locks the user's cart until the transaction ends, creating it if needed; for `restoreLines`.
   */
  lockForRestore(tx: Db, userId: string): Promise<string> {
    return store.openCart(tx, uuidv7(), { userId }, this.#clock.now());
  }

  /**
   * Restores lines and code of an order to a cart locked by `lockForRestore`: same lines add up to
   * at most 99. Sends its statements at once.
   */
  async restoreLines(tx: Db, cartId: string, lines: readonly StoredLine[], promotionId: string | null): Promise<void> {
    await Promise.all([
      store.restoreLines(tx, cartId, lines, MAX_LINE_QUANTITY),
      store.addPromotion(tx, cartId, promotionId),
    ]);
  }

  /** Deletes guest carts whose cookies have expired. Called periodically. */
  async deleteStaleGuestCarts(): Promise<void> {
    await store.deleteGuestCartsBefore(this.#db, new Date(this.#clock.now().getTime() - GUEST_CART_DAYS * DAY_MS));
  }

  /** Deletes the user's cart. Call before the account is locked: a checkout locks the cart first. */
  erasePersonalData(tx: Db, userId: string): Promise<void> {
    return store.deleteUserCart(tx, userId);
  }

  /** Opens the cart for a write and reads it, with the variants of advertised gifts and of a line. */
  async #openAndRead(tx: Db, shopper: Shopper, line: StoredLine) {
    const others = [line, ...this.#listGiftVariants()];
    const { userId } = shopper;
    if (userId === null) {
      const opened = await this.#open(tx, shopper);
      return { ...opened, stored: await store.findCart(tx, opened.owner, others) };
    }
    // In one round trip: the read waits for the lock.
    const [opened, stored] = await pipeline(tx, (free) => [
      this.#open(free, shopper),
      store.findCart(free, { userId }, others),
    ]);
    return { ...opened, stored };
  }

  /** Opens the cart for a write. A cookie without a cart gets a new secret. */
  async #open(
    tx: Db,
    shopper: Shopper,
  ): Promise<{ readonly cartId: string; readonly owner: CartOwner; readonly guestToken: string | null }> {
    const now = this.#clock.now();
    const owner = resolveOwner(shopper);
    if (owner && 'userId' in owner)
      return { cartId: await store.openCart(tx, uuidv7(), owner, now), owner, guestToken: null };
    const existingId = owner && (await store.lockCart(tx, owner, now));
    if (existingId) return { cartId: existingId, owner, guestToken: selectCookieToken(shopper) };
    const { token: guestToken, hash: guestHash } = issueToken();
    return { cartId: await store.openCart(tx, uuidv7(), { guestHash }, now), owner: { guestHash }, guestToken };
  }

  async #respond(db: Db, shopper: Shopper, owner: CartOwner | null): Promise<CartResponse> {
    const stored = owner ? await store.findCart(db, owner, this.#listGiftVariants()) : EMPTY_CART;
    return this.#show(db, shopper, stored);
  }

  #listGiftVariants(): readonly VariantRequest[] {
    return listGiftVariants(this.#sources, this.#clock.now());
  }

  async #show(db: Db, shopper: Shopper, stored: StoredCart): Promise<CartResponse> {
    const guest = resolveGuest(shopper.guestToken);
    const guests = shopper.userId === null ? stored : guest && (await store.findCart(db, guest));
    const { cart: assessed, context } = await this.#assess(db, stored, shopper.userId);
    const better = suggestPromotions(this.#promotions.listAdvertised(context.now), assessed, context);
    const claim = { now: context.now, subtotalCents: assessed.totals.subtotalCents, isGiftAvailable: true };
    const suggested = await this.#promotions.findFirstUsable(db, better, shopper.userId, claim);
    const terms = this.#getTerms(stored.delivery);
    const delivery = hasCharges(terms) ? toDeliveryResponse(assessed.charges, terms) : null;
    return toCartResponse(assessed, suggested, guests !== null && guests.lines.length > 0, delivery);
  }

  #getTerms({ country, vatNumber }: CartDelivery): ChargeTerms {
    const buyer = { country: country ?? '', vatNumber };
    return { tax: this.#taxes.current, shipping: this.#shipping.current, buyer };
  }

  async #assess(
    db: Db,
    stored: StoredCart,
    userId: string | null,
  ): Promise<{ readonly cart: AssessedCart; readonly context: CartContext }> {
    const charges = this.#getTerms(stored.delivery);
    const reading = { now: this.#clock.now(), userId, rate: this.#catalogue.rate, charges };
    const context = await readCartContext(db, this.#sources, stored, reading);
    return { cart: assessCart(stored.lines, context), context };
  }
}
