/** What needs staff now. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Admin } from '../service.ts';
import { isBackupDue } from './backup-age.ts';
import type { overviewApi } from './contract.ts';
import { countTodo, readLastBackup } from './store.ts';

type ShownTodo = z.output<(typeof overviewApi)['GET /support/todo']['response']>;

export interface OverviewOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly admin: Pick<Admin, 'countStaffTasks'>;
  /** A demo shop needs no backups. */
  readonly hasSetup: boolean;
}

export class Overview {
  readonly #options: OverviewOptions;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  async readTodo(): Promise<ShownTodo> {
    const { admin, clock, db, hasSetup } = this.#options;
    const now = clock.now();
    const [counts, tasks, backupAt] = await Promise.all([countTodo(db), admin.countStaffTasks(), readLastBackup(db)]);
    return {
      ...counts,
      payments: tasks.open,
      urgent_payments: tasks.urgent,
      backup: { at: backupAt, is_due: hasSetup && isBackupDue(backupAt, now) },
    };
  }
}
