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

/** A line as it is stored. */
export interface StoredLine {
  readonly productId: string;
  /** Sorted: with the product it is the line's identity. */
  readonly valueIds: readonly string[];
  readonly quantity: number;
  /** What one piece cost when it was last put in, changed or accepted. */
  readonly seenCents: Cents | null;
}

export const isSameLine = (one: StoredLine, other: StoredLine): boolean =>
  one.productId === other.productId && one.valueIds.join() === other.valueIds.join();

/** What is still known of a product that is not on sale. */
type FormerProduct = Pick<CatalogueProduct, 'id' | 'name' | 'slug' | 'subDescription' | 'mainImage'>;

/** Everything that a cart's prices and promises hang on, at one moment. */
export interface CartContext {
  readonly now: Date;
  /** Null while there is none: then nothing has a price in bitcoin. */
  readonly rate: CentsPerBtc | null;
  readonly productOf: (id: string) => CatalogueProduct | undefined;
  readonly formerProducts: ReadonlyMap<string, FormerProduct>;
  /** Pieces left, of products whose number is limited. */
  readonly available: ReadonlyMap<string, number>;
  readonly claimed: { readonly promotion: Promotion; readonly usesByBuyer: number | null } | null;
}

export interface AssessedLine extends PricedLine {
  readonly notices: readonly LineNotice[];
  /** The largest quantity that this line can have now, 0 to 99: the other lines of the product keep theirs. */
  readonly maxQuantity: number;
}

export interface AssessedCart {
  /** By product, then by values; what is not sold any more costs nothing, and the gift stands after what is paid for. */
  readonly lines: readonly AssessedLine[];
  readonly totals: CartTotals;
  readonly promotion: Promotion | null;
  /** Why it gives nothing; null when it does, or when there is none. */
  readonly promotionProblem: PromotionProblem | null;
}

const isWithdrawn = ({ notices }: AssessedLine): boolean => notices.some(({ code }) => code === 'withdrawn');

/** @param wanted pieces of the product in all lines; `available` null without a limit. */
function computeMaxQuantity(line: StoredLine, wanted: number, available: number | null): number {
  if (available === null) return MAX_LINE_QUANTITY;
  return Math.min(MAX_LINE_QUANTITY, Math.max(0, available - (wanted - line.quantity)));
}

function assessLine(line: StoredLine, wanted: number, around: CartContext): AssessedLine {
  const available = around.available.get(line.productId) ?? null;
  const product = around.productOf(line.productId);
  const priced = priceLine(line, product, around.rate);
  const notices = createLineNotices({
    isWithdrawn: priced === null,
    priceCents: priced?.priceCents ?? NO_CENTS,
    seenCents: line.seenCents,
    wanted,
    available,
  });
  if (priced) return { ...priced, notices, maxQuantity: computeMaxQuantity(line, wanted, available) };
  const former = product ?? around.formerProducts.get(line.productId);
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

/** The gift as a line: one piece, in its first values, for nothing. Null where it is not on sale or not left. */
export function createGiftLine(productId: string, taken: number, around: CartContext): AssessedLine | null {
  if ((around.available.get(productId) ?? Infinity) < taken + 1) return null;
  const line = priceLine({ valueIds: [], quantity: 1 }, around.productOf(productId), around.rate);
  if (line === null) return null;
  const valueIds = line.propertyValues.map(({ id }) => id).toSorted();
  return { ...line, valueIds, priceCents: NO_CENTS, priceSats: NO_SATS, isFree: true, notices: [], maxQuantity: 1 };
}

const isAfter = (a: PricedLine, b: PricedLine): number =>
  Number(a.productId > b.productId) - Number(a.productId < b.productId) ||
  Number(a.isFree) - Number(b.isFree) ||
  Number(a.valueIds.join() > b.valueIds.join()) - Number(a.valueIds.join() < b.valueIds.join());

/** A stored cart as it can be ordered now: today's prices, what its promotion gives, and what stands in the way. */
export function assessCart(stored: readonly StoredLine[], around: CartContext): AssessedCart {
  const wanted = new Map<string, number>();
  for (const { productId, quantity } of stored) wanted.set(productId, (wanted.get(productId) ?? 0) + quantity);
  const lines = stored.map((line) => assessLine(line, wanted.get(line.productId) ?? 0, around));
  const sold = lines.filter((line) => !isWithdrawn(line));
  const { subtotalCents } = priceCart(sold);
  const { promotion = null, usesByBuyer = null } = around.claimed ?? {};
  if (promotion === null) return { lines, totals: priceCart(sold), promotion, promotionProblem: null };

  const giftId = promotion.giftProductId;
  const gift = giftId === null ? null : createGiftLine(giftId, wanted.get(giftId) ?? 0, around);
  const claim = { now: around.now, subtotalCents, usesByBuyer, isGiftAvailable: gift !== null };
  const problem = findPromotionProblem(promotion, claim);
  const totals = priceCart(sold, problem === null ? getDiscount(promotion) : null);
  // A gift comes with what is bought, and never alone.
  const isGiven = gift !== null && problem === null && sold.length > 0;
  return {
    lines: isGiven ? [...lines, gift].toSorted(isAfter) : lines,
    totals,
    promotion,
    promotionProblem: problem,
  };
}
