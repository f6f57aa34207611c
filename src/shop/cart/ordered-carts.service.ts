/** What the items of an order cost now. They are in no cart. */
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import { formatPromotionError } from '#src/shop/promotions/promotion-messages.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import { selectShipping } from '#src/shop/shipping/compute-shipping.ts';
import type { Shipping } from '#src/shop/shipping/service.ts';
import type { Taxes } from '#src/shop/tax/service.ts';
import type { TaxedBuyer } from '#src/shop/tax/taxation.ts';
import type { StoredLine } from './assess-cart.ts';
import { assessForCheckout } from './cart-context.service.ts';
import type { CartSources, CheckoutCart } from './cart-context.service.ts';
import { getPromoError } from './cart-response.ts';
import { EMPTY_CART } from './store.ts';

const NO_LIMITS = { minimumUsd: null, maxUsesPerUser: null };

export interface OrderedCartsOptions {
  readonly catalogue: Catalogue;
  readonly promotions: Pick<Promotions, 'findById' | 'findForOrder' | 'listAdvertised'>;
  readonly taxes: Pick<Taxes, 'read'>;
  readonly shipping: Pick<Shipping, 'read'>;
}

/** The items of an order, without its gift. */
export interface OrderedItems {
  readonly orderId: string;
  readonly userId: string;
  readonly lines: readonly StoredLine[];
  readonly promo: { readonly id: string; readonly code: string } | null;
  /** Units by variant that the order holds and that count as available to it. */
  readonly heldUnits: ReadonlyMap<string, number>;
  /** Omitted: false. */
  readonly hasFreeDelivery?: boolean;
}

interface OrderedReading {
  readonly rate: CentsPerBtc;
  readonly now: Date;
  readonly buyer: TaxedBuyer;
}

export interface PresentCart {
  readonly cart: CheckoutCart;
  /** Why the promo code of the order was left out; null if it was not. */
  readonly promoError: string | null;
}

export class OrderedCarts {
  readonly #options: OrderedCartsOptions;

  constructor(options: OrderedCartsOptions) {
    this.#options = options;
  }

  /**
   * Prices the items of an order at a rate and at the prices of the database. A promo code that does not
   * apply any more is left out. Writes nothing.
   */
  async read(db: Db, items: OrderedItems, { rate, now, buyer }: OrderedReading): Promise<PresentCart> {
    const { catalogue, shipping, taxes } = this.#options;
    const { lines, promo, userId } = items;
    const productIds = [...new Set(lines.map(({ productId }) => productId))];
    const sources = this.#createSources(items);
    const products = await catalogue.readOnSale(db, productIds, now);
    const variants = await sources.catalogue.findVariants(db, lines);
    const charges = {
      tax: await taxes.read(db),
      shipping: selectShipping(await shipping.read(db), items.hasFreeDelivery === true),
      buyer,
    };
    const assess = (promotion: string | null): Promise<CheckoutCart> => {
      const onSale = { products, variants };
      const stored = { ...EMPTY_CART, promotionId: promotion, lines };
      return assessForCheckout(db, sources, stored, { now, userId, rate, charges, onSale });
    };
    const cart = await assess(promo?.id ?? null);
    if (promo === null) return { cart, promoError: null };
    if (cart.promotion === null) return { cart, promoError: formatPromotionError(promo.code, 'withdrawn', NO_LIMITS) };
    const promoError = getPromoError(cart);
    return { cart: promoError === null ? cart : await assess(null), promoError };
  }

  /** What the order itself holds does not count against it. */
  #createSources({ heldUnits, orderId }: OrderedItems): CartSources {
    const { catalogue, promotions } = this.#options;
    return {
      catalogue: {
        findByIds: (...of) => catalogue.findByIds(...of),
        readOnSale: (...of) => catalogue.readOnSale(...of),
        findFormerProducts: (...of) => catalogue.findFormerProducts(...of),
        findVariants: async (db, wanted) =>
          (await catalogue.findVariants(db, wanted)).map((variant) => ({
            ...variant,
            available: variant.available === null ? null : variant.available + (heldUnits.get(variant.id) ?? 0),
          })),
      },
      promotions: {
        findById: (db, id, userId) => promotions.findForOrder(db, id, userId, orderId),
        listAdvertised: (now) => promotions.listAdvertised(now),
      },
    };
  }
}
