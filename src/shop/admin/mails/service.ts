/** Mails to staff about tickets, messages, tasks, stock and paid orders. */
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail, MailLimit, Mails, MailToEnqueue, MailWriter, WrittenMail } from '#src/platform/mail/mails.ts';
import type { StaffMailKind } from '#src/shop/mail-kinds.ts';
import { v7 as uuidv7 } from 'uuid';
import { listTeam } from '#src/shop/accounts/team/service.ts';
import type { WebhookEndpoints } from '#src/shop/webhooks/endpoints/service.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { ContactInbox } from '#src/shop/support/contact/inbox.service.ts';
import { formatDecimalBtc } from '#src/shop/money.ts';
import { renderMail } from '#src/shop/notifications/render-mail.ts';
import { formatDate, formatZone } from '#src/shop/format.ts';
import type { Overview } from '../overview/service.ts';
import type { StaffTasks } from '../tasks/service.ts';
import { isTaskEvent } from '#src/shop/orders/order-events.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';
import type { Tickets } from '#src/shop/support/tickets/service.ts';
import type { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { isStaffTaskKind, isInformational } from '../tasks/staff-task.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { LowStock } from '#src/shop/inventory/low-stock/service.ts';
import { ReturnStaffMails } from './return-mails.service.ts';
import type { ReturnStaffMailsOptions } from './return-mails.service.ts';
import { writeLowStockMail } from './low-stock-mail.ts';
import { formatBtc, formatUsd } from '#src/shop/format-number.ts';
import type { PaidOrderMails } from '#src/shop/orders/desk/paid-order-mails.service.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { writePaidOrderMail, writePaidOrdersMail } from './paid-order-mail.ts';
import type { PaidOrderFacts } from './paid-order-mail.ts';
import type { ReportedHash } from '#src/shop/audit-log/service.ts';
import { writeAuditHashMail } from './audit-hash-mail.ts';
import { writeDisabledEndpointMail } from './disabled-endpoint-mail.ts';
import { writeContactMail, writeInboxMail, writeStaffTaskMail, writeTicketMail } from './staff-mail.ts';

export interface StaffMailsOptions extends ReturnStaffMailsOptions {
  readonly mails: Pick<Mails<StaffMailKind>, 'enqueue' | 'eraseContentOf'>;
  readonly tickets: Pick<Tickets, 'findForStaff'>;
  readonly inbox: Pick<ContactInbox, 'find'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly timeline: Pick<OrderTimeline, 'readForMail'>;
  readonly staffTasks: Pick<StaffTasks, 'find'>;
  readonly overview: Pick<Overview, 'readTodo'>;
  readonly db: Db;
  readonly catalogue: Pick<Catalogue, 'describeVariants'>;
  readonly lowStock: Pick<LowStock, 'listReported'>;
  readonly paidOrderMails: Pick<PaidOrderMails, 'collect' | 'listReported'>;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'find'>;
}

const TICKET = 'staff-ticket';
const CONTACT = 'staff-contact';
const INBOX = 'staff-inbox';
const ORDER = 'staff-order';
const LOW_STOCK = 'staff-low-stock';
const RETURN = 'staff-return';
const RETURNS = 'staff-returns';
const WITHDRAWAL = 'staff-withdrawal';
const PAID = 'staff-paid';
const PAID_ORDERS = 'staff-paid-orders';
const WEBHOOK = 'staff-webhook';
const AUDIT_HASH = 'staff-audit-hash';
/** Mails about tickets and contact messages an hour, whoever wrote them. */
const INBOX_MAILS = 30;
const INBOX_LIMIT: MailLimit = {
  counter: {
    name: 'staff mails about tickets and messages',
    limit: { points: INBOX_MAILS, seconds: 3_600, by: 'caller', isShared: true },
    key: 'all',
  },
  summarise: (until) => {
    // The end of one limit differs by a second between its mails.
    const hour = Math.round(until.getTime() / 3_600_000);
    return { kind: INBOX, event: formatEventKey(INBOX, String(hour)), data: { until: until.toISOString() } };
  },
};
/** Further paid orders are counted only. */
const PAID_ORDER_LINES = 50;
/** Further variants are counted only. */
const LOW_STOCK_LINES = 50;
/** An event of an order’s timeline. */
interface OrderEvent {
  readonly order_id: string;
  readonly kind: StoredEventKind;
  readonly at: Date;
}
const formatEventKey = (kind: StaffMailKind, id: string): string => `${kind}.${id}`;

export class StaffMails {
  readonly #options: StaffMailsOptions;
  readonly #returnMails: ReturnStaffMails;

  /** Writers of the enqueued mails. */
  readonly writers: Readonly<Record<StaffMailKind, MailWriter>> = {
    [TICKET]: (data) => this.#writeOfTicket(data),
    [CONTACT]: (data) => this.#writeOfMessage(data),
    [INBOX]: (data) => this.#writeOfInbox(data),
    [ORDER]: (data) => this.#writeOfOrder(data),
    [LOW_STOCK]: (data) => this.#writeOfLowStock(data),
    [RETURN]: (data) => this.#returnMails.writeOfReturn(data),
    [RETURNS]: () => this.#returnMails.writeOfReturns(),
    [WITHDRAWAL]: (data) => this.#writeOfWithdrawal(data),
    [PAID]: (data) => this.#writeOfPaidOrder(data),
    [PAID_ORDERS]: (data) => this.#writeOfPaidOrders(data),
    [WEBHOOK]: (data) => this.#writeOfEndpoint(data),
    [AUDIT_HASH]: (data) => this.#writeOfAuditHash(data),
  };

  constructor(options: StaffMailsOptions) {
    this.#options = options;
    this.#returnMails = new ReturnStaffMails(options);
  }

  /** Called in the transaction that creates the ticket. */
  enqueueTicketMail(tx: Db, ticketId: string): Promise<void> {
    return this.#enqueue(tx, TICKET, ticketId);
  }

  /** Called in the transaction that stores the message. */
  enqueueContactMail(tx: Db, messageId: string): Promise<void> {
    return this.#enqueue(tx, CONTACT, messageId);
  }

  /** Called in the transaction that marks variants as reported, with the day. */
  enqueueLowStockMail(tx: Db, day: string): Promise<void> {
    return this.#enqueue(tx, LOW_STOCK, day);
  }

  /** Called in the transaction that stores the return. */
  enqueueReturnMail(tx: Db, returnId: string): Promise<void> {
    return this.#enqueue(tx, RETURN, returnId);
  }

  /** Called in the transaction that finds no order for the statement. */
  enqueueWithdrawalMail(tx: Db, statementId: string): Promise<void> {
    return this.#enqueue(tx, WITHDRAWAL, statementId);
  }

  /** Called in the transaction that marks returns whose deadline is near, with the moment. */
  enqueueReturnsMail(tx: Db, moment: string): Promise<void> {
    return this.#enqueue(tx, RETURNS, moment);
  }

  /**
   * Called in the transaction that claims these events. Enqueues a mail for each staff task; the
   * same task with the same start is mailed once.
   */
  async enqueueTaskMails(tx: Db, events: readonly OrderEvent[]): Promise<void> {
    const { getSupportEmail, mails, staffTasks } = this.#options;
    const taskEvents = events.filter(({ kind }) => isTaskEvent(kind));
    if (getSupportEmail() === null || taskEvents.length === 0) return;
    const ordersWithTask = await staffTasks.find(tx, [...new Set(taskEvents.map(({ order_id: id }) => id))]);
    const staffMails = ordersWithTask.flatMap(({ id, attention: { kind, since } }): MailToEnqueue<StaffMailKind>[] => {
      // Each withdrawal has a mail of its own.
      if (isInformational(kind) || kind === 'withdrawal') return [];
      // A confirmed refund address is mailed in addition to the task itself.
      const confirmed = taskEvents.find((one) => one.order_id === id && one.kind === 'refund_address_confirmed');
      const deduplicationKey = confirmed ? `${kind}-address-${confirmed.at.getTime()}` : `${kind}-${since.getTime()}`;
      return [{ kind: ORDER, event: formatEventKey(ORDER, `${id}.${deduplicationKey}`), data: { id, need: kind } }];
    });
    await mails.enqueue(tx, staffMails);
  }

  /** Called in the transaction that claims these events. An order is mailed once. */
  async enqueuePaidMails(tx: Db, events: readonly OrderEvent[]): Promise<void> {
    const { getSupportEmail, mails, paidOrderMails } = this.#options;
    if (getSupportEmail() === null) return;
    const paid = await paidOrderMails.collect(tx, events);
    await mails.enqueue(
      tx,
      paid.map((id) => ({ kind: PAID, event: formatEventKey(PAID, id), data: { id } })),
    );
  }

  /** Called in the transaction that assigns paid orders to an hourly mail. */
  enqueuePaidOrdersMail(tx: Db, digestId: string): Promise<void> {
    return this.#enqueue(tx, PAID_ORDERS, digestId);
  }

  /** Called in the transaction that disables an endpoint. Each owner gets a mail. */
  async enqueueWebhookMails(tx: Db, id: string, because: 'failing' | 'gone'): Promise<void> {
    const owners = (await listTeam(tx)).filter(({ role }) => role === 'owner');
    const changeId = uuidv7();
    const toMail = ({ id: userId }: { readonly id: string }): MailToEnqueue<StaffMailKind> => ({
      kind: WEBHOOK,
      event: formatEventKey(WEBHOOK, `${changeId}.${userId}`),
      data: { id, userId, because },
    });
    await this.#options.mails.enqueue(tx, owners.map(toMail));
  }

  /** Called in the transaction that reports the hash. Each owner gets a mail. */
  async enqueueAuditHashMails(tx: Db, { entryId, hash }: ReportedHash): Promise<void> {
    const owners = (await listTeam(tx)).filter(({ role }) => role === 'owner');
    const toMail = ({ id: userId }: { readonly id: string }): MailToEnqueue<StaffMailKind> => ({
      kind: AUDIT_HASH,
      event: formatEventKey(AUDIT_HASH, `${entryId}.${userId}`),
      data: { userId, entryId: String(entryId), hash },
    });
    await this.#options.mails.enqueue(tx, owners.map(toMail));
  }

  /**
   * Erases the content of staff mails about these tickets and messages, in the transaction that
   * deletes them.
   */
  async erase(
    tx: Db,
    ids: { readonly tickets: readonly string[] } | { readonly messages: readonly string[] },
  ): Promise<void> {
    const events =
      'tickets' in ids
        ? ids.tickets.map((id) => formatEventKey(TICKET, id))
        : ids.messages.map((id) => formatEventKey(CONTACT, id));
    await this.#options.mails.eraseContentOf(tx, events);
  }

  async #enqueue(tx: Db, kind: StaffMailKind, id: string): Promise<void> {
    const { mails, getSupportEmail } = this.#options;
    if (getSupportEmail() !== null) await mails.enqueue(tx, [{ kind, event: formatEventKey(kind, id), data: { id } }]);
  }

  async #writeOfTicket({ id = '' }: JobData): Promise<WrittenMail | null> {
    const { accounts, frame, getSupportEmail, tickets } = this.#options;
    const supportEmail = getSupportEmail();
    const ticket = await tickets.findForStaff(id);
    const user = ticket && (await accounts.findContact(ticket.user_id));
    if (!user || supportEmail === null) return null;
    return {
      to: supportEmail,
      limit: INBOX_LIMIT,
      ...renderMail(writeTicketMail({ ...user, ...ticket, url: `${frame.shopUrl}/admin/tickets/${id}` }), frame),
    };
  }

  async #writeOfInbox({ until = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail, overview, shopSettings } = this.#options;
    const supportEmail = getSupportEmail();
    if (supportEmail === null) return null;
    const { tickets, new_messages: messages, withdrawals } = await overview.readTodo();
    const { timeZone } = shopSettings;
    const facts = {
      limit: INBOX_MAILS,
      until: `${formatDate(until, 'moment', timeZone)} (${formatZone(timeZone)})`,
      tickets,
      messages,
      withdrawals,
      url: `${frame.shopUrl}/admin`,
    };
    return { to: supportEmail, ...renderMail(writeInboxMail(facts), frame) };
  }

  async #writeOfOrder({ id = '', need = '' }: JobData): Promise<Mail | null> {
    const { accounts, frame, getSupportEmail, timeline } = this.#options;
    const supportEmail = getSupportEmail();
    const found = await timeline.readForMail(id);
    const contact = found && (await accounts.findContact(found.userId));
    if (!found || !contact || supportEmail === null || !isStaffTaskKind(need)) return null;
    const { number, payment } = found.order;
    const facts = {
      number,
      need,
      ...contact,
      dueBtc: formatDecimalBtc(payment.amount_btc),
      receivedBtc: formatDecimalBtc(payment.received_btc),
      url: `${frame.shopUrl}/admin/orders/${id}`,
    };
    return { to: supportEmail, ...renderMail(writeStaffTaskMail(facts), frame) };
  }

  async #writeOfLowStock({ id: day = '' }: JobData): Promise<Mail | null> {
    const { catalogue, db, frame, getSupportEmail, lowStock } = this.#options;
    const supportEmail = getSupportEmail();
    const { variants, total } = await lowStock.listReported(day, LOW_STOCK_LINES);
    if (total === 0 || supportEmail === null) return null;
    const described = await catalogue.describeVariants(
      db,
      variants.map(({ variantId }) => variantId),
    );
    const lines = variants.flatMap(({ variantId, available }) => {
      const variant = described.get(variantId);
      return variant === undefined ? [] : { name: variant.name, sku: variant.sku, available };
    });
    const url = `${frame.shopUrl}/admin/inventory?show=low`;
    return { to: supportEmail, ...renderMail(writeLowStockMail({ variants: lines, total, url }), frame) };
  }

  /** Anybody can make a statement, so it counts like a message. */
  async #writeOfWithdrawal(data: JobData): Promise<WrittenMail | null> {
    const mail = await this.#returnMails.writeOfWithdrawal(data);
    return mail && { ...mail, limit: INBOX_LIMIT };
  }

  async #readPaidOrder(id: string): Promise<PaidOrderFacts | null> {
    const { frame, timeline } = this.#options;
    const { order } = (await timeline.readForMail(id)) ?? { order: null };
    // Refunded or lost by now: staff tasks cover it.
    if (order === null || order.payment_status !== 'paid') return null;
    return {
      number: order.number,
      totalUsd: formatUsd(order.total_usd_after),
      totalBtc: formatBtc(order.total_btc_after),
      units: order.order_items.reduce((sum, { quantity }) => sum + quantity, 0),
      country: findCountryName(order.billing.country) ?? order.billing.country,
      url: `${frame.shopUrl}/admin/orders/${id}`,
    };
  }

  async #writeOfPaidOrder({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail } = this.#options;
    const [supportEmail, order] = [getSupportEmail(), await this.#readPaidOrder(id)];
    if (order === null || supportEmail === null) return null;
    return { to: supportEmail, ...renderMail(writePaidOrderMail(order), frame) };
  }

  async #writeOfPaidOrders({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail, paidOrderMails } = this.#options;
    const supportEmail = getSupportEmail();
    const { ids, total } = await paidOrderMails.listReported(id, PAID_ORDER_LINES);
    const orders: PaidOrderFacts[] = [];
    for (const one of ids) {
      const order = await this.#readPaidOrder(one);
      if (order !== null) orders.push(order);
    }
    if (orders.length === 0 || supportEmail === null) return null;
    const data = {
      orders,
      total: total - (ids.length - orders.length),
      url: `${frame.shopUrl}/admin/orders?queue=to-ship`,
    };
    return { to: supportEmail, ...renderMail(writePaidOrdersMail(data), frame) };
  }

  async #writeOfEndpoint({ id = '', userId = '', because }: JobData): Promise<Mail | null> {
    const { accounts, frame, webhookEndpoints } = this.#options;
    const [endpoint, owner] = await Promise.all([webhookEndpoints.find(id), accounts.findContact(userId)]);
    if (endpoint === null || owner === null || endpoint.state === 'enabled') return null;
    const pageUrl = `${frame.shopUrl}/admin/webhooks/${id}`;
    const contents = writeDisabledEndpointMail({
      url: endpoint.url,
      because: because === 'gone' ? 'gone' : 'failing',
      pageUrl,
    });
    return { to: owner.email, isUnconfirmed: !owner.isConfirmed, ...renderMail(contents, frame) };
  }

  async #writeOfAuditHash({ userId = '', entryId = '', hash = '' }: JobData): Promise<Mail | null> {
    const { accounts, frame } = this.#options;
    const owner = await accounts.findContact(userId);
    if (owner === null) return null;
    const contents = writeAuditHashMail({ entryId: Number(entryId), hash });
    return { to: owner.email, isUnconfirmed: !owner.isConfirmed, ...renderMail(contents, frame) };
  }

  async #writeOfMessage({ id = '' }: JobData): Promise<WrittenMail | null> {
    const { frame, getSupportEmail, inbox } = this.#options;
    const supportEmail = getSupportEmail();
    const message = await inbox.find(id);
    if (!message || supportEmail === null) return null;
    return {
      to: supportEmail,
      limit: INBOX_LIMIT,
      ...renderMail(writeContactMail({ ...message, url: `${frame.shopUrl}/admin/messages/${id}` }), frame),
    };
  }
}
