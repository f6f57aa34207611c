import { PollingWorker } from '#src/platform/jobs/polling-worker.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { EcbRates } from './ecb.service.ts';

export interface EcbRatesWorkerOptions {
  readonly ecbRates: Pick<EcbRates, 'fetchDue' | 'stop'>;
  readonly log: Log;
}

/** Checks in every process whether rates of the European Central Bank are due. Only the leader fetches them. */
export function createEcbRatesWorker({ ecbRates, log }: EcbRatesWorkerOptions) {
  const worker = new PollingWorker({
    runNext: async () => {
      await ecbRates.fetchDue();
      return false;
    },
    pollMs: 1_000,
    pauseAfterErrorMs: 10_000,
    log,
    failure: 'rates of the European Central Bank could not be stored',
  });
  return {
    start: () => worker.start(),
    stop: async () => {
      ecbRates.stop();
      await worker.stop();
    },
  };
}
