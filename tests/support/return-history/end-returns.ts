/** Ends what is open by actions that the shop offers. */
import assert from 'node:assert/strict';
import { customerSteps } from './customer-steps.ts';
import { isOpen, sum } from './order-facts.ts';
import type { ReturnFacts } from './order-facts.ts';
import type { ReturnHistory } from './return-history.ts';
import { refund } from './refund-return.ts';
import { inspect, receive, stepReturn } from './staff-steps.ts';

const MAX_STEPS = 40;
const PLAIN = { a: 0, b: 0, c: 0 };

/** The payment is there again, and what was refunded arrives. */
async function settleChain(history: ReturnHistory): Promise<void> {
  for (const payment of history.payments) Object.assign(payment, { isLive: true, isConfirmed: true });
  await history.syncPayments();
  for (const sent of history.sent) Object.assign(sent, { isLive: true, isConfirmed: true });
  await history.syncRefunds();
  await customerSteps.nameAddress(history);
  await history.refresh();
}

const describe = ({ facts }: ReturnHistory, one: ReturnFacts): string =>
  JSON.stringify({
    return: one,
    order: facts.order,
    refunds: facts.refunds.map(({ covers, state }) => `${covers} ${state}`),
  });

/** One action that brings a return nearer to its end. */
async function advance(history: ReturnHistory, one: ReturnFacts): Promise<void> {
  const found = await history.of.services.desk.find(one.id);
  assert.ok(found !== null);
  const { actions } = found.return;
  const { openRefund } = history;
  if (actions.includes('approve')) return void (await stepReturn(history, one, 'approve'));
  if (actions.includes('refund') && found.refund?.refused === null) {
    await refund(history, one);
    return;
  }
  // Refunds of one order are made one after the other.
  if (openRefund !== undefined && actions.includes('refund')) {
    if (openRefund.state === 'made') await history.send(openRefund, true);
    else await settleChain(history);
    return;
  }
  if (actions.includes('close')) return void (await stepReturn(history, one, 'close'));
  const arrived = sum(one.lines, (line) => line.received_quantity);
  const line = one.lines.findIndex((each) => each.quantity - each.cancelled_quantity > each.received_quantity);
  if (actions.includes('receive') && line !== -1 && one.state !== 'inspected') {
    // Units that the buyer keeps are counted as arrived here, so that the return can end.
    if (await receive(history, one, { a: 0, b: line, c: 0 })) return;
  }
  // Another refund took units or a part of their price: less can be deducted than the inspection said.
  const isDeductionTooLarge = found.refund?.refused === 'deduction-too-large';
  if (actions.includes('inspect') && arrived > 0 && (one.state === 'received' || isDeductionTooLarge)) {
    if (await inspect(history, one, PLAIN)) return;
  }
  assert.fail(
    `nothing ends a return (${actions.join(', ')}; refund: ${String(found.refund?.refused)}): ${describe(history, one)}`,
  );
}

/** @throws when a return can't be ended by what the shop offers */
export async function endReturns(history: ReturnHistory, check: () => Promise<void>): Promise<void> {
  if (history.facts.order.paid_at === null && history.facts.returns.length === 0) return;
  await settleChain(history);
  await check();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const one = history.facts.returns.find(isOpen);
    if (one === undefined) return;
    await advance(history, one);
    await check();
  }
  assert.fail('a return does not end');
}
