/** What is told of refunds: in the timelines of their orders, and by mail. */
import { createBip21Uri } from '#src/platform/bitcoin/bip21.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { OrderEventKind } from '#src/shop/orders/kinds.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import { findAddress } from './addresses/store.ts';
import type { RefundEventKind } from './matching/match-refunds.ts';
import { isRefundMail, isMailStillTrue } from './refund-mail-kinds.ts';
import type { RefundMail } from './refund-mail-kinds.ts';
import { showRefund } from './show-refund.ts';
import type { ShownRefund } from './show-refund.ts';
import * as store from './store.ts';
import type { RefundRow } from './store.ts';

/** The mail that is enqueued here; who writes it asks `toTell`. */
export const REFUND_MAIL = 'refund';

export interface RefundNoticesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
}

type Kind =
  | RefundEventKind
  | Extract<OrderEventKind, 'refund_made' | 'refund_withdrawn' | 'refund_recorded' | 'refund_record_undone'>;

/** That it is on its way, that it has arrived, that we say so, or that we said so by mistake. */
function selectMail(kind: Kind, { state }: RefundRow): RefundMail | null {
  if (kind === 'refund_made') return 'made';
  if (kind === 'refund_recorded') return 'recorded';
  if (kind === 'refund_record_undone') return 'undone';
  return state === 'confirmed' ? 'confirmed' : null;
}

/** A refund as staff see it. */
export function presentRefund(refund: RefundRow): ShownRefund {
  const psbt = refund.psbt && Buffer.from(refund.psbt).toString('base64');
  return showRefund({ ...refund, psbt }, createBip21Uri);
}

export class RefundNotices {
  readonly #options: RefundNoticesOptions;

  constructor(options: RefundNoticesOptions) {
    this.#options = options;
  }

  /** Appends to the timeline of a refund's order, enqueues the mail that tells of it, answers the refund as it is now. */
  async report(tx: Db, id: string, kind: Kind, more: object = {}): Promise<ShownRefund> {
    const { clock, mails, orders } = this.#options;
    const refund = await store.findRefund(tx, id);
    if (!refund) throw new Error('a refund that was written is not there');
    const { amountSats, covers, txid } = refund;
    const at = clock.now();
    const details = { refund_id: id, covers, amount_sats: String(amountSats), ...(txid && { txid }), ...more };
    await orders.appendEvent(tx, refund.orderId, kind, at, details);
    const told = selectMail(kind, refund);
    if (told) {
      // Staff's word can be taken back and given again; what the chain says is told once.
      const occasion = told === 'recorded' || told === 'undone' ? `${told}-${at.getTime()}` : told;
      await mails.enqueue(tx, [{ kind: REFUND_MAIL, event: `refund.${id}.${occasion}`, data: { id, told } }]);
    }
    return presentRefund(refund);
  }

  /** A refund as staff see it. */
  async read(tx: Db, id: string): Promise<ShownRefund> {
    const refund = await store.findRefund(tx, id);
    if (!refund) throw new Error('a refund that was written is not there');
    return presentRefund(refund);
  }

  /** What a mail says of a refund; null when there is nobody to tell, or it has come otherwise. */
  async readMail(id: string, told: string) {
    if (!isRefundMail(told)) throw new Error(`there is no mail "${told}" of a refund`);
    const refund = await store.findRefund(this.#options.db, id);
    const isSo = refund !== null && isMailStillTrue(told, refund);
    const contact = refund && isSo ? await this.#options.accounts.findContact(refund.userId) : null;
    return refund && contact && { ...refund, ...contact, number: formatOrderNumber(refund.number), told };
  }

  /** What the buyer of an order is handed out: where money was to go back, and what did. */
  async exportPersonalData(orderId: string) {
    const named = await findAddress(this.#options.db, orderId);
    const refunds = await store.listRefunds(this.#options.db, orderId);
    return {
      refund_address: named?.address ?? null,
      refund_address_confirmed: (named?.confirmedAt ?? null) !== null,
      refunds: refunds.map(presentRefund),
    };
  }
}
