/** Matches refunds with the outputs of the ledger: which were sent, and which are confirmed. */
import { listOutpoints } from '#src/platform/bitcoin/payout.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findMatchEvent, matchRefunds } from './matching/match-refunds.ts';
import type { MatchedState } from './matching/match-refunds.ts';
import type { LineRefunds } from './lines/service.ts';
import type { RefundPositions } from './position.service.ts';
import type { RefundNotices } from './notices.service.ts';
import { computePaidCents } from '#src/shop/orders/paid-amount.ts';
import { countRefunds, sumCounted } from './count-refunds.ts';
import { summarizeRefunds, computeRefundTotals } from './refundable.ts';
import * as store from './store.ts';

export interface RefundMatchingOptions {
  readonly db: Db;
  readonly log: Log;
  readonly payments: Pick<Payments, 'listRefundOutputs'>;
  readonly positions: RefundPositions;
  readonly orderStatus: Pick<OrderStatus, 'recordRefunds'>;
  readonly lines: LineRefunds;
  /** Called in a transaction that changed the refunds of an order, under its row lock. */
  readonly onRefundsChanged?: ((tx: Db, orderId: string) => Promise<void>) | undefined;
}

export class RefundMatching {
  readonly #options: RefundMatchingOptions;
  readonly #notices: RefundNotices;

  constructor(options: RefundMatchingOptions, notices: RefundNotices) {
    this.#options = options;
    this.#notices = notices;
  }

  /** Scripts of refunds that are not confirmed. */
  listAwaitedScripts(): Promise<readonly string[]> {
    return store.listAwaitedScripts(this.#options.db);
  }

  /**
   * Updates refunds from the ledger, in the transaction that changed it. Returns the orders to
   * reconcile: those among the recipients, and those whose refunds go to the other recipients.
   */
  async matchWithLedger(tx: Db, recipientIds: readonly string[]): Promise<readonly string[]> {
    const scriptIds = await store.filterRefundScripts(tx, recipientIds);
    if (scriptIds.length === 0) return recipientIds;
    const orderIds = await store.lockPaidOrders(tx, recipientIds);
    const [refunds, tip] = [await store.listRefundsToScripts(tx, scriptIds), await store.readTip(tx)];
    const outputs = await this.#options.payments.listRefundOutputs(tx, scriptIds);
    const changes = new Map<string, MatchedState>();
    for (const scriptId of scriptIds) {
      const refundsToScript = refunds.flatMap((refund) =>
        refund.scriptId === scriptId
          ? { ...refund, plannedOutpoints: refund.psbt ? listOutpoints(refund.psbt) : [] }
          : [],
      );
      const matched = matchRefunds(
        refundsToScript,
        outputs.filter((output) => output.scriptId === scriptId),
        tip,
      );
      for (const refund of refundsToScript) {
        const state = matched.get(refund.id);
        // A refund made after the orders were locked is matched at the next change.
        if (state === undefined || !orderIds.includes(refund.orderId)) continue;
        if (state.state !== refund.state || state.txid !== refund.txid || state.vout !== refund.vout)
          changes.set(refund.id, state);
      }
    }
    if (changes.size === 0) return orderIds;
    await store.writeStates(tx, changes);
    for (const refund of refunds) {
      const state = changes.get(refund.id);
      const event = state && findMatchEvent(refund, state);
      if (event) await this.#notices.report(tx, refund.id, event);
    }
    const changedOrderIds = new Set(refunds.filter(({ id }) => changes.has(id)).map((refund) => refund.orderId));
    for (const orderId of changedOrderIds) {
      await this.#writeTotals(tx, orderId);
      await this.#warnOfDoubleRefund(tx, orderId);
    }
    await this.#options.lines.settleStock(tx, [...changedOrderIds]);
    return orderIds;
  }

  /** Logs it too, besides the staff task and the mail. */
  async #warnOfDoubleRefund(tx: Db, orderId: string): Promise<void> {
    const { log, positions } = this.#options;
    const order = await store.findOrder(tx, orderId);
    const double = order && (await positions.findDoubleRefund(tx, order));
    if (!double) return;
    const fields = { number: String(order.number), excess_sats: String(double.excessSats) };
    if (double.kind === 'sent') log.error(fields, 'a withdrawn refund and its successor were both sent');
    else log.error(fields, 'a withdrawn refund was sent: withdraw the open one');
  }

  /** Updates units, refund totals and stock of an order after a change of its refunds. The caller holds its row lock. */
  async updateOrder(tx: Db, orderId: string): Promise<void> {
    await this.#writeTotals(tx, orderId);
    await this.#options.lines.settleStock(tx, [orderId]);
  }

  async #writeTotals(tx: Db, orderId: string): Promise<void> {
    const { lines, orderStatus } = this.#options;
    await lines.holdUnits(tx, orderId);
    const [counted, refunds] = await this.#count(tx, orderId);
    const debits = await store.listDebits(tx, orderId);
    const hasLines = debits.some(({ holdsUnits = false }) => holdsUnits);
    const isFullyRefunded = hasLines && (await lines.isFullyRefunded(tx, orderId));
    const sums = { ...sumCounted(refunds, counted), ...computeRefundTotals(refunds) };
    const totals = { ...summarizeRefunds(debits, isFullyRefunded), ...sums };
    await orderStatus.recordRefunds(tx, orderId, totals);
    await this.#options.onRefundsChanged?.(tx, orderId);
  }

  /** Decides which part of each refund counts. Returns the refunds as they are then, oldest first. */
  async #count(tx: Db, orderId: string) {
    const order = await store.findOrder(tx, orderId);
    const refunds = await store.listRefunds(tx, orderId);
    if (!order) return [[], refunds] as const;
    const { due_sats: dueSats, settled_sats: settledSats, total_after_cents: totalCents } = order;
    const counted = countRefunds(refunds, computePaidCents({ dueSats, settledSats, totalCents }));
    await store.writeCounted(tx, counted);
    return [counted, await store.listRefunds(tx, orderId)] as const;
  }
}
