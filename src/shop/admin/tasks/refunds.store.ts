/** Reads refunds and write-offs for staff tasks. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { RefundSent } from '#src/shop/refunds/matching/double-refund.ts';

export interface RefundSummary {
  /** The refund address; null if there is none. */
  readonly address: {
    readonly address: string;
    readonly confirmedAt: Date | null;
    readonly holdsFrom: Date | null;
  } | null;
  /** Refunds that were not withdrawn, or were sent. */
  readonly refunds: readonly RefundSent[];
  /** Unclaimed write-offs that were not reopened. */
  readonly unclaimedSats: Sats;
  /** Double refunds that were accepted as a loss. */
  readonly acceptedSats: Sats;
}

interface RefundSummaryRow {
  readonly id: string;
  readonly address: string | null;
  readonly confirmedAt: Date | null;
  readonly holdsFrom: Date | null;
  readonly refunds: readonly {
    readonly covers: RefundSent['covers'];
    readonly state: RefundSent['state'];
    readonly debit_sats: string;
    readonly withdrawn_at: string | null;
    readonly holds_units: boolean;
  }[];
  readonly unclaimed: bigint;
  readonly accepted: bigint;
}

/** By order id. */
export async function listRefundSummaries(
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, RefundSummary>> {
  const { rows } = await sql<RefundSummaryRow>`
    select orders.id, named.address, named.confirmed_at as "confirmedAt", named.holds_from as "holdsFrom",
      (select coalesce(jsonb_agg(jsonb_build_object('covers', covers, 'state', state, 'debit_sats', debit_sats::text,
          'withdrawn_at', withdrawn_at, 'holds_units', holds_units)), '[]')
        from refunds where order_id = orders.id and state <> 'withdrawn') as refunds,
      (select coalesce(sum(amount_sats), 0)::bigint from write_offs
        where order_id = orders.id and kind = 'unclaimed' and reopened_at is null) as unclaimed,
      (select coalesce(sum(amount_sats), 0)::bigint from write_offs
        where order_id = orders.id and kind = 'paid-twice') as accepted
    from orders left join refund_addresses named on named.order_id = orders.id
    where orders.id = any(${orderIds}::uuid[])
  `.execute(db);
  return new Map(
    rows.map(({ id, address, confirmedAt, holdsFrom, refunds, unclaimed, accepted }) => [
      id,
      {
        address: address === null ? null : { address, confirmedAt, holdsFrom },
        refunds: refunds.map(
          ({ covers, state, debit_sats: debit, withdrawn_at: withdrawn, holds_units: holdsUnits }) => ({
            covers,
            state,
            debitSats: sats(BigInt(debit)),
            holdsUnits,
            withdrawnAt: withdrawn === null ? null : new Date(withdrawn),
          }),
        ),
        unclaimedSats: sats(unclaimed),
        acceptedSats: sats(accepted),
      },
    ]),
  );
}
