/** The merchant's texts on a test database, with the figures of the default settings. */
import type { Db } from '#src/platform/database/database.ts';
import { MarkdownParser } from '#src/platform/markdown/markdown-parser.ts';
import { RevisionWatcher } from '#src/platform/database/revisions.ts';
import { createContent } from '#src/app/create-content.ts';
import type { ContentSlice } from '#src/app/create-content.ts';
import type { PriceSource } from '#src/shop/content/service.ts';
import { describeFigures } from '#src/shop/content/text-figures.ts';
import { cents, sats } from '#src/shop/money.ts';
import { silentLog } from './database.ts';

export const FIGURES = describeFigures({
  shopName: 'Test Shop',
  shopAddress: '1 Test Street',
  paymentWindowSeconds: 7200,
  shortWindowSeconds: 900,
  refundMethod: 'value',
  lateTolerancePercent: 2,
  retention: { erases_orders: false, order_years: 10, invoice_years: 10, message_years: 3, staff_record_years: 6 },
  confirmationSteps: [
    { fromCents: 0n, confirmations: 1 },
    { fromCents: 50_000n, confirmations: 2 },
    { fromCents: 500_000n, confirmations: 3 },
    { fromCents: 2_500_000n, confirmations: 6 },
  ],
});

const PRICES: PriceSource = {
  findStartingPrice: () => ({ cents: cents(99_900n), sats: sats(900_000n) }),
  isOnSale: (slug) => slug === 'iphone-air',
  getVersion: () => '1',
};

/** A watcher that is not started: `announce` refreshes this process only. */
export async function openContent(db: Db, prices: PriceSource = PRICES): Promise<ContentSlice> {
  const revisions = new RevisionWatcher({
    db,
    log: silentLog,
    pubSub: { subscribe: () => {}, onGap: () => {}, publish: () => {} },
  });
  const slice = await createContent({
    db,
    clock: { now: () => new Date() },
    revisions,
    prices,
    pictures: { findMissing: async () => [] },
    figures: () => FIGURES,
    parser: new MarkdownParser(),
  });
  revisions.add(slice.content);
  return slice;
}
