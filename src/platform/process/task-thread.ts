/**
 * Runs tasks in a worker thread, so that the event loop is never blocked. The thread starts with the
 * first task and ends when it is idle. It has one task at a time, so that one that takes too long, or
 * ends the thread, does not fail the others.
 */
import { resolve as resolvePath } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

const IDLE_MS = 60_000;

export interface TaskThreadOptions {
  /** What a task is called in error messages, such as `document`. */
  readonly name: string;
  /** A path from the project, since the shop may run from a bundle. The program calls `handleTasks`. */
  readonly program: string;
  readonly maxHeapMb: number;
  /** The time that one task may take. */
  readonly timeoutMs: number;
  /** The time that a task may wait for others. */
  readonly maxWaitMs: number;
  /** Further tasks are refused until some are finished. */
  readonly maxPending: number;
}

type TaskResult<Output> = { readonly output: Output } | { readonly error: string };

interface Pending<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Too many tasks are waiting. */
export class ThreadBusyError extends Error {}
/** The task was stopped. */
export class TaskTimeoutError extends Error {}

export class TaskThread<Input, Output> {
  readonly #options: TaskThreadOptions;
  readonly #waiting = new Set<Pending<Input, Output>>();
  #current: Pending<Input, Output> | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  /**
   * @param input is copied
   * @throws ThreadBusyError if too many tasks are waiting, TaskTimeoutError, or an error if the task fails
   */
  run(input: Input): Promise<Output> {
    const { maxPending, maxWaitMs, name } = this.#options;
    if (this.#waiting.size + (this.#current ? 1 : 0) >= maxPending) {
      return Promise.reject(new ThreadBusyError(`too many of: ${name}`));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(pending);
        reject(new ThreadBusyError(`a ${name} waited too long`));
      }, maxWaitMs);
      const pending: Pending<Input, Output> = { input, resolve, reject, timer };
      this.#waiting.add(pending);
      this.#runNext();
    });
  }

  /** Ends the thread; tasks that are not finished fail. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    for (const { reject, timer } of this.#waiting) {
      clearTimeout(timer);
      reject(new Error(`${this.#options.name}: the thread was stopped`));
    }
    this.#waiting.clear();
    if (worker === null) return;
    this.#fail(worker, new Error(`${this.#options.name}: the thread was stopped`));
    await worker.terminate();
  }

  #start(): Worker {
    const { program, maxHeapMb, name } = this.#options;
    const worker = new Worker(resolvePath(program), { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    worker.on('message', (result: TaskResult<Output>) => this.#finish(worker, result));
    worker.on('error', (error) =>
      this.#fail(worker, error instanceof Error ? error : new Error(`${name}: the thread failed`, { cause: error })),
    );
    worker.on('exit', () => this.#fail(worker, new Error(`${name}: the thread ended`)));
    return worker;
  }

  #runNext(): void {
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
    const { name, timeoutMs } = this.#options;
    next.timer = setTimeout(() => this.#fail(worker, new TaskTimeoutError(`a ${name} took too long`)), timeoutMs);
    worker.postMessage(next.input, []);
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

  #takeCurrent(): Pending<Input, Output> | null {
    const current = this.#current;
    this.#current = null;
    if (current) clearTimeout(current.timer);
    return current;
  }

  #finish(worker: Worker, result: TaskResult<Output>): void {
    if (this.#worker !== worker) return;
    const current = this.#takeCurrent();
    if ('error' in result) current?.reject(new Error(result.error));
    else current?.resolve(result.output);
    this.#runNext();
  }

  /** Rejects the task of the thread. The next one starts a new thread. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#takeCurrent()?.reject(error);
    void worker.terminate();
    this.#runNext();
  }
}

/** Called once by the program of a thread. Tasks arrive one at a time. */
export function handleTasks(handle: (input: never) => unknown): void {
  const port = parentPort;
  const respond = async (input: unknown): Promise<TaskResult<unknown>> => {
    try {
      return { output: await Reflect.apply(handle, undefined, [input]) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  port?.on('message', (input: unknown) => void respond(input).then((result) => port.postMessage(result, [])));
}
