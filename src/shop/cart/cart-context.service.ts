/** Reads everything that prices and notices of a cart depend on. */
import type { Db } from '#src/platform/database/database.ts';
import type { CheckoutProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { chooseVariant } from '#src/shop/catalogue/products/variants.ts';
import type { Catalogue, ProductOnSale, SellableVariant } from '#src/shop/catalogue/service.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { CartContext } from './assess-cart.ts';
import type { ChargeTerms } from './price-charges.ts';
import type { StoredCart } from './store.ts';

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
export interface CartOnSale {
  readonly products: ReadonlyMap<string, ProductOnSale>;
  /** Variants with the value ids of the lines. */
  readonly variants: readonly SellableVariant[];
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

const listProductIds = ({ lines }: StoredCart): string[] => lines.map(({ productId }) => productId);

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
  const giftIds = [claimed?.promotion.giftProductId ?? null];
  if (lines.length > 0) giftIds.push(...promotions.listAdvertised(now).map((of) => of.giftProductId));
  const gifts = [...new Set(giftIds)].filter((id) => id !== null);
  const productIds = [...new Set([...listProductIds(stored), ...gifts])];
  const products = new Map(catalogue.findByIds(productIds, now).map((product) => [product.id, product]));
  const variants = indexVariants(await catalogue.findVariants(db, listWanted(stored, gifts, products)));
  const formerProducts = await findFormerProducts(db, catalogue, stored, products);
  return createContext({ now, rate, charges, claimed, formerProducts }, products, variants);
}

/**
 * Takes everything from the database. Most carts need no statement here: a code needs one, and what its
 * gift and incomplete choices need is read, too.
 */
export async function readCheckoutContext(
  tx: Db,
  { catalogue, promotions }: CartSources,
  stored: StoredCart,
  { now, userId, rate, charges, onSale }: CartReading & { readonly userId: string; readonly onSale: CartOnSale },
): Promise<{ readonly context: CartContext; readonly products: readonly ProductOnSale[] }> {
  const claimed = stored.promotionId === null ? null : await promotions.findById(tx, stored.promotionId, userId);
  const giftId = claimed?.promotion.giftProductId ?? null;
  const gifts = giftId === null ? [] : [giftId];
  const unread = gifts.filter((id) => !onSale.products.has(id));
  const more = unread.length === 0 ? [] : await catalogue.readOnSale(tx, unread, now);
  const products = new Map([...onSale.products, ...more]);
  const variants = indexVariants(onSale.variants);
  const missing = listWanted(stored, gifts, products).filter(
    (of) => !variants.has(createKey(of.productId, of.valueIds)),
  );
  for (const [key, variant] of indexVariants(await catalogue.findVariants(tx, missing))) variants.set(key, variant);
  const formerProducts = await findFormerProducts(tx, catalogue, stored, products);
  return {
    context: createContext({ now, rate, charges, claimed, formerProducts }, products, variants),
    products: [...products.values()],
  };
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
