import { PollingWorker } from '#src/platform/jobs/polling-worker.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { StockAlerts } from './service.ts';

export interface StockAlertRelayOptions {
  readonly alerts: Pick<StockAlerts, 'relayNext'>;
  readonly log: Log;
  /** Polling interval in ms of real time. */
  readonly pollMs?: number;
}

/** Polls for variants that are back in stock, in every process. Alerts that were not claimed are due at the next poll. */
export const createStockAlertRelay = ({ alerts, log, pollMs = 5_000 }: StockAlertRelayOptions): PollingWorker =>
  new PollingWorker({
    runNext: () => alerts.relayNext(),
    pollMs,
    pauseAfterErrorMs: 30_000,
    log,
    failure: 'mails about stock could not be enqueued',
  });
