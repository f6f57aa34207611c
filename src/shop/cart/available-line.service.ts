/** Chooses the variant that is added to a cart. */
import type { Db } from '#src/platform/database/database.ts';
import { listSoldWith } from '#src/shop/catalogue/products/variants.ts';
import type { Catalogue, SellableVariant } from '#src/shop/catalogue/service.ts';
import { isSameLine } from './assess-cart.ts';
import type { StoredLine } from './assess-cart.ts';
import { createSoldOut } from './cart-calls.service.ts';
import type { CartChangeResult, LineChange } from './cart-calls.service.ts';
import { chooseLine } from './cart-context.service.ts';

/** Refuses an addition and rolls it back. */
export class RefusedAddition extends Error {
  readonly result: Exclude<CartChangeResult, { readonly ok: true }>;

  constructor(result: RefusedAddition['result']) {
    super(result.reason);
    this.result = result;
  }
}

const isAvailable = ({ available }: Pick<SellableVariant, 'available'>): boolean => available === null || available > 0;

/**
 * The first variant with the named values of which something is available, according to the database.
 * @param first the first variant with these values @param read variants that were read already
 * @throws RefusedAddition
 */
export async function chooseAvailable(
  tx: Db,
  catalogue: Pick<Catalogue, 'findByIds' | 'findVariants'>,
  change: LineChange,
  first: StoredLine,
  read: readonly SellableVariant[],
): Promise<{ readonly line: StoredLine; readonly available: number | null }> {
  const present = read.find((of) => isSameLine(of, first));
  if (present && isAvailable(present)) return { line: first, available: present.available };
  const { product_id: productId, property_value_ids: namedIds = [] } = change;
  const [product] = catalogue.findByIds([productId]);
  const others = (product ? listSoldWith(product, namedIds) : []).map((valueIds) => ({ productId, valueIds }));
  const sold = await catalogue.findVariants(tx, others);
  if (sold.length === 0) throw new RefusedAddition({ ok: false, reason: 'unknown-values' });
  const available = new Map(sold.filter(isAvailable).map((of) => [of.valueIds.join(), of.available]));
  const found = others.find(({ valueIds }) => available.has(valueIds.join()));
  if (!found) throw new RefusedAddition(createSoldOut(0));
  const other = chooseLine(catalogue, { ...change, property_value_ids: found.valueIds });
  if (!other.ok) throw new RefusedAddition(other);
  return { line: other.line, available: available.get(found.valueIds.join()) ?? null };
}
