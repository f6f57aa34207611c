/**
 * Runs tasks in a worker thread, so that the event loop is never blocked. The thread starts with the
 * first task and ends when it is idle. It has one task at a time, so that one that takes too long, or
 * ends the thread, does not fail the others. Clients take turns, so one with many tasks delays only itself.
 */
import { resolve as resolvePath } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import { RoundRobin } from '#src/platform/round-robin.ts';

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
  /** Of more tasks the last one of the client with the most is refused. */
  readonly maxPending: number;
  /** Waiting tasks of one client. Further ones are refused. Default: `maxPending`. */
  readonly maxWaitingPerClient?: number;
}

type TaskResult<Output> = { readonly output: Output } | { readonly error: string };

interface Pending<Input, Output> {
  readonly client: string;
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Too many tasks are waiting. */
export class ThreadBusyError extends Error {}
/** Too many tasks of this client are waiting. */
export class ThreadQueueError extends Error {}
/** The task was stopped. */
export class TaskTimeoutError extends Error {}

export class TaskThread<Input, Output> {
  readonly #options: TaskThreadOptions;
  readonly #waiting = new RoundRobin<Pending<Input, Output>>();
  #current: Pending<Input, Output> | null = null;
  /** The client of the last task that started. */
  #lastClient = '';
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  /**
   * @param input is copied
   * @param client whose task it is
   * @throws ThreadBusyError or ThreadQueueError if too many tasks are waiting, TaskTimeoutError, or an error if the
   * task fails
   */
  run(input: Input, client = ''): Promise<Output> {
    const { maxWaitMs, name } = this.#options;
    const refusal = this.#makeRoom(client);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(client, pending);
        reject(new ThreadBusyError(`a ${name} waited too long`));
      }, maxWaitMs);
      const pending: Pending<Input, Output> = { client, input, resolve, reject, timer };
      this.#waiting.add(client, pending);
      this.#runNext();
    });
  }

  /** Drops the last task of the client with the most, if it has more than this client would have. */
  #makeRoom(client: string): Error | null {
    const { maxPending, maxWaitingPerClient = maxPending, name } = this.#options;
    const waiting = this.#waiting;
    const own = waiting.count(client);
    if (own >= maxWaitingPerClient) return new ThreadQueueError(`too many of one client: ${name}`);
    if (waiting.size + (this.#current ? 1 : 0) < maxPending) return null;
    const busy = new ThreadBusyError(`too many of: ${name}`);
    const dropped = waiting.takeFromLongest(own + 1);
    if (dropped === undefined) return busy;
    clearTimeout(dropped.timer);
    dropped.reject(busy);
    return null;
  }

  /** Ends the thread; tasks that are not finished fail. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    for (let next = this.#waiting.takeNext(); next !== undefined; next = this.#waiting.takeNext()) {
      clearTimeout(next.timer);
      next.reject(new Error(`${this.#options.name}: the thread was stopped`));
    }
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
    this.#waiting.moveToEnd(this.#lastClient);
    const next = this.#waiting.takeNext();
    if (next === undefined) {
      this.#endWhenIdle();
      return;
    }
    if (this.#idle) clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    this.#current = next;
    this.#lastClient = next.client;
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
