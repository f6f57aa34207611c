/**
 * Runs one random history of an order; checks every sentence after each step and the exit at its
 * end.
 */
import { describeStaffTask, isUrgent } from '#src/shop/admin/tasks/staff-task-messages.ts';
import { computeLoss } from '#src/shop/orders/status/order-loss.ts';
import { getOrderHeading, describePayment } from '#src/shop/orders/status/payment-messages.ts';
import type { Tally } from '../ledger-simulation.ts';
import { actionNames, actions } from './order-actions.ts';
import type { Action } from './order-actions.ts';
import { checkCreditNotes, checkRefundedMoney } from './check-refunded-money.ts';
import { checkSentences, ClaimError } from './claim.ts';
import { collectFacts, isPaidByChain } from './facts.ts';
import type { Facts } from './facts.ts';
import { mailClaims, mailKindClaims, refundMailClaims, listTexts } from './mail-claims.ts';
import type { SentMail } from './mail-queue.ts';
import { networkStepNames, networkSteps } from './network-steps.ts';
import type { NetworkStep } from './network-steps.ts';
import { UNITS } from './order-record.ts';
import { OrderSimulation } from './order-simulation.ts';
import { stateClaims, textClaims, titleClaims } from './page-claims.ts';
import type { OrderBug } from './injected-order-bugs.ts';
import { readStaffTask, toPageInput } from './read-simulation.ts';
import { eventClaims, staffClaims } from './staff-claims.ts';
import { assertExit } from './assert-exit.ts';

export interface Step {
  readonly kind: NetworkStep | Action;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Steps that are rarely allowed, and steps that enable them; drawn more often. */
const OFTEN = [
  'payDeep',
  'payDeep',
  'mine',
  'mineAll',
  'doubleSpend',
  'cancel',
  'requote',
  'requote',
  'reprice',
  'cancelByStaff',
  'acceptAsPaid',
  'ship',
  'confirmAddress',
  'confirmAddress',
  'refundWhole',
  'refundWhole',
  'refundSurplus',
  'refundUnit',
  'refundUnit',
  'refundShippedUnit',
  'refundAmount',
  'refundAmount',
  'refundRest',
  'refundAllUnits',
  'shipPart',
  'sendRefund',
  'withdrawRefund',
  'withdrawRefund',
  'sendWithdrawn',
  'sendWithdrawn',
  'sendWithdrawn',
  'sendSuperseded',
  'acceptPaidTwice',
  'acceptPaidTwice',
  'sendRefund',
  'recordRefund',
  'recordElsewhere',
  'undoRecord',
  'undoRecord',
  'writeOff',
  'writeOff',
  'days',
  'soldOut',
  'soldOut',
] as const satisfies readonly Step['kind'][];
export const stepKinds: readonly Step['kind'][] = [...networkStepNames, ...actionNames, ...OFTEN];

const isAction = (kind: Step['kind']): kind is Action => kind in actions;

/** Each unit is shipped or refunded, refunded once, and never with more than the price. */
function checkUnits({ due, order, refunds, unitsRefunded }: Facts): void {
  const held = refunds.filter(({ holdsUnits }) => holdsUnits);
  if (unitsRefunded > UNITS) throw new ClaimError(`${unitsRefunded} units are refunded`);
  const sum = held.reduce((total, { debitSats }) => total + debitSats, 0n);
  // Staff may accept less as full payment after units were refunded.
  if (sum > due && order.settled_sats === null)
    throw new ClaimError(`units are refunded with ${sum}, more than ${due}`);
}

export class OrderRun {
  readonly #shop: OrderSimulation;
  #eventsChecked = 0;

  constructor(first: Step, tally: Tally, bug: OrderBug | null = null) {
    this.#shop = new OrderSimulation({ total: first.a, tolerance: first.b, method: first.c }, tally, bug);
    this.#shop.mails.onSent = (sent) => this.#checkMail(sent, collectFacts(this.#shop));
  }

  play(steps: readonly Step[]): void {
    this.#shop.sync();
    this.check();
    for (const step of steps) this.#step(step);
    this.#checkDocuments();
    assertExit(this.#shop, () => this.check(), steps.length);
    this.#checkDocuments();
  }

  #step({ kind, a, b, c }: Step): void {
    const shop = this.#shop;
    shop.chain.now += 1000;
    if (!isAction(kind)) networkSteps[kind](shop, { a, b, c });
    else if (shop.isShopUp && actions[kind](shop)) shop.count(`action ${kind}`);
    else return;
    if (c % 5 > 0) shop.sync();
    if (shop.isShopUp) shop.mails.dispatch();
    this.check();
  }

  /** Checks every displayed sentence and each mail sent since the last check. */
  check(): void {
    const shop = this.#shop;
    const facts = collectFacts(shop);
    this.#checkEvents(facts);
    checkUnits(facts);
    const arrived = shop.rows.reduce((sum, { amountSats }) => sum + amountSats, 0n);
    checkRefundedMoney(facts.refunds, shop.order, arrived);
    if (!shop.isShopUp) return;
    shop.books.check();
    this.#checkPage(facts, true);
    // A deleted account cannot sign in.
    if (!shop.isDeleted) this.#checkPage(facts, false);
    this.#checkStaff(facts);
  }

  #checkDocuments(): void {
    const { now, order, refunds } = this.#shop;
    checkCreditNotes(refunds.list, order, now);
  }

  #checkPage(facts: Facts, isPublic: boolean): void {
    const shop = this.#shop;
    const shown = toPageInput(shop, isPublic);
    shop.count(`state ${shown.state}`);
    shop.count(`status ${shown.status}`);
    if (shown.loss) shop.count(`loss ${shown.loss}`);
    const where = isPublic ? 'the payment page' : 'the order page';
    if (!stateClaims[shown.state](facts)) throw new ClaimError(`${where}: the state ${shown.state} is not true`);
    const isEarly = shop.bug === 'a page shows confirmed too early' && shown.state === 'confirming';
    const { title, text } = describePayment(isEarly ? { ...shown, state: 'paid' } : shown);
    checkSentences(where, title, titleClaims, facts);
    checkSentences(where, text, textClaims, facts);
    const { state, status, loss = null } = shown;
    const { heading } = getOrderHeading({ payment_status: status, payment: { state, loss } });
    if (heading === 'Order paid.' && !isPaidByChain(facts)) throw new ClaimError(`${where}: "${heading}" is not true`);
  }

  #checkStaff(facts: Facts): void {
    const shop = this.#shop;
    const found = readStaffTask(shop);
    const { order, orderLedger } = shop;
    if (found !== null) {
      const isHidden = shop.bug === 'staff tasks describe a final loss as temporary' && found.kind === 'double-spent';
      const kind = isHidden ? 'reorged-out' : found.kind;
      shop.count(`attention ${kind}`);
      if (!staffClaims[kind](facts))
        throw new ClaimError(`the list of staff: ${kind} ("${describeStaffTask(kind).title}") is not true`);
    }
    // An unaccepted loss of goods or money must be shown.
    const isGoodsLoss = facts.isSent && !isPaidByChain(facts) && order.payment_status !== 'refunded' && !facts.isOpen;
    const isMoneyLoss = facts.sentBack > facts.possible && shop.refunds.acceptedSats < facts.sentBack - facts.possible;
    const isAccepted = order.closed_as_loss_of !== null;
    if ((isMoneyLoss || (isGoodsLoss && !facts.hasMoney && order.refund_state === null)) && !isAccepted) {
      if (found === null || !isUrgent(found.kind))
        throw new ClaimError(
          `an unreported loss: staff see ${found?.kind ?? 'nothing'}, the rule returns ${computeLoss(order, orderLedger)}`,
        );
    }
  }

  #checkMail({ mail, words }: SentMail, facts: Facts): void {
    const shop = this.#shop;
    const name = mail.of === 'write-off' ? 'write-off' : `${mail.of} ${mail.kind}`;
    shop.count(`mail ${name}`);
    if (mail.of === 'order' && !mailKindClaims[mail.kind](facts)) throw new ClaimError(`mail ${name} is not true`);
    if (mail.of === 'refund' && !refundMailClaims[mail.kind](mail.refund, facts))
      throw new ClaimError(`mail ${name} of a refund that is ${mail.refund.state} is not true`);
    for (const text of listTexts(words)) checkSentences(`mail ${name}`, text, mailClaims, facts);
  }

  /** Compares new order events with the current ledger. */
  #checkEvents(facts: Facts): void {
    const { events } = this.#shop;
    const fresh = events.slice(this.#eventsChecked).map(({ kind }) => kind);
    this.#eventsChecked = events.length;
    // Only the last event of a pass matches the ledger at its end.
    if (fresh.length > 1) return;
    for (const kind of fresh) if (!eventClaims[kind](facts)) throw new ClaimError(`the timeline: ${kind} is not true`);
  }
}
