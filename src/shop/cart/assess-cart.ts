import type { CatalogueProduct, CheckoutProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import { getDiscount } from '#src/shop/promotions/apply-discount.ts';
import { findPromotionProblem } from '#src/shop/promotions/promotion.ts';
import type { Promotion, PromotionProblem } from '#src/shop/promotions/promotion.ts';
import { MAX_LINE_QUANTITY } from './cart-limits.ts';
import { createLineNotices } from './line-notices.ts';
import type { LineNotice } from './line-notices.ts';
import { priceCart } from './price-cart.ts';
import type { CartTotals } from './price-cart.ts';
import { priceCharges } from './price-charges.ts';
import type { Charges, ChargeTerms } from './price-charges.ts';
import { priceLine } from './price-line.ts';
import type { FindVariant, PricedLine } from './price-line.ts';

/** A line as stored. */
export interface StoredLine {
  readonly productId: string;
  /** Sorted. Identify the line together with the product. */
  readonly valueIds: readonly string[];
  readonly quantity: number;
  /** Unit price when the buyer last added, changed or accepted the line. */
  readonly seenCents: Cents | null;
}

/** What identifies a line. */
type LineKey = Pick<StoredLine, 'productId' | 'valueIds'>;

export const isSameLine = (a: LineKey, b: LineKey): boolean =>
  a.productId === b.productId && a.valueIds.join() === b.valueIds.join();

/** Data of a product that is no longer on sale. */
type FormerProduct = Pick<CatalogueProduct, 'id' | 'name' | 'slug' | 'subDescription' | 'mainImage'>;

/** Everything that prices and notices of a cart depend on. */
export interface CartContext {
  readonly now: Date;
  /** Null if no rate is available; then nothing has a price in bitcoin. */
  readonly rate: CentsPerBtc | null;
  readonly findProduct: (id: string) => CheckoutProduct | undefined;
  readonly formerProducts: ReadonlyMap<string, FormerProduct>;
  readonly findVariant: FindVariant;
  /** Omitted: free shipping and no tax. */
  readonly charges?: ChargeTerms;
  readonly claimed: { readonly promotion: Promotion; readonly usesByBuyer: number | null } | null;
}

export interface AssessedLine extends PricedLine {
  readonly notices: readonly LineNotice[];
  /** Maximum quantity of this line, 0 to 99, given the other lines of the variant. */
  readonly maxQuantity: number;
}

export interface AssessedCart {
  /** Sorted by product, then values; gifts last. Unavailable lines cost nothing. */
  readonly lines: readonly AssessedLine[];
  readonly totals: CartTotals;
  /** Shipping and tax, which the totals include. */
  readonly charges: Charges;
  readonly promotion: Promotion | null;
  /** Why the promotion does not apply; null if it does, or if there is none. */
  readonly promotionProblem: PromotionProblem | null;
}

const isWithdrawn = ({ notices }: AssessedLine): boolean => notices.some(({ code }) => code === 'withdrawn');

/** @param inCart quantity of the variant in all lines. @param available null without a limit */
function computeMaxQuantity(line: StoredLine, inCart: number, available: number | null): number {
  if (available === null) return MAX_LINE_QUANTITY;
  return Math.min(MAX_LINE_QUANTITY, Math.max(0, available - (inCart - line.quantity)));
}

/** @param priced null if the line is not on sale. @param inCart quantity of the variant in all lines */
function assessLine(
  line: StoredLine,
  priced: PricedLine | null,
  inCart: number,
  { findProduct, formerProducts }: CartContext,
): AssessedLine {
  const available = priced?.available ?? null;
  const notices = createLineNotices({
    isWithdrawn: priced === null,
    priceCents: priced?.priceCents ?? NO_CENTS,
    seenCents: line.seenCents,
    quantity: inCart,
    available,
  });
  if (priced) return { ...priced, notices, maxQuantity: computeMaxQuantity(line, inCart, available) };
  const former = findProduct(line.productId) ?? formerProducts.get(line.productId);
  return {
    productId: line.productId,
    name: former?.name ?? 'A product',
    slug: former?.slug ?? '',
    subDescription: former?.subDescription ?? '',
    mainImage: former?.mainImage ?? '',
    propertyValues: [],
    valueIds: line.valueIds,
    variantId: null,
    sku: null,
    available: null,
    quantity: line.quantity,
    priceCents: NO_CENTS,
    priceSats: NO_SATS,
    isFree: false,
    notices,
    maxQuantity: 0,
  };
}

/**
 * Creates a gift line with quantity 1 and the first values that are sold. Null if it is unavailable.
 * @param paid the other lines of the cart
 */
export function createGiftLine(
  productId: string,
  paid: readonly PricedLine[],
  context: CartContext,
): AssessedLine | null {
  const { findProduct, findVariant, rate } = context;
  const line = priceLine({ valueIds: [], quantity: 1 }, findProduct(productId), findVariant, rate);
  if (line === null) return null;
  if (line.available !== null && line.available < countVariant(paid, line.variantId) + 1) return null;
  const valueIds = line.propertyValues.map(({ id }) => id).toSorted();
  return { ...line, valueIds, priceCents: NO_CENTS, priceSats: NO_SATS, isFree: true, notices: [], maxQuantity: 1 };
}

const countVariant = (lines: readonly (PricedLine | null)[], variantId: string | null): number =>
  lines.reduce((sum, line) => (line?.variantId === variantId ? sum + line.quantity : sum), 0);

type OrderedLine = LineKey & { readonly isFree?: boolean };

/** The order of display: by product, gifts last, then by chosen values. */
export const compareLines = (a: OrderedLine, b: OrderedLine): number =>
  Number(a.productId > b.productId) - Number(a.productId < b.productId) ||
  Number(a.isFree ?? false) - Number(b.isFree ?? false) ||
  Number(a.valueIds.join() > b.valueIds.join()) - Number(a.valueIds.join() < b.valueIds.join());

/** Assesses a stored cart at current prices: totals, promotion and what prevents an order. */
export function assessCart(stored: readonly StoredLine[], context: CartContext): AssessedCart {
  const { findProduct, findVariant, rate } = context;
  const priced = stored.map((line) => priceLine(line, findProduct(line.productId), findVariant, rate));
  const lines = stored.map((line, at) => {
    const own = priced[at] ?? null;
    return assessLine(line, own, countVariant(priced, own?.variantId ?? null), context);
  });
  const sold = lines.filter((line) => !isWithdrawn(line));
  const { subtotalCents } = priceCart(sold);
  const { promotion = null, usesByBuyer = null } = context.claimed ?? {};
  // Withdrawn lines cost and weigh nothing.
  const priceWith = (all: readonly AssessedLine[], goods: CartTotals) =>
    priceCharges(all, goods, rate, context.charges);
  if (promotion === null) {
    return { lines, ...priceWith(lines, priceCart(sold)), promotion, promotionProblem: null };
  }

  const giftId = promotion.giftProductId;
  const gift = giftId === null ? null : createGiftLine(giftId, sold, context);
  const claim = { now: context.now, subtotalCents, usesByBuyer, isGiftAvailable: gift !== null };
  const problem = findPromotionProblem(promotion, claim);
  const goods = priceCart(sold, problem === null ? getDiscount(promotion) : null);
  // A gift requires at least one other available line.
  const hasGift = gift !== null && problem === null && sold.length > 0;
  const all = hasGift ? [...lines, gift].toSorted(compareLines) : lines;
  return {
    lines: all,
    ...priceWith(all, goods),
    promotion,
    promotionProblem: problem,
  };
}
