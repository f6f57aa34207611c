/** What a refund would take and return, for what decides on one. */
import type { Db } from '#src/platform/database/database.ts';
import { decideDebit } from './decide-debit.ts';
import type { DebitDecision, DebitProblem, RefundRequest } from './decide-debit.ts';
import { computeLineRefund } from './lines/line-refund.ts';
import type { LinesToRefund, RefundableOrder } from './lines/line-refund.ts';
import { NO_SATS } from '#src/shop/money.ts';
import { readRefundableOrder } from './lines/store.ts';
import type { RefundPositions } from './position.service.ts';
import type { RefundPosition } from './refundable.ts';
import { readReturnTerms } from './return-terms.service.ts';
import type { ReturnTermsOptions } from './return-terms.service.ts';
import type { ReturnTerms } from './return-value.ts';
import * as store from './store.ts';

export class RefundPreviews {
  readonly #db: Db;
  readonly #positions: RefundPositions;
  readonly #terms: ReturnTermsOptions;

  constructor(options: ReturnTermsOptions & { readonly db: Db }, positions: RefundPositions) {
    this.#db = options.db;
    this.#positions = positions;
    this.#terms = options;
  }

  /** The lines of an order with what refunds took of them. */
  readLines(orderId: string, db: Db = this.#db): Promise<RefundableOrder> {
    return readRefundableOrder(db, orderId);
  }

  /** What units and shipping cost less deductions, with tax, or why they can't be refunded. */
  async computeLines(
    orderId: string,
    lines: LinesToRefund,
    db: Db = this.#db,
  ): Promise<ReturnType<typeof computeLineRefund>> {
    return computeLineRefund(await readRefundableOrder(db, orderId), NO_SATS, lines);
  }

  /** What this refund would take now, or why it can't be made; null if there is no such order. */
  async decide(orderId: string, request: RefundRequest): Promise<DebitDecision | null> {
    return (await this.#readDecision(this.#db, orderId, request))?.decide() ?? null;
  }

  /**
   * Whether this refund can't be made because too little is left to be sent, or others took what it would return.
   * @param db the transaction of the caller: another connection may wait for its locks
   */
  async isTooLittle(orderId: string, request: RefundRequest, db: Db = this.#db): Promise<boolean> {
    const read = await this.#readDecision(db, orderId, request);
    if (read === null) return false;
    const reason = findReason(read.decide());
    return (
      reason === 'dust' ||
      (reason === 'nothing-to-refund' && findReason(read.decide({ debits: [] })) !== 'nothing-to-refund')
    );
  }

  /**
   * Whether enough of what this refund returns is left to be sent, wherever it is sent to. Refunds that are not sent yet
   * count as sent. The status of an order that is no longer refunded may not be reconciled yet.
   */
  async isLeft(orderId: string, request: RefundRequest, db: Db): Promise<boolean> {
    const read = await this.#readDecision(db, orderId, request);
    if (read === null) return false;
    const { order, debits: present } = read.position;
    const debits = present.map((debit) => (isOpenDebit(debit) ? { ...debit, state: 'confirmed' as const } : debit));
    const isStale = order.payment_status === 'refunded' && order.paid_at !== null;
    const position = { debits, ...(isStale && { order: { ...order, payment_status: 'paid' as const } }) };
    const reason = findReason(read.decide(position));
    // Without a fresh rate, the satoshis that paid for it decide.
    return isOnlyUnsendable(reason === 'no-rate' ? findReason(read.decide(position, IN_KIND)) : reason);
  }

  /** Decides with the position and terms of now, or with other ones. */
  async #readDecision(db: Db, orderId: string, request: RefundRequest) {
    const order = await store.findOrder(db, orderId);
    if (order === null) return null;
    const [position, lines, address] = [
      await this.#positions.read(db, order),
      await this.readLines(orderId, db),
      await this.#positions.findDestination(db, orderId),
    ];
    const decide = (other: Partial<RefundPosition> = {}, terms = readReturnTerms(this.#terms)): DebitDecision =>
      decideDebit(request, { ...position, ...other }, lines, { address, terms });
    return { position, decide };
  }
}

const IN_KIND: ReturnTerms = { method: 'kind', rate: null };

const isOpenDebit = ({ state }: RefundPosition['debits'][number]): boolean => state === 'made' || state === 'sent';

const findReason = (decided: DebitDecision): DebitProblem | null => (decided.ok ? null : decided.reason);

/** Whether a refund can be made, at least once its address is known. */
const isOnlyUnsendable = (reason: DebitProblem | null): boolean =>
  reason === null || reason === 'no-address' || reason === 'address-not-confirmed' || reason === 'address-waits';
