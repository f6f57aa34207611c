import type { CatalogueProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import { getDiscount, findPromotionProblem } from '#src/shop/promotions/promotion.ts';
import type { Promotion, PromotionProblem } from '#src/shop/promotions/promotion.ts';
import { MAX_LINE_QUANTITY } from './cart-limits.ts';
import { createLineNotices } from './line-notices.ts';
import type { LineNotice } from './line-notices.ts';
import { priceCart } from './price-cart.ts';
import type { CartTotals } from './price-cart.ts';
import { priceLine } from './price-line.ts';
import type { PricedLine } from './price-line.ts';

/** A line as stored. */
export interface StoredLine {
  readonly productId: string;
  /** Sorted. Identify the line together with the product. */
  readonly valueIds: readonly string[];
  readonly quantity: number;
  /** Unit price when the buyer last added, changed or accepted the line. */
  readonly seenCents: Cents | null;
}

export const isSameLine = (a: StoredLine, b: StoredLine): boolean =>
  a.productId === b.productId && a.valueIds.join() === b.valueIds.join();

/** Data of a product that is no longer on sale. */
type FormerProduct = Pick<CatalogueProduct, 'id' | 'name' | 'slug' | 'subDescription' | 'mainImage'>;

/** Everything that prices and notices of a cart depend on. */
export interface CartContext {
  readonly now: Date;
  /** Null if no rate is available; then nothing has a price in bitcoin. */
  readonly rate: CentsPerBtc | null;
  readonly findProduct: (id: string) => CatalogueProduct | undefined;
  readonly formerProducts: ReadonlyMap<string, FormerProduct>;
  /** Stock of the products that have limited stock. */
  readonly available: ReadonlyMap<string, number>;
  readonly claimed: { readonly promotion: Promotion; readonly usesByBuyer: number | null } | null;
}

export interface AssessedLine extends PricedLine {
  readonly notices: readonly LineNotice[];
  /** Maximum quantity of this line, 0 to 99, given the other lines of the product. */
  readonly maxQuantity: number;
}

export interface AssessedCart {
  /** Sorted by product, then values; gifts last. Unavailable lines cost nothing. */
  readonly lines: readonly AssessedLine[];
  readonly totals: CartTotals;
  readonly promotion: Promotion | null;
  /** Why the promotion does not apply; null if it does, or if there is none. */
  readonly promotionProblem: PromotionProblem | null;
}

const isWithdrawn = ({ notices }: AssessedLine): boolean => notices.some(({ code }) => code === 'withdrawn');

/** @param inCart quantity of the product in all lines. @param available null without a limit */
function computeMaxQuantity(line: StoredLine, inCart: number, available: number | null): number {
  if (available === null) return MAX_LINE_QUANTITY;
  return Math.min(MAX_LINE_QUANTITY, Math.max(0, available - (inCart - line.quantity)));
}

function assessLine(line: StoredLine, inCart: number, context: CartContext): AssessedLine {
  const available = context.available.get(line.productId) ?? null;
  const product = context.findProduct(line.productId);
  const priced = priceLine(line, product, context.rate);
  const notices = createLineNotices({
    isWithdrawn: priced === null,
    priceCents: priced?.priceCents ?? NO_CENTS,
    seenCents: line.seenCents,
    quantity: inCart,
    available,
  });
  if (priced) return { ...priced, notices, maxQuantity: computeMaxQuantity(line, inCart, available) };
  const former = product ?? context.formerProducts.get(line.productId);
  return {
    productId: line.productId,
    name: former?.name ?? 'A product',
    slug: former?.slug ?? '',
    subDescription: former?.subDescription ?? '',
    mainImage: former?.mainImage ?? '',
    propertyValues: [],
    valueIds: line.valueIds,
    quantity: line.quantity,
    priceCents: NO_CENTS,
    priceSats: NO_SATS,
    isFree: false,
    notices,
    maxQuantity: 0,
  };
}

/** Creates a gift line with quantity 1 and first values. Null if the product is unavailable. */
export function createGiftLine(productId: string, inCart: number, context: CartContext): AssessedLine | null {
  if ((context.available.get(productId) ?? Infinity) < inCart + 1) return null;
  const line = priceLine({ valueIds: [], quantity: 1 }, context.findProduct(productId), context.rate);
  if (line === null) return null;
  const valueIds = line.propertyValues.map(({ id }) => id).toSorted();
  return { ...line, valueIds, priceCents: NO_CENTS, priceSats: NO_SATS, isFree: true, notices: [], maxQuantity: 1 };
}

const compareLines = (a: PricedLine, b: PricedLine): number =>
  Number(a.productId > b.productId) - Number(a.productId < b.productId) ||
  Number(a.isFree) - Number(b.isFree) ||
  Number(a.valueIds.join() > b.valueIds.join()) - Number(a.valueIds.join() < b.valueIds.join());

/** Assesses a stored cart at current prices: totals, promotion and what prevents an order. */
export function assessCart(stored: readonly StoredLine[], context: CartContext): AssessedCart {
  const inCart = new Map<string, number>();
  for (const { productId, quantity } of stored) inCart.set(productId, (inCart.get(productId) ?? 0) + quantity);
  const lines = stored.map((line) => assessLine(line, inCart.get(line.productId) ?? 0, context));
  const sold = lines.filter((line) => !isWithdrawn(line));
  const { subtotalCents } = priceCart(sold);
  const { promotion = null, usesByBuyer = null } = context.claimed ?? {};
  if (promotion === null) return { lines, totals: priceCart(sold), promotion, promotionProblem: null };

  const giftId = promotion.giftProductId;
  const gift = giftId === null ? null : createGiftLine(giftId, inCart.get(giftId) ?? 0, context);
  const claim = { now: context.now, subtotalCents, usesByBuyer, isGiftAvailable: gift !== null };
  const problem = findPromotionProblem(promotion, claim);
  const totals = priceCart(sold, problem === null ? getDiscount(promotion) : null);
  // A gift requires at least one other available line.
  const hasGift = gift !== null && problem === null && sold.length > 0;
  return {
    lines: hasGift ? [...lines, gift].toSorted(compareLines) : lines,
    totals,
    promotion,
    promotionProblem: problem,
  };
}
