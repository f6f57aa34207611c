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
import { checkCounts, findRefused, nameElsewhere, rebaseCounts, toCounts, typeCount } from '../stock-counts.ts';
import type { TypedCounts } from '../stock-counts.ts';

const NONE: TypedCounts = {};

/**
 * Counts that are typed in the rows of the inventory. They stay in this tab, on other pages of the list too, until they
 * are saved together or discarded.
 * @param variants those that the page shows
 */
export function useStockCounts(variants: readonly StockedVariant[]) {
  const { draft, readLatest, write } = useDraft<TypedCounts>('stock_counts', NONE);
  const [reason, setReason] = useState<StockReason>('counted');
  /** Whether the last attempt was based on old numbers: the rows have shown the present ones since. */
  const [isRefused, setIsRefused] = useState(false);
  const sendOnce = useSendOnce();
  const stored = draft?.value ?? NONE;
  const counts = isRefused ? rebaseCounts(stored, variants) : stored;
  const keep = (value: TypedCounts): void => {
    write(Object.keys(value).length === 0 ? null : { version: null, base: NONE, value });
  };
  const form = useCallForm({
    log: 'the counts were not saved',
    read: () => ({ counts, reason }),
    check: ({ counts: typed }) => checkCounts(typed),
    send: async (typed) => {
      const body = { counts: toCounts(typed.counts), reason: typed.reason };
      await sendOnce(body, (options) => call('PUT /inventory', { body }, options));
    },
    saved: ({ counts: sent }) => {
      const count = Object.keys(sent).length;
      return count === 1 ? 'Stock of 1 variant saved' : `Stock of ${count} variants saved`;
    },
    // What was typed meanwhile stays.
    onSaved: ({ counts: sent }) => {
      const latest = Object.entries(readLatest()?.value ?? NONE);
      keep(Object.fromEntries(latest.filter(([id, { text }]) => text !== sent[id]?.text)));
      setIsRefused(false);
    },
    describe: (error) => {
      const refused = isApiFailure(error) ? findRefused(counts, error.fields) : [];
      setIsRefused(refused.length > 0);
      // The rows then show the present numbers.
      void reloadPage();
      const elsewhere = nameElsewhere(counts, refused, new Set(variants.map((one) => one.variant_id)));
      return {
        text: `${describeFailure(error)}${elsewhere}`,
        // Marked without a text: each row says what its number is now.
        problems: Object.fromEntries(refused.map((id) => [id, ''])),
      };
    },
  });
  return {
    form,
    counts,
    /** What the row showed when its count was typed; undefined without a count. */
    seenOf: (id: string): number | null | undefined => stored[id]?.seen,
    reason,
    setReason,
    /** The text of a row: typed, or the stored number. */
    textOf: ({ variant_id: id, on_hand: onHand }: StockedVariant): string =>
      counts[id]?.text ?? (onHand === null ? '' : String(onHand)),
    type: (variant: StockedVariant, text: string): void => {
      keep(typeCount(readLatest()?.value ?? NONE, variant, text));
      if (form.messageOf(variant.variant_id) !== undefined) form.show(null);
    },
    discard: (): void => {
      write(null);
      setIsRefused(false);
      form.show(null);
    },
  };
}

export type StockCounts = ReturnType<typeof useStockCounts>;
