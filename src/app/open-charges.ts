import type { Db } from '#src/platform/database/database.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { Shipping } from '#src/shop/shipping/service.ts';
import { lockTaxNumber } from '#src/shop/shop-settings/service.ts';
import { Taxes } from '#src/shop/tax/service.ts';

interface ChargesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: RevisionWatcher;
}

/** Settings of shipping and tax, read again when they change. */
export async function openCharges({ db, clock, revisions }: ChargesOptions) {
  const shipping = await Shipping.open({ db, clock, revisions });
  const taxes = await Taxes.open({ db, clock, revisions, lockTaxNumber });
  revisions.add(shipping);
  revisions.add(taxes);
  return { shipping, taxes };
}
