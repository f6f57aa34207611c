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
import { BUG_HISTORIES, returnBugs } from './support/return-history/injected-return-bugs.ts';
import { ReturnShop } from './support/return-history/return-shop.ts';

/** The same histories each time; `npm run stress -- returns` plays ten thousand others. */
const RUNS = Number(process.env['RETURN_HISTORIES'] ?? 25);
const SEED = Number(process.env['RETURN_SEED'] ?? 20_260_619);
/** In this many histories each bug must show. */
const MOST_FOR_BUG = 10;

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
    const short = process.env['SHORTEN'] === '1' ? ` Shorter: ${await describeShortest(seed)}` : '';
    faults.push(`--seed ${seed}: ${fault.message}${short}`);
  }
  const counts = [...tally].toSorted(([, a], [, b]) => b - a);
  t.diagnostic(`${RUNS} histories: ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  assert.deepEqual(faults, []);
});

/** A shorter history that fails, too, in the form of the list below. */
async function describeShortest(seed: number): Promise<string> {
  const shortest = await shorten(shop, generateHistory(seed));
  return `${formatHistory(shortest)}: ${String((await findFault(shop, shortest))?.message)}`;
}

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
  'units are stopped and refunded after a refund of others was withdrawn':
    'hours(43643,50396,10616) refundUnits(40101,55115,41311) withdrawPart(17266,62705,56808) withdrawRefund(22903,44960,57897) withdrawPart(18032,28857,34529)',
  'a withdrawal goes on when the refund that took its price is replaced on the network':
    'hours(1,0,0) refundOther(3,0,0) sendRefund(0,0,0) dropRefund(0,0,0) withdrawRefund(0,0,0) withdrawAll(0,0,0) restoreRefund(0,0,0) close(0,0,0) dropRefund(0,0,0)',
  'a withdrawal goes on when its payment is back after an undone refund':
    'hours(1,0,0) refundOther(2,0,0) sendRefund(0,0,0) refundOther(2,1,0) sendRefund(0,0,0) refundOther(2,4,0) sendRefund(0,0,0) withdrawAll(0,0,0) close(0,0,0) reorganisePayment(0,0,0) dropRefund(0,0,0) withdrawRefund(0,0,0) dropRefund(1,0,0) withdrawRefund(1,0,0) dropRefund(2,0,0) withdrawRefund(2,0,0) restorePayment(0,0,0)',
  'an undone refund stops no unit that a later one pays for':
    'hours(17,0,0) recordElsewhere(1,1,0) withdrawPart(1,0,0) recordElsewhere(1,1,0) undoRecord(0,0,0)',
  'an undone refund stops no unit of a later one by a host whose clock is behind':
    'hours(17,0,0) recordElsewhere(1,1,0) withdrawPart(1,0,0) behind(3,0,0) recordElsewhere(1,1,0) undoRecord(0,0,0)',
  'a withdrawal can be closed when its order was cancelled after its payment was lost':
    'refundOpen(65522,58962,1) dropPayment(44333,5,65534) withdrawPart(13,13,33692) decideOnOrder(65533,3,36058)',
  'a withdrawal can be closed when a refund that was given up arrives and takes its price':
    'hours(7,34957,0) refundUnits(43087,7,3150) sendRefund(0,0,0) withdrawAll(0,0,0) dropRefund(0,0,0) withdrawRefund(0,0,0) refundUnits(49373,62477,56359)',
  'the credit note of a refund that left the chain stands until staff withdraw it':
    'withdrawWhileShipping(418,11,65532) shipMore(1,57032,1095) refundUnits(20517,17462,30989) sendRefund(11554,12,65534) withdrawWhileShipping(65533,65528,23797) refundOpen(14,85,17845) dropRefund(12,38894,2037)',
  'a deduction of units that another refund took is made smaller by a new inspection':
    'close(39210,45488,13083) ship(39125,40128,38023) withdrawAll(44838,54321,52568) confirmRefunds(54084,18584,16694) receiveOpen(9595,5588,53473) inspect(32363,46026,28165) inspect(21297,35263,45891) receiveOpen(49859,13908,54286) refundUnits(17149,5648,34487)',
};

for (const [title, steps] of Object.entries(FOUND)) {
  test(`[RET-06] ${title}`, async () => {
    const fault = await findFault(shop, parseHistory(steps));
    if (fault !== null) throw fault;
  });
}

for (const bug of returnBugs) {
  test(`the histories of returns detect: ${bug}`, async (t) => {
    const wrong = await ReturnShop.open(bug);
    const text = BUG_HISTORIES[bug];
    for (let at = 0; at < MOST_FOR_BUG; at += 1) {
      const fault = await findFault(wrong, text === undefined ? generateHistory(SEED + at) : parseHistory(text));
      if (fault === null) continue;
      assert.ok(fault.cause instanceof assert.AssertionError, `the bug breaks the shop: ${fault.message}`);
      t.diagnostic(`detected in history ${at + 1}: ${fault.cause.message.split('\n')[0] ?? ''}`);
      return;
    }
    assert.fail(`${MOST_FOR_BUG} histories did not detect: ${bug}`);
  });
}
