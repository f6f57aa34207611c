/** What units of a product cost the shop, edited by staff who may see figures. Orders placed before keep their costs. */
import { createInvalid } from '#src/platform/http/call.ts';
import type { Conflict, Refusal } from '#src/platform/http/call.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import type { EditingOptions, Written } from '#src/shop/editing/service.ts';
import type { Cents } from '#src/shop/money.ts';
import { selectOffered } from '../editing/product-content.ts';
import { lockProducts, readProduct } from '../editing/products.store.ts';
import type { StoredVariant } from '../editing/stored-product.ts';
import * as store from './store.ts';
import type { VariantCost } from './store.ts';

interface CostedVariant extends Pick<StoredVariant, 'id' | 'sku' | 'value_ids'> {
  /** Null: unknown. */
  readonly cost: Cents | null;
}

export interface ProductCosts {
  readonly version: number;
  readonly variants: readonly CostedVariant[];
}

interface StoredCosts extends ProductCosts {
  readonly name: string;
}

interface CostsRequest {
  readonly version: number;
  readonly costs: readonly VariantCost[];
}

/** Costs of changed variants as audit entries show them. */
const toAuditFields = (variants: readonly CostedVariant[]) => ({
  variant_cost_cents: Object.fromEntries(variants.map(({ sku, cost }) => [sku, cost])),
});

async function readStored(db: Db, productId: string): Promise<StoredCosts | null> {
  const product = await readProduct(db, productId);
  if (product === null) return null;
  const variants = selectOffered(product.content.values, product.variants);
  const costs = await store.readCosts(
    db,
    variants.map(({ id }) => id),
  );
  const { version } = await store.readCostsState(db, productId);
  return {
    name: product.content.name,
    version,
    variants: variants.map(({ id, sku, value_ids }) => ({ id, sku, value_ids, cost: costs.get(id) ?? null })),
  };
}

/** Messages at variants that the product does not have, or that are named twice. */
function findProblems(costs: readonly VariantCost[], variants: readonly CostedVariant[]) {
  const unnamed = new Set(variants.map(({ id }) => id));
  return Object.fromEntries(
    costs.flatMap(({ variantId }, at) =>
      unnamed.delete(variantId) ? [] : [[`costs.${at}.variant_id`, 'is no variant of this product, or named twice']],
    ),
  );
}

export class VariantCosts {
  readonly #options: Omit<EditingOptions, 'revisions'>;

  constructor({ db, clock }: Omit<EditingOptions, 'revisions'>) {
    this.#options = { db, clock };
  }

  /** Null if the product does not exist. */
  list(productId: string): Promise<ProductCosts | null> {
    return readStored(this.#options.db, productId);
  }

  /** Changes the costs of the named variants, or none. */
  change(productId: string, { version, costs }: CostsRequest, by: StaffActor): Promise<ProductCosts | Refusal> {
    return changeDocument<StoredCosts, ProductCosts>(this.#options, {
      what: 'these costs',
      subject: { kind: 'product', id: productId },
      by,
      version,
      lock: async (tx) => ((await lockProducts(tx, [productId])) ? readStored(tx, productId) : null),
      write: async (tx, stored, at) => {
        const problems = findProblems(costs, stored.variants);
        return Object.keys(problems).length > 0 ? createInvalid(problems) : this.#write(tx, stored, { costs, at, by });
      },
      readConflict: (db) => this.#readConflict(db, productId),
    });
  }

  async #write(
    tx: Db,
    stored: StoredCosts,
    { costs, at, by }: Pick<CostsRequest, 'costs'> & { readonly at: Date; readonly by: StaffActor },
  ): Promise<Written<ProductCosts>> {
    const wanted = new Map(costs.map(({ variantId, costCents }) => [variantId, costCents]));
    const saved = stored.variants.map((variant) => {
      const cost = wanted.get(variant.id);
      return cost === undefined ? variant : { ...variant, cost };
    });
    const changed = saved.filter(({ cost }, index) => cost !== stored.variants[index]?.cost);
    if (changed.length === 0) return { saved: stored, recorded: null };
    await store.writeCosts(
      tx,
      changed.map(({ id, cost }) => ({ variantId: id, costCents: cost })),
      { at, userId: by.userId },
    );
    const former = stored.variants.filter(({ id }) => changed.some((variant) => variant.id === id));
    return {
      saved: { version: stored.version + 1, variants: saved },
      recorded: {
        action: 'product.costs_changed',
        name: stored.name,
        // The versions of a product in the log are those of its content.
        version: undefined,
        before: toAuditFields(former),
        after: toAuditFields(changed),
      },
    };
  }

  async #readConflict(db: Db, productId: string): Promise<Conflict> {
    const { editedBy, editedAt } = await store.readCostsState(db, productId);
    return { by: editedBy, at: editedAt?.toISOString() ?? null, fields: [{ path: 'costs', label: 'Cost per item' }] };
  }
}
