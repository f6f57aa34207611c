/**
 * Renders PDFs in a worker thread, so that the event loop is never blocked. The thread starts with the
 * first document and ends when it is idle.
 */
import { Worker } from 'node:worker_threads';
import type { PdfDocument } from './pdf-document.ts';

const TIMEOUT_MS = 15_000;
const IDLE_MS = 60_000;
/** Further documents are refused until some are finished. */
const MAX_PENDING = 20;
const MAX_HEAP_MB = 192;

interface Rendered {
  readonly id: number;
  readonly bytes: Uint8Array | null;
  readonly error: string | null;
}

interface Pending {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Too many documents are waiting. */
export class PdfRendererBusyError extends Error {}

export class PdfRenderer {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;

  /** @throws PdfRendererBusyError if too many documents are waiting, or an error if rendering fails. */
  render(document: PdfDocument): Promise<Uint8Array> {
    if (this.#pending.size >= MAX_PENDING) return Promise.reject(new PdfRendererBusyError('too many documents'));
    const worker = (this.#worker ??= this.#start());
    if (this.#idle) clearTimeout(this.#idle);
    worker.ref();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(worker, new Error('a document took too long to render')), TIMEOUT_MS);
      this.#pending.set(id, { resolve, reject, timer });
      worker.postMessage({ id, document }, []);
    });
  }

  /** Ends the thread; documents that are not finished fail. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#fail(worker, new Error('the renderer was stopped'));
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (rendered: Rendered) => this.#finish(rendered));
    worker.on('error', (error) =>
      this.#fail(worker, error instanceof Error ? error : new Error('the renderer failed', { cause: error })),
    );
    worker.on('exit', () => this.#fail(worker, new Error('the renderer ended')));
    return worker;
  }

  #finish({ id, bytes, error }: Rendered): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (bytes === null) pending.reject(new Error(error ?? 'a document could not be rendered'));
    else pending.resolve(bytes);
    if (this.#pending.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate();
      this.#worker = null;
    }, IDLE_MS).unref();
  }

  /** Rejects all documents of the thread. The next document starts a new one. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#idle) clearTimeout(this.#idle);
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
    void worker.terminate();
  }
}
