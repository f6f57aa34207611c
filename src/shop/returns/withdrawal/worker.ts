import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { WITHDRAWAL_JOB } from './service.ts';
import type { Withdrawals } from './service.ts';

/** Handles statements of withdrawal that name their order by number and address, in every process. */
export const startWithdrawals = (jobs: Pick<Jobs, 'work'>, withdrawals: Withdrawals): Promise<void> =>
  jobs.work(WITHDRAWAL_JOB, ({ id = '' }) => withdrawals.handle(id), { isPrompt: true });
