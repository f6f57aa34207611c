/**
 * What has to be true of an order with returns, in the words of the requirements: nothing is refunded, returned or
 * shipped twice, what is kept and returned is never more than what was paid, documents are the refunds, every deadline is
 * on a list. Reads tables, and lists as staff see them.
 */
import assert from 'node:assert/strict';
import { countTaken } from './customer-steps.ts';
import { countOf, isOpen, sum } from './order-facts.ts';
import type { OrderFacts, RefundFacts, ReturnFacts } from './order-facts.ts';
import { DAY_MINUTES, STOCK } from './return-history.ts';
import type { ReturnHistory } from './return-history.ts';

const HOUR_MS = 3_600_000;

const isGivenUp = ({ state, withdrawn_at: at }: RefundFacts): boolean => state === 'withdrawn' || at !== null;

/**
 * Whether no refund was sent that staff had given up. Such a one keeps its amounts, also if others were made in its place:
 * their sum may be a cent less than the price, or more than it.
 */
const isInOrder = ({ refunds }: OrderFacts): boolean =>
  refunds.every(({ state, withdrawn_at: at }) => at === null || state === 'withdrawn');

const isVoid = ({ outcome }: ReturnFacts): boolean =>
  outcome === 'void' || outcome === 'cancelled' || outcome === 'refused';

const isClosedWithdrawal = (one: ReturnFacts): boolean => one.cause === 'withdrawal' && !isOpen(one) && !isVoid(one);

/** Units of a line that came back, or were sent and refunded before they arrived. */
const countAccepted = ({ inspected_at: at, lines }: ReturnFacts, position: number): number =>
  countOf(lines, position, (line) =>
    at === null ? line.quantity - line.cancelled_quantity : line.restocked_quantity + line.damaged_quantity,
  );

/** Units of a line that refunds have, shipped or not. */
const countRefunded = ({ refunds }: OrderFacts, position: number, isShipped: boolean): number =>
  sum(
    refunds.filter((one) => one.holds_units),
    ({ lines }) =>
      countOf(
        lines.filter((line) => line.is_shipped === isShipped),
        position,
        (line) => line.quantity,
      ),
  );

/** Whether the withdrawals of a line were all made before its refunds, which then pay for what the withdrawals stopped. */
function isRefundedAfterStops({ facts: { refunds, returns }, made }: ReturnHistory, position: number): boolean {
  const isOfLine = (line: { readonly position: number }): boolean => line.position === position;
  const stops = returns.filter(
    (one) => !isVoid(one) && one.lines.some((line) => isOfLine(line) && line.cancelled_quantity > 0),
  );
  const held = refunds.filter((one) => one.holds_units && one.lines.some((line) => isOfLine(line) && !line.is_shipped));
  return held.every((one) => stops.every((stop) => made.indexOf(stop.id) < made.indexOf(one.id)));
}

/** Nothing is shipped, stopped, returned or refunded twice. */
async function checkUnits(history: ReturnHistory): Promise<void> {
  const { facts, id, of } = history;
  const left = await of.units.list(of.shop.db, id);
  for (const { position, quantity, ...line } of facts.lines) {
    const shipped = sum(facts.parcels, ({ lines }) => countOf(lines, position, (one) => one.quantity));
    const refundedShipped = countRefunded(facts, position, true);
    const refundedUnshipped = countRefunded(facts, position, false);
    assert.equal(line.shipped_quantity, shipped, 'units in parcels');
    assert.equal(line.refunded_shipped_quantity, refundedShipped, 'shipped units of refunds');
    assert.equal(line.refunded_unshipped_quantity, refundedUnshipped, 'other units of refunds');
    assert.ok(shipped + refundedUnshipped <= quantity, 'a unit is shipped and refunded as not shipped');
    assert.ok(refundedShipped <= shipped, 'more units came back than were shipped');
    const stopped = sum(
      facts.returns.filter((one) => !isVoid(one)),
      ({ lines }) => countOf(lines, position, (one) => one.cancelled_quantity),
    );
    const taken = sum(facts.returns.filter(isOpen), (one) => countTaken(one, position));
    // The shop keeps what it accepted of a withdrawal that was refunded otherwise.
    const kept = sum(facts.returns.filter(isClosedWithdrawal), (one) => countAccepted(one, position));
    const offered = left.find((one) => one.position === position) ?? { unshipped: 0, shipped: 0 };
    assert.ok(shipped + stopped <= quantity, 'a unit is shipped although it was stopped');
    assert.ok(taken + kept <= shipped, 'more units are in returns than were shipped');
    const unshippedMost = quantity - shipped - Math.max(stopped, refundedUnshipped);
    const unshippedLeast = isRefundedAfterStops(history, position)
      ? unshippedMost
      : Math.max(0, quantity - shipped - stopped - refundedUnshipped);
    assert.ok(
      offered.unshipped >= unshippedLeast && offered.unshipped <= unshippedMost,
      `${offered.unshipped} units of line ${position} can be shipped instead of ${unshippedLeast} to ${unshippedMost}`,
    );
    const returnableMost = shipped - Math.max(taken, refundedShipped);
    const returnableLeast = Math.max(0, shipped - taken - kept - refundedShipped);
    assert.ok(
      offered.shipped >= returnableLeast && offered.shipped <= returnableMost,
      `${offered.shipped} units of line ${position} can be returned instead of ${returnableLeast} to ${returnableMost}`,
    );
  }
}

const toGross = (row: { readonly net_cents: number; readonly tax_cents: number }): number =>
  row.net_cents + row.tax_cents;

/** What was returned and kept is at most what was paid, in cents and satoshis. */
function checkMoney({ facts, mostSats }: ReturnHistory): void {
  const live = facts.refunds.filter((one) => !isGivenUp(one));
  const returned = sum(live, (one) => one.value_cents ?? 0);
  const kept = sum(
    live.filter((one) => one.holds_units),
    ({ lines }) => sum(lines, (line) => line.deducted_net_cents + line.deducted_tax_cents),
  );
  assert.ok(
    returned + kept <= facts.order.total_after_cents,
    `${returned} cents are returned and ${kept} kept of ${facts.order.total_after_cents}`,
  );
  const debit = sum(live, (one) => one.debit_sats);
  assert.ok(debit <= mostSats, `${debit} satoshis are refunded of ${mostSats}`);
  for (const one of live.filter(({ covers }) => covers === 'lines')) {
    const shipping = (one.shipping_net_cents ?? 0) + (one.shipping_tax_cents ?? 0);
    assert.equal(one.value_cents, sum(one.lines, toGross) + shipping, 'the lines of a refund are its amount');
  }
}

/** The newest invoice that reverses no credit note. */
const findInvoice = ({ documents }: OrderFacts): OrderFacts['documents'][number] | undefined =>
  documents.findLast(({ corrects_id: corrects, kind }) => kind === 'invoice' && corrects === null);

/** Net and tax of refunds are at most those of the invoice, and exactly those once all units are refunded. */
function checkTax({ facts }: ReturnHistory): void {
  const invoice = findInvoice(facts);
  const { due_sats: due, settled_sats: settled } = facts.order;
  if (invoice === undefined || (settled !== null && settled < due) || !isInOrder(facts)) return;
  const held = facts.refunds.filter((one) => one.holds_units && one.covers === 'lines');
  const parts = facts.refunds
    .filter((one) => one.covers === 'amount' && one.counted_cents !== null)
    .flatMap((one) => one.parts);
  for (const { position, quantity } of facts.lines) {
    const billed: OrderFacts['documents'][number]['lines'][number] | undefined = invoice.lines.find(
      (one) => one.position === position,
    );
    if (billed === undefined) continue;
    const rows = held.flatMap(({ lines }) => lines).filter((one) => one.position === position);
    const own = parts.filter((one) => one.position === position);
    const net = sum(rows, (row) => row.net_cents + row.deducted_net_cents) + sum(own, (part) => part.net_cents);
    const tax = sum(rows, (row) => row.tax_cents + row.deducted_tax_cents) + sum(own, (part) => part.tax_cents);
    assert.ok(
      net <= Number(billed.netCents) && tax <= Number(billed.taxCents),
      `line ${position} returns more than its invoice`,
    );
    const isAll = sum(rows, (row) => row.quantity) === quantity && own.length === 0;
    if (isAll)
      assert.deepEqual(
        [net, tax],
        [Number(billed.netCents), Number(billed.taxCents)],
        `net and tax of line ${position}`,
      );
  }
}

/** Credit notes are the refunds that arrived. */
export async function checkDocuments(history: ReturnHistory): Promise<void> {
  await history.of.issueDocuments(history.id);
  const { documents, order, refunds } = await history.refresh();
  const {
    cancelled_at: cancelledAt,
    closed_as_loss_of: loss,
    due_sats: due,
    paid_at: paidAt,
    settled_sats: settled,
  } = order;
  if (paidAt === null || cancelledAt !== null || loss !== null || (settled !== null && settled < due)) return;
  const invoice = findInvoice(history.facts);
  if (invoice === undefined) return;
  const reversed = new Set(
    documents.flatMap(({ corrects_id: corrects, kind }) => (kind === 'invoice' ? [corrects] : [])),
  );
  const notes = documents.filter(
    ({ corrects_id: corrects, id, kind }) => kind === 'credit_note' && corrects === invoice.id && !reversed.has(id),
  );
  const credited = sum(notes, (note) => note.gross_cents);
  // The note of a refund that left the chain stands: it is mined or sent again, or staff withdraw it, which reverses the note.
  const isNoted = (refund: string): boolean =>
    history.confirmedOnce.has(refund) && documents.some(({ id, refund_id: of }) => of === refund && !reversed.has(id));
  const counted = refunds.filter(({ id, state }) => state === 'confirmed' || (state !== 'withdrawn' && isNoted(id)));
  // A refund that staff gave up and that was sent counts as far as no other one took its dollars.
  const returned = sum(counted, (one) => (one.covers === 'surplus' ? 0 : (one.counted_cents ?? one.value_cents ?? 0)));
  if (isInOrder(history.facts)) assert.equal(credited, returned, 'credit notes are the refunds');
  assert.ok(credited <= invoice.gross_cents, 'more is credited than was invoiced');
  for (const { netCents, position, taxCents } of invoice.lines) {
    const own = notes.flatMap(({ lines }) => lines).filter((line) => line.position === position);
    assert.ok(
      sum(own, (line) => Number(line.netCents)) <= Number(netCents) &&
        sum(own, (line) => Number(line.taxCents)) <= Number(taxCents),
      `more of line ${String(position)} is credited than was invoiced`,
    );
  }
}

/** Units are on the shelf, with the buyer, or were put on sale again. */
function checkStock({ facts, of }: ReturnHistory): void {
  const { order, refunds, stock } = facts;
  // Stock of an order that ended is put on sale as a whole, which other tests compare.
  const isWhole = order.refund_state !== null || order.units_returned_at !== null || order.payment_status !== 'paid';
  if (isWhole) return;
  for (const product of [of.shop.productId, of.shop.otherProductId]) {
    const own = facts.lines.filter(({ variant_id: id }) => id === product);
    const sold = sum(own, (line) => line.quantity);
    const restocked = sum(
      refunds.filter((one) => one.holds_units && one.units_settled_at !== null),
      (one) =>
        sum(own, ({ position }) =>
          countOf(one.lines, position, (line) => line.restocked_quantity ?? (one.restocks ? line.quantity : 0)),
        ),
    );
    assert.equal(stock[product], STOCK - sold + restocked, 'units in stock');
  }
}

/** What was withdrawn from is paid back, or is in a return that goes on. */
function checkWithdrawals({ facts }: ReturnHistory): void {
  for (const { outcome, refund_id: id } of facts.returns) {
    const made = facts.refunds.find((one) => one.id === id);
    assert.ok(outcome !== 'refunded' || made?.state !== 'withdrawn', 'a return ended with a refund that was given up');
  }
  const { payment_status: status, refund_state: refund } = facts.order;
  if (refund !== null || status !== 'paid') return;
  const ended = facts.returns.filter((one) => isClosedWithdrawal(one) && one.outcome !== 'too-little');
  for (const { is_free: isFree, position } of facts.lines) {
    const stopped = sum(ended, ({ lines }) => countOf(lines, position, (line) => line.cancelled_quantity));
    const accepted = sum(ended, (one) => countAccepted(one, position));
    if (isFree || isWorthless(facts)) continue;
    assert.ok(
      stopped <= countRefunded(facts, position, false),
      'a withdrawal is closed and its stopped units are not refunded',
    );
    assert.ok(
      accepted <= countRefunded(facts, position, true),
      'a withdrawal is closed and its units are not refunded',
    );
  }
}

/** While all that was paid is with the shop, too little is left of a withdrawal only if it keeps most of the price. */
function checkTooLittle({ facts }: ReturnHistory): void {
  const { order, refunds } = facts;
  if (order.refund_state !== null || order.payment_status !== 'paid') return;
  if (refunds.some(({ state }) => state !== 'withdrawn')) return;
  for (const one of facts.returns.filter(({ outcome }) => outcome === 'too-little')) {
    const price = sum(
      facts.lines.filter((line) => !line.is_free),
      ({ position, price_cents: cents }) =>
        cents * (countAccepted(one, position) + countOf(one.lines, position, (line) => line.cancelled_quantity)),
    );
    const kept = sum(one.lines, (line) => line.deduction_cents);
    assert.ok(price / 2 <= kept, 'a withdrawal is closed although its price is left');
  }
}

/** Refunds of amounts took all dollars, or staff kept all of them. */
function isWorthless({ order, refunds }: OrderFacts): boolean {
  const live = refunds.filter((one) => !isGivenUp(one) && one.counted_cents !== null);
  const kept = sum(
    refunds.filter((one) => one.holds_units),
    ({ lines }) => sum(lines, (line) => line.deducted_net_cents + line.deducted_tax_cents),
  );
  return sum(live, (one) => one.counted_cents ?? 0) + kept >= order.total_after_cents;
}

function nameDeadline(
  at: Date | null,
  now: Date,
  { isHeld, isNear }: { readonly isHeld: boolean; readonly isNear: boolean },
): string {
  if (at === null) return 'none';
  if (isHeld) return 'withheld';
  if (now >= at) return 'overdue';
  return isNear ? 'soon' : 'waiting';
}

/** Each return that goes on is on the list of staff, and its refund is due in time. */
async function checkLists(history: ReturnHistory): Promise<void> {
  const { facts, now, of } = history;
  if (facts.returns.every((one) => !isOpen(one))) return;
  const { desk } = of.services;
  const listed = (await desk.list({ view: 'open' })).returns;
  const due = new Set((await desk.list({ view: 'due' })).returns.map((one) => one.return.id));
  const waiting = await desk.countWaiting();
  let tasks = 0;
  for (const one of facts.returns.filter(isOpen)) {
    const shown = listed.find((other) => other.return.id === one.id);
    assert.ok(shown !== undefined, 'a return that goes on is on no list');
    const goods = sum(one.lines, (line) => line.quantity - line.cancelled_quantity);
    const isHeld = goods > 0 && one.sent_at === null && one.received_at === null;
    const at = one.refund_due_at === null ? null : new Date(one.refund_due_at);
    const isNear = at !== null && !isHeld && now.getTime() >= at.getTime() - 3 * DAY_MINUTES * 60_000;
    assert.equal(due.has(one.id), isNear, 'a refund that is due is on the list of deadlines, and no other');
    const named = nameDeadline(at, now, { isHeld, isNear });
    assert.equal(shown.return.deadline, named, 'the deadline of a return');
    if (isNear || one.state === 'requested' || one.state === 'received' || one.state === 'inspected') tasks += 1;
    assert.equal(at === null, one.state === 'requested', 'a return has a deadline once it is approved');
  }
  assert.ok(waiting >= tasks, 'the first page of staff counts fewer returns than wait');
}

export async function checkHistory(history: ReturnHistory): Promise<void> {
  const seen = JSON.stringify([await history.refresh(), Math.floor(history.now.getTime() / HOUR_MS)]);
  if (seen === history.checked) return;
  await checkUnits(history);
  checkMoney(history);
  checkTax(history);
  checkStock(history);
  checkWithdrawals(history);
  checkTooLittle(history);
  await checkLists(history);
  history.checked = seen;
}
