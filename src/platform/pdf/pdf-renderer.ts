/** Renders PDFs in a thread of their own. */
import { runOutsideQueue } from '#src/platform/http/work-queue.ts';
import { TaskThread, TaskTimeoutError, ThreadBusyError } from '#src/platform/process/task-thread.ts';
import type { PdfDocument } from './pdf-document.ts';

const TIMEOUT_MS = 15_000;

export class PdfRenderer {
  readonly #thread: TaskThread<PdfDocument, Uint8Array>;

  /** @param options timeoutMs: the time that one document may take */
  constructor({ timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    this.#thread = new TaskThread({
      name: 'PDF',
      program: 'src/platform/pdf/pdf-worker.ts',
      maxHeapMb: 192,
      timeoutMs,
      maxWaitMs: 60_000,
      maxPending: 20,
      maxWaitingPerClient: 5,
    });
  }

  /**
   * @param client whose document it is. Clients take turns
   * @throws ThreadBusyError if the processor is too busy, ThreadQueueError if the client has too many documents
   * waiting, or an error if rendering fails
   */
  async render(document: PdfDocument, client: string): Promise<Uint8Array> {
    try {
      // Waiting documents do not take the places of other calls.
      return await runOutsideQueue(() => this.#thread.run(document, client));
    } catch (error) {
      if (error instanceof TaskTimeoutError) throw new ThreadBusyError(error.message, { cause: error });
      throw error;
    }
  }

  /** Ends the thread; documents that are not finished fail. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
