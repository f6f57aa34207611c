/** What staff do with parcels and returns. */
import assert from 'node:assert/strict';
import { Refusal } from '#src/platform/http/call.ts';
import { cents } from '#src/shop/money.ts';
import { sum } from './order-facts.ts';
import type { ReturnFacts, ReturnLine } from './order-facts.ts';
import { computeValue, refund } from './refund-return.ts';
import { WRONG_NUMBER } from './injected-return-bugs.ts';
import { isDone, pickFrom } from './return-history.ts';
import type { Numbers, ReturnHistory } from './return-history.ts';

type Step = (history: ReturnHistory, numbers: Numbers) => Promise<void>;

/** Ships some units of each line, or all of them. */
const ship: Step = async (history, { a }) => {
  const { facts, id, of } = history;
  const left = await of.units.list(of.shop.db, id);
  const units = left.flatMap(({ position, unshipped }) => {
    const quantity = a % 3 === 0 ? unshipped : Math.min(unshipped, Math.floor(a / 3 ** (position + 1)) % 3);
    return quantity > 0 ? [{ position, quantity }] : [];
  });
  if (units.length === 0)
    units.push(...left.filter(({ unshipped }) => unshipped > 0).map(({ position }) => ({ position, quantity: 1 })));
  if (units.length === 0) return;
  const phones = units.find(({ position }) => position === 0)?.quantity ?? 0;
  const numbers = Array.from({ length: phones }, () => history.createSerial());
  const { payment_status: status, refund_state: refunded } = facts.order;
  const isPossible = status === 'paid' && refunded === null && facts.order.units_returned_at === null;
  await history.attempt('ship', {
    expected: isPossible ? 'done' : 'either',
    run: () =>
      of.shop.fulfilment.record(id, {
        to: 'shipped',
        trackingReference: null,
        number: facts.lastParcel + 1,
        units,
        serials: phones === 0 ? [] : [{ position: 0, numbers }],
      }),
  });
};

const deliver: Step = async (history) => {
  const { facts, id, of } = history;
  const wasShipped = facts.order.fulfilment_status === 'shipped';
  if (isDone(await of.shop.fulfilment.record(id, { to: 'delivered' })) && wasShipped) history.deliveredAt = history.now;
};

const undoParcel: Step = async (history, { a }) => {
  const parcel = pickFrom(history.facts.parcels, a);
  if (parcel === undefined) return;
  await history.attempt('undo parcel', {
    expected: 'either',
    run: () => history.of.services.corrections.undo({ id: history.id, number: parcel.number }, history.of.staff),
  });
};

/** A call of staff on a return that needs no more than its version. */
const decide =
  (action: 'approve' | 'refuse' | 'send' | 'close' | 'void'): Step =>
  async (history, { a, b }) => {
    const one = pickFrom(history.facts.returns, a);
    // A withdrawal is made void by agreement, which is rare.
    if (one === undefined || (action === 'void' && b % 3 > 0)) return;
    await stepReturn(history, one, action, `RR ${b}`);
  };

export async function stepReturn(
  history: ReturnHistory,
  { id, version }: ReturnFacts,
  action: 'approve' | 'refuse' | 'send' | 'close' | 'void',
  words = 'Agreed',
): Promise<boolean> {
  const { services, staff } = history.of;
  const { desk } = services;
  const found = await desk.find(id);
  const isOffered = found?.return.actions.includes(action) ?? false;
  const calls = {
    approve: () => desk.approve(id, version, staff),
    refuse: () => desk.refuse(id, { version, reason: words }, staff),
    send: () => desk.markSent(id, { version, proof: words }, staff),
    close: () => desk.close(id, { version, reason: words }, staff),
    void: () => desk.void(id, { version, reason: words }, staff),
  };
  return history.attempt(`staff ${action}`, { expected: isOffered ? 'done' : 'refused', run: calls[action] });
}

const isExpected = (line: ReturnLine): number => line.quantity - line.cancelled_quantity - line.received_quantity;

/** Numbers of phones that are with the buyer. */
const listWithBuyer = ({ facts }: ReturnHistory): string[] =>
  facts.serials.flatMap(({ number, returned_at: at }) => (at === null ? [number] : []));

/** Units arrive: the right ones, too many, or phones with a wrong or repeated number. */
export async function receive(history: ReturnHistory, one: ReturnFacts, { b, c }: Numbers): Promise<boolean> {
  const { services, staff } = history.of;
  const { desk } = services;
  const line = pickFrom(one.lines, b);
  if (line === undefined) return false;
  const { position } = line;
  const found = await desk.find(one.id);
  const isOffered = found?.return.actions.includes('receive') ?? false;
  const left = isExpected(line);
  const isTooMany = c % 7 === 6;
  const units = isTooMany ? left + 1 : Math.max(1, Math.min(left, 1 + (c % 3)));
  const withBuyer = listWithBuyer(history);
  const right = withBuyer.slice(0, units);
  const wrong = [
    [WRONG_NUMBER],
    [...right.slice(0, 1), ...right.slice(0, 1).map((number) => number.toLowerCase())],
    history.facts.arrived.slice(0, 1).map(({ number }) => number),
    [],
  ][c % 4];
  const isPhone = position === 0;
  const isWrong = isPhone && c % 5 === 4;
  const serials = isWrong ? (wrong ?? []) : right;
  const isRightNumber =
    serials.every((number) => withBuyer.includes(number)) && new Set(serials).size === serials.length;
  const isValid = isPhone ? serials.length > 0 && serials.length <= left && isRightNumber : units <= left && left > 0;
  return history.attempt(`receive ${isPhone ? 'phones' : 'cables'}${isValid ? '' : ' wrongly'}`, {
    expected: isOffered && isValid ? 'done' : 'refused',
    run: () =>
      desk.receive(
        one.id,
        { version: one.version, position, code: undefined, units, serials: isPhone ? serials : [] },
        staff,
      ),
  });
}

const takeBack: Step = async (history, { a, b }) => {
  const one = pickFrom(history.facts.returns, a);
  const line = one && pickFrom(one.lines, b);
  if (one === undefined || line === undefined) return;
  const { desk } = history.of.services;
  const isOffered = (await desk.find(one.id))?.return.actions.includes('receive') ?? false;
  const arrived = history.facts.arrived.filter(({ return_id: id }) => id === one.id).map(({ number }) => number);
  const isPhone = line.position === 0;
  const serials = isPhone ? arrived.slice(0, 1) : [];
  const isCounted = isPhone ? serials.length > 0 : line.received_quantity > 0;
  await history.attempt('take back', {
    expected: isOffered && isCounted ? 'done' : 'refused',
    run: () =>
      desk.receive(
        one.id,
        { version: one.version, position: line.position, code: undefined, units: -1, serials },
        history.of.staff,
      ),
  });
};

/** Divides the units that arrived, and keeps nothing, a part, nearly all or all of their price. */
export async function inspect(history: ReturnHistory, one: ReturnFacts, { b, c }: Numbers): Promise<boolean> {
  const { desk } = history.of.services;
  const isOffered = (await desk.find(one.id))?.return.actions.includes('inspect') ?? false;
  const isWrong = c % 11 === 10;
  const lines = one.lines.map((line) => {
    const { position, received_quantity: received } = line;
    const sentBack = Math.min(received, pickFrom([0, 0, 0, 1, 2, received], b) ?? 0);
    const damaged = Math.min(received - sentBack, b % 2);
    const restocked = received - sentBack - damaged + (isWrong ? 1 : 0);
    const value = computeValue(history, position, damaged + restocked);
    const deduction = Math.max(
      0,
      pickFrom([0, 0, Math.floor(value / 3), value - 1, value, value + 500, value - 20], c) ?? 0,
    );
    const arrived = history.facts.arrived.filter(({ return_id: id }) => id === one.id).map(({ number }) => number);
    return {
      position,
      restocked,
      damaged,
      sentBack,
      condition: null,
      deductionCents: cents(BigInt(received === 0 ? 0 : deduction)),
      deductionReason: received === 0 || deduction === 0 ? null : 'Scratched',
      sentBackSerials: position === 0 ? arrived.slice(0, sentBack) : [],
    };
  });
  const hasArrived = sum(one.lines, (line) => line.received_quantity) > 0;
  const kept = sum(lines, ({ deductionCents }) => Number(deductionCents));
  const expected = kept > 0 ? 'either' : 'done';
  return history.attempt('inspect', {
    expected: isOffered && hasArrived && !isWrong ? expected : 'refused',
    run: () => desk.inspect(one.id, { version: one.version, lines }, history.of.staff),
  });
}

export const staffSteps = {
  ship,
  shipMore: ship,
  deliver,
  undoParcel,
  approve: decide('approve'),
  refuse: decide('refuse'),
  send: decide('send'),
  close: decide('close'),
  void: decide('void'),
  receive: async (history, numbers) => {
    const one = pickFrom(history.facts.returns, numbers.a);
    if (one !== undefined) await receive(history, one, numbers);
  },
  receiveOpen: async (history, numbers) => {
    const one = pickFrom(history.openReturns, numbers.a);
    if (one !== undefined) await receive(history, one, numbers);
  },
  takeBack,
  inspect: async (history, numbers) => {
    const one = pickFrom(history.openReturns, numbers.a);
    if (one !== undefined) await inspect(history, one, numbers);
  },
  refund: async (history, { a }) => {
    const one = pickFrom(history.facts.returns, a);
    if (one !== undefined) await refund(history, one);
  },
  refundOpen: async (history, { a }) => {
    const one = pickFrom(history.openReturns, a);
    if (one !== undefined) await refund(history, one);
  },
  /** Two people press at once. */
  refundTwice: async (history, { a, b }) => {
    const one = pickFrom(history.openReturns, a);
    if (one === undefined) return;
    const { desk } = history.of.services;
    const by = {
      version: one.version,
      feePaidBy: 'shop',
      feeRate: undefined,
      from: 'any-wallet',
      isChecked: true,
    } as const;
    const make = () => desk.refund(one.id, by, history.of.staff);
    const ended = { version: one.version, reason: 'Agreed' };
    const results = await Promise.all([make(), b % 2 === 0 ? make() : desk.close(one.id, ended, history.of.staff)]);
    const done = results.filter((result) => !(result instanceof Refusal) && isDone(result)).length;
    assert.ok(done <= 1, 'a return ended twice');
  },
} satisfies Readonly<Record<string, Step>>;
