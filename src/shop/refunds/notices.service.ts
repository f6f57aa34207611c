/** Order events and mails about refunds. */
import { createBip21Uri } from '#src/platform/bitcoin/bip21.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import { isRefundMail, isMailStillTrue, selectRefundMail } from './refund-mail-kinds.ts';
import type { RefundNoticeKind } from './refund-mail-kinds.ts';
import { formatCoveredLines } from './lines/format-covered-lines.ts';
import { listCoveredLines } from './lines/store.ts';
import type { CoveredLine } from './lines/store.ts';
import { showCoveredLines, showRefund } from './show-refund.ts';
import type { ShownRefund } from './show-refund.ts';
import * as store from './store.ts';
import type { RefundRow } from './store.ts';

/** Mail kind. Its content comes from `readMail`. */
export const REFUND_MAIL = 'refund';

export interface RefundNoticesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
  readonly shopSettings: OrderNumbers;
}

/** A refund as staff see it. */
export function presentRefund(
  refund: RefundRow,
  orderNumbers: OrderNumbers,
  covered: readonly CoveredLine[] = [],
): ShownRefund {
  const psbt = refund.psbt && Buffer.from(refund.psbt).toString('base64');
  const units = covered.filter(({ refundId }) => refundId === refund.id);
  return showRefund({ ...refund, psbt }, orderNumbers.formatOrderNumber(refund.number), createBip21Uri, units);
}

export class RefundNotices {
  readonly #options: RefundNoticesOptions;

  constructor(options: RefundNoticesOptions) {
    this.#options = options;
  }

  /**
   * Appends an order event for a refund and enqueues its mail. Returns the refund in its present
   * state.
   */
  async report(tx: Db, id: string, kind: RefundNoticeKind, more: object = {}): Promise<ShownRefund> {
    const { clock, mails, orders } = this.#options;
    const refund = await store.findRefund(tx, id);
    if (!refund) throw new Error('a refund that was just written is missing');
    const { amountReason, amountSats, covers, linesReason, rate, txid, valueCents } = refund;
    const at = clock.now();
    const lines = showCoveredLines(refund, await listCoveredLines(tx, [id]));
    const details = {
      refund_id: id,
      covers,
      amount_sats: String(amountSats),
      ...(lines && { lines: formatCoveredLines(lines), reason: linesReason }),
      ...(covers === 'amount' && { value_cents: String(valueCents), reason: amountReason }),
      ...(rate && { rate_cents_per_btc: String(rate) }),
      ...(txid && { txid }),
      ...more,
    };
    await orders.appendEvent(tx, refund.orderId, kind, at, details);
    const mail = selectRefundMail(kind, refund);
    if (mail) {
      // Staff can record and undo several times, so those mails carry the time. Others are sent
      // once.
      const suffix = mail === 'recorded' || mail === 'undone' ? `${mail}-${at.getTime()}` : mail;
      await mails.enqueue(tx, [{ kind: REFUND_MAIL, event: `refund.${id}.${suffix}`, data: { id, told: mail } }]);
    }
    return this.#present(tx, refund);
  }

  async #present(db: Db, refund: RefundRow): Promise<ShownRefund> {
    return presentRefund(refund, this.#options.shopSettings, await listCoveredLines(db, [refund.id]));
  }

  /** A refund as staff see it. */
  async read(tx: Db, id: string): Promise<ShownRefund> {
    const refund = await store.findRefund(tx, id);
    if (!refund) throw new Error('a refund that was just written is missing');
    return this.#present(tx, refund);
  }

  /** Content of a refund mail; null if it is no longer true or the account was deleted. */
  async readMail(id: string, mail: string) {
    if (!isRefundMail(mail)) throw new Error(`unknown refund mail "${mail}"`);
    const refund = await store.findRefund(this.#options.db, id);
    const isTrue = refund !== null && isMailStillTrue(mail, refund);
    const contact = refund && isTrue ? await this.#options.accounts.findContact(refund.userId) : null;
    if (refund === null || contact === null) return null;
    const lines = showCoveredLines(refund, await listCoveredLines(this.#options.db, [id]));
    const number = this.#options.shopSettings.formatOrderNumber(refund.number);
    return { ...refund, ...contact, number, mail, lines };
  }
}
