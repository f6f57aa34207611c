/** Order events and mails about returns. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { findExchangedOrder } from './exchange.store.ts';
import { findOrderOfReturn } from './handling.store.ts';
import { isMailStillTrue, isReturnMail } from './return-mail-kinds.ts';
import type { ReturnMail } from './return-mail-kinds.ts';
import { readReturnAddress } from './return-address.ts';
import { showExchangedOrder } from './show-return.service.ts';
import { findReturn } from './store.ts';

/** Mail kind. Its content comes from `readMail`. */
export const RETURN_MAIL = 'return';

export interface ReturnNoticesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly shopSettings: Pick<ShopSettings, 'current' | 'formatOrderNumber'>;
}

type ReturnEventKind = Extract<OrderEventKind, `return_${string}`>;

const RETURN_EVENTS: Readonly<Record<ReturnMail, ReturnEventKind>> = {
  requested: 'return_requested',
  approved: 'return_approved',
  label: 'return_label_added',
  refused: 'return_refused',
  cancelled: 'return_cancelled',
  sent: 'return_sent',
  received: 'return_received',
  inspected: 'return_inspected',
  refunded: 'return_refunded',
  exchanged: 'return_exchanged',
  closed: 'return_closed',
  reopened: 'return_reopened',
  voided: 'return_voided',
};

export class ReturnNotices {
  readonly #options: ReturnNoticesOptions;

  constructor(options: ReturnNoticesOptions) {
    this.#options = options;
  }

  /** Appends the event of a step and enqueues its mail, in the transaction of the step. */
  async report(
    tx: Db,
    { id, orderId, reference, version }: { id: string; orderId: string; reference: string; version: number },
    step: ReturnMail,
    by?: string | null,
  ): Promise<void> {
    const { clock, mails, orders } = this.#options;
    await orders.appendEvent(tx, orderId, RETURN_EVENTS[step], clock.now(), {
      return_id: id,
      words: reference,
      ...(typeof by === 'string' && { by }),
    });
    await mails.enqueue(tx, [{ kind: RETURN_MAIL, event: `return.${id}.${step}-${version}`, data: { id, step } }]);
  }

  /** Content of a mail about a return; null if it is no longer true or the account was deleted. */
  async readMail(id: string, mail: string) {
    const { accounts, db, shopSettings } = this.#options;
    if (!isReturnMail(mail)) throw new Error(`unknown return mail "${mail}"`);
    const [found, order] = await Promise.all([findReturn(db, id), findOrderOfReturn(db, id)]);
    if (found === null || order === null) return null;
    const hasLabel = found.label !== null || found.labelUrl !== null;
    if (!isMailStillTrue(mail, { ...found, hasLabel })) return null;
    const contact = await accounts.findContact(order.userId);
    if (contact === null) return null;
    const { identity, returns } = shopSettings.current;
    const exchanged = mail === 'exchanged' ? await findExchangedOrder(db, id) : null;
    return {
      ...found,
      ...contact,
      mail,
      number: shopSettings.formatOrderNumber(order.number),
      returnAddress: readReturnAddress(returns, identity),
      exchanged: showExchangedOrder(exchanged, shopSettings),
    };
  }
}
