/** Checks that every history can be continued until the order ends. */
import { listNextActions, isFinal } from '#src/shop/refunds/next-actions.ts';
import type { NextAction } from '#src/shop/refunds/next-actions.ts';
import { actions } from './order-actions.ts';
import type { Action } from './order-actions.ts';
import type { OrderSimulation } from './order-simulation.ts';
import { SCRIPT, UNCLAIMED_AFTER_DAYS } from './order-record.ts';

class NoExitError extends Error {}

const DEEP = 101;
const MAX_STEPS = 14;

interface Tried {
  readonly name: string;
  readonly run: (shop: OrderSimulation) => boolean;
}

/** Simulated call of each exit. The shop must accept it when it offers the exit. */
const CALLS: Readonly<Record<NextAction['action'], Action | null>> = {
  'enter-address': 'enterAddress',
  requote: 'requote',
  cancel: 'cancel',
  'name-address': 'nameAddress',
  pay: null,
  settle: 'acceptAsPaid',
  'give-up': 'cancelByStaff',
  'close-as-loss': 'closeAsLoss',
  refund: 'refundWhole',
  'withdraw-refund': 'withdrawRefund',
  'send-refund': 'sendRefund',
  'record-elsewhere': 'recordElsewhere',
  'write-off': 'writeOff',
  'release-stock': null,
  'accept-late': null,
  'address-counts': null,
  expire: null,
  confirm: null,
  drop: null,
};

const mineDeep = (shop: OrderSimulation, blocks: number): void => {
  for (let block = 0; block < blocks; block += 1) shop.chain.mine(() => true, [], shop.chain.now);
};

/** Mines and advances time until no automatic changes remain. */
function finishAutomaticChanges(shop: OrderSimulation): void {
  Object.assign(shop, { isShopUp: true, isSourceUp: true });
  shop.mails.isHeld = false;
  shop.rate ??= shop.order.rate_cents_per_btc;
  shop.sync();
  const hasReward = shop.orderLedger.outputs.some(({ isLive, isCoinbase }) => isLive && isCoinbase);
  mineDeep(shop, hasReward ? DEEP : 8);
  shop.sync();
  shop.chain.now += 2 * 86_400_000 + 7_200_000;
  shop.sync();
  shop.sync();
}

const toActionInput = (shop: OrderSimulation) => ({
  order: shop.order,
  ledger: shop.orderLedger,
  position: shop.refunds.position,
  address: createDestination(shop),
  lastReopenedAt: shop.refunds.lastReopenedAt,
  now: shop.now,
  unclaimedAfterDays: UNCLAIMED_AFTER_DAYS,
});

function createDestination({ refunds }: OrderSimulation) {
  const { address, destination } = refunds;
  return destination === null ? null : { ...destination, setAt: address?.setAt ?? new Date(0) };
}

/** Exits without a simulated call. */
const NOT_CALLED: ReadonlySet<NextAction['action']> = new Set([
  'confirm',
  'drop',
  'expire',
  'accept-late',
  'address-counts',
  'release-stock',
]);

function payMissingAmount(shop: OrderSimulation): boolean {
  if (shop.isDeleted || !shop.order.is_open) return false;
  const missing = shop.order.due_sats - shop.receivedSats;
  if (missing <= 0n) return false;
  shop.chain.send([{ script: SCRIPT, amount: missing }]);
  return true;
}

/** Further staff actions, which need no buyer. */
const OTHERS: readonly Tried[] = [
  { name: 'staff: accept-paid-twice', run: actions.acceptPaidTwice },
  { name: 'buyer: confirm-address', run: actions.confirmAddress },
  { name: 'staff: write-off', run: actions.writeOff },
  { name: 'staff: record-elsewhere', run: actions.recordElsewhere },
];

function listExits(shop: OrderSimulation): readonly NextAction[] {
  const named = listNextActions(toActionInput(shop)).filter(({ action }) => !NOT_CALLED.has(action));
  const possible = shop.requoteRefusal === null ? named : named.filter(({ action }) => action !== 'requote');
  return shop.isDeleted ? possible.filter(({ by }) => by !== 'buyer') : possible;
}

function follow(shop: OrderSimulation, { by, action }: NextAction, choice: number): boolean {
  if (action === 'pay') return payMissingAmount(shop);
  const call = CALLS[action];
  if (call === null) return false;
  if (action === 'requote' && !shop.hasStock && shop.stock === 0) shop.stock += 1;
  if (action === 'settle' && !shop.hasStock && shop.stock === 0) shop.stock += 1;
  if (actions[call](shop)) {
    shop.count(`exit ${by}: ${action}`);
    if (action === 'requote' && choice % 2 === 0 && payMissingAmount(shop)) shop.count('exit buyer: pay');
    return true;
  }
  throw new NoExitError(`${by}: ${action} is offered as an exit and refused, ${describe(shop)}`);
}

const describe = ({ order, refunds, isDeleted }: OrderSimulation): string =>
  JSON.stringify({
    status: order.payment_status,
    state: order.recorded_state,
    fulfilment: order.fulfilment_status,
    loss: order.recorded_loss,
    closed: order.closed_as_loss_of,
    refund: order.refund_state,
    refunds: refunds.list.map(({ state, covers }) => `${covers} ${state}`),
    isDeleted,
  });

/** @throws when no offered action ends the order */
export function assertExit(shop: OrderSimulation, check: () => void, choice: number): void {
  finishAutomaticChanges(shop);
  check();
  const taken: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (isFinal(toActionInput(shop))) {
      shop.count(step === 0 ? 'ended automatically' : 'ended by an action');
      return;
    }
    const offered = listExits(shop);
    // The first steps are random; the later ones try to end the order.
    const isFree = step < 3;
    const exit = isFree ? offered[(choice + step * 7) % Math.max(1, offered.length)] : pickBest(offered);
    const isNamed =
      (exit?.action === 'name-address' || exit?.action === 'enter-address') &&
      shop.refunds.address === null &&
      choice % 2 === 0;
    const isOther = exit === undefined || (exit.action.endsWith('-address') && !isNamed);
    const other = isOther ? OTHERS.find(({ run }) => run(shop)) : undefined;
    if (other !== undefined) taken.push(other.name);
    else if (exit !== undefined && follow(shop, exit, choice)) taken.push(`${exit.by}: ${exit.action}`);
    else throw new NoExitError(`nothing ends it after [${taken.join(', ')}]: ${describe(shop)}`);
    if (other !== undefined) shop.count(`exit ${other.name}`);
    check();
    shop.sync();
    mineDeep(shop, 8);
    shop.sync();
    // After the objection period of an address and the period of unclaimed money.
    shop.chain.now += 32 * 86_400_000;
    shop.sync();
    shop.sync();
    check();
  }
  if (!isFinal(toActionInput(shop)))
    throw new NoExitError(`the order did not end after [${taken.join(', ')}]: ${describe(shop)}`);
}

const ORDER_OF_ENDING: readonly NextAction['action'][] = [
  'send-refund',
  'refund',
  'close-as-loss',
  'settle',
  'cancel',
  'give-up',
  'withdraw-refund',
  'pay',
  'requote',
  'name-address',
  'enter-address',
  'record-elsewhere',
  'write-off',
];

const pickBest = (offered: readonly NextAction[]): NextAction | undefined =>
  offered.toSorted((a, b) => ORDER_OF_ENDING.indexOf(a.action) - ORDER_OF_ENDING.indexOf(b.action))[0];
