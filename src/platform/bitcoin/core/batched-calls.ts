import type { CoreRpc } from './core-rpc.ts';

interface Waiting {
  readonly params: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum calls per request. */
const MAX_BATCH_CALLS = 128;

/** Batches concurrent calls of one method into one request: a mempool has 100,000 transactions. */
export class BatchedCalls {
  readonly #rpc: Pick<CoreRpc, 'callBatch'>;
  readonly #method: string;
  #waiting: Waiting[] = [];

  constructor(rpc: Pick<CoreRpc, 'callBatch'>, method: string) {
    this.#rpc = rpc;
    this.#method = method;
  }

  call(params: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ params, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < all.length; start += MAX_BATCH_CALLS) {
      const some = all.slice(start, start + MAX_BATCH_CALLS);
      try {
        const results = await this.#rpc.callBatch(some.map(({ params }) => ({ method: this.#method, params })));
        for (const [index, { resolve, reject }] of some.entries()) {
          const result = results[index];
          if (result?.status === 'fulfilled') resolve(result.value);
          else reject(result?.reason);
        }
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
  }
}
