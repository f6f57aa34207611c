/** Credits what units of an order cost to another order of the same buyer, as an exchange does. No bitcoin moves. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { computeCredit } from './compute-credit.ts';
import { decideDebit } from './decide-debit.ts';
import type { DebitDecision, DebitProblem, LinesRequest } from './decide-debit.ts';
import { readRefundableOrder } from './lines/store.ts';
import type { ManualRefunds } from './manual/service.ts';
import * as manual from './manual/store.ts';
import type { RefundMatching } from './matching.service.ts';
import type { RefundPositions } from './position.service.ts';
import { readReturnTerms } from './return-terms.service.ts';
import type { ReturnTermsOptions } from './return-terms.service.ts';
import { convertToCents } from './return-value.ts';
import type { ReturnTerms } from './return-value.ts';
import * as store from './store.ts';

export interface RefundCreditsOptions extends ReturnTermsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly payments: Pick<Payments, 'readLedgers' | 'watchRefunds' | 'creditOrder'>;
  readonly orderStatus: Pick<OrderStatus, 'reconcile'>;
}

export interface CreditRequest {
  /** The order whose units are credited. */
  readonly orderId: string;
  readonly lines: LinesRequest;
  /** The order that the credit pays: new, of the same buyer, and not paid yet. */
  readonly toOrderId: string;
  /** Staff checked the wallet for refunds sent before a backup was restored. */
  readonly isChecked?: boolean | undefined;
}

export type CreditResult =
  | { readonly ok: true; readonly refundId: string; readonly creditSats: Sats }
  | { readonly ok: false; readonly reason: DebitProblem | 'check-wallet' };

export class RefundCredits {
  readonly #options: RefundCreditsOptions;
  readonly #positions: RefundPositions;
  readonly #matching: RefundMatching;
  readonly #manual: ManualRefunds;

  constructor(
    options: RefundCreditsOptions,
    parts: { readonly positions: RefundPositions; readonly matching: RefundMatching; readonly manual: ManualRefunds },
  ) {
    this.#options = options;
    this.#positions = parts.positions;
    this.#matching = parts.matching;
    this.#manual = parts.manual;
  }

  /** What units are worth as a credit now, in dollars, or why they can't be credited. */
  async preview(
    orderId: string,
    lines: LinesRequest,
  ): Promise<{ readonly ok: true; readonly cents: Cents } | Extract<CreditResult, { ok: false }>> {
    const { db } = this.#options;
    const order = await store.findOrder(db, orderId);
    if (order === null) throw new Error(`order ${orderId} does not exist`);
    const terms = readReturnTerms(this.#options);
    const decided = await this.#decide(db, order, lines, terms);
    if (!decided.ok) return decided;
    if (terms.rate === null) return { ok: false, reason: 'no-rate' };
    const { fullSats, method, value } = decided.returns;
    const isByValue = method === 'value' && value !== null;
    return { ok: true, cents: isByValue ? value.cents : convertToCents(fullSats, terms.rate.centsPerBtc) };
  }

  /** A credit needs no address. */
  async #decide(db: Db, order: store.OrderRow, lines: LinesRequest, terms: ReturnTerms): Promise<DebitDecision> {
    return decideDebit(
      { covers: 'lines', lines },
      await this.#positions.read(db, order),
      await readRefundableOrder(db, order.id),
      { address: { status: 'confirmed', dustSats: 1n }, terms },
    );
  }

  /**
   * Refunds units to another order, at the rate of that order. Both orders are reconciled, so the other one is paid if
   * the credit covers it. The refund is final: it can't be withdrawn.
   * The caller holds the row lock of the first order, created the second one in the same transaction, and rolls back
   * if this is refused.
   */
  async credit(tx: Db, by: StaffActor, { isChecked, lines, orderId, toOrderId }: CreditRequest): Promise<CreditResult> {
    const { clock, orderStatus, orders, payments } = this.#options;
    const [order, target] = [await store.findOrder(tx, orderId), await store.findOrder(tx, toOrderId)];
    if (order === null || target === null) throw new Error('an order of an exchange is missing');
    if (isChecked !== true && (await this.#manual.isPossiblyForgotten(tx, order)))
      return { ok: false, reason: 'check-wallet' };
    const shown = readReturnTerms(this.#options);
    // One rate, so that units of the same price pay for each other.
    const rate = shown.rate && { ...shown.rate, centsPerBtc: target.rate_cents_per_btc };
    const decided = await this.#decide(tx, order, lines, { ...shown, rate });
    if (!decided.ok) return decided;
    const returns = computeCredit(decided.returns, {
      totalCents: target.total_after_cents,
      dueSats: target.due_sats,
    });
    const { ledgers } = await payments.readLedgers(tx, [toOrderId]);
    const address = ledgers.get(toOrderId)?.address;
    if (address === undefined) throw new Error(`order ${toOrderId} has no address`);
    const at = clock.now();
    const id = uuidv7();
    const isLeft = await manual.insertSentElsewhere(tx, {
      ...decided,
      returns,
      id,
      orderId,
      covers: 'lines',
      amountSats: returns.fullSats,
      scriptId: await payments.watchRefunds(tx, address),
      // It stands for the transaction that there is not.
      txid: createHash('sha256').update(`credit of refund ${id}`).digest('hex'),
      creditedOrderId: toOrderId,
      reason: lines.reason,
      madeBy: by.userId,
      madeAt: at,
    });
    if (!isLeft) throw new Error('a locked order has less left than was decided');
    await payments.creditOrder(tx, { orderId: toOrderId, refundId: id, amountSats: returns.fullSats, at });
    await orders.appendEvent(tx, toOrderId, 'exchange_credited', at, { amount_sats: String(returns.fullSats) });
    await this.#matching.updateOrder(tx, orderId);
    await orderStatus.reconcile(tx, [orderId, toOrderId]);
    return { ok: true, refundId: id, creditSats: returns.fullSats };
  }
}
