/**
 * Random histories of one order: every state has an exit, and no sentence contradicts the
 * ledger.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Tally } from './support/ledger-simulation.ts';
import {
  checkOrderSimulations,
  listUncovered,
  playSimulation,
} from './support/order-history/check-order-simulations.ts';
import type { OrderBug } from './support/order-history/injected-order-bugs.ts';

/** The same histories each time; `npm run stress -- simulations orders` plays ten thousand others. */
const RUNS = Number(process.env['ORDER_HISTORIES'] ?? 4000);
const SEED = 20_301_031;

/** Events that occur in one of some thousand histories. */
const RARE: readonly string[] = [
  'pay(0,3,1) window(0,0,1) requote(0,0,1) drop(0,0,1)',
  'nameAddress(0,0,1) confirmAddress(0,0,1) payDeep(0,0,1) sendSuperseded(0,0,1) sendRefund(0,0,1) mine(3,0,1) acceptPaidTwice(0,0,1)',
  'payDeep(0,0,1) ship(0,0,1) doubleSpend(0,1,1) closeAsLoss(0,0,1)',
  'window(0,0,1) pay(0,3,1) mine(3,0,1) days(2,0,1) writeOff(0,0,1) nameAddress(0,0,1) confirmAddress(0,0,1)',
  'payDeep(0,4,1) nameAddress(0,0,1) confirmAddress(0,0,1) refundSurplus(0,0,1) doubleSpend(0,1,1)',
  'payDeep(0,0,1) nameAddress(0,0,1) confirmAddress(0,0,1) refundWhole(0,0,1) doubleSpend(0,0,1) payDeep(0,0,1)',
];

test('[PAY-14] [PAY-16] [PAY-17] states have an exit, sentences, sums and books are right', (t) => {
  const tally: Tally = new Map();
  for (const steps of RARE) playSimulation(steps, tally);
  const result = checkOrderSimulations({ runs: RUNS, seed: SEED, tally });
  assert.ok(!result.failed, fc.defaultReportMessage(result) ?? 'a history failed');
  const counts = [...tally].toSorted(([, a], [, b]) => b - a);
  t.diagnostic(`${RUNS} histories: ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  assert.deepEqual(listUncovered(tally), [], 'every state, loss, task, mail, action and exit is reached');
});

/** Histories that found a defect, shortened. */
const FOUND: Readonly<Record<string, string>> = {
  'the mail of a cancelled order requests no refund address for dust': 'payDust(0,1,0) restore(0,0,0) shopDown(0,0,0)',
  'a payment before a release is not described as late': 'pay(0,0,0) releaseStock(0,0,0)',
  'a reservation mail is not sent after the order is paid': 'payDeep(0,0,0) releaseStock(0,0,1)',
  'the mail of a dropped payment does not claim that it arrives': 'holdMails(0,0,0) payInFull(0,0,1) drop(0,0,1)',
  'a delayed receipt mentions a reorganised payment': 'payDeep(0,0,0) holdMails(0,0,1) reorganise(2,0,0)',
  'the payment page of a shipped order promises no shipping': 'payDeep(0,0,1) ship(0,0,0) reorganise(2,0,3)',
  'a surplus mail has the surplus at composition':
    'holdMails(0,0,0) payDust(0,1,0) reorganise(0,0,0) restore(0,0,1) payDeep(0,0,0)',
  'a coinbase output beside dust is not a partial payment': 'payByMiner(0,51256,1) payInFull(0,0,0) window(0,0,1)',
  'a coinbase output does not replace a lost payment': 'payWithParent(0,0,1) doubleSpend(0,0,0) payByMiner(0,3,1)',
  'a later payment does not pay an accepted, cancelled order':
    'payDust(0,1,0) mine(0,0,1) acceptAsPaid(0,0,0) reorganise(0,0,2) cancelByStaff(0,0,0) payWithParent(0,0,1)',
  'no mail requests a lost payment at an old price':
    'payDust(0,1,0) days(1,0,1) holdMails(0,0,0) requote(0,0,0) doubleSpend(0,0,0) restore(0,0,1) pay(0,0,0) mineAll(0,0,1) doubleSpend(0,0,0)',
  'a shipped unpaid order is not cancelled as unpayable':
    'sourceUp(0,0,0) payByMiner(0,0,0) payDeep(0,0,0) recordRefund(0,0,0) cancel(0,0,1) recordRefund(0,0,0) cancelByStaff(0,0,0) acceptAsPaid(0,0,0) reorganise(3,0,0) sourceDown(0,0,0) minutes(0,0,0) days(0,0,0) payDust(0,1,0) ship(0,0,0) mine(0,0,0)',
  'no mail announces a refund whose payment was lost':
    'nameAddress(0,0,0) confirmAddress(0,0,0) holdMails(0,0,0) payDeep(0,9,1) refundSurplus(0,0,0) reorganise(2,0,0)',
  'a claimed order is not written off before the period restarts':
    'pay(0,0,0) markPaid(0,0,0) cancel(0,0,0) confirmAddress(0,0,0) pay(0,42694,0) refundWhole(0,0,0) payDust(0,0,0) payByMiner(0,0,0) pay(0,0,1) days(53108,0,0) writeOff(0,0,0) pay(0,0,0) days(18278,0,0) recordElsewhere(0,0,0) undoRecord(0,0,0) releaseStock(0,0,0)',
  'a payment after a recorded refund is refundable without the buyer':
    'payDeep(0,0,1) recordElsewhere(0,0,0) payDeep(0,0,0) sourceUp(0,0,0) writeOff(0,0,0) writeOff(0,0,0)',
  'the invoice of a lost payment is credited once its parcel was undone':
    'payDeep(0,0,326) ship(0,0,0) doubleSpend(0,0,3076) requote(0,0,0) undoParcel(0,0,0)',
  'a refund of the whole is credited anew when a refund of units leaves it more':
    'nameAddress(0,0,0) payDeep(0,0,0) pay(0,0,0) confirmAddress(0,0,36) refundWhole(0,0,0) pay(0,0,0) withdrawRefund(0,0,0) refundUnit(0,0,0) pay(0,0,0) pay(0,0,0) sendWithdrawn(0,0,0) pay(0,0,0)',
  'a refund while other coins cannot be spent yet leaves their dollars in the books':
    'payDeep(0,28155,0) pay(0,0,0) payByMiner(0,0,31481) recordElsewhere(0,0,0) pay(0,0,0)',
};

for (const [title, steps] of Object.entries(FOUND)) {
  test(`[PAY-14] ${title}`, () => playSimulation(steps));
}

const injectedBugs: readonly OrderBug[] = [
  'closing as a loss is refused',
  'cancelling by staff is refused',
  'loss of a sent refund is not reported',
  'a page shows confirmed too early',
  'a mail is composed when queued',
  'staff tasks describe a final loss as temporary',
  'the mail of a withdrawn refund is sent',
  'a lost sale stays in the books',
];

for (const bug of injectedBugs) {
  test(`the order simulations detect: ${bug}`, (t) => {
    const result = checkOrderSimulations({ runs: RUNS, seed: SEED, tally: new Map(), bug });
    assert.ok(result.failed, `${result.numRuns} histories did not detect: ${bug}`);
    t.diagnostic(`detected in history ${result.numRuns}`);
  });
}
