/** Carts that staff put together. They are not stored, and the carts of customers stay as they are. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { pipeline } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import { selectShipping } from '#src/shop/shipping/compute-shipping.ts';
import type { Shipping } from '#src/shop/shipping/service.ts';
import type { Taxes } from '#src/shop/tax/service.ts';
import type { TaxedBuyer } from '#src/shop/tax/taxation.ts';
import { assessCart, isSameLine } from './assess-cart.ts';
import type { StoredLine } from './assess-cart.ts';
import { describeRefusedLine } from './cart-calls.service.ts';
import type { LineChange, SampleCart, SampleResult, StaffCart, StaffCartResult } from './cart-calls.service.ts';
import { assessForCheckout, chooseLine, readCartContext } from './cart-context.service.ts';
import type { CartSources, CheckoutCart } from './cart-context.service.ts';
import { MAX_LINE_QUANTITY } from './cart-limits.ts';
import { toCartResponse, toDeliveryResponse } from './cart-response.ts';
import { hasCharges, NO_CHARGES } from './price-charges.ts';
import { EMPTY_CART } from './store.ts';

export interface StaffCartsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly promotions: Pick<Promotions, 'findByCode' | 'findById' | 'listAdvertised'>;
  readonly taxes: Pick<Taxes, 'current' | 'read'>;
  readonly shipping: Pick<Shipping, 'current' | 'read'>;
}

type Chosen =
  | { readonly ok: true; readonly lines: readonly StoredLine[] }
  | { readonly ok: false; readonly reason: 'not-on-sale' | 'quantity-limit'; readonly index: number };

export class StaffCarts {
  readonly #options: StaffCartsOptions;
  readonly #sources: CartSources;

  constructor(options: StaffCartsOptions) {
    this.#options = options;
    this.#sources = options;
  }

  /** Assesses a cart as the cart page would for a buyer without earlier uses. */
  async assessSample({ lines, ...sample }: SampleCart): Promise<SampleResult> {
    const chosen = this.#chooseLines(lines);
    if (!chosen.ok) return chosen;
    const stored = { ...EMPTY_CART, lines: chosen.lines };
    const reading = { now: sample.at, userId: null, rate: this.#options.catalogue.rate, charges: NO_CHARGES };
    const context = await readCartContext(this.#options.db, this.#sources, stored, {
      ...reading,
      promotion: sample.promotion,
    });
    return { ok: true, cart: assessCart(stored.lines, context) };
  }

  /**
   * What a cart costs, as its buyer would read it on the cart page.
   * @param userId the buyer; null for a new customer
   */
  async preview(
    { lines, promoCode, delivery, hasFreeDelivery = false }: StaffCart,
    userId: string | null,
  ): Promise<StaffCartResult> {
    const { catalogue, clock, db, promotions, shipping, taxes } = this.#options;
    const chosen = this.#chooseLines(lines);
    if (!chosen.ok) return chosen;
    const promotionId = await this.#findPromotionId(db, promoCode, userId);
    const stored = { promotionId, delivery, lines: chosen.lines, variants: [] };
    const buyer = { country: delivery.country ?? '', vatNumber: delivery.vatNumber };
    const charges = { tax: taxes.current, shipping: selectShipping(shipping.current, hasFreeDelivery), buyer };
    const reading = { now: clock.now(), userId, rate: catalogue.rate, charges };
    const context = await readCartContext(db, { catalogue, promotions }, stored, reading);
    const cart = assessCart(stored.lines, context);
    const shown = toCartResponse(
      cart,
      null,
      false,
      hasCharges(charges) ? toDeliveryResponse(cart.charges, charges) : null,
    );
    const isUnknown = promoCode !== null && promotionId === null;
    return { ok: true, cart: isUnknown ? { ...shown, promoError: UNKNOWN_CODE } : shown };
  }

  /**
   * Prices a cart at a rate and at the prices of the database, for an order. `promo` for a code that
   * does not exist; `withdrawn` for a line that is not on sale.
   */
  async readForCheckout(
    tx: Db,
    { lines, promoCode, hasFreeDelivery = false }: Omit<StaffCart, 'delivery'>,
    userId: string,
    { rate, now, buyer }: { readonly rate: CentsPerBtc; readonly now: Date; readonly buyer: TaxedBuyer },
  ): Promise<
    | { readonly ok: true; readonly cart: CheckoutCart }
    | { readonly ok: false; readonly reason: 'promo' | 'withdrawn'; readonly words: string }
  > {
    const { catalogue, shipping, taxes } = this.#options;
    const chosen = this.#chooseLines(lines);
    if (!chosen.ok) {
      return {
        ok: false,
        reason: 'withdrawn',
        words: describeRefusedLine(chosen),
      };
    }
    const promotionId = await this.#findPromotionId(tx, promoCode, userId);
    if (promoCode !== null && promotionId === null) return { ok: false, reason: 'promo', words: UNKNOWN_CODE };
    const productIds = [...new Set(chosen.lines.map(({ productId }) => productId))];
    const [products, variants, tax, shippingSettings] = await pipeline(tx, (free) => [
      catalogue.readOnSale(free, productIds, now),
      catalogue.findVariants(free, chosen.lines),
      taxes.read(free),
      shipping.read(free),
    ]);
    const stored = { ...EMPTY_CART, promotionId, lines: chosen.lines };
    const charges = { tax, shipping: selectShipping(shippingSettings, hasFreeDelivery), buyer };
    const reading = { now, userId, rate, charges, onSale: { products, variants } };
    return { ok: true, cart: await assessForCheckout(tx, this.#sources, stored, reading) };
  }

  /** The first line with which a variant has more units than one order may have; null if there is none. */
  findExcess(lines: readonly LineChange[]): number | null {
    const chosen = this.#chooseLines(lines);
    return !chosen.ok && chosen.reason === 'quantity-limit' ? chosen.index : null;
  }

  /** Lines of the same variant are joined. */
  #chooseLines(changes: readonly LineChange[]): Chosen {
    const lines: StoredLine[] = [];
    for (const [index, change] of changes.entries()) {
      const chosen = chooseLine(this.#options.catalogue, change);
      if (!chosen.ok) return { ok: false, reason: 'not-on-sale', index };
      const at = lines.findIndex((line) => isSameLine(line, chosen.line));
      const quantity = (lines[at]?.quantity ?? 0) + chosen.line.quantity;
      if (quantity > MAX_LINE_QUANTITY) return { ok: false, reason: 'quantity-limit', index };
      if (at < 0) lines.push(chosen.line);
      else lines[at] = { ...chosen.line, ...lines[at], quantity };
    }
    return { ok: true, lines };
  }

  async #findPromotionId(db: Db, code: string | null, userId: string | null): Promise<string | null> {
    const found = code === null ? null : await this.#options.promotions.findByCode(db, code, userId);
    return found?.promotion.id ?? null;
  }
}

const UNKNOWN_CODE = 'This promo code does not exist';
