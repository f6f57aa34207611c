import { formatUsd } from '#src/shop/format-number.ts';
import type { Cents } from '#src/shop/money.ts';
import { comparePrices } from '#src/shop/price-reduction.ts';
import type { PriceChange } from '#src/shop/price-reduction.ts';
import { listRaisedParts } from '../sale-prices/sale-price.ts';
import type { SalePrice } from '../sale-prices/sale-price.ts';
import { checkForSale } from './check-product.ts';
import { isLargePriceChange } from './large-price-change.ts';
import { applyPriceEdit, changeByPercent } from './price-edit.ts';
import type { PriceEdit } from './price-edit.ts';
import { createVariantKey } from '../products/variants.ts';
import { getProductState } from './product-state.ts';
import type { ProductState } from './product-state.ts';
import type { StoredProduct, WrittenProduct } from './stored-product.ts';

/** What a bulk edit depends on. */
export interface BulkProduct {
  readonly state: ProductState;
  readonly hasDraft: boolean;
  readonly categoryId: string;
  readonly categoryName: string;
  readonly basePriceCents: Cents;
  /** Prices of variants that have one of their own. */
  readonly ownPrices: readonly {
    readonly variantId: string;
    readonly variantKey: string;
    readonly priceCents: Cents;
  }[];
  /** Of the values that it is offered with. */
  readonly increases: readonly { readonly valueId: string; readonly increaseCents: Cents }[];
  /** Present and future ones. */
  readonly salePrices: readonly SalePrice[];
  readonly hasValues: boolean;
  readonly hasPicture: boolean;
  readonly hasPublishedVariant: boolean;
}

export const toBulkProduct = (
  { content, variants, isPublished, firstPublishedAt, draft }: StoredProduct,
  others: Pick<BulkProduct, 'categoryName' | 'salePrices'>,
): BulkProduct => ({
  ...others,
  state: getProductState(isPublished, firstPublishedAt),
  hasDraft: draft !== null,
  categoryId: content.category_id,
  basePriceCents: content.base_price_usd,
  ownPrices: variants.flatMap(({ id, value_ids, own_price_usd: own }) =>
    own === null ? [] : [{ variantId: id, variantKey: createVariantKey(value_ids), priceCents: own }],
  ),
  increases: content.values.flatMap(({ id, increase_usd }) =>
    increase_usd > 0n ? [{ valueId: id, increaseCents: increase_usd }] : [],
  ),
  hasValues: content.values.length > 0,
  ...checkForSale({ pictures: content.pictures, variants }),
});

export type BulkEdit =
  | { readonly kind: 'publish' }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'category'; readonly categoryId: string; readonly categoryName: string }
  | { readonly kind: 'price'; readonly edit: PriceEdit };

/** Columns to change; the others stay. */
export interface BulkPatch {
  readonly isPublished?: boolean;
  readonly categoryId?: string;
  readonly basePriceCents?: Cents;
  readonly ownPrices?: BulkProduct['ownPrices'];
  readonly increases?: BulkProduct['increases'];
}

/** A price before and after an edit. */
interface PriceStep {
  readonly before: string;
  readonly after: string;
}

export type BulkPlan =
  | {
      readonly ok: true;
      readonly before: string;
      readonly after: string;
      /** Prices that change by half or more. */
      readonly large: readonly PriceStep[];
      readonly patch: BulkPatch;
    }
  | { readonly ok: false; readonly reason: string };

const STATE_NAMES: Readonly<Record<ProductState, string>> = {
  published: 'Active',
  draft: 'Draft',
  withdrawn: 'Withdrawn',
};
const skip = (reason: string): BulkPlan => ({ ok: false, reason });

/** What an edit does to one product, or why it does not apply. */
export function planBulkEdit(product: BulkProduct, edit: BulkEdit): BulkPlan {
  if (edit.kind === 'publish') return planPublishing(product);
  if (edit.kind === 'withdraw') {
    return product.state === 'published'
      ? {
          ok: true,
          before: STATE_NAMES.published,
          after: STATE_NAMES.withdrawn,
          large: [],
          patch: { isPublished: false },
        }
      : skip('It is not active');
  }
  // Publishing the draft later would undo the edit.
  if (product.hasDraft) return skip('Publish or discard its unpublished changes first');
  return edit.kind === 'category' ? planCategory(product, edit) : planPrice(product, edit.edit);
}

function planPublishing({ state, hasPicture, hasPublishedVariant }: BulkProduct): BulkPlan {
  if (state === 'published') return skip('It is active already');
  if (!hasPicture) return skip('It has no picture');
  if (!hasPublishedVariant) return skip('None of its variants is published');
  return {
    ok: true,
    before: STATE_NAMES[state],
    after: STATE_NAMES.published,
    large: [],
    patch: { isPublished: true },
  };
}

function planCategory(
  product: BulkProduct,
  { categoryId, categoryName }: { readonly categoryId: string; readonly categoryName: string },
): BulkPlan {
  if (product.categoryId === categoryId) return skip('It is in this category already');
  if (product.hasValues) return skip('Its values belong to its category. Change the category on its page');
  return { ok: true, before: product.categoryName, after: categoryName, large: [], patch: { categoryId } };
}

/**
 * A set price is the base price. Other edits also change the prices of variants that have their own, and a percentage
 * changes increases too, so that every price changes by it.
 */
function planPrice(product: BulkProduct, edit: PriceEdit): BulkPlan {
  const basePriceCents = applyPriceEdit(product.basePriceCents, edit);
  const edited = edit.kind === 'set' ? [] : product.ownPrices;
  const ownPrices = edited.flatMap(({ priceCents, ...variant }) => {
    const changed = applyPriceEdit(priceCents, edit);
    return changed === null ? [] : [{ ...variant, priceCents: changed }];
  });
  if (basePriceCents === null || ownPrices.length < edited.length) {
    return skip('Its price would not be between $0.01 and $9,999,999.99');
  }
  const increases = edit.kind === 'percent' ? changeIncreases(product, edit) : [];
  const isSame =
    increases.length === 0 &&
    basePriceCents === product.basePriceCents &&
    ownPrices.every(({ priceCents }, index) => priceCents === edited[index]?.priceCents);
  if (isSame) return skip('Its price stays the same');
  const owned = edit.kind === 'set' ? product.ownPrices : ownPrices;
  const prices = {
    basePriceCents,
    // A reduction is checked without them.
    increases: new Map<string, Cents>(),
    ownPrices: new Map(owned.map(({ variantKey, priceCents }) => [variantKey, priceCents])),
  };
  if (product.salePrices.some(({ reduction }) => listRaisedParts(prices, reduction).length > 0)) {
    return skip('Its sale price would not be lower. Change or end the sale price first');
  }
  return {
    ok: true,
    before: formatUsd(product.basePriceCents),
    after: formatUsd(basePriceCents),
    large: listLargeSteps([
      [product.basePriceCents, basePriceCents],
      ...ownPrices.map(({ priceCents }, index) => [edited[index]?.priceCents ?? priceCents, priceCents] as const),
    ]),
    patch: { basePriceCents, ownPrices, ...(increases.length > 0 && { increases }) },
  };
}

/** Increases that change; one of nothing stays. */
function changeIncreases({ increases }: BulkProduct, edit: PriceEdit): BulkProduct['increases'] {
  return increases.flatMap(({ valueId, increaseCents }) => {
    const changed = changeByPercent(increaseCents, edit);
    return changed === increaseCents ? [] : [{ valueId, increaseCents: changed }];
  });
}

const listLargeSteps = (steps: readonly (readonly [Cents, Cents])[]): readonly PriceStep[] =>
  steps
    .filter(([before, after]) => isLargePriceChange(before, after))
    .map(([before, after]) => ({ before: formatUsd(before), after: formatUsd(after) }));

/** The product after the edit. */
export function applyPatch(stored: StoredProduct, patch: BulkPatch): WrittenProduct {
  const { content, variants, isPublished } = stored;
  const ownPrices = new Map(patch.ownPrices?.map(({ variantId, priceCents }) => [variantId, priceCents]));
  const increases = new Map(patch.increases?.map(({ valueId, increaseCents }) => [valueId, increaseCents]));
  return {
    ...stored,
    isPublished: patch.isPublished ?? isPublished,
    content: {
      ...content,
      category_id: patch.categoryId ?? content.category_id,
      base_price_usd: patch.basePriceCents ?? content.base_price_usd,
      values: content.values.map((value) => ({
        ...value,
        increase_usd: increases.get(value.id) ?? value.increase_usd,
      })),
    },
    variants: variants.map((variant) => ({
      ...variant,
      own_price_usd: ownPrices.get(variant.id) ?? variant.own_price_usd,
    })),
  };
}

/** What a patch does to prices. The first publication puts a price on sale. */
export function describePriceChange(
  { state, basePriceCents, ownPrices }: Pick<BulkProduct, 'state' | 'basePriceCents' | 'ownPrices'>,
  patch: BulkPatch,
): PriceChange {
  const toPrices = (base: Cents, own: BulkProduct['ownPrices']) =>
    new Map([['base', base], ...own.map(({ variantId, priceCents }) => [variantId, priceCents] as const)]);
  const before = toPrices(basePriceCents, ownPrices);
  const after = toPrices(patch.basePriceCents ?? basePriceCents, patch.ownPrices ?? []);
  const { isChanged, reducedBy } = comparePrices(before, after);
  return { isChanged: isChanged || (patch.isPublished === true && state === 'draft'), reducedBy };
}
