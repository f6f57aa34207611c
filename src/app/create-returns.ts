/** Creates the services of returns and withdrawals. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent } from '#src/platform/process/events.ts';
import { Acknowledgements } from '#src/shop/returns/withdrawal/acknowledgements.service.ts';
import { WithdrawalPersonalData } from '#src/shop/returns/withdrawal/personal-data.service.ts';
import { UnmatchedWithdrawals } from '#src/shop/returns/withdrawal/unmatched.service.ts';
import { Withdrawals } from '#src/shop/returns/withdrawal/service.ts';
import type { AccountsSlice } from './create-accounts.ts';
import type { OrdersSlice } from './create-orders.ts';
import type { Foundation } from './open-foundation.ts';

export function createReturns(
  foundation: Foundation,
  { accounts }: Pick<AccountsSlice, 'accounts'>,
  { orders, orderStatus }: Pick<OrdersSlice, 'orders' | 'orderStatus'>,
  onRecorded: (tx: Db, returnId: string) => Promise<void>,
) {
  const { clock, db, jobs, limits, links, mails, pdf, shopSettings } = foundation;
  const { returningUnits } = orderStatus;
  /** A statement names no order. */
  const withdrawalUnmatched = new AsyncEvent<[tx: Db, statementId: string]>();
  const withdrawals = new Withdrawals({
    db,
    clock,
    jobs,
    mails,
    limits,
    links,
    shopSettings,
    orders,
    returningUnits,
    onRecorded,
    onUnmatched: withdrawalUnmatched.emit,
  });
  return {
    withdrawals,
    withdrawalUnmatched,
    acknowledgements: new Acknowledgements({ db, links, pdf, shopSettings, accounts, withdrawals }),
    unmatchedWithdrawals: new UnmatchedWithdrawals({ db, clock }),
    withdrawalData: new WithdrawalPersonalData({ db, clock }),
  };
}
