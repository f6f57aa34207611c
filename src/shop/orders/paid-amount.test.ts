import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { cents, sats } from '#src/shop/money.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { computePaidCents, computeWaivedCents } from './paid-amount.ts';

const order = fc.record({
  totalCents: fc.bigInt(0n, 21_000_000_000_000n).map(cents),
  dueSats: fc.bigInt(0n, 2_100_000_000_000_000n).map(sats),
  settledSats: fc.option(fc.bigInt(0n, 2_100_000_000_000_000n).map(sats)),
});
/** Shares that end in half a cent. */
const half = fc.bigInt(1n, 1_000_000n).map((n) => ({
  totalCents: cents(2n * n - 1n),
  dueSats: sats(200n),
  settledSats: sats(100n),
}));

test('[OPS-05] the database and the shop agree on what a buyer paid', async () => {
  const { db } = await createTestDatabase();
  const some = fc.sample(fc.oneof(order, half), { numRuns: 3000, seed: 17 });
  const { rows } = await sql<{ paid: bigint }>`
    select paid_cents(total, settled, due) as paid
    from unnest(${some.map((one) => one.totalCents)}::bigint[], ${some.map((one) => one.settledSats)}::bigint[],
      ${some.map((one) => one.dueSats)}::bigint[]) with ordinality as listed (total, settled, due, at)
    order by at
  `.execute(db);
  assert.deepEqual(
    rows.map(({ paid }) => paid),
    some.map(computePaidCents),
  );
  for (const one of some) assert.equal(computePaidCents(one) + computeWaivedCents(one), one.totalCents);
});
