/** What the items of an order cost now: price, publication, promo code, delivery and tax. */
import type { Db } from '#src/platform/database/database.ts';
import type { PresentCart } from '#src/shop/cart/ordered-carts.service.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { ProductRevision } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import { computeRequiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { snapshotPromotion } from '#src/shop/promotions/promotion-snapshot.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { snapshotCharges, toBuyer } from '../checkout/snapshot-charges.ts';
import { findRequoteRefusal } from './find-requote-refusal.ts';
import type { RequoteRefusal } from './find-requote-refusal.ts';
import { snapshotLine } from '../quote-order.ts';
import type { PresentPrices } from './requote-order.ts';
import { hasCredit } from './credits.store.ts';
import * as store from './store.ts';
import type { OrderForStatus, OrderedLine } from './store.ts';
import { toCartLine } from './to-cart-line.ts';

export interface PresentPricesOptions {
  readonly carts: Pick<Carts, 'ofOrders'>;
  readonly payments: Pick<Payments, 'dustSats'>;
  readonly confirmationSteps: ConfirmationSteps;
}

export interface RequoteAtPresentPrices {
  readonly prices: PresentPrices;
  /** Columns of the order that the prices depend on. */
  readonly columns: ReturnType<typeof createColumns>;
  readonly lines: readonly ReturnType<typeof snapshotLine>[];
  readonly promotion: Promotion | null;
  /** The products as they were read. */
  readonly products: readonly ProductRevision[];
  /** Why the promo code of the order was left out; null if it was not. */
  readonly promoError: string | null;
}

export type PresentPricesResult =
  | { readonly ok: true; readonly present: RequoteAtPresentPrices | null }
  | { readonly ok: false; readonly refusal: RequoteRefusal };

const createColumns = ({ cart }: PresentCart, confirmationSteps: ConfirmationSteps) => ({
  discount_percent: cart.totals.discountPercent.toFixed(2),
  promo: cart.promotion && JSON.stringify(snapshotPromotion(cart.promotion)),
  tax: snapshotCharges(cart.charges).tax,
  required_confirmations: computeRequiredConfirmations(confirmationSteps, cart.totals.totalCents),
});

function createPrices({ cart: { charges, totals } }: PresentCart): PresentPrices {
  const { tax: _, ...amounts } = snapshotCharges(charges);
  return {
    total_cents: totals.subtotalCents,
    total_sats: totals.subtotalSats,
    total_after_cents: totals.totalCents,
    total_after_sats: totals.totalSats,
    ...amounts,
  };
}

/** Units that an order holds although it is requoted: its payment was double-spent after it took them. */
const listHeldUnits = (order: OrderForStatus, lines: readonly OrderedLine[]): ReadonlyMap<string, number> =>
  new Map(
    order.paid_at === null || order.units_returned_at !== null
      ? []
      : lines.flatMap(({ quantity, variant_id: id }) => (id === null ? [] : [[id, quantity] as const])),
  );

export class PresentPricesReader {
  readonly #options: PresentPricesOptions;

  constructor(options: PresentPricesOptions) {
    this.#options = options;
  }

  /**
   * Prices an order again, or says why it can't be ordered any more. Null: its prices are final, since something
   * of it was shipped. Writes nothing.
   */
  async read(
    db: Db,
    order: OrderForStatus,
    lines: readonly OrderedLine[],
    { rate, now }: { readonly rate: CentsPerBtc; readonly now: Date },
  ): Promise<PresentPricesResult> {
    if (order.fulfilment_status !== 'unfulfilled') return { ok: true, present: null };
    const { carts, confirmationSteps, payments } = this.#options;
    const billing = await store.findBilling(db, order.id);
    const items = {
      orderId: order.id,
      userId: order.user_id,
      lines: lines.filter((line) => !line.is_free).map(toCartLine),
      promo: order.promo,
      heldUnits: listHeldUnits(order, lines),
      hasFreeDelivery: await hasCredit(db, order.id),
    };
    const read = await carts.ofOrders.read(db, items, { rate, now, buyer: toBuyer(billing) });
    const refusal = findRequoteRefusal(read.cart, payments.dustSats);
    if (refusal !== null) return { ok: false, refusal };
    const { lines: cartLines, products, promotion } = read.cart;
    const present: RequoteAtPresentPrices = {
      prices: createPrices(read),
      columns: createColumns(read, confirmationSteps),
      lines: cartLines.map(snapshotLine),
      promotion,
      products,
      promoError: read.promoError,
    };
    return { ok: true, present };
  }
}
