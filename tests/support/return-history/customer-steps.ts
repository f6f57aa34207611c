/** What buyers do: withdraw from the contract, return units, name an address, cancel. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { countOf, sum } from './order-facts.ts';
import type { OrderFacts, ReturnFacts } from './order-facts.ts';
import { DAY_MINUTES, isDone, pickFrom } from './return-history.ts';
import type { Numbers, ReturnHistory } from './return-history.ts';

type Step = (history: ReturnHistory, numbers: Numbers) => Promise<void>;

/** Units of some lines, by the digits of a number. */
export function chooseUnits({ lines }: OrderFacts, choice: number): { position: number; quantity: number }[] {
  const chosen = lines.flatMap(({ position, quantity }) => {
    const wanted = Math.floor(choice / 4 ** position) % 4;
    return wanted === 0 ? [] : [{ position, quantity: Math.min(wanted, quantity + 1) }];
  });
  return chosen.length > 0 ? chosen : [{ position: 0, quantity: 1 }];
}

/** Units of a line that a return which goes on keeps from others: not those that are with the buyer again. */
export const countTaken = ({ is_sent_back_released: isReleased, lines }: ReturnFacts, position: number): number =>
  countOf(
    lines,
    position,
    (line) =>
      line.quantity -
      line.cancelled_quantity -
      (isReleased ? line.quantity - line.cancelled_quantity - line.restocked_quantity - line.damaged_quantity : 0),
  );

/** What the law and the terms say of a statement that is made now; the units decide whether anything is left. */
async function expectResult({ deliveredAt, facts, id, now, of }: ReturnHistory): Promise<string> {
  const { fulfilment_status: fulfilment, paid_at: paidAt, payment_status: status, refund_state: refund } = facts.order;
  if (refund !== null || status === 'refunded') return 'nothing-left';
  if (paidAt === null || (status !== 'paid' && status !== 'user_paid')) return 'not-paid';
  const left = await of.units.list(of.shop.db, id);
  if (left.every(({ shipped, unshipped }) => shipped === 0 && unshipped === 0)) return 'nothing-left';
  if (fulfilment !== 'delivered' || deliveredAt === null) return 'recorded';
  // The 14th day after that of the delivery is the last one.
  const lastDay = Date.UTC(deliveredAt.getUTCFullYear(), deliveredAt.getUTCMonth(), deliveredAt.getUTCDate() + 15);
  return now.getTime() < lastDay ? 'recorded' : 'period-over';
}

interface Stating {
  readonly key?: string;
  readonly units: { position: number; quantity: number }[] | null;
  readonly isByAddress?: boolean;
}

async function state(
  history: ReturnHistory,
  { isByAddress = false, key = randomUUID(), units }: Stating,
): Promise<unknown> {
  const { id, of, userId } = history;
  const declared = { key, name: 'Ada Lovelace', units, acknowledgement_email: null, reason: null };
  const { rows } = await sql<{ number: string }>`select number::text from orders where id = ${id}`.execute(of.shop.db);
  const named = isByAddress ? { order_number: rows[0]?.number, order_email: userId } : { order_id: id };
  const stated = await of.services.withdrawals.declare({ ...named, ...declared }, isByAddress ? null : userId);
  for (const job of of.jobs.splice(0)) await of.services.withdrawals.handle(job);
  return stated;
}

async function withdraw(history: ReturnHistory, stating: Stating): Promise<void> {
  const key = randomUUID();
  const expected = await expectResult(history);
  const before = history.facts;
  assert.ok(isDone(await state(history, { ...stating, key })), 'a statement was refused');
  // The form was sent again.
  assert.ok(isDone(await state(history, { ...stating, key })), 'a repeated statement was refused');
  const { returns, statements } = await history.refresh();
  const result = statements.find((one) => one.id === key)?.result;
  const isNothingOfIt = expected === 'recorded' && stating.units !== null && result === 'nothing-left';
  if (!isNothingOfIt) assert.equal(result, expected, 'the result of a statement');
  const made = returns.length - before.returns.length;
  assert.equal(made, result === 'recorded' ? 1 : 0, 'a statement makes one return');
  assert.equal(statements.length, before.statements.length + 1, 'a repeat states nothing again');
  history.count(`withdrawal ${result}`);
}

const nameAddress = async ({ address, id, of, userId }: ReturnHistory): Promise<void> => {
  const set = await of.shop.refunds.addresses.set(userId, id, address);
  if (set.ok)
    await sql`update refund_addresses set confirmed_at = ${of.shop.now} where order_id = ${id}`.execute(of.shop.db);
};

async function request(history: ReturnHistory, cause: 'defect' | 'courtesy', choice: number): Promise<void> {
  const { facts, id, of, userId } = history;
  const offered = await of.services.returns.listForOrder(userId, id);
  assert.ok(offered !== null);
  const possible = offered.lines.map(({ position, quantity }) => ({ position, quantity: 1 + (choice % quantity) }));
  const lines = possible.length > 0 && choice % 5 > 0 ? possible : chooseUnits(facts, choice);
  const isLeft = lines.every(({ position, quantity }) =>
    offered.lines.some((line) => line.position === position && line.quantity >= quantity),
  );
  const lastParcel = facts.parcels.at(-1);
  const isSoon = lastParcel !== undefined && history.now <= new Date(lastParcel.shipped_at);
  const isAllowed = lastParcel !== undefined && (cause === 'defect' || isSoon);
  if (offered.lines.length > 0) assert.equal(offered.causes.includes(cause), isAllowed, `${cause} is offered wrongly`);
  await history.attempt(`request ${cause}`, {
    expected: isLeft && isAllowed ? 'done' : 'refused',
    run: () => of.services.returns.request(userId, id, { cause, lines, reason: 'It does not start' }),
  });
}

const stepReturn =
  (action: 'cancel' | 'send'): Step =>
  async (history, { a, b }) => {
    const { of, userId } = history;
    const { returns } = of.services;
    const one = pickFrom(history.facts.returns, a);
    if (one === undefined) return;
    const found = await returns.find(userId, one.id);
    const isOffered = found?.return.actions.includes(action) ?? false;
    await history.attempt(`buyer ${action}`, {
      expected: isOffered ? 'done' : 'refused',
      run: () =>
        action === 'cancel' ? returns.cancel(userId, one.id) : returns.markSent(userId, one.id, `RR ${b % 3}`),
    });
  };

export const customerSteps = {
  nameAddress,
  withdrawAll: (history) => withdraw(history, { units: null }),
  withdrawPart: (history, { a }) => withdraw(history, { units: chooseUnits(history.facts, a) }),
  withdrawByAddress: (history) => withdraw(history, { units: null, isByAddress: true }),
  withdrawUnknown: async (history) => {
    const { withdrawals } = history.of.services;
    const named = { order_number: '987654321', order_email: 'nobody@mail.example' };
    const declared = { key: randomUUID(), name: 'A', units: null, acknowledgement_email: null, reason: null };
    const before = JSON.stringify(history.facts);
    assert.ok(
      isDone(await withdrawals.declare({ ...named, ...declared }, null)),
      'the answer is the same for any order',
    );
    for (const job of history.of.jobs.splice(0)) await withdrawals.handle(job);
    assert.equal(JSON.stringify(await history.refresh()), before);
  },
  /** Two people decide at once: the buyer withdraws, and staff ship. */
  withdrawWhileShipping: async (history) => {
    const { facts, id, of } = history;
    const units = facts.lines.map(({ position, quantity }) => ({ position, quantity }));
    const numbers = Array.from({ length: facts.lines[0]?.quantity ?? 0 }, () => history.createSerial());
    const serials = [{ position: 0, numbers }];
    await Promise.all([
      state(history, { units: null }),
      of.shop.fulfilment.record(id, { to: 'shipped', trackingReference: null, units, serials }),
    ]);
    const { lines, parcels, returns } = await history.refresh();
    history.count('withdrawal while shipping');
    if (facts.parcels.length + facts.returns.length + facts.refunds.length > 0) return;
    const stopped = sum(
      returns.flatMap((one) => one.lines),
      (line) => line.cancelled_quantity,
    );
    assert.ok(parcels.length === 0 || stopped === 0, 'the parcel has units that the withdrawal stopped');
    const isStated = returns.length > 0;
    assert.equal(
      sum(lines, (line) => line.shipped_quantity) + stopped,
      isStated ? sum(lines, (line) => line.quantity) : 0,
      'each unit was stopped or comes back',
    );
  },
  requestDefect: (history, { a }) => request(history, 'defect', a),
  requestCourtesy: (history, { a }) => request(history, 'courtesy', a),
  requestTwice: async (history, { a }) => {
    const { facts, id, of, userId } = history;
    const wanted = { cause: 'defect', lines: chooseUnits(facts, a), reason: 'Twice' } as const;
    await Promise.all([1, 2, 3].map(() => of.services.returns.request(userId, id, wanted)));
  },
  cancelReturn: stepReturn('cancel'),
  sendReturn: stepReturn('send'),
  cancelOrder: async ({ id, of, userId }, { a }) => {
    if (a % 5 === 0) await of.shop.orderStatus.cancel(userId, id);
  },
  waitForPeriod: (history) => history.pass(15 * DAY_MINUTES),
} satisfies Readonly<Record<string, Step>>;
