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
    return (await this.#decideOn(orderId, request))?.decided ?? null;
  }

  /** Whether this refund can't be made because others took what it would return. */
  async isTaken(orderId: string, request: RefundRequest): Promise<boolean> {
    const found = await this.#decideOn(orderId, request);
    return found !== null && isNothing(found.decided) && !isNothing(found.withoutOthers());
  }

  async #decideOn(orderId: string, request: RefundRequest) {
    const order = await store.findOrder(this.#db, orderId);
    if (order === null) return null;
    const [position, lines, address] = await Promise.all([
      this.#positions.read(this.#db, order),
      this.readLines(orderId),
      this.#positions.findDestination(this.#db, orderId),
    ]);
    const decide = (debits: RefundPosition['debits']): DebitDecision =>
      decideDebit(request, { ...position, debits }, lines, { address, terms: readReturnTerms(this.#terms) });
    return { decided: decide(position.debits), withoutOthers: () => decide([]) };
  }
}

const isNothing = (decided: DebitDecision): boolean => !decided.ok && decided.reason === 'nothing-to-refund';
