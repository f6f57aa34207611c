import { PollingWorker } from '#src/platform/jobs/polling-worker.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Invoices } from './service.ts';

export interface InvoiceWorkerOptions {
  readonly invoices: Pick<Invoices, 'issueNext'>;
  readonly log: Log;
}

/** Issues requested invoices and credit notes, in every process. */
export const createInvoiceWorker = ({ invoices, log }: InvoiceWorkerOptions): PollingWorker =>
  new PollingWorker({
    runNext: () => invoices.issueNext(),
    pollMs: 1_000,
    pauseAfterErrorMs: 10_000,
    log,
    failure: 'invoices could not be issued',
  });
