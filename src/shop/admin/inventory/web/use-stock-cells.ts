import { useState } from 'react';
import type { StockReason } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useDraft } from '../../kit/document/use-draft.ts';
import {
  checkCells,
  countOf,
  findRefused,
  nameElsewhere,
  rebaseCells,
  showCell,
  toChanges,
  toKey,
  typeCell,
} from '../stock-cells.ts';
import type { CellOf, TypedCells } from '../stock-cells.ts';

const NONE: TypedCells = {};

function describeSaved(cells: TypedCells): string {
  const [counts, thresholds] = [countOf(cells, 'on_hand'), countOf(cells, 'threshold')];
  if (counts > 0 && thresholds > 0) return 'Stock and thresholds saved';
  if (thresholds > 0)
    return thresholds === 1 ? 'Threshold of 1 variant saved' : `Thresholds of ${thresholds} variants saved`;
  return counts === 1 ? 'Stock of 1 variant saved' : `Stock of ${counts} variants saved`;
}

/**
 * What is typed in the cells of the inventory. It stays in this tab, on other pages of the list too, until it is saved
 * together or discarded.
 * @param variants those that the page shows
 */
export function useStockCells(variants: readonly StockedVariant[]) {
  const { draft, readLatest, write } = useDraft<TypedCells>('stock_cells', NONE);
  const [reason, setReason] = useState<StockReason>('counted');
  /** Whether the last attempt was based on old numbers: the rows have shown the present ones since. */
  const [isRefused, setIsRefused] = useState(false);
  const sendOnce = useSendOnce();
  const stored = draft?.value ?? NONE;
  const cells = isRefused ? rebaseCells(stored, variants) : stored;
  const keep = (value: TypedCells): void => {
    write(Object.keys(value).length === 0 ? null : { version: null, base: NONE, value });
  };
  const form = useCallForm({
    log: 'the inventory was not saved',
    read: () => ({ cells, reason }),
    check: ({ cells: typed }) => checkCells(typed),
    send: async (typed) => {
      const body = { ...toChanges(typed.cells), reason: typed.reason };
      await sendOnce(body, (options) => call('PUT /inventory', { body }, options));
    },
    saved: ({ cells: sent }) => describeSaved(sent),
    // What was typed meanwhile stays.
    onSaved: ({ cells: sent }) => {
      const latest = Object.entries(readLatest()?.value ?? NONE);
      keep(Object.fromEntries(latest.filter(([key, { text }]) => text !== sent[key]?.text)));
      setIsRefused(false);
    },
    describe: (error) => {
      const refused = isApiFailure(error) ? findRefused(cells, error.fields) : [];
      setIsRefused(refused.length > 0);
      // The rows then show the present numbers.
      void reloadPage();
      const elsewhere = nameElsewhere(cells, refused, new Set(variants.map((one) => one.variant_id)));
      return {
        text: `${describeFailure(error)}${elsewhere}`,
        // Marked without a text: each cell says what its number is now.
        problems: Object.fromEntries(refused.map((key) => [key, ''])),
      };
    },
  });
  return {
    form,
    cells,
    /** What the row showed when its cell was typed; undefined if nothing was typed. */
    seenOf: (id: string, of: CellOf): number | null | undefined => stored[toKey(id, of)]?.seen,
    messageOf: (id: string, of: CellOf): string | undefined => form.messageOf(toKey(id, of)),
    reason,
    setReason,
    textOf: (variant: StockedVariant, of: CellOf): string => showCell(cells, variant, of),
    type: (variant: StockedVariant, of: CellOf, text: string): void => {
      keep(typeCell(readLatest()?.value ?? NONE, variant, of, text));
      if (form.messageOf(toKey(variant.variant_id, of)) !== undefined) form.show(null);
    },
    discard: (): void => {
      write(null);
      setIsRefused(false);
      form.show(null);
    },
  };
}

export type StockCells = ReturnType<typeof useStockCells>;
