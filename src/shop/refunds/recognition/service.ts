/** What the chain tells of refunds: which were sent, and which have arrived. */
import { outpointsOf } from '#src/platform/bitcoin/payout.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import { orderNumber } from '#src/shop/orders/show-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { debitsOf } from '../manual/store.ts';
import { eventOfMatch, matchRefunds } from './match-refunds.ts';
import type { MatchedState } from './match-refunds.ts';
import type { Positions } from '../position.service.ts';
import type { RefundNews } from '../news.service.ts';
import { refundsOfOrder, takenByRefunds } from '../refundable.ts';
import * as store from '../store.ts';

export interface RefundRecognitionOptions {
  readonly db: Db;
  readonly log: Log;
  readonly payments: Pick<Payments, 'refundOutputs'>;
  readonly positions: Positions;
}

export class RefundRecognition {
  readonly #options: RefundRecognitionOptions;
  readonly #news: RefundNews;

  constructor(options: RefundRecognitionOptions, news: RefundNews) {
    this.#options = options;
    this.#news = news;
  }

  /** The scripts that something is still to arrive at. */
  awaitedScripts(): Promise<readonly string[]> {
    return store.awaitedScripts(this.#options.db);
  }

  /**
   * Brings refunds to what the ledger says, in the transaction that changed it. Answers the orders that are to be settled:
   * those among the payees, and those whose refunds go to the others.
   */
  async recognise(tx: Db, payeeIds: readonly string[]): Promise<readonly string[]> {
    const scriptIds = await store.scriptsAmong(tx, payeeIds);
    if (scriptIds.length === 0) return payeeIds;
    const orderIds = await store.lockOrdersOf(tx, payeeIds);
    const [refunds, tip] = [await store.refundsTo(tx, scriptIds), await store.readTip(tx)];
    const outputs = await this.#options.payments.refundOutputs(tx, scriptIds);
    const changes = new Map<string, MatchedState>();
    for (const scriptId of scriptIds) {
      const to = refunds.flatMap((refund) =>
        refund.scriptId === scriptId
          ? { ...refund, plannedOutpoints: refund.psbt ? outpointsOf(refund.psbt) : [] }
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
      const event = is && eventOfMatch(refund, is);
      if (event) await this.#news.tell(tx, refund.id, event);
    }
    const concerned = new Set(refunds.filter(({ id }) => changes.has(id)).map((refund) => refund.orderId));
    for (const orderId of concerned) {
      await this.project(tx, orderId);
      await this.#warnOfTwice(tx, orderId);
    }
    return orderIds;
  }

  /** The staff's list and a mail tell of it too. */
  async #warnOfTwice(tx: Db, orderId: string): Promise<void> {
    const { log, positions } = this.#options;
    const order = await store.findOrder(tx, orderId);
    const twice = order && (await positions.paidTwice(tx, order));
    if (!twice) return;
    const fields = { number: orderNumber(order.number), excess_sats: String(twice.excessSats) };
    if (twice.kind === 'sent') log.error(fields, 'a withdrawn refund and the next one were both sent');
    else log.error(fields, 'a withdrawn refund was sent: withdraw the one that waits');
  }

  /** Writes what its refunds make of an order, whose row is locked. */
  async project(tx: Db, orderId: string): Promise<void> {
    const [debits, refunds] = [await debitsOf(tx, orderId), await store.refundsOf(tx, orderId)];
    await store.writeOrder(tx, orderId, { ...refundsOfOrder(debits), ...takenByRefunds(refunds) });
  }
}
