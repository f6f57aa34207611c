/** Creates the services that handle returns after they were requested. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent } from '#src/platform/process/events.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { Refunds } from '#src/shop/refunds/service.ts';
import { ReturnDesk } from '#src/shop/returns/desk/service.ts';
import type { ReturnDeskOptions } from '#src/shop/returns/desk/service.ts';
import { ReturnExchanges } from '#src/shop/returns/exchange/service.ts';
import { ReturnLabels } from '#src/shop/returns/files/labels.service.ts';
import { ReturnFiles } from '#src/shop/returns/files/service.ts';
import { Returns } from '#src/shop/returns/service.ts';
import type { Tickets } from '#src/shop/support/tickets/service.ts';
import type { OrdersSlice } from './create-orders.ts';
import type { Foundation } from './open-foundation.ts';

export function createReturnHandling(
  { clock, db, jobs, limits, log, mails, pictureConverter, pictures, returnFilesMaxBytes, shopSettings }: Foundation,
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
  const returnFiles = new ReturnFiles({
    db,
    clock,
    jobs,
    limits,
    log,
    storage: pictures.storage,
    converter: pictureConverter,
    maxBytes: returnFilesMaxBytes,
  });
  const [onRequested, onDue] = [returnCreated.emit, returnsDue.emit];
  const returns = new Returns({ ...shared, files: returnFiles, refunds, tickets, onRequested, onDue });
  const returnExchanges = new ReturnExchanges({ ...shared, refunds, serialNumbers }, returns.notices);
  const offerExchange: ReturnDeskOptions['offerExchange'] = (row) => returnExchanges.offer(row);
  const returnDesk = new ReturnDesk({ ...shared, refunds, serialNumbers, offerExchange }, returns.notices);
  return {
    returns,
    returnExchanges,
    returnDesk,
    returnFiles,
    returnLabels: new ReturnLabels({ desk: returnDesk, files: returnFiles }),
    returnsDue,
    returnCreated,
  };
}
