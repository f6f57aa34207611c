/** A customer with orders, tickets, reviews and sessions. */
import type { Customers } from '#src/shop/accounts/customers/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import type { OrderList } from '#src/shop/orders/list/service.ts';
import type { Reviews } from '#src/shop/reviews/service.ts';
import type { TicketDesk } from '#src/shop/support/tickets/desk.service.ts';

/** The newest of each list. */
const MAX_ROWS = 50;

export interface CustomerPagesOptions {
  readonly customers: Pick<Customers, 'find'>;
  readonly orderList: Pick<OrderList, 'listOfCustomer'>;
  readonly profile: Pick<Profile, 'listSessions'>;
  readonly reviews: Pick<Reviews, 'listOfCustomer'>;
  readonly ticketDesk: Pick<TicketDesk, 'listOfCustomer'>;
}

export class CustomerPages {
  readonly #options: CustomerPagesOptions;

  constructor(options: CustomerPagesOptions) {
    this.#options = options;
  }

  /** Null for an unknown or deleted account, and for one of the team. */
  async find(id: string) {
    const { customers, orderList, profile, reviews: reviewed, ticketDesk } = this.#options;
    const [customer, orders, tickets, reviews, sessions] = await Promise.all([
      customers.find(id),
      orderList.listOfCustomer(id, MAX_ROWS),
      ticketDesk.listOfCustomer(id, MAX_ROWS),
      reviewed.listOfCustomer(id, MAX_ROWS),
      profile.listSessions({ userId: id, sessionId: '', role: 'customer' }),
    ]);
    return customer && { customer, orders, tickets, reviews, sessions };
  }
}
