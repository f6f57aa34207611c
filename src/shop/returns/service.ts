/** What buyers do with returns of their orders. */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { ManualOrders } from '#src/shop/orders/manual/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import type { Refunds } from '#src/shop/refunds/service.ts';
import type { Tickets, TicketCreationResult } from '#src/shop/support/tickets/service.ts';
import * as handling from './handling.store.ts';
import type { OrderOfReturn, ReturnPatch } from './handling.store.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';
import { ReturnNotices } from './notices.service.ts';
import type { ReturnNoticesOptions } from './notices.service.ts';
import { countUnitsOwed } from './plan-refund.ts';
import { computeWarningLimit } from './refund-deadline.ts';
import { createReference } from './reference.service.ts';
import { readReturnAddress } from './return-address.ts';
import type { ReturnMail } from './return-mail-kinds.ts';
import { listActions } from './return-state.ts';
import type { ReturnAction } from './return-state.ts';
import { findExchangedOrder, findExchangeOrigin, listExchangeableLines } from './exchange.store.ts';
import type { ExchangedOrder } from './exchange.store.ts';
import { showExchangedOrder, showReturn, toPosition } from './show-return.service.ts';
import type { ShownReturn } from './show-return.service.ts';
import * as store from './store.ts';
import type { ReturnRow } from './store.ts';
import { isLeftAgain } from './too-little.service.ts';
import { listUnitsToRelease } from './units-to-release.ts';

const DAY_MS = 86_400_000;
const MAX_RETURNS_OF_ORDER = 50;

export interface ReturnsOptions extends ReturnNoticesOptions {
  readonly orders: ReturnNoticesOptions['orders'] & Pick<Orders, 'find'>;
  readonly tickets: Pick<Tickets, 'create'>;
  readonly refunds: Pick<Refunds, 'previews'>;
  /** Pictures and labels. */
  readonly files: {
    readonly erasePersonalData: (tx: Db, orderIds: readonly string[]) => Promise<void>;
    readonly deleteOld: (before: Date) => Promise<void>;
  };
  readonly manualOrders: Pick<ManualOrders, 'listVariantsOf'>;
  /** Called in the transaction that stores a return. */
  readonly onRequested: (tx: Db, id: string) => Promise<void>;
  /** Called in the transaction that marks returns whose deadline is near, with the hour. */
  readonly onDue: (tx: Db, hour: string) => Promise<void>;
}

/** The state of a return before it was closed. */
function findStateBefore({ inspectedAt, receivedAt, sentAt }: ReturnRow): ReturnState {
  if (inspectedAt !== null) return 'inspected';
  if (receivedAt !== null) return 'received';
  return sentAt === null ? 'approved' : 'in-transit';
}

interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}
const refuse = <Reason extends string>(reason: Reason): Refused<Reason> => ({ ok: false, reason });

export interface OwnReturn {
  readonly return: ShownReturn;
  readonly order_number: string;
  readonly return_address: string;
  readonly exchanged: ReturnType<typeof showExchangedOrder>;
}

export interface ReturnRequest {
  readonly cause: 'defect' | 'courtesy';
  readonly lines: readonly {
    readonly position: number;
    readonly quantity: number;
    readonly wanted_variant_id?: string | undefined;
  }[];
  readonly reason: string;
}

type Found<Reason extends string> = { readonly ok: true; readonly found: OwnReturn } | Refused<Reason | 'not-found'>;

export type TicketResult =
  | { readonly ok: true; readonly ticketId: string }
  | Refused<'not-found'>
  | Exclude<TicketCreationResult, { ok: true }>;

export class Returns {
  readonly #options: ReturnsOptions;
  readonly #db: Db;
  readonly #units = new ReturningUnitsService();
  readonly notices: ReturnNotices;

  constructor(options: ReturnsOptions) {
    this.#options = options;
    this.#db = options.db;
    this.notices = new ReturnNotices(options);
  }

  /** Null if the order does not exist or belongs to somebody else. */
  async listForOrder(userId: string, orderId: string) {
    const { clock, orders, shopSettings } = this.#options;
    if ((await orders.find(userId, orderId)) === null) return null;
    const [rows, lines, causes, origin] = await Promise.all([
      store.listReturnsOfOrder(this.#db, orderId),
      this.#units.list(this.#db, orderId),
      this.#listCauses(this.#db, orderId),
      findExchangeOrigin(this.#db, orderId),
    ]);
    const left = lines.filter(({ shipped }) => shipped > 0);
    const variants = left.length === 0 ? [] : await this.#listOtherVariants(this.#db, orderId);
    return {
      returns: rows.map((row) => showReturn(row, 'buyer', clock.now())),
      causes: left.length === 0 ? [] : [...causes],
      lines: left.map(({ name, position, shipped, values }) => ({
        position,
        name: formatLineName({ name, property_values: values }),
        quantity: shipped,
        variants: variants
          .filter((one) => one.position === position)
          .map((one) => ({ variant_id: one.id, name: one.name })),
      })),
      exchange_of: origin && {
        return_id: origin.returnId,
        reference: origin.reference,
        order_id: origin.orderId,
        order_number: shopSettings.formatOrderNumber(origin.number),
      },
    };
  }

  /** Other variants on sale of the products of an order, by line. */
  async #listOtherVariants(db: Db, orderId: string) {
    const lines = await listExchangeableLines(db, orderId);
    const products = [...new Set(lines.map(({ productId }) => productId))];
    const variants = await this.#options.manualOrders.listVariantsOf(db, products);
    return lines.flatMap(({ position, productId, variantId }) =>
      variants
        .filter(({ id, product_id: ofProduct }) => ofProduct === productId && id !== variantId)
        .map(({ id, sku, values }) => ({
          position,
          id,
          name: values.map(({ value }) => value).join(', ') || sku,
        })),
    );
  }

  /** A defect can be reported at any time; the other returns end some days after the last parcel. */
  async #listCauses(db: Db, orderId: string): Promise<readonly ('defect' | 'courtesy')[]> {
    const { clock, shopSettings } = this.#options;
    const shippedAt = await handling.findLastShippedAt(db, orderId);
    if (shippedAt === null) return [];
    const until = shippedAt.getTime() + shopSettings.current.returns.courtesy_days * DAY_MS;
    return clock.now().getTime() <= until ? ['defect', 'courtesy'] : ['defect'];
  }

  /** Takes the units, so that no other return has them. */
  async request(
    userId: string,
    orderId: string,
    { cause, lines, reason }: ReturnRequest,
  ): Promise<Found<'not-returnable' | 'too-many-units' | 'too-many' | 'not-on-sale'>> {
    const { clock, orders } = this.#options;
    if ((await orders.find(userId, orderId)) === null) return refuse('not-found');
    const id = uuidv7();
    const reference = createReference();
    const refused = await transact(this.#db, async (tx) => {
      await handling.lockOrder(tx, orderId);
      const left = await this.#units.list(tx, orderId);
      const isLeft = lines.every(({ position, quantity }) =>
        left.some((one) => one.position === position && one.shipped >= quantity),
      );
      if (!isLeft) return refuse('too-many-units');
      if (!(await this.#listCauses(tx, orderId)).includes(cause)) return refuse('not-returnable');
      if ((await handling.countReturnsOfOrder(tx, orderId)) >= MAX_RETURNS_OF_ORDER) return refuse('too-many');
      if (!(await this.#areOnSale(tx, orderId, lines))) return refuse('not-on-sale');
      const units = lines.map(({ wanted_variant_id: wantedVariantId = null, ...one }) => ({
        ...one,
        cancelled: 0,
        wantedVariantId,
      }));
      const stored = { id, reference, orderId, cause: cause satisfies ReturnCause, state: 'requested' as const };
      const requestedAt = clock.now();
      const undecided = { refundDueAt: null, decidedAt: null };
      await store.insertReturn(tx, { ...stored, requestedAt, reason, ...undecided, lines: units });
      await this.#units.take(tx, orderId, units);
      await this.notices.report(tx, { id, orderId, reference, version: 1 }, 'requested');
      await this.#options.onRequested(tx, id);
      return null;
    });
    return refused ?? this.#present(userId, id);
  }

  /** Whether all variants that the buyer wants are others of the same products. */
  async #areOnSale(tx: Db, orderId: string, lines: ReturnRequest['lines']): Promise<boolean> {
    const wanted = lines.filter((one) => one.wanted_variant_id !== undefined);
    if (wanted.length === 0) return true;
    const others = await this.#listOtherVariants(tx, orderId);
    return wanted.every(({ position, wanted_variant_id: variantId }) =>
      others.some(({ id, position: of }) => of === position && id === variantId),
    );
  }

  /** Null if the return does not exist or belongs to somebody else. */
  async find(userId: string, id: string): Promise<OwnReturn | null> {
    const [row, order, exchanged] = await Promise.all([
      store.findReturn(this.#db, id),
      handling.findOrderOfReturn(this.#db, id),
      findExchangedOrder(this.#db, id),
    ]);
    return row === null || order?.userId !== userId ? null : this.#show(row, order, exchanged);
  }

  #show(row: ReturnRow, { number }: OrderOfReturn, exchanged: ExchangedOrder | null): OwnReturn {
    const { clock, shopSettings } = this.#options;
    const { identity, returns } = shopSettings.current;
    return {
      return: showReturn(row, 'buyer', clock.now()),
      order_number: shopSettings.formatOrderNumber(number),
      return_address: readReturnAddress(returns, identity),
      exchanged: showExchangedOrder(exchanged, shopSettings),
    };
  }

  async #present(userId: string, id: string): Promise<{ readonly ok: true; readonly found: OwnReturn }> {
    const found = await this.find(userId, id);
    if (found === null) throw new Error('a return that was just written is missing');
    return { ok: true, found };
  }

  cancel(userId: string, id: string): Promise<Found<'not-possible'>> {
    return this.#step(userId, id, 'cancel', 'cancelled', async (tx, row, now) => {
      await this.#units.giveBack(tx, row.orderId, listUnitsToRelease(row, 'not-refunded'));
      return { state: 'closed', decided_at: row.decidedAt ?? now, closed_at: now, outcome: 'cancelled' };
    });
  }

  /** The deadline of the refund counts from now on. */
  markSent(userId: string, id: string, proof: string): Promise<Found<'not-possible'>> {
    return this.#step(userId, id, 'send', 'sent', (_tx, row, now) =>
      Promise.resolve({ state: 'in-transit', sent_at: row.sentAt ?? now, proof }),
    );
  }

  async #step(
    userId: string,
    id: string,
    action: ReturnAction,
    mail: ReturnMail,
    write: (tx: Db, row: ReturnRow, now: Date) => Promise<ReturnPatch>,
  ): Promise<Found<'not-possible'>> {
    if ((await this.find(userId, id)) === null) return refuse('not-found');
    const refused = await transact(this.#db, async (tx) => {
      const row = await handling.lockReturn(tx, id);
      if (row === null || !listActions(toPosition(row), 'buyer').includes(action)) return refuse('not-possible');
      const patch = await write(tx, row, this.#options.clock.now());
      if (patch.proof !== undefined && patch.proof === row.proof) return null;
      await handling.writeStep(tx, row, patch);
      await this.notices.report(tx, { ...row, version: row.version + 1 }, mail);
      return null;
    });
    return refused ?? this.#present(userId, id);
  }

  /** The return that a ticket is about; null if there is none, or it belongs to somebody else. */
  findOfTicket(userId: string, ticketId: string) {
    return handling.findReturnOfTicket(this.#db, userId, ticketId);
  }

  /** Opens the ticket of a return in the name of its buyer; a repeated call returns the first one. */
  async openTicket(userId: string, id: string, ip: string): Promise<TicketResult> {
    const found = await this.find(userId, id);
    if (found === null) return refuse('not-found');
    const { reference, ticket_id: existing } = found.return;
    if (existing !== null) return { ok: true, ticketId: existing };
    const draft = {
      title: `Return ${reference}`,
      theme: 'Return',
      description: `About return ${reference} of order ${found.order_number}.`,
    };
    const created = await this.#options.tickets.create(userId, draft, `return-${id}`, ip);
    if (!created.ok) return created;
    const ticketId = await transact(this.#db, (tx) => handling.linkTicket(tx, id, created.ticket.id));
    return { ok: true, ticketId: ticketId ?? created.ticket.id };
  }

  /**
   * Called in the transaction that withdraws a refund, which has a mail: the return that it closed is open again, as before.
   * The caller holds the row lock of the order.
   */
  async reopen(tx: Db, refundId: string): Promise<void> {
    const id = await handling.findReturnOfRefund(tx, refundId);
    const row = id === null ? null : await handling.lockReturn(tx, id);
    if (row === null) return;
    await this.#reopen(tx, row);
    const { clock, orders } = this.#options;
    const about = { return_id: row.id, words: row.reference };
    await orders.appendEvent(tx, row.orderId, 'return_reopened', clock.now(), about);
  }

  /**
   * Called in the transaction that changes the refunds of an order, after the change: closed withdrawals that are owed
   * again, since a refund that took their units or their price was given up, go on. The caller holds the row lock of the
   * order.
   */
  async reopenOwed(tx: Db, orderId: string): Promise<void> {
    for (const id of await handling.listClosedWithdrawals(tx, orderId)) {
      const row = await handling.lockReturn(tx, id);
      if (row === null || !(await this.#isOwed(tx, row))) continue;
      await this.#reopen(tx, row);
      // A mail said that nothing is left.
      await this.notices.report(tx, { ...row, version: row.version + 1 }, 'reopened');
    }
  }

  /** Whether the shop owes the price of a closed withdrawal. */
  async #isOwed(tx: Db, row: ReturnRow): Promise<boolean> {
    const state = findStateBefore(row);
    if (countUnitsOwed(state, row.lines) === 0) return false;
    return row.outcome !== 'too-little' || isLeftAgain(this.#options.refunds.previews, { ...row, state }, tx);
  }

  async #reopen(tx: Db, row: ReturnRow): Promise<void> {
    await handling.writeStep(tx, row, {
      state: findStateBefore(row),
      closed_at: null,
      outcome: null,
      refund_id: null,
      warned_at: null,
      // Nothing went back to the buyer before an inspection.
      is_sent_back_released: row.isReleased && row.inspectedAt !== null,
    });
  }

  // ---- deadlines, personal data

  /** Warns staff of deadlines that are near; of each return once. Called periodically. */
  async warnOfDeadlines(): Promise<void> {
    const { clock, onDue } = this.#options;
    const now = clock.now();
    await transact(this.#db, async (tx) => {
      const marked = await handling.markWarned(tx, now, computeWarningLimit(now));
      if (marked > 0) await onDue(tx, now.toISOString());
    });
  }

  /** Returns of an order. */
  async exportPersonalData(orderId: string): Promise<ShownReturn[]> {
    const rows = await store.listReturnsOfOrder(this.#db, orderId);
    return rows.map((row) => showReturn(row, 'buyer', this.#options.clock.now()));
  }

  /** Erases what the user wrote, pictures and labels. */
  async erasePersonalData(tx: Db, orderIds: readonly string[]): Promise<void> {
    await handling.eraseTextsOfOrders(tx, orderIds);
    await this.#options.files.erasePersonalData(tx, orderIds);
  }

  /** Erases texts and files of returns that ended before this moment. Called periodically. */
  async deleteOld(before: Date): Promise<void> {
    await handling.eraseTextsBefore(this.#db, before);
    await this.#options.files.deleteOld(before);
  }

  /** How many returns `deleteOld` would change, at most a limit. */
  countOld(before: Date, limit: number): Promise<number> {
    return handling.countTextsBefore(this.#db, before, limit);
  }
}
