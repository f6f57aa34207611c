/** Renders PDFs in a thread of their own. */
import { TaskThread } from '#src/platform/process/task-thread.ts';
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
    });
  }

  /** @throws ThreadBusyError if too many documents are waiting, or an error if rendering fails. */
  render(document: PdfDocument): Promise<Uint8Array> {
    return this.#thread.run(document);
  }

  /** Ends the thread; documents that are not finished fail. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
