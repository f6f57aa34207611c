/**
 * Typed in-process links between parts that are created before their listeners. A lower part gets
 * `emit` or `run`; a higher part subscribes later, when all parts exist.
 */

/** Listeners run one after the other, in the order of subscription. The first error stops the rest. */
export class AsyncEvent<Args extends readonly unknown[]> {
  readonly #listeners: ((...args: Args) => Promise<void>)[] = [];

  on(listener: (...args: Args) => Promise<void>): void {
    this.#listeners.push(listener);
  }

  /** Resolves after the last listener. Inside a transaction, pass the transaction. */
  readonly emit = async (...args: Args): Promise<void> => {
    for (const listener of this.#listeners) await listener(...args);
  };
}

/** For listeners that return immediately, such as those that only queue work. */
export class SyncEvent<Args extends readonly unknown[]> {
  readonly #listeners: ((...args: Args) => void)[] = [];

  on(listener: (...args: Args) => void): void {
    this.#listeners.push(listener);
  }

  readonly emit = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args);
  };
}

/** Data that a lower part needs from a higher one, which provides it with `setHandler`. */
export class Query<Args extends readonly unknown[], Response> {
  #handler: ((...args: Args) => Promise<Response>) | null = null;

  setHandler(handler: (...args: Args) => Promise<Response>): void {
    if (this.#handler !== null) throw new Error('this query already has a handler');
    this.#handler = handler;
  }

  /** @throws Error before `setHandler` */
  readonly run = async (...args: Args): Promise<Response> => {
    if (this.#handler === null) throw new Error('this query has no handler');
    return this.#handler(...args);
  };
}
