/**
 * Checks that from the end of a history some action of buyer, staff, time or chain ends the
 * order.
 */
import { listNextActions, isFinal } from '#src/shop/refunds/next-actions.ts';
import type { NextAction } from '#src/shop/refunds/next-actions.ts';
import { actions } from './order-actions.ts';
import type { Action } from './order-actions.ts';
import type { OrderSimulation } from './order-simulation.ts';
import { SCRIPT, UNCLAIMED_AFTER_DAYS } from './order-record.ts';

class NoWayOut extends Error {}

const DEEP = 101;
const MAX_STEPS = 14;

interface Tried {
  readonly name: string;
  readonly run: (shop: OrderSimulation) => boolean;
}

/** The calls behind an exit, each of which the shop must accept when the exit is named. */
const CALLS: Readonly<Record<NextAction['action'], Action | null>> = {
  'enter-address': 'enterAddress',
  requote: 'requote',
  cancel: 'cancel',
  'name-address': 'nameAddress',
  pay: null,
  settle: 'settle',
  'give-up': 'giveUp',
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

/** Everything is deep, and every deadline has passed: no further automatic changes. */
function comeToRest(shop: OrderSimulation): void {
  Object.assign(shop, { isShopUp: true, isSourceUp: true });
  shop.mails.isHeld = false;
  shop.rate ??= shop.order.rate_cents_per_btc;
  shop.look();
  const hasReward = shop.orderLedger.outputs.some(({ isLive, isCoinbase }) => isLive && isCoinbase);
  mineDeep(shop, hasReward ? DEEP : 8);
  shop.look();
  shop.chain.now += 2 * 86_400_000 + 7_200_000;
  shop.look();
  shop.look();
}

const toEnd = (shop: OrderSimulation) => ({
  order: shop.order,
  ledger: shop.orderLedger,
  position: shop.refunds.position,
  address: whereToSince(shop),
  lastReopenedAt: shop.refunds.lastReopenedAt,
  now: shop.now,
  unclaimedAfterDays: UNCLAIMED_AFTER_DAYS,
});

function whereToSince({ refunds }: OrderSimulation) {
  const { address, whereTo } = refunds;
  return whereTo === null ? null : { ...whereTo, setAt: address?.setAt ?? new Date(0) };
}

/** Exits by time, and those that this simulation has no call for. */
const NOT_CALLED: ReadonlySet<NextAction['action']> = new Set([
  'confirm',
  'drop',
  'expire',
  'accept-late',
  'address-counts',
  'release-stock',
]);

function payTheRest(shop: OrderSimulation): boolean {
  if (shop.isDeleted || !shop.order.is_open) return false;
  const missing = shop.order.due_sats - shop.receivedSats;
  if (missing <= 0n) return false;
  shop.chain.send([{ script: SCRIPT, amount: missing }]);
  return true;
}

/** Actions of staff beyond the exits of the rule, which need no buyer. */
const OTHERS: readonly Tried[] = [
  { name: 'staff: accept-paid-twice', run: actions.acceptPaidTwice },
  { name: 'buyer: confirm-address', run: actions.confirmAddress },
  { name: 'staff: write-off', run: actions.writeOff },
  { name: 'staff: record-elsewhere', run: actions.recordElsewhere },
];

function exits(shop: OrderSimulation): readonly NextAction[] {
  const named = listNextActions(toEnd(shop)).filter(({ action }) => !NOT_CALLED.has(action));
  return shop.isDeleted ? named.filter(({ by }) => by !== 'buyer') : named;
}

function follow(shop: OrderSimulation, { by, action }: NextAction, choice: number): boolean {
  if (action === 'pay') return payTheRest(shop);
  const call = CALLS[action];
  if (call === null) return false;
  if (action === 'requote' && !shop.holdsUnit && shop.stock === 0) shop.stock += 1;
  if (action === 'settle' && !shop.holdsUnit && shop.stock === 0) shop.stock += 1;
  if (actions[call](shop)) {
    shop.count(`exit ${by}: ${action}`);
    if (action === 'requote' && choice % 2 === 0 && payTheRest(shop)) shop.count('exit buyer: pay');
    return true;
  }
  throw new NoWayOut(`${by}: ${action} is named as a way out and is refused, ${describe(shop)}`);
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

/** @throws when the order remains and no offered action ends it. */
export function assertWayOut(shop: OrderSimulation, check: () => void, choice: number): void {
  comeToRest(shop);
  check();
  const taken: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (isFinal(toEnd(shop))) {
      shop.count(step === 0 ? 'ended by itself' : 'ended by an action');
      return;
    }
    const offered = exits(shop);
    // The first steps are arbitrary; the later ones try to end the order.
    const isFree = step < 3;
    const exit = isFree ? offered[(choice + step * 7) % Math.max(1, offered.length)] : best(offered);
    const isNamed =
      (exit?.action === 'name-address' || exit?.action === 'enter-address') &&
      shop.refunds.address === null &&
      choice % 2 === 0;
    const isOther = exit === undefined || (exit.action.endsWith('-address') && !isNamed);
    const other = isOther ? OTHERS.find(({ run }) => run(shop)) : undefined;
    if (other !== undefined) taken.push(other.name);
    else if (exit !== undefined && follow(shop, exit, choice)) taken.push(`${exit.by}: ${exit.action}`);
    else throw new NoWayOut(`nothing ends it after [${taken.join(', ')}]: ${describe(shop)}`);
    if (other !== undefined) shop.count(`exit ${other.name}`);
    check();
    shop.look();
    mineDeep(shop, 8);
    shop.look();
    // Long enough for an address that staff entered to count, and for money to be unclaimed.
    shop.chain.now += 32 * 86_400_000;
    shop.look();
    shop.look();
    check();
  }
  if (!isFinal(toEnd(shop))) throw new NoWayOut(`it lasts after [${taken.join(', ')}]: ${describe(shop)}`);
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

const best = (offered: readonly NextAction[]): NextAction | undefined =>
  offered.toSorted((a, b) => ORDER_OF_ENDING.indexOf(a.action) - ORDER_OF_ENDING.indexOf(b.action))[0];
