/** What needs staff now. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { OrderList } from '#src/shop/orders/list/service.ts';
import type { ReturnDesk } from '#src/shop/returns/desk/service.ts';
import type { UnmatchedWithdrawals } from '#src/shop/returns/withdrawal/unmatched.service.ts';
import type { StaffTasks } from '../tasks/service.ts';
import { isBackupDue } from '../settings/backup-age.ts';
import type { overviewApi } from './contract.ts';
import { countTodo, readLastBackup } from './store.ts';

type ShownTodo = z.output<(typeof overviewApi)['GET /support/todo']['response']>;

export interface OverviewOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orderList: Pick<OrderList, 'countToShip'>;
  readonly staffTasks: Pick<StaffTasks, 'count'>;
  readonly returnDesk: Pick<ReturnDesk, 'countWaiting'>;
  readonly unmatchedWithdrawals: Pick<UnmatchedWithdrawals, 'countOpen'>;
  /** A demo shop needs no backups. */
  readonly hasSetup: boolean;
}

export class Overview {
  readonly #options: OverviewOptions;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  async readTodo(): Promise<ShownTodo> {
    const { db, orderList, returnDesk, staffTasks, unmatchedWithdrawals } = this.#options;
    const [counts, toShip, returns, withdrawals, tasks, backup] = await Promise.all([
      countTodo(db),
      orderList.countToShip(),
      returnDesk.countWaiting(),
      unmatchedWithdrawals.countOpen(),
      staffTasks.count(),
      this.readBackup(),
    ]);
    return {
      ...counts,
      to_ship: toShip,
      returns,
      withdrawals,
      payments: tasks.open,
      urgent_payments: tasks.urgent,
      backup,
    };
  }

  /** The newest recorded backup, and whether it is too old or missing. */
  async readBackup(): Promise<ShownTodo['backup']> {
    const { clock, db, hasSetup } = this.#options;
    const at = await readLastBackup(db);
    return { at, is_due: hasSetup && isBackupDue(at, clock.now()) };
  }
}
