/** Mails of the simulated order: queued by events, composed when sent. */
import { sats } from '#src/shop/money.ts';
import { selectOrderMail } from '#src/shop/notifications/select-order-mail.ts';
import type { OrderMailKind } from '#src/shop/notifications/order-mail.ts';
import { writeOrderMail } from '#src/shop/notifications/order-mail.ts';
import type { OrderMailData } from '#src/shop/notifications/order-mail-parts.ts';
import { writeRefundMail, writeWrittenOffMail } from '#src/shop/notifications/refund-mail.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';
import { isMailStillTrue, selectRefundMail } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { RefundMail, RefundNoticeKind } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { OrderEvent, Refund, WriteOff } from './order-record.ts';
import { toMailInput } from './read-simulation.ts';
import type { OrderSimulation } from './order-simulation.ts';

export type QueuedMail =
  | {
      readonly of: 'order';
      readonly kind: OrderMailKind;
      readonly happened: OrderMailData['event'];
      readonly early: MailContents | null;
      /** Number of the parcel that the mail is about; 0 for none. */
      readonly parcel: number;
    }
  | { readonly of: 'refund'; readonly kind: RefundMail; readonly refund: Refund }
  | { readonly of: 'write-off'; readonly off: WriteOff };

export interface SentMail {
  readonly mail: QueuedMail;
  readonly words: MailContents;
}

const SHOP_URL = 'https://shop.test';

const parseSats = (text: unknown) => sats(typeof text === 'string' ? BigInt(text) : 0n);

export class MailQueue {
  readonly #queued: QueuedMail[] = [];
  readonly #known = new Set<string>();
  readonly #shop: OrderSimulation;
  /** Called with each mail when it is composed. */
  onSent: (sent: SentMail) => void = () => {};
  /** Whether the worker is stopped, so mails are composed later. */
  isHeld = false;

  constructor(shop: OrderSimulation) {
    this.#shop = shop;
  }

  /** Queues the mail of an order event. */
  take({ kind, at, details }: OrderEvent, earlier: readonly OrderEventKind[]): void {
    const amounts = {
      dueSats: parseSats(details['due_sats']),
      receivedSats: parseSats(details['received_sats']),
      beforeSats: parseSats(details['before_sats']),
    };
    const selected = selectOrderMail({ kind, at, ...amounts, earlier });
    if (selected === null || !this.#isNew(selected.deduplicationKey)) return;
    const { words } = details;
    const surplusSats = parseSats(details['surplus_sats']);
    const happened = { at, ...amounts, surplusSats, words: typeof words === 'string' ? words : '' };
    const isEarly = this.#shop.bug === 'a mail is composed when queued';
    const early = isEarly ? writeOrderMail(selected.mail, toMailInput(this.#shop, happened)) : null;
    const parcel = Number(details['shipment'] ?? 0);
    this.#queued.push({ of: 'order', kind: selected.mail, happened, early, parcel });
  }

  takeRefund(refund: Refund, kind: RefundNoticeKind): void {
    const mail = selectRefundMail(kind, refund);
    if (mail === null) return;
    const isByStaff = mail === 'recorded' || mail === 'undone';
    const change = isByStaff ? `${mail}-${this.#shop.now.getTime()}` : mail;
    if (this.#isNew(`${refund.id}.${change}`)) this.#queued.push({ of: 'refund', kind: mail, refund });
  }

  enqueueWriteOff(off: WriteOff): void {
    this.#queued.push({ of: 'write-off', off });
  }

  #isNew(change: string): boolean {
    const isNew = !this.#known.has(change);
    this.#known.add(change);
    return isNew;
  }

  /** Composes and sends queued mails. */
  dispatch(): void {
    if (this.isHeld) return;
    for (const mail of this.#queued.splice(0)) {
      const words = this.#shop.isDeleted ? null : this.#write(mail);
      if (words !== null) this.onSent({ mail, words });
    }
    this.#shop.books.issue();
  }

  /** The parcel of a mail, unless it was undone meanwhile. */
  #readParcel({ kind, parcel }: Extract<QueuedMail, { of: 'order' }>): Partial<OrderMailData> {
    const units = this.#shop.parcels[parcel - 1] ?? null;
    if (kind !== 'tracking-corrected' || units === null) return { isShipmentUndone: parcel > 0 && units === null };
    const items = [{ position: 0, name: 'Phone', quantity: units, serials: [] }];
    const tracking = { carrier: null, tracking_number: 'AB1', tracking_url: null };
    return { shipment: { number: parcel, shipped_at: this.#shop.now, ...tracking, items } };
  }

  #write(mail: QueuedMail): MailContents | null {
    const { order, bug } = this.#shop;
    const number = `CM-${order.number}`;
    const base = { username: 'ada', number, orderId: order.id };
    switch (mail.of) {
      case 'order':
        return (
          mail.early ??
          writeOrderMail(mail.kind, { ...toMailInput(this.#shop, mail.happened), ...this.#readParcel(mail) })
        );
      case 'refund': {
        const { kind, refund } = mail;
        const isSo = isMailStillTrue(kind, { ...refund, orderLoss: order.recorded_loss });
        if (!isSo && bug !== 'the mail of a withdrawn refund is sent') return null;
        const { amountSats, covers, txid } = refund;
        const units = refund.lines?.units.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
        const lines = refund.lines && {
          items: [{ name: 'Phone', quantity: units }],
          shipping: false,
          total_usd: refund.lines.totalCents,
        };
        const { rate, value } = refund.returns;
        const valued = { valueCents: value?.cents ?? null, rate: rate?.centsPerBtc ?? null, rateAt: rate?.at ?? null };
        const of = { covers, lines, amountSats, address: refund.script, txid, mail: kind, ...valued };
        return writeRefundMail({ ...base, ...of }, SHOP_URL);
      }
      case 'write-off': {
        const { amountSats, covers, reopenedAt } = mail.off;
        return reopenedAt === null ? writeWrittenOffMail({ ...base, amountSats, covers }, SHOP_URL) : null;
      }
      default:
        return mail satisfies never;
    }
  }
}
