/** Creates the services that handle returns after they were requested. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent } from '#src/platform/process/events.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { Refunds } from '#src/shop/refunds/service.ts';
import { ReturnDesk } from '#src/shop/returns/desk/service.ts';
import type { ReturnDeskOptions } from '#src/shop/returns/desk/service.ts';
import { ReturnExchanges } from '#src/shop/returns/exchange/service.ts';
import { Returns } from '#src/shop/returns/service.ts';
import type { Tickets } from '#src/shop/support/tickets/service.ts';
import type { OrdersSlice } from './create-orders.ts';
import type { Foundation } from './open-foundation.ts';

export function createReturnHandling(
  { clock, db, mails, shopSettings }: Foundation,
  accounts: Accounts,
  { manualOrders, orders, serialNumbers }: Pick<OrdersSlice, 'manualOrders' | 'orders' | 'serialNumbers'>,
  tickets: Tickets,
  refunds: Refunds,
) {
  /** The refunds of returns are due soon. */
  const returnsDue = new AsyncEvent<[tx: Db, moment: string]>();
  /** A return was requested or a withdrawal stated. */
  const returnCreated = new AsyncEvent<[tx: Db, returnId: string]>();
  const shared = { db, clock, mails, accounts, manualOrders, orders, shopSettings };
  const returns = new Returns({ ...shared, tickets, onRequested: returnCreated.emit, onDue: returnsDue.emit });
  const returnExchanges = new ReturnExchanges({ ...shared, refunds, serialNumbers }, returns.notices);
  const offerExchange: ReturnDeskOptions['offerExchange'] = (row) => returnExchanges.offer(row);
  return {
    returns,
    returnExchanges,
    returnDesk: new ReturnDesk({ ...shared, refunds, serialNumbers, offerExchange }, returns.notices),
    returnsDue,
    returnCreated,
  };
}
