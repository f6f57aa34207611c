/**
 * Losses: recorded when the ledger shows them, closed by staff, reversed when a payment covers
 * them.
 */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import { createAmountDetails } from './evaluate-order.ts';
import type { OrderLedger } from '../stored-order.ts';
import {
  isLossReversed,
  findLossEvent,
  computeLoss,
  selectLossToClose,
  computeLostSats,
  findCloseAsLossProblem,
} from './order-loss.ts';
import type { Orders } from '../service.ts';
import { toEventDetails } from './order-change-result.ts';
import type { OrderChangeRefusal, StaffReason } from './order-change-result.ts';
import * as losses from './losses.store.ts';
import type { OrderForStatus } from './store.ts';

export interface OrderLossesOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
}

export class OrderLosses {
  readonly #options: OrderLossesOptions;

  constructor(options: OrderLossesOptions) {
    this.#options = options;
  }

  /**
   * Records a changed loss of an order, once per change, within the transaction that changed its
   * ledger or refunds and holds its row lock.
   * @param order after that change
   */
  async recordLoss(tx: Db, order: OrderForStatus, ledger: OrderLedger, now: Date): Promise<void> {
    await this.#recordReversal(tx, order, ledger, now);
    const loss = computeLoss(order, ledger);
    if (loss === order.recorded_loss) return;
    const { log, orders } = this.#options;
    await losses.writeLoss(tx, order.id, loss, now);
    const event = findLossEvent(order.recorded_loss, loss, order);
    if (event === null) return;
    const lost = String(computeLostSats(order, ledger));
    await orders.appendEvent(tx, order.id, event, now, { ...createAmountDetails(order, null), lost_sats: lost });
    const facts = { number: String(order.number), loss, before: order.recorded_loss, lost_sats: lost };
    // A payment that never counted is not a loss of the shop.
    const wasPaid = order.paid_at !== null || order.refund_sent_sats > 0n || order.refund_made_sats > 0n;
    if (!wasPaid) log.info(facts, 'an unconfirmed payment was double-spent');
    else if (loss === null) log.warn(facts, 'a loss was undone');
    else log.error(facts, 'an order has a loss');
  }

  async #recordReversal(tx: Db, order: OrderForStatus, ledger: OrderLedger, now: Date): Promise<void> {
    if (!isLossReversed(order, ledger)) return;
    const { log, orders } = this.#options;
    await losses.reverseLoss(tx, order.id);
    await orders.appendEvent(tx, order.id, 'loss_reversed', now, createAmountDetails(order, null));
    log.warn({ number: String(order.number) }, 'an order closed as a loss is now covered');
  }

  /** Closes an order as a loss; idempotent. Returns why it can't, or null. */
  async close(
    tx: Db,
    order: OrderForStatus,
    ledger: OrderLedger,
    staffReason: StaffReason,
    now: Date,
  ): Promise<OrderChangeRefusal | null> {
    if (order.closed_as_loss_of !== null) return null;
    const { log, orders } = this.#options;
    const reason = findCloseAsLossProblem(order, ledger);
    if (reason !== null) return { ok: false, reason };
    const closed_as_loss_of = selectLossToClose(order, ledger);
    if (!(await losses.closeAsLoss(tx, order.id, closed_as_loss_of, now))) return null;
    const lost_sats = String(computeLostSats({ ...order, closed_as_loss_of }, ledger));
    const details = {
      ...createAmountDetails(order, null),
      ...toEventDetails(staffReason),
      of: closed_as_loss_of,
      lost_sats,
    };
    const kind = closed_as_loss_of === 'payment' ? 'closed_as_loss' : 'refund_loss_closed';
    await orders.appendEvent(tx, order.id, kind, now, details);
    log.warn({ number: String(order.number), of: closed_as_loss_of, lost_sats }, 'an order was closed as a loss');
    return null;
  }
}
