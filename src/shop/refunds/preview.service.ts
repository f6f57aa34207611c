/** What a refund would take and return, for what decides on one. */
import type { Db } from '#src/platform/database/database.ts';
import { decideDebit } from './decide-debit.ts';
import type { DebitDecision, RefundRequest } from './decide-debit.ts';
import { computeLineRefund } from './lines/line-refund.ts';
import type { LinesToRefund, RefundableOrder } from './lines/line-refund.ts';
import { NO_SATS } from '#src/shop/money.ts';
import { readRefundableOrder } from './lines/store.ts';
import type { RefundPositions } from './position.service.ts';
import type { RefundPosition } from './refundable.ts';
import { readReturnTerms } from './return-terms.service.ts';
import type { ReturnTermsOptions } from './return-terms.service.ts';
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
    const decide = await this.#readDecision(orderId, request);
    return decide && decide(null);
  }

  /** Whether this refund can't be made because too little is left to be sent, or others took what it would return. */
  async isTooLittle(orderId: string, request: RefundRequest): Promise<boolean> {
    const decide = await this.#readDecision(orderId, request);
    if (decide === null) return false;
    const reason = findReason(decide(null));
    return reason === 'dust' || (reason === 'nothing-to-refund' && findReason(decide([])) !== 'nothing-to-refund');
  }

  /** Decides with the debits of the order, or with other ones. */
  async #readDecision(orderId: string, request: RefundRequest) {
    const order = await store.findOrder(this.#db, orderId);
    if (order === null) return null;
    const [position, lines, address] = await Promise.all([
      this.#positions.read(this.#db, order),
      this.readLines(orderId),
      this.#positions.findDestination(this.#db, orderId),
    ]);
    return (debits: RefundPosition['debits'] | null): DebitDecision =>
      decideDebit(request, { ...position, debits: debits ?? position.debits }, lines, {
        address,
        terms: readReturnTerms(this.#terms),
      });
  }
}

const findReason = (decided: DebitDecision) => (decided.ok ? null : decided.reason);
