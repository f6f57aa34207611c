/** What decides about the money of an order: its ledger, its refunds and write-offs, and where money can go. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { ledgerOf } from '#src/shop/orders/stored-order.ts';
import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findAddress } from './addresses/store.ts';
import type { RefundAddressRow } from './addresses/store.ts';
import { getAddressStatus, findUsableSince } from './addresses/address-status.ts';
import * as hand from './manual/store.ts';
import { findDoubleRefund } from './matching/double-refund.ts';
import type { DoubleRefund } from './matching/double-refund.ts';
import { computeRequiredDepth } from './refundable.ts';
import type { RefundPosition, RefundDestination } from './refundable.ts';
import * as store from './store.ts';
import type { OrderRow } from './store.ts';
import type { WriteOffPosition } from './manual/write-off.ts';

export interface RefundPositionsOptions {
  readonly clock: Clock;
  readonly payments: Pick<Payments, 'readLedgers' | 'getDustSats'>;
  readonly confirmationSteps: ConfirmationSteps;
}

export class RefundPositions {
  readonly #options: RefundPositionsOptions;

  constructor(options: RefundPositionsOptions) {
    this.#options = options;
  }

  /** Where the money of an order goes; null while there is no address. */
  async findDestination(db: Db, orderId: string): Promise<(RefundDestination & RefundAddressRow) | null> {
    const { clock, payments } = this.#options;
    const named = await findAddress(db, orderId);
    return (
      named && { ...named, status: getAddressStatus(named, clock.now()), dustSats: payments.getDustSats(named.address) }
    );
  }

  async read(db: Db, order: OrderRow): Promise<RefundPosition> {
    const { outputs, tip } = ledgerOf(await this.#options.payments.readLedgers(db, [order.id]), order.id);
    const required_confirmations = computeRequiredDepth(order, outputs, this.#options.confirmationSteps);
    return { order: { ...order, required_confirmations }, outputs, tip, debits: await hand.listDebits(db, order.id) };
  }

  /** What decides whether unclaimed money can be written off. */
  async readForWriteOff(db: Db, order: OrderRow): Promise<WriteOffPosition> {
    const [refunds, to, writeOffs] = [
      await this.read(db, order),
      await this.findDestination(db, order.id),
      await hand.listWriteOffs(db, order.id),
    ];
    const isUsable = to !== null && findUsableSince(to, this.#options.clock.now()) !== null;
    return {
      refunds,
      closed: [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null],
      address: to && { setAt: to.setAt, isUsable, dustSats: to.dustSats },
      lastReopenedAt: writeOffs.findLast(({ reopenedAt }) => reopenedAt !== null)?.reopenedAt ?? null,
    };
  }

  /** Whether a withdrawn refund of an order was sent beside another one. */
  async findDoubleRefund(db: Db, order: OrderRow): Promise<DoubleRefund | null> {
    const refunds = await store.listRefunds(db, order.id);
    if (refunds.every(({ withdrawnAt, txid }) => withdrawnAt === null || txid === null)) return null;
    const { outputs } = ledgerOf(await this.#options.payments.readLedgers(db, [order.id]), order.id);
    const accepted = (await hand.listWriteOffs(db, order.id)).filter(({ kind }) => kind === 'paid-twice');
    return findDoubleRefund(refunds, {
      receivedSats: liveSats(outputs),
      dueSats: order.settled_sats ?? order.due_sats,
      acceptedSats: sumSats(accepted.map(({ amountSats }) => amountSats)),
    });
  }
}

const liveSats = (outputs: readonly { readonly isLive: boolean; readonly amountSats: Sats }[]): Sats =>
  outputs.length === 0 ? NO_SATS : sumSats(outputs.flatMap(({ isLive, amountSats }) => (isLive ? [amountSats] : [])));
