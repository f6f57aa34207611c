import type { RefObject } from 'react';
import { useMemo } from 'react';
import type { ProductStock } from '#src/shop/inventory/stock-list/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import { useDocument } from '../../kit/document/use-document.ts';
import type { FormCategory } from '../product-form.ts';
import { labelVariants } from '../name-variant.ts';
import { toCounts, toProblemKey, toStockTexts } from '../stock-column.ts';
import { useExtraColumn } from './use-extra-column.ts';

interface StockOptions {
  readonly productId: string;
  /** Null: the reader may not see the stock, or the product is new. */
  readonly stock: ProductStock | null;
  /** Of the product. */
  readonly category: FormCategory | null;
  /** Of the product. */
  readonly form: RefObject<HTMLFormElement | null>;
  /** Toast after saving. */
  readonly saved: () => string;
}

const NO_STOCK: ProductStock = { variants: [] };

/** The units on hand of each variant, saved as counts, in the form of the product. */
export function useStock({ productId, stock, category, form: productForm, saved }: StockOptions) {
  const { variants } = stock ?? NO_STOCK;
  const shown = useMemo(
    () => variants.map(({ variant_id: id, value_ids: valueIds }) => ({ id, valueIds })),
    [variants],
  );
  const sendOnce = useSendOnce();
  const stored = toStockTexts(stock ?? NO_STOCK);
  const { value, change, state } = useDocument({
    name: `stock_${productId}`,
    what: 'the stock of this product',
    labels: labelVariants('Units on hand', category, shown),
    stored: { version: null, value: stored },
    read: (texts) => {
      const { problems } = toCounts(texts, stored);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body: texts };
    },
    send: async (texts, { base }) => {
      const body = { counts: toCounts(texts, base).counts, reason: 'counted' } as const;
      if (body.counts.length > 0) await sendOnce(body, (options) => call('PUT /inventory', { body }, options));
      return null;
    },
    saved,
    form: productForm,
  });
  const column = useExtraColumn({
    variants: shown,
    texts: value,
    change,
    findProblem: (id) => state.problems[toProblemKey(id)],
  });
  return stock === null ? { column: undefined, state: null } : { column, state };
}
