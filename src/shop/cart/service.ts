/**
 * Carts: one of each user, and one of each guest's cookie until it is merged into a user's. A signed-in visitor always
 * has the user's. Reading makes nothing; the first write makes the cart, and for a guest its cookie.
 *
 * A line whose product is not on sale any more is neither listed nor charged; it stays stored, and counts again should
 * the product come back. A checkout is told of it.
 */
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import type { Clock } from '#src/platform/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { hashToken, issueToken } from '#src/platform/tokens.ts';
import type { CatalogueProduct } from '../catalogue/build-snapshot.ts';
import { chooseValues } from '../catalogue/choose-values.ts';
import type { Catalogue } from '../catalogue/service.ts';
import type { CentsPerBtc } from '../money.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from './contract.ts';
import type { cart, cartItem } from './contract.ts';
import { priceCart } from './price-cart.ts';
import type { CartTotals } from './price-cart.ts';
import { priceLine } from './price-line.ts';
import type { PricedLine } from './price-line.ts';
import {
  addToLine,
  copyLines,
  deleteAllLines,
  deleteCart,
  deleteGuestCartsBefore,
  deleteLines,
  findLines,
  lockCart,
  openCart,
  setLine,
} from './store.ts';
import type { LineRow, Owner } from './store.ts';

export const GUEST_CART_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Who shops: by the session, and by the guest cookie as sent. */
export interface Shopper {
  readonly userId: string | null;
  readonly guestToken: string | null;
}

export interface LineChange {
  readonly product_id: string;
  readonly quantity: number;
  readonly property_value_ids?: readonly string[] | undefined;
}

/** A cart and its items as the contract takes them. */
export type CartAnswer = z.output<typeof cart>;
export type CartItemAnswer = z.output<typeof cartItem>;

export type NotChanged = 'no-such-product' | 'unknown-values' | 'not-in-cart' | 'quantity-limit' | 'lines-limit';

export type Changed =
  | {
      readonly ok: true;
      readonly cart: CartAnswer;
      /** What the guest cookie has to say from now on; null where it stays as it is. */
      readonly guestToken: string | null;
    }
  | { readonly ok: false; readonly reason: NotChanged };

export interface PricedCart {
  readonly lines: readonly PricedLine[];
  readonly totals: CartTotals;
  /** Products in the cart that are not on sale any more, or not as chosen; not among the lines. */
  readonly withdrawnProductIds: readonly string[];
}

export interface CartsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
}

export class Carts {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #catalogue: Catalogue;

  constructor({ db, clock, catalogue }: CartsOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#catalogue = catalogue;
  }

  async read(shopper: Shopper): Promise<CartAnswer> {
    return this.#answer(this.#db, shopper, ownerOf(shopper));
  }

  /** What the guest cookie's cart holds, whoever is signed in. */
  async readGuestItems({ guestToken }: Shopper): Promise<CartItemAnswer[]> {
    const owner = guestOf(guestToken);
    return owner ? this.#price(await findLines(this.#db, owner), this.#catalogue.rate).lines.map(itemOf) : [];
  }

  async add(shopper: Shopper, change: LineChange): Promise<Changed> {
    const chosen = this.#chosen(change);
    if (!chosen.ok) return chosen;
    return transact(this.#db, async (tx): Promise<Changed> => {
      const { cartId, owner, guestToken } = await this.#open(tx, shopper);
      const lines = await findLines(tx, owner);
      const isNew = !lines.some((line) => isSameLine(line, chosen.line));
      if (isNew && lines.length >= MAX_CART_LINES) return { ok: false, reason: 'lines-limit' };
      if (!(await addToLine(tx, cartId, chosen.line, MAX_LINE_QUANTITY)))
        return { ok: false, reason: 'quantity-limit' };
      return { ok: true, cart: await this.#answer(tx, shopper, owner), guestToken };
    });
  }

  async update(shopper: Shopper, change: LineChange): Promise<Changed> {
    const chosen = this.#chosen(change);
    if (!chosen.ok) return chosen;
    const owner = ownerOf(shopper);
    return transact(this.#db, async (tx): Promise<Changed> => {
      const cartId = owner && (await lockCart(tx, owner, this.#clock.now()));
      if (!cartId || !(await setLine(tx, cartId, chosen.line))) return { ok: false, reason: 'not-in-cart' };
      return { ok: true, cart: await this.#answer(tx, shopper, owner), guestToken: keptToken(shopper) };
    });
  }

  /** Without values every line of the product goes. What is not there is gone already. */
  async remove(shopper: Shopper, change: Omit<LineChange, 'quantity'>): Promise<Changed> {
    const owner = ownerOf(shopper);
    return transact(this.#db, async (tx): Promise<Changed> => {
      const cartId = owner && (await lockCart(tx, owner, this.#clock.now()));
      const { product_id: productId, property_value_ids: named } = change;
      // First as it was put in: the product may not be offered like that any more.
      const exactly = named ? named.toSorted() : null;
      const removed = cartId ? await deleteLines(tx, cartId, productId, exactly) : 0;
      if (removed === 0 && named) {
        const chosen = this.#chosen({ ...change, quantity: 1 });
        if (!chosen.ok && chosen.reason === 'unknown-values') return chosen;
        if (chosen.ok && cartId) await deleteLines(tx, cartId, productId, chosen.line.valueIds);
      }
      const guestToken = cartId ? keptToken(shopper) : null;
      return { ok: true, cart: await this.#answer(tx, shopper, owner), guestToken };
    });
  }

  /**
   * Moves the guest cookie's lines into the user's cart: quantities of the same line add up, to 99 at most; the number
   * of lines may pass its limit, so that nothing is lost. The guest's cart is gone with the same commit, so repeating
   * it, or two logins at once, add nothing twice.
   * @returns whether there was anything to move.
   */
  async mergeGuestCart(
    tx: Db,
    { userId, guestToken }: { readonly userId: string; readonly guestToken: string | null },
  ): Promise<{ readonly preserved: boolean }> {
    const owner = guestOf(guestToken);
    // Always the guest's cart first, then the user's: no two merges wait for each other.
    const guestCartId = owner && (await lockCart(tx, owner, this.#clock.now()));
    if (!guestCartId) return { preserved: false };
    const cartId = await openCart(tx, uuidv7(), { userId }, this.#clock.now());
    const moved = await copyLines(tx, guestCartId, cartId, MAX_LINE_QUANTITY);
    await deleteCart(tx, guestCartId);
    return { preserved: moved > 0 };
  }

  /** The merge as a call of its own; done already is done. */
  async transfer(userId: string, guestToken: string | null): Promise<CartAnswer> {
    return transact(this.#db, async (tx) => {
      await this.mergeGuestCart(tx, { userId, guestToken });
      return this.#answer(tx, { userId, guestToken: null }, { userId });
    });
  }

  /**
   * The user's cart at a rate, its row locked until the transaction ends: no line changes meanwhile, and a second
   * checkout waits and then finds it empty. Null where there is no line at all.
   */
  async lockForCheckout(tx: Db, userId: string, rate: CentsPerBtc): Promise<PricedCart | null> {
    const owner = { userId };
    if ((await lockCart(tx, owner, this.#clock.now())) === null) return null;
    const lines = await findLines(tx, owner);
    return lines.length === 0 ? null : this.#price(lines, rate);
  }

  /** Empties a cart that `lockForCheckout` locked. */
  async emptyAfterCheckout(tx: Db, userId: string): Promise<void> {
    await deleteAllLines(tx, userId);
  }

  /**
   * Takes out what is not on sale any more, in a transaction of its own: after a checkout that was refused because of
   * it, so that the next one may pass.
   */
  async dropWithdrawn(userId: string): Promise<void> {
    await transact(this.#db, async (tx) => {
      const cartId = await lockCart(tx, { userId }, this.#clock.now());
      if (cartId === null) return;
      for (const line of await findLines(tx, { userId })) {
        if (!priceLine(line, this.#onSale(line.productId), null))
          await deleteLines(tx, cartId, line.productId, line.valueIds);
      }
    });
  }

  /** Removes guest carts that no cookie can name any more; to be called now and then. */
  async removeStaleGuestCarts(): Promise<void> {
    await deleteGuestCartsBefore(this.#db, new Date(this.#clock.now().getTime() - GUEST_CART_DAYS * DAY_MS));
  }

  /** Opens the shopper's cart for a write. A cookie that names no cart gets another secret, never the one it came with. */
  async #open(
    tx: Db,
    shopper: Shopper,
  ): Promise<{ readonly cartId: string; readonly owner: Owner; readonly guestToken: string | null }> {
    const now = this.#clock.now();
    const owner = ownerOf(shopper);
    if (owner && 'userId' in owner)
      return { cartId: await openCart(tx, uuidv7(), owner, now), owner, guestToken: null };
    const known = owner && (await lockCart(tx, owner, now));
    if (known) return { cartId: known, owner, guestToken: keptToken(shopper) };
    const { token, hash } = issueToken();
    const opened = { guestHash: hash };
    return { cartId: await openCart(tx, uuidv7(), opened, now), owner: opened, guestToken: token };
  }

  #chosen(
    change: LineChange,
  ):
    | { readonly ok: true; readonly line: LineRow }
    | { readonly ok: false; readonly reason: 'no-such-product' | 'unknown-values' } {
    const { product_id: productId, property_value_ids: named, quantity } = change;
    const product = this.#onSale(productId);
    if (!product) return { ok: false, reason: 'no-such-product' };
    const choice = chooseValues(product.offered, named);
    return choice.ok ? { ok: true, line: { productId, valueIds: choice.valueIds, quantity } } : choice;
  }

  #onSale(productId: string): CatalogueProduct | undefined {
    return this.#catalogue.byIds([productId])[0];
  }

  async #answer(db: Db, shopper: Shopper, owner: Owner | null): Promise<CartAnswer> {
    const { rate } = this.#catalogue;
    const { lines, totals } = this.#price(owner ? await findLines(db, owner) : [], rate);
    const guest = guestOf(shopper.guestToken);
    const isOfUser = owner !== null && 'userId' in owner;
    const guestLines = isOfUser && guest ? this.#price(await findLines(db, guest), rate).lines : [];
    return {
      has_guest_cart: (isOfUser ? guestLines : lines).length > 0,
      cart_items: lines.map(itemOf),
      appliedPromoCode: null,
      promoError: null,
      totalCartValue: totals.totalCents,
      totalBtcValue: totals.totalSats,
      discount: totals.discountPercent,
      suggestedPromo: null,
      subtotal_usd: totals.subtotalCents,
      subtotal_btc: totals.subtotalSats,
      discount_usd: totals.discountCents,
      discount_btc: totals.discountSats,
    };
  }

  #price(rows: readonly LineRow[], rate: CentsPerBtc | null): PricedCart {
    const priced = rows.map((row) => ({ row, line: priceLine(row, this.#onSale(row.productId), rate) }));
    const lines = priced.flatMap(({ line }) => line ?? []);
    const withdrawnProductIds = priced.flatMap(({ row, line }) => (line ? [] : row.productId));
    return { lines, totals: priceCart(lines), withdrawnProductIds };
  }
}

function guestOf(guestToken: string | null): Owner | null {
  const guestHash = guestToken === null ? null : hashToken(guestToken);
  return guestHash && { guestHash };
}

const ownerOf = ({ userId, guestToken }: Shopper): Owner | null => (userId === null ? guestOf(guestToken) : { userId });

/** A guest's cookie is set anew with every write, so that it lasts from the last one on. */
const keptToken = ({ userId, guestToken }: Shopper): string | null => (userId === null ? guestToken : null);

const isSameLine = (one: LineRow, other: LineRow): boolean =>
  one.productId === other.productId && one.valueIds.join() === other.valueIds.join();

const itemOf = (line: PricedLine): CartItemAnswer => ({
  product_id: line.productId,
  quantity: line.quantity,
  price_usd: line.priceCents,
  price_btc: line.priceSats,
  isFree: line.isFree,
  product: {
    name: line.name,
    slug: line.slug,
    sub_description: line.subDescription,
    main_image: line.mainImage,
  },
  property_value_ids: [...line.valueIds],
});
