/** Random histories of orders with returns in PostgreSQL, compared with what the requirements say. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  findFault,
  formatHistory,
  generateHistory,
  parseHistory,
  shorten,
} from './support/return-history/check-return-histories.ts';
import { ReturnShop } from './support/return-history/return-shop.ts';

const RUNS = Number(process.env['RETURN_HISTORIES'] ?? 100);
const SEED = Number(process.env['RETURN_SEED'] ?? 20_260_619);

let shop: ReturnShop;
before(async () => {
  shop = await ReturnShop.open(null);
});

test('[RET-04] [RET-06] [RET-07] every return ends, and no refund is above what was paid', async (t) => {
  const tally = new Map<string, number>();
  const faults: string[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const fault = await findFault(shop, generateHistory(seed), tally);
    if (fault === null) continue;
    console.log(`FAULT ${seed}: ${fault.message}`);
    if (process.env['SHORTEN']) {
      const short = await shorten(shop, generateHistory(seed));
      console.log(`SHORT ${formatHistory(short)}\n${String((await findFault(shop, short))?.stack)}`);
    }
    faults.push(String(seed));
  }
  t.diagnostic(
    [...tally]
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
  );
  assert.deepEqual(faults, []);
});

/** Histories that found a defect, shortened. */
const FOUND: Readonly<Record<string, string>> = {
  'a refund by proof of sending that was withdrawn can be made again':
    'hours(7,0,0) withdrawAll(0,0,0) sendReturn(0,0,0) refundOpen(0,0,0) withdrawRefund(0,0,0) receiveOpen(0,0,1)',
  'a closed withdrawal is open again when its refund by hand is withdrawn':
    'hours(1,0,0) withdrawAll(0,0,0) refundUnits(2,7,0) close(0,0,0) withdrawRefund(0,0,0)',
  'a withdrawal of which the shop keeps the whole price can be closed':
    'hours(7,0,0) withdrawPart(1,0,0) receiveOpen(0,0,0) inspect(0,0,4)',
  'a withdrawal of which too little is left to be sent can be closed':
    'hours(7,0,0) withdrawPart(1,0,0) receiveOpen(0,0,0) inspect(0,0,6)',
  'a unit that was refunded by hand is not refunded by its return again':
    'hours(1,0,0) withdrawPart(1,0,0) refundUnits(1,1,0) sendRefund(0,0,0) refundOpen(0,0,0)',
  'a return of which a part was refunded by hand is refunded without it':
    'hours(7,0,0) withdrawAll(0,0,0) refundUnits(1,2,0) sendRefund(0,0,0) receiveOpen(0,0,1)',
};

for (const [title, steps] of Object.entries(FOUND)) {
  test(`[RET-06] ${title}`, async () => {
    const fault = await findFault(shop, parseHistory(steps));
    if (fault !== null) throw fault;
  });
}
