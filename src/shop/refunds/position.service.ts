/**
 * Reads what refund decisions depend on: ledger, refunds, write-offs and refund address of an
 * order.
 */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { requireLedger } from '#src/shop/orders/stored-order.ts';
import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findAddress } from './addresses/store.ts';
import type { RefundAddressRow } from './addresses/store.ts';
import { getAddressStatus, findUsableSince } from './addresses/address-status.ts';
import * as manual from './manual/store.ts';
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

  /** The refund address of an order with its status; null if there is none. */
  async findDestination(db: Db, orderId: string): Promise<(RefundDestination & RefundAddressRow) | null> {
    const { clock, payments } = this.#options;
    const row = await findAddress(db, orderId);
    return row && { ...row, status: getAddressStatus(row, clock.now()), dustSats: payments.getDustSats(row.address) };
  }

  async read(db: Db, order: OrderRow): Promise<RefundPosition> {
    const { outputs, tip } = requireLedger(await this.#options.payments.readLedgers(db, [order.id]), order.id);
    const required_confirmations = computeRequiredDepth(order, outputs, this.#options.confirmationSteps);
    return { order: { ...order, required_confirmations }, outputs, tip, debits: await store.listDebits(db, order.id) };
  }

  /** Reads what `decideWriteOff` needs. */
  async readForWriteOff(db: Db, order: OrderRow): Promise<WriteOffPosition> {
    const [refunds, to, writeOffs] = [
      await this.read(db, order),
      await this.findDestination(db, order.id),
      await manual.listWriteOffs(db, order.id),
    ];
    const isUsable = to !== null && findUsableSince(to, this.#options.clock.now()) !== null;
    return {
      refunds,
      closed: [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null],
      address: to && { setAt: to.setAt, isUsable, dustSats: to.dustSats },
      lastReopenedAt: writeOffs.findLast(({ reopenedAt }) => reopenedAt !== null)?.reopenedAt ?? null,
    };
  }

  /** Whether a withdrawn refund of an order was sent in addition to another one. */
  async findDoubleRefund(db: Db, order: OrderRow): Promise<DoubleRefund | null> {
    const refunds = await store.listRefunds(db, order.id);
    if (refunds.every(({ withdrawnAt, txid }) => withdrawnAt === null || txid === null)) return null;
    const { outputs } = requireLedger(await this.#options.payments.readLedgers(db, [order.id]), order.id);
    const accepted = (await manual.listWriteOffs(db, order.id)).filter(({ kind }) => kind === 'paid-twice');
    return findDoubleRefund(refunds, {
      receivedSats: sumLiveSats(outputs),
      dueSats: order.settled_sats ?? order.due_sats,
      acceptedSats: sumSats(accepted.map(({ amountSats }) => amountSats)),
    });
  }
}

const sumLiveSats = (outputs: readonly { readonly isLive: boolean; readonly amountSats: Sats }[]): Sats =>
  outputs.length === 0 ? NO_SATS : sumSats(outputs.flatMap(({ isLive, amountSats }) => (isLive ? [amountSats] : [])));
