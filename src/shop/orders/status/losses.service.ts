/** Losses: reported when the ledger shows them, closed by staff, reversed when the chain pays after all. */
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
import { formatOrderNumber } from '../show-order.ts';
import type { OrderChangeRefusal } from './order-change-result.ts';
import * as losses from './losses.store.ts';
import type { FulfilmentOrder } from './store.ts';

export interface OrderLossesOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
}

/** Why one of the staff did something, for staff alone. */
interface StaffReason {
  readonly by: string;
  readonly reason: string;
}

export class OrderLosses {
  readonly #options: OrderLossesOptions;

  constructor(options: OrderLossesOptions) {
    this.#options = options;
  }

  /**
   * Reports what an order has lost, or has not lost any more, once for each change; in the transaction that changed its
   * ledger or its refunds, which holds its row lock.
   * @param order as it is after that change.
   */
  async recordLoss(tx: Db, order: FulfilmentOrder, book: OrderLedger, now: Date): Promise<void> {
    await this.#recordReversal(tx, order, book, now);
    const loss = computeLoss(order, book);
    if (loss === order.recorded_loss) return;
    const { log, orders } = this.#options;
    await losses.writeLoss(tx, order.id, loss, now);
    const event = findLossEvent(order.recorded_loss, loss, order);
    if (event === null) return;
    const lost = String(computeLostSats(order, book));
    await orders.appendEvent(tx, order.id, event, now, { ...createAmountDetails(order, null), lost_sats: lost });
    const facts = { number: formatOrderNumber(order.number), loss, before: order.recorded_loss, lost_sats: lost };
    // What never counted as paid is nobody's loss.
    const wasPaid = order.paid_at !== null || order.refund_sent_sats > 0n || order.refund_made_sats > 0n;
    if (!wasPaid) log.info(facts, 'a payment that was never confirmed was double-spent');
    else if (loss === null) log.warn(facts, 'a loss of an order was undone');
    else log.error(facts, 'an order has lost money');
  }

  async #recordReversal(tx: Db, order: FulfilmentOrder, book: OrderLedger, now: Date): Promise<void> {
    if (!isLossReversed(order, book)) return;
    const { log, orders } = this.#options;
    await losses.reverseLoss(tx, order.id);
    await orders.appendEvent(tx, order.id, 'loss_reversed', now, createAmountDetails(order, null));
    log.warn({ number: formatOrderNumber(order.number) }, 'an order that was closed as a loss is covered after all');
  }

  /** Closes an order as a loss; closed already is done. Answers why it can't be, or null. */
  async close(
    tx: Db,
    order: FulfilmentOrder,
    book: OrderLedger,
    word: StaffReason,
    now: Date,
  ): Promise<OrderChangeRefusal | null> {
    if (order.closed_as_loss_of !== null) return null;
    const { log, orders } = this.#options;
    const reason = findCloseAsLossProblem(order, book);
    if (reason !== null) return { ok: false, reason };
    const closed_as_loss_of = selectLossToClose(order, book);
    if (!(await losses.closeAsLoss(tx, order.id, closed_as_loss_of, now))) return null;
    const lost_sats = String(computeLostSats({ ...order, closed_as_loss_of }, book));
    const details = { ...createAmountDetails(order, null), ...word, of: closed_as_loss_of, lost_sats };
    const kind = closed_as_loss_of === 'payment' ? 'closed_as_loss' : 'refund_loss_closed';
    await orders.appendEvent(tx, order.id, kind, now, details);
    log.warn(
      { number: formatOrderNumber(order.number), of: closed_as_loss_of, lost_sats },
      'an order was closed as a loss',
    );
    return null;
  }
}
