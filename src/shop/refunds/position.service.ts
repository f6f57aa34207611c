/** What decides about the money of an order: its ledger, its refunds and write-offs, and where money can go. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { bookIn } from '#src/shop/orders/stored-order.ts';
import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findAddress } from './addresses/store.ts';
import type { NamedAddress } from './addresses/store.ts';
import { standingOf, usableSince } from './addresses/address-standing.ts';
import * as hand from './manual/store.ts';
import { paidTwice } from './recognition/paid-twice.ts';
import type { PaidTwice } from './recognition/paid-twice.ts';
import { depthToRefund } from './refundable.ts';
import type { RefundPosition, WhereTo } from './refundable.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';
import type { WriteOffPosition } from './manual/write-off.ts';

export interface PositionsOptions {
  readonly clock: Clock;
  readonly payments: Pick<Payments, 'ledgerOf' | 'dustSatsTo'>;
  readonly confirmationSteps: ConfirmationSteps;
}

export class Positions {
  readonly #options: PositionsOptions;

  constructor(options: PositionsOptions) {
    this.#options = options;
  }

  /** Where the money of an order goes; null while there is no address. */
  async whereTo(db: Db, orderId: string): Promise<(WhereTo & NamedAddress) | null> {
    const { clock, payments } = this.#options;
    const named = await findAddress(db, orderId);
    return (
      named && { ...named, standing: standingOf(named, clock.now()), dustSats: payments.dustSatsTo(named.address) }
    );
  }

  async of(db: Db, order: OrderRow): Promise<RefundPosition> {
    const { outputs, tip } = bookIn(await this.#options.payments.ledgerOf(db, [order.id]), order.id);
    const required_confirmations = depthToRefund(order, outputs, this.#options.confirmationSteps);
    return { order: { ...order, required_confirmations }, outputs, tip, debits: await hand.debitsOf(db, order.id) };
  }

  /** What decides whether unclaimed money can be written off. */
  async toWriteOff(db: Db, order: OrderRow): Promise<WriteOffPosition> {
    const [refunds, to, writeOffs] = [
      await this.of(db, order),
      await this.whereTo(db, order.id),
      await hand.writeOffsOf(db, order.id),
    ];
    const isUsable = to !== null && usableSince(to, this.#options.clock.now()) !== null;
    return {
      refunds,
      closed: [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null],
      address: to && { setAt: to.setAt, isUsable, dustSats: to.dustSats },
      lastReopenedAt: writeOffs.findLast(({ reopenedAt }) => reopenedAt !== null)?.reopenedAt ?? null,
    };
  }

  /** Whether a withdrawn refund of an order was sent beside another one. */
  async paidTwice(db: Db, order: OrderRow): Promise<PaidTwice | null> {
    const refunds = await store.refundsOf(db, order.id);
    if (refunds.every(({ withdrawnAt, txid }) => withdrawnAt === null || txid === null)) return null;
    const { outputs } = bookIn(await this.#options.payments.ledgerOf(db, [order.id]), order.id);
    const accepted = (await hand.writeOffsOf(db, order.id)).filter(({ kind }) => kind === 'paid-twice');
    return paidTwice(refunds, {
      receivedSats: liveSats(outputs),
      dueSats: order.settled_sats ?? order.due_sats,
      acceptedSats: sumSats(accepted.map(({ amountSats }) => amountSats)),
    });
  }
}

const liveSats = (outputs: readonly { readonly isLive: boolean; readonly amountSats: Sats }[]): Sats =>
  outputs.length === 0 ? NO_SATS : sumSats(outputs.flatMap(({ isLive, amountSats }) => (isLive ? [amountSats] : [])));
