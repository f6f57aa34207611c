/** What staff do with parcels and returns. */
import assert from 'node:assert/strict';
import { Refusal } from '#src/platform/http/call.ts';
import { cents } from '#src/shop/money.ts';
import { chooseUnits } from './customer-steps.ts';
import { countOf, sum } from './order-facts.ts';
import type { RefundFacts, ReturnFacts, ReturnLine } from './order-facts.ts';
import { WRONG_NUMBER } from './injected-return-bugs.ts';
import { isDone, pickFrom, readReason } from './return-history.ts';
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
  const { payment_status: status, refund_state: refund } = facts.order;
  const isPossible = status === 'paid' && refund === null && facts.order.units_returned_at === null;
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

/** What the units of a line cost the buyer, by the invoice; rounded down. */
export function computeValue({ facts }: ReturnHistory, position: number, units: number): number {
  const invoice = facts.documents.find(({ corrects_id: corrects, kind }) => kind === 'invoice' && corrects === null);
  const line = invoice?.lines.find((one) => one.position === position);
  const ordered = facts.lines.find((one) => one.position === position)?.quantity ?? 1;
  return line === undefined ? 0 : Math.floor(((Number(line.netCents) + Number(line.taxCents)) * units) / ordered);
}

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

/** What the return has to pay by its own text: units at their price, less what was kept. */
function expectValue(
  history: ReturnHistory,
  { lines, state }: ReturnFacts,
): { readonly least: number; readonly most: number } {
  const value = sum(lines, (line) => {
    const shipped = line.quantity - line.cancelled_quantity;
    const units =
      line.cancelled_quantity + (state === 'inspected' ? line.restocked_quantity + line.damaged_quantity : shipped);
    return computeValue(history, line.position, units) - (state === 'inspected' ? line.deduction_cents : 0);
  });
  return { least: value - lines.length, most: value + lines.length };
}

export async function refund(history: ReturnHistory, one: ReturnFacts): Promise<boolean> {
  const { services, shop, staff } = history.of;
  await history.of.issueDocuments(history.id);
  await history.refresh();
  const found = await services.desk.find(one.id);
  const preview = found?.return.actions.includes('refund') === true ? found.refund : null;
  const by = {
    version: one.version,
    feePaidBy: 'shop',
    feeRate: undefined,
    from: 'any-wallet',
    isChecked: true,
  } as const;
  let refused = '';
  const done = await history.attempt('refund a return', {
    expected: preview !== null && preview.refused === null ? 'done' : 'refused',
    run: async () => {
      const result = await services.desk.refund(one.id, by, staff);
      refused = readReason(result);
      return result;
    },
  });
  if (!done) {
    if (preview !== null) assert.equal(refused, preview.refused, 'the page names another reason');
    return false;
  }
  const made = history.facts.refunds.find(({ id }) =>
    history.facts.returns.some((after) => after.id === one.id && after.refund_id === id),
  );
  assert.ok(made !== undefined && preview !== null, 'the refund of the return is missing');
  const shipping = (made.shipping_net_cents ?? 0) + (made.shipping_tax_cents ?? 0);
  assert.equal(made.value_cents, Number(preview.value_usd), 'the page shows another amount');
  assert.equal(made.amount_sats, Number(preview.returns_btc), 'the page shows other satoshis');
  const isPartTaken = history.facts.refunds.some(
    ({ covers, id, state }) =>
      (covers === 'amount' || (covers === 'lines' && !history.facts.returns.some((each) => each.refund_id === id))) &&
      state !== 'withdrawn',
  );
  const { least, most } = expectValue(history, one);
  const goods = Number(made.value_cents) - shipping;
  if (
    !isPartTaken &&
    (history.facts.order.settled_sats ?? history.facts.order.due_sats) >= history.facts.order.due_sats
  )
    assert.ok(
      goods >= least && goods <= most,
      `a return is refunded with ${goods} cents instead of ${least} to ${most}`,
    );
  const kept = sum(made.lines, (line) => line.deducted_net_cents + line.deducted_tax_cents);
  const deducted = one.state === 'inspected' ? sum(one.lines, (line) => line.deduction_cents) : 0;
  assert.equal(kept, deducted, 'the refund keeps what the inspection deducted');
  const rate = Number(shop.centsPerBtc);
  const expectedSats = (Number(made.value_cents) * 1e8) / rate;
  assert.ok(
    Math.abs(made.amount_sats - expectedSats) <= 1,
    'the satoshis are not the dollars at the rate of the refund',
  );
  checkShipping(history, one, shipping);
  checkOnce(history, one, made);
  return true;
}

/** Units that staff refunded by hand since the return was made are those of the return. */
function checkOnce({ facts }: ReturnHistory, one: ReturnFacts, made: RefundFacts): void {
  const ofReturns = new Set(facts.returns.map(({ refund_id: id }) => id));
  const byHand = facts.refunds.filter(
    (other) =>
      other.holds_units && !ofReturns.has(other.id) && other.made_at >= one.requested_at && other.id !== made.id,
  );
  for (const { cancelled_quantity: cancelled, position, quantity } of one.lines) {
    if (facts.returns.some((other) => other.id !== one.id && other.lines.some((line) => line.position === position)))
      continue;
    for (const [isShipped, units] of [
      [false, cancelled],
      [true, quantity - cancelled],
    ] as const) {
      const select = (refunds: readonly RefundFacts[]) =>
        sum(refunds, ({ lines }) =>
          countOf(
            lines.filter((line) => line.is_shipped === isShipped),
            position,
            (line) => line.quantity,
          ),
        );
      assert.ok(
        select([made]) <= Math.max(0, units - select(byHand)),
        'a return refunds units that were refunded by hand',
      );
    }
  }
}

/** Directive 2011/83/EU, article 13: who withdraws from everything gets the standard delivery back. */
function checkShipping({ facts }: ReturnHistory, { cause }: ReturnFacts, shipping: number): void {
  const held = facts.refunds.filter((one) => one.holds_units);
  const isEverything = facts.lines.every(
    ({ position, quantity }) =>
      sum(held, ({ lines }) => countOf(lines, position, (line) => line.quantity)) === quantity,
  );
  const isUnshipped = facts.parcels.length === 0;
  const wasBefore =
    held.some((one) => one.shipping_net_cents !== null && (one.shipping_net_cents ?? 0) > 0) && shipping === 0;
  const isDue = isEverything && (cause === 'withdrawal' || isUnshipped) && !wasBefore;
  const isTaken = facts.refunds.some(({ covers, state }) => covers === 'amount' && state !== 'withdrawn');
  if (!isTaken) assert.equal(shipping > 0, isDue, 'the delivery is refunded with a withdrawal from everything, once');
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
  refundUnits: async (history, { a, b }) => {
    const { id, of } = history;
    const isShipped = b % 2 === 0;
    const units = chooseUnits(history.facts, a).flatMap((one) => {
      const line = history.facts.lines.find(({ position }) => position === one.position);
      const left = isShipped
        ? (line?.shipped_quantity ?? 0) - (line?.refunded_shipped_quantity ?? 0)
        : (line?.quantity ?? 0) - (line?.shipped_quantity ?? 0) - (line?.refunded_unshipped_quantity ?? 0);
      const quantity = a % 5 === 0 ? one.quantity : Math.min(one.quantity, left);
      return quantity > 0 ? [{ position: one.position, quantity, isShipped, restocked: undefined }] : [];
    });
    if (units.length === 0) return;
    const lines = { units, shipping: b % 7 === 0, reason: 'By hand', restocks: b % 3 === 0 };
    await history.attempt('refund units by hand', {
      expected: 'either',
      run: () =>
        of.shop.refunds.make(of.staff, id, {
          covers: 'lines',
          lines,
          feePaidBy: 'shop',
          from: 'any-wallet',
          isChecked: true,
        }),
    });
  },
  refundOther: async (history, { a, b }) => {
    const { facts, id, of } = history;
    const how = { feePaidBy: 'shop', from: 'any-wallet', isChecked: true } as const;
    const part = Math.max(1, Math.floor(facts.order.total_after_cents / (2 + (b % 5))));
    const request = pickFrom(
      [
        { covers: 'whole' as const },
        { covers: 'surplus' as const },
        { covers: 'amount' as const, amount: { cents: cents(BigInt(part)), reason: 'Goodwill' } },
        { covers: 'amount' as const, amount: { cents: cents(BigInt(facts.order.total_after_cents)), reason: 'All' } },
      ],
      a,
    );
    if (request !== undefined)
      await history.attempt(`refund ${request.covers}`, {
        expected: 'either',
        run: () => of.shop.refunds.make(of.staff, id, { ...request, ...how }),
      });
  },
  recordElsewhere: async (history, { a, b }) => {
    const { address, facts, id, of } = history;
    const units = chooseUnits(facts, a).map((one) => ({ ...one, isShipped: b % 2 === 0 }));
    const lines = { units, shipping: false, reason: 'Sent by hand', restocks: false };
    const txid = history.id.replaceAll('-', '').slice(0, 28) + String(facts.refunds.length).padStart(4, '0').repeat(9);
    await history.attempt('record a refund elsewhere', {
      expected: 'either',
      run: () =>
        of.shop.refunds.manual.recordElsewhere(of.staff, id, {
          covers: 'lines',
          lines,
          txid,
          address,
          reason: 'Sent by hand',
        }),
    });
  },
  withdrawRefund: async (history, { a }) => {
    const one = pickFrom(history.facts.refunds, a);
    if (one === undefined) return;
    await history.attempt('withdraw a refund', {
      expected: one.state === 'made' ? 'done' : 'refused',
      run: () => history.of.shop.refunds.withdraw(history.of.staff, one.id),
    });
  },
  undoRecord: async (history, { a }) => {
    const one = pickFrom(history.facts.refunds, a);
    if (one === undefined) return;
    await history.attempt('undo a record', {
      expected: 'either',
      run: () => history.of.shop.refunds.manual.undoRecord(history.of.staff, one.id, 'Mistaken'),
    });
  },
  decideOnOrder: async (history, { a }) => {
    const { paymentDecisions } = history.of.shop;
    const why = { by: history.of.staff, reason: 'Decided' };
    const calls = [
      () => paymentDecisions.acceptAsPaid(history.id, why),
      () => paymentDecisions.cancelByStaff(history.id, why),
      () => paymentDecisions.closeAsLoss(history.id, why),
      () => history.of.shop.refunds.manual.writeOff(history.of.staff, history.id, 'unclaimed', 'Never claimed'),
    ];
    const call = pickFrom(calls, a);
    if (call !== undefined) await history.attempt(`decide ${a % 4}`, { expected: 'either', run: call });
  },
} satisfies Readonly<Record<string, Step>>;
