/** Random histories of an order, for the tests and for `npm run stress -- simulations orders`. */
import * as fc from 'fast-check';
import { attentionKinds } from '#src/shop/backoffice/attention-of.ts';
import { orderMailKinds } from '#src/shop/notifications/order-mail-of.ts';
import { orderLosses } from '#src/shop/orders/order-loss.ts';
import { paymentStates } from '#src/shop/payments/payment-state.ts';
import { refundMails } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { Tally } from '../ledger-history.ts';
import { actionNames } from './order-actions.ts';
import { OrderHistory, stepKinds } from './order-history.ts';
import type { Step } from './order-history.ts';
import type { OrderBug } from './planted-bugs.ts';

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...stepKinds), a: number, b: number, c: number });
const history = fc.array(step, { minLength: 3, maxLength: 40, size: 'max' });

export interface Checked {
  readonly runs: number;
  readonly seed: number;
  readonly tally: Tally;
  readonly bug?: OrderBug;
}

/** Plays so many histories; a failing one is made as short as it can be, unless a bug is planted. */
export const checkOrderHistories = ({ runs, seed, tally, bug }: Checked) =>
  fc.check(
    fc.property(history, ([first, ...rest]) => {
      if (first !== undefined) new OrderHistory(first, tally, bug ?? null).play(rest);
    }),
    { numRuns: runs, seed, includeErrorInReport: true, endOnFailure: bug !== undefined },
  );

/** What a simulation with no promo code can't meet. */
const NOT_SIMULATED: ReadonlySet<string> = new Set(['attention late-promo']);

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

/** Everything that the histories are to meet and did not. */
export function notMet(tally: Tally): readonly string[] {
  const expected = [
    ...paymentStates.map((state) => `state ${state}`),
    ...[...orderLosses, 'closed'].map((loss) => `loss ${loss}`),
    ...attentionKinds.map((kind) => `attention ${kind}`),
    ...orderMailKinds.map((kind) => `mail order ${kind}`),
    ...refundMails.map((kind) => `mail refund ${kind}`),
    'mail write-off',
    ...actionNames.map((name) => `action ${name}`),
    ...EXITS.map((exit) => `exit ${exit}`),
    ...DISTURBANCES,
  ];
  return expected.filter((kind) => !NOT_SIMULATED.has(kind) && !tally.has(kind));
}

const STEP = /(\w+)\((\d+),(\d+),(\d+)\)/g;

/** A history as failures print it in short: `payDeep(0,0,0) ship(0,0,0)`. */
export function playHistory(text: string, tally: Tally = new Map()): void {
  const steps = [...text.matchAll(STEP)].map(([, name = '', a, b, c]): Step => {
    const kind = stepKinds.find((one) => one === name);
    if (kind === undefined) throw new Error(`no step ${name}`);
    return { kind, a: Number(a), b: Number(b), c: Number(c) };
  });
  new OrderHistory({ kind: 'pay', a: 0, b: 0, c: 0 }, tally).play(steps);
}
