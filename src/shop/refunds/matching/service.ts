/** What the chain tells of refunds: which were sent, and which have arrived. */
import { listOutpoints } from '#src/platform/bitcoin/payout.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Fulfilment } from '#src/shop/orders/status/service.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { listDebits } from '../manual/store.ts';
import { findMatchEvent, matchRefunds } from './match-refunds.ts';
import type { MatchedState } from './match-refunds.ts';
import type { RefundPositions } from '../position.service.ts';
import type { RefundNotices } from '../notices.service.ts';
import { summarizeRefunds, computeRefundTotals } from '../refundable.ts';
import * as store from '../store.ts';

export interface RefundMatchingOptions {
  readonly db: Db;
  readonly log: Log;
  readonly payments: Pick<Payments, 'listRefundOutputs'>;
  readonly positions: RefundPositions;
  readonly fulfilment: Pick<Fulfilment, 'recordRefunds'>;
}

export class RefundMatching {
  readonly #options: RefundMatchingOptions;
  readonly #notices: RefundNotices;

  constructor(options: RefundMatchingOptions, news: RefundNotices) {
    this.#options = options;
    this.#notices = news;
  }

  /** The scripts that something is still to arrive at. */
  listAwaitedScripts(): Promise<readonly string[]> {
    return store.listAwaitedScripts(this.#options.db);
  }

  /**
   * Brings refunds to what the ledger says, in the transaction that changed it. Answers the orders that are to be settled:
   * those among the payees, and those whose refunds go to the others.
   */
  async matchWithLedger(tx: Db, recipientIds: readonly string[]): Promise<readonly string[]> {
    const scriptIds = await store.filterRefundScripts(tx, recipientIds);
    if (scriptIds.length === 0) return recipientIds;
    const orderIds = await store.lockPaidOrders(tx, recipientIds);
    const [refunds, tip] = [await store.listRefundsToScripts(tx, scriptIds), await store.readTip(tx)];
    const outputs = await this.#options.payments.listRefundOutputs(tx, scriptIds);
    const changes = new Map<string, MatchedState>();
    for (const scriptId of scriptIds) {
      const to = refunds.flatMap((refund) =>
        refund.scriptId === scriptId
          ? { ...refund, plannedOutpoints: refund.psbt ? listOutpoints(refund.psbt) : [] }
          : [],
      );
      const matched = matchRefunds(
        to,
        outputs.filter((output) => output.scriptId === scriptId),
        tip,
      );
      for (const refund of to) {
        const is = matched.get(refund.id);
        // One that was made since the orders were locked has its turn with the next change.
        if (is === undefined || !orderIds.includes(refund.orderId)) continue;
        if (is.state !== refund.state || is.txid !== refund.txid || is.vout !== refund.vout) changes.set(refund.id, is);
      }
    }
    if (changes.size === 0) return orderIds;
    await store.writeStates(tx, changes);
    for (const refund of refunds) {
      const is = changes.get(refund.id);
      const event = is && findMatchEvent(refund, is);
      if (event) await this.#notices.report(tx, refund.id, event);
    }
    const concerned = new Set(refunds.filter(({ id }) => changes.has(id)).map((refund) => refund.orderId));
    for (const orderId of concerned) {
      await this.updateOrder(tx, orderId);
      await this.#warnOfDoubleRefund(tx, orderId);
    }
    return orderIds;
  }

  /** The staff's list and a mail tell of it too. */
  async #warnOfDoubleRefund(tx: Db, orderId: string): Promise<void> {
    const { log, positions } = this.#options;
    const order = await store.findOrder(tx, orderId);
    const twice = order && (await positions.findDoubleRefund(tx, order));
    if (!twice) return;
    const fields = { number: formatOrderNumber(order.number), excess_sats: String(twice.excessSats) };
    if (twice.kind === 'sent') log.error(fields, 'a withdrawn refund and the next one were both sent');
    else log.error(fields, 'a withdrawn refund was sent: withdraw the one that waits');
  }

  /** Writes the totals of its refunds to a locked order. */
  async updateOrder(tx: Db, orderId: string): Promise<void> {
    const [debits, refunds] = [await listDebits(tx, orderId), await store.listRefunds(tx, orderId)];
    const totals = { ...summarizeRefunds(debits), ...computeRefundTotals(refunds) };
    await this.#options.fulfilment.recordRefunds(tx, orderId, totals);
  }
}
