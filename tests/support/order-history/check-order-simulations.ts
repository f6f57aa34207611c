/** Random histories of an order, for tests and `npm run stress -- simulations orders`. */
import * as fc from 'fast-check';
import { staffTaskKinds } from '#src/shop/admin/tasks/staff-task.ts';
import { orderMailKinds } from '#src/shop/notifications/order-mail.ts';
import { orderLosses } from '#src/shop/orders/kinds.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { refundMails } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { Tally } from '../ledger-simulation.ts';
import { actionNames } from './order-actions.ts';
import { OrderRun, stepKinds } from './order-run.ts';
import type { Step } from './order-run.ts';
import type { OrderBug } from './injected-order-bugs.ts';

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...stepKinds), a: number, b: number, c: number });
const history = fc.array(step, { minLength: 3, maxLength: 40, size: 'max' });

export interface Checked {
  readonly runs: number;
  readonly seed: number;
  readonly tally: Tally;
  readonly bug?: OrderBug;
}

/** Runs this many histories; a failing one is shrunk, unless a bug was injected. */
export const checkOrderSimulations = ({ runs, seed, tally, bug }: Checked) =>
  fc.check(
    fc.property(history, ([first, ...rest]) => {
      if (first !== undefined) new OrderRun(first, tally, bug ?? null).play(rest);
    }),
    { numRuns: runs, seed, includeErrorInReport: true, endOnFailure: bug !== undefined },
  );

/** Unreachable in a simulation without promo codes and without returns. */
const NOT_SIMULATED: ReadonlySet<string> = new Set(['attention late-promo', 'attention withdrawal']);

const EXITS = [
  'buyer: requote',
  'buyer: pay',
  'buyer: cancel',
  'buyer: name-address',
  'buyer: confirm-address',
  'staff: settle',
  'staff: give-up',
  'staff: close-as-loss',
  'staff: refund',
  'staff: withdraw-refund',
  'staff: send-refund',
  'staff: record-elsewhere',
  'staff: enter-address',
  'staff: write-off',
];

const DISTURBANCES = [
  'shop down',
  'source down',
  'reorganisation',
  'double-spend of a confirmed payment',
  'double-spend of an unconfirmed payment',
];

const PRICES_AND_DOCUMENTS = [
  'requote at another price',
  'document invoice sale',
  'document credit_note waived',
  'document credit_note requoted',
  'document credit_note closed',
  'document credit_note cancelled',
];

/** Expected events that no history has reached. */
export function listUncovered(tally: Tally): readonly string[] {
  const expected = [
    ...paymentStates.map((state) => `state ${state}`),
    ...[...orderLosses, 'closed'].map((loss) => `loss ${loss}`),
    ...staffTaskKinds.map((kind) => `attention ${kind}`),
    ...orderMailKinds.map((kind) => `mail order ${kind}`),
    ...refundMails.map((kind) => `mail refund ${kind}`),
    'mail write-off',
    ...actionNames.map((name) => `action ${name}`),
    ...EXITS.map((exit) => `exit ${exit}`),
    ...DISTURBANCES,
    ...PRICES_AND_DOCUMENTS,
  ];
  return expected.filter((kind) => !NOT_SIMULATED.has(kind) && !tally.has(kind));
}

const STEP = /(\w+)\((\d+),(\d+),(\d+)\)/g;

/** A history in the short form of failures: `payDeep(0,0,0) ship(0,0,0)`. */
export function playSimulation(text: string, tally: Tally = new Map()): void {
  const steps = [...text.matchAll(STEP)].map(([, name = '', a, b, c]): Step => {
    const kind = stepKinds.find((one) => one === name);
    if (kind === undefined) throw new Error(`no step ${name}`);
    return { kind, a: Number(a), b: Number(b), c: Number(c) };
  });
  new OrderRun({ kind: 'pay', a: 0, b: 0, c: 0 }, tally).play(steps);
}
