/** Refunds of returns, compared with what staff were shown and what the return has to pay. */
import assert from 'node:assert/strict';
import { countOf, sum } from './order-facts.ts';
import type { RefundFacts, ReturnFacts } from './order-facts.ts';
import { readReason } from './return-history.ts';
import type { ReturnHistory } from './return-history.ts';

/** What the units of a line cost the buyer, by the invoice; rounded down. */
export function computeValue({ facts }: ReturnHistory, position: number, units: number): number {
  const invoice = facts.documents.find(({ corrects_id: corrects, kind }) => kind === 'invoice' && corrects === null);
  const line = invoice?.lines.find((one) => one.position === position);
  const ordered = facts.lines.find((one) => one.position === position)?.quantity ?? 1;
  return line === undefined ? 0 : Math.floor(((Number(line.netCents) + Number(line.taxCents)) * units) / ordered);
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
  const goods = (made.value_cents ?? 0) - shipping;
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
  const expectedSats = ((made.value_cents ?? 0) * 1e8) / rate;
  assert.ok(
    Math.abs(made.amount_sats - expectedSats) <= 1,
    'the satoshis are not the dollars at the rate of the refund',
  );
  checkShipping(history, one, shipping);
  checkOnce(history, one, made);
  return true;
}

/** Units that staff refunded by hand since the return was made are those of the return. */
function checkOnce({ facts, made: all }: ReturnHistory, one: ReturnFacts, made: RefundFacts): void {
  const ofReturns = new Set(facts.returns.map(({ refund_id: id }) => id));
  const byHand = facts.refunds.filter(
    (other) =>
      other.holds_units &&
      !ofReturns.has(other.id) &&
      all.indexOf(other.id) > all.indexOf(one.id) &&
      other.id !== made.id,
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
