/**
 * Parses Markdown in a thread of its own: texts of some ten thousand characters exist that take a
 * second, such as wide tables.
 */
import { TaskThread, ThreadBusyError, TaskTimeoutError } from '#src/platform/process/task-thread.ts';
import type { MarkdownDocument } from './markdown-document.ts';

/** The slowest text of 60,000 characters that is known takes one second of an idle processor. */
const TIMEOUT_MS = 10_000;

export type TextParser = Pick<MarkdownParser, 'parse'>;

export class MarkdownParser {
  readonly #thread = new TaskThread<string, MarkdownDocument | null>({
    name: 'Markdown text',
    program: 'src/platform/markdown/markdown-worker.ts',
    maxHeapMb: 192,
    timeoutMs: TIMEOUT_MS,
    maxWaitMs: TIMEOUT_MS,
    maxPending: 20,
  });

  /**
   * Null if the text has too many elements to be shown.
   * @throws ThreadBusyError if the processor is too busy
   */
  async parse(source: string): Promise<MarkdownDocument | null> {
    try {
      return await this.#thread.run(source);
    } catch (error) {
      if (error instanceof TaskTimeoutError) throw new ThreadBusyError(error.message, { cause: error });
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return null;
      throw error;
    }
  }

  /** Ends the thread; texts that are not finished fail. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
