import type { RefObject } from 'react';
import { useMemo } from 'react';
import type { ProductCosts } from '#src/shop/catalogue/costs/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useDocument } from '../../kit/document/use-document.ts';
import type { FormCategory } from '../product-form.ts';
import { labelVariants } from '../name-variant.ts';
import { toCostForm, toCostRequest } from '../cost-form.ts';
import { useExtraColumn } from './use-extra-column.ts';

interface CostsOptions {
  readonly productId: string;
  /** Null: the reader may not see figures, or the product is new. */
  readonly costs: ProductCosts | null;
  /** Of the product. */
  readonly category: FormCategory | null;
  /** Of the product. */
  readonly form: RefObject<HTMLFormElement | null>;
  /** Toast after saving. */
  readonly saved: () => string;
}

const NO_COSTS: ProductCosts = { version: 0, variants: [] };

const toStored = (costs: ProductCosts) => ({ version: costs.version, value: toCostForm(costs) });

/** What a unit of each variant costs the shop: a document of its own, in the form of the product. */
export function useCosts({ productId, costs, category, form: productForm, saved }: CostsOptions) {
  const { variants } = costs ?? NO_COSTS;
  const shown = useMemo(() => variants.map(({ id, value_ids: valueIds }) => ({ id, valueIds })), [variants]);
  const { value, change, state } = useDocument({
    name: `costs_${productId}`,
    what: 'the costs of this product',
    labels: labelVariants('Cost', category, shown),
    stored: toStored(costs ?? NO_COSTS),
    read: (form) => {
      const { body, problems } = toCostRequest(form, variants);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body };
    },
    send: async (body, { version }) =>
      toStored(
        await call('PUT /catalogue/products/{id}/costs', { params: { id: productId }, body: { ...body, version } }),
      ),
    saved,
    form: productForm,
  });
  const positions = new Map(variants.map(({ id }, index) => [id, index]));
  const column = useExtraColumn({
    variants: shown,
    texts: value,
    change,
    findProblem: (id) => {
      const at = positions.get(id);
      return at === undefined
        ? undefined
        : (state.problems[`costs.${at}.cost_usd`] ?? state.problems[`costs.${at}.variant_id`]);
    },
  });
  return costs === null ? { column: undefined, state: null } : { column, state };
}
