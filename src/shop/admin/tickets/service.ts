/** Tickets as staff work on them, with the orders of the customer. */
import type { Db } from '#src/platform/database/database.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import type { TicketDesk } from '#src/shop/support/tickets/desk.service.ts';
import { findCustomer, listOrders } from '../customers/store.ts';

const MAX_ORDERS = 5;

export interface TicketsAdminOptions {
  readonly db: Db;
  readonly ticketDesk: Pick<TicketDesk, 'find' | 'listNotes' | 'listStaffMembers'>;
  readonly shopSettings: OrderNumbers;
}

export class TicketsAdmin {
  readonly #options: TicketsAdminOptions;

  constructor(options: TicketsAdminOptions) {
    this.#options = options;
  }

  /** Null if it does not exist. */
  async find(id: string) {
    const { db, shopSettings, ticketDesk } = this.#options;
    const ticket = await ticketDesk.find(id);
    if (ticket === null) return null;
    const [notes, staff, customer, orders] = await Promise.all([
      ticketDesk.listNotes(id),
      ticketDesk.listStaffMembers(),
      findCustomer(db, ticket.user_id),
      listOrders(db, ticket.user_id, MAX_ORDERS),
    ]);
    const numbered = orders.map((order) => ({ ...order, number: shopSettings.formatOrderNumber(order.number) }));
    return { ticket, notes, staff, orders: numbered, is_customer_blocked: (customer?.blocked_at ?? null) !== null };
  }
}
