/** Reads everything that prices and notices of a cart depend on. */
import type { Db } from '#src/platform/database/database.ts';
import type { CheckoutProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { chooseVariant } from '#src/shop/catalogue/products/variants.ts';
import { computeVariantPriceCents } from '#src/shop/catalogue/products/unit-price.ts';
import type { Catalogue, ProductOnSale, ProductRevision, SellableVariant } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import { assessCart } from './assess-cart.ts';
import type { AssessedCart, CartContext, StoredLine } from './assess-cart.ts';
import type { LineChange } from './cart-calls.service.ts';
import type { ChargeTerms } from './price-charges.ts';
import { EMPTY_CART } from './store.ts';
import type { StoredCart, VariantRequest } from './store.ts';

export interface CartSources {
  readonly catalogue: Pick<Catalogue, 'findByIds' | 'readOnSale' | 'findVariants' | 'findFormerProducts'>;
  readonly promotions: Pick<Promotions, 'findById' | 'listAdvertised'>;
}

export interface CartReading {
  readonly now: Date;
  readonly userId: string | null;
  /** Null if no rate is available. */
  readonly rate: CentsPerBtc | null;
  readonly charges: ChargeTerms;
  /** Claimed instead of the promotion of the stored cart. */
  readonly promotion?: Promotion;
}

/** What is on sale of a stored cart, according to the database. */
interface CartOnSale {
  readonly products: ReadonlyMap<string, ProductOnSale>;
  /** Variants with the value ids of the lines. */
  readonly variants: readonly SellableVariant[];
}

type CheckoutReading = CartReading & { readonly userId: string; readonly onSale: CartOnSale };

/** A cart to order. */
export interface CheckoutCart extends AssessedCart {
  /** The products that its prices depend on, as they were read. */
  readonly products: readonly ProductRevision[];
  /** The buyer entered a VAT number of another form, and the shop uses VAT numbers. */
  readonly isVatNumberInvalid: boolean;
}

type Products = ReadonlyMap<string, CheckoutProduct>;
type Variants = ReadonlyMap<string, SellableVariant>;

const createKey = (productId: string, valueIds: readonly string[]): string => `${productId} ${valueIds.join()}`;

const indexVariants = (variants: readonly SellableVariant[]): Map<string, SellableVariant> =>
  new Map(variants.map((of) => [createKey(of.productId, of.valueIds), of]));

/** The variants of a cart's lines and gifts, their choices completed. */
const listWanted = ({ lines }: StoredCart, gifts: readonly string[], products: Products) =>
  [...lines, ...gifts.map((productId) => ({ productId, valueIds: [] }))].flatMap(({ productId, valueIds }) => {
    const product = products.get(productId);
    const choice = product && chooseVariant(product, valueIds);
    return choice?.ok ? { productId, valueIds: choice.valueIds } : [];
  });

/** Those that were not read with the cart, such as of a line whose values are no longer offered as they were chosen. */
const listMissing = (stored: StoredCart, gifts: readonly string[], products: Products, variants: Variants) =>
  listWanted(stored, gifts, products).filter((of) => !variants.has(createKey(of.productId, of.valueIds)));

const listProductIds = ({ lines }: StoredCart): string[] => lines.map(({ productId }) => productId);

const listAdvertisedGifts = (promotions: CartSources['promotions'], now: Date): string[] => [
  ...new Set(promotions.listAdvertised(now).flatMap(({ giftProductId: id }) => (id === null ? [] : [id]))),
];

/** The variants of advertised gifts, which `readCartContext` needs besides those of the cart's lines. */
export function listGiftVariants({ catalogue, promotions }: CartSources, now: Date): readonly VariantRequest[] {
  const gifts = listAdvertisedGifts(promotions, now);
  const products = new Map(catalogue.findByIds(gifts, now).map((product) => [product.id, product]));
  return listWanted(EMPTY_CART, gifts, products);
}

/** Takes products from memory, which may be a second old. */
export async function readCartContext(
  db: Db,
  { catalogue, promotions }: CartSources,
  stored: StoredCart,
  { now, userId, rate, charges, promotion }: CartReading,
): Promise<CartContext> {
  const { promotionId, lines } = stored;
  const found = promotionId === null ? null : await promotions.findById(db, promotionId, userId);
  const claimed = promotion === undefined ? found : { promotion, usesByBuyer: null };
  const advertised = lines.length > 0 ? listAdvertisedGifts(promotions, now) : [];
  const claimedId = claimed?.promotion.giftProductId ?? null;
  const gifts = [...new Set(claimedId === null ? advertised : [claimedId, ...advertised])];
  const productIds = [...new Set([...listProductIds(stored), ...gifts])];
  const products = new Map(catalogue.findByIds(productIds, now).map((product) => [product.id, product]));
  const variants = indexVariants(stored.variants);
  const missing = listMissing(stored, gifts, products, variants);
  for (const [key, variant] of indexVariants(await catalogue.findVariants(db, missing))) variants.set(key, variant);
  const formerProducts = await findFormerProducts(db, catalogue, stored, products);
  return createContext({ now, rate, charges, claimed, formerProducts }, products, variants);
}

/**
 * Takes everything from the database. Most carts need no statement here: a code needs one, and what its
 * gift and incomplete choices need is read, too.
 */
async function readCheckoutContext(
  tx: Db,
  { catalogue, promotions }: CartSources,
  stored: StoredCart,
  { now, userId, rate, charges, onSale }: CheckoutReading,
): Promise<{ readonly context: CartContext; readonly products: readonly ProductOnSale[] }> {
  const claimed = stored.promotionId === null ? null : await promotions.findById(tx, stored.promotionId, userId);
  const giftId = claimed?.promotion.giftProductId ?? null;
  const gifts = giftId === null ? [] : [giftId];
  const unread = gifts.filter((id) => !onSale.products.has(id));
  const more = unread.length === 0 ? [] : await catalogue.readOnSale(tx, unread, now);
  const products = new Map([...onSale.products, ...more]);
  const variants = indexVariants(onSale.variants);
  const missing = listMissing(stored, gifts, products, variants);
  for (const [key, variant] of indexVariants(await catalogue.findVariants(tx, missing))) variants.set(key, variant);
  const formerProducts = await findFormerProducts(tx, catalogue, stored, products);
  return {
    context: createContext({ now, rate, charges, claimed, formerProducts }, products, variants),
    products: [...products.values()],
  };
}

/** Prices a cart at the prices of the database, for an order. */
export async function assessForCheckout(
  tx: Db,
  sources: CartSources,
  stored: StoredCart,
  reading: CheckoutReading,
): Promise<CheckoutCart> {
  const { context, products } = await readCheckoutContext(tx, sources, stored, reading);
  const assessed = assessCart(stored.lines, context);
  const { buyer, tax } = reading.charges;
  const isVatNumberInvalid =
    tax.hasReverseCharge && buyer.vatNumber !== null && assessed.charges.tax.buyerVatNumber === null;
  return { ...assessed, products, isVatNumberInvalid };
}

type ChosenLine =
  | { readonly ok: true; readonly line: StoredLine }
  | { readonly ok: false; readonly reason: 'no-such-product' | 'unknown-values' };

/** The line of a change: properties not named take the first values that are sold. */
export function chooseLine(catalogue: Pick<Catalogue, 'findByIds'>, change: LineChange): ChosenLine {
  const { product_id: productId, property_value_ids: valueIds, quantity } = change;
  const [product] = catalogue.findByIds([productId]);
  if (!product) return { ok: false, reason: 'no-such-product' };
  const choice = chooseVariant(product, valueIds);
  if (!choice.ok) return choice;
  const seenCents = computeVariantPriceCents(product, choice);
  return { ok: true, line: { productId, valueIds: choice.valueIds, quantity, seenCents } };
}

const findFormerProducts = (
  db: Db,
  catalogue: CartSources['catalogue'],
  stored: StoredCart,
  products: Products,
): Promise<CartContext['formerProducts']> =>
  catalogue.findFormerProducts(
    db,
    listProductIds(stored).filter((id) => !products.has(id)),
  );

const createContext = (
  rest: Omit<CartContext, 'findProduct' | 'findVariant'>,
  products: Products,
  variants: Variants,
): CartContext => ({
  ...rest,
  findProduct: (id) => products.get(id),
  findVariant: (productId, valueIds) => variants.get(createKey(productId, valueIds)),
});
