import { PollingWorker } from '#src/platform/jobs/polling-worker.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { FactorChanges } from './changes.service.ts';

export interface FactorChangeWorkerOptions {
  readonly factorChanges: Pick<FactorChanges, 'applyNext'>;
  readonly log: Log;
}

/** Makes the changes of second factors that are due, in every process. */
export const createFactorChangeWorker = ({ factorChanges, log }: FactorChangeWorkerOptions): PollingWorker =>
  new PollingWorker({
    runNext: () => factorChanges.applyNext(),
    pollMs: 5_000,
    pauseAfterErrorMs: 10_000,
    log,
    failure: 'a change of second factors could not be made',
  });
