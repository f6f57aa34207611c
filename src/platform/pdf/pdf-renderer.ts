/**
 * Renders PDFs in a worker thread, so that the event loop is never blocked. The thread starts with the
 * first document and ends when it is idle. It has one document at a time, so that one that takes too
 * long, or ends the thread, does not fail the others.
 */
import { resolve as resolvePath } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PdfDocument } from './pdf-document.ts';

/** A path from the project, since the shop may run from a bundle. */
const PROGRAM = resolvePath('src/platform/pdf/pdf-worker.ts');
const TIMEOUT_MS = 15_000;
/** The time that a document may wait for others. */
const MAX_WAIT_MS = 60_000;
const IDLE_MS = 60_000;
/** Further documents are refused until some are finished. */
const MAX_PENDING = 20;
const MAX_HEAP_MB = 192;

interface Rendered {
  readonly bytes: Uint8Array | null;
  readonly error: string | null;
}

interface Pending {
  readonly document: PdfDocument;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Too many documents are waiting. */
export class PdfRendererBusyError extends Error {}

export class PdfRenderer {
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Pending>();
  #current: Pending | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** @param options timeoutMs: the time that one document may take */
  constructor({ timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws PdfRendererBusyError if too many documents are waiting, or an error if rendering fails. */
  render(document: PdfDocument): Promise<Uint8Array> {
    if (this.#waiting.size + (this.#current ? 1 : 0) >= MAX_PENDING) {
      return Promise.reject(new PdfRendererBusyError('too many documents'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(pending);
        reject(new PdfRendererBusyError('a document waited too long'));
      }, MAX_WAIT_MS);
      const pending: Pending = { document, resolve, reject, timer };
      this.#waiting.add(pending);
      this.#renderNext();
    });
  }

  /** Ends the thread; documents that are not finished fail. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    for (const { reject, timer } of this.#waiting) {
      clearTimeout(timer);
      reject(new Error('the renderer was stopped'));
    }
    this.#waiting.clear();
    if (worker === null) return;
    this.#fail(worker, new Error('the renderer was stopped'));
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (rendered: Rendered) => this.#finish(worker, rendered));
    worker.on('error', (error) =>
      this.#fail(worker, error instanceof Error ? error : new Error('the renderer failed', { cause: error })),
    );
    worker.on('exit', () => this.#fail(worker, new Error('the renderer ended')));
    return worker;
  }

  #renderNext(): void {
    if (this.#current !== null) return;
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#endWhenIdle();
      return;
    }
    if (this.#idle) clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    this.#waiting.delete(next);
    this.#current = next;
    clearTimeout(next.timer);
    next.timer = setTimeout(() => this.#fail(worker, new Error('a document took too long to render')), this.#timeoutMs);
    worker.postMessage(next.document, []);
  }

  #endWhenIdle(): void {
    const worker = this.#worker;
    if (worker === null) return;
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
    }, IDLE_MS).unref();
  }

  #takeCurrent(): Pending | null {
    const current = this.#current;
    this.#current = null;
    if (current) clearTimeout(current.timer);
    return current;
  }

  #finish(worker: Worker, { bytes, error }: Rendered): void {
    if (this.#worker !== worker) return;
    const current = this.#takeCurrent();
    if (bytes === null) current?.reject(new Error(error ?? 'a document could not be rendered'));
    else current?.resolve(bytes);
    this.#renderNext();
  }

  /** Rejects the document of the thread. The next one starts a new thread. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#takeCurrent()?.reject(error);
    void worker.terminate();
    this.#renderNext();
  }
}
