/** The stored rate in memory, for tests of a single process. */
import { LeaderLockLostError } from '#src/platform/database/fence.ts';
import type { ShownRate } from '#src/platform/rates/display-rate.ts';
import type { ComputedRate, RateStore, StoredRate } from '#src/platform/rates/store.ts';

/** This process is the leader. */
export const LEADER = { fence: { role: 'test', token: 1n }, start: async () => {} };

export class MemoryRateStore implements RateStore {
  /** Whether reads and writes fail. */
  isAway = false;
  /** Whether writes are refused because another process is the leader. */
  isFenced = false;
  #stored: (ComputedRate & ShownRate & { readonly receivedMs: number }) | null = null;
  readonly #readMs: () => number;

  /** @param readMs the clock of the database */
  constructor(readMs: () => number) {
    this.#readMs = readMs;
  }

  async read(): Promise<StoredRate | null> {
    if (this.isAway) throw new Error('away');
    if (this.#stored === null) return null;
    const { receivedMs, ...rate } = this.#stored;
    return { ...rate, receivedAt: new Date(receivedMs), ageMs: this.#readMs() - receivedMs };
  }

  async write(rate: ComputedRate & ShownRate): Promise<void> {
    if (this.isAway) throw new Error('away');
    if (this.isFenced) throw new LeaderLockLostError('another process is the leader');
    this.#stored = { ...rate, receivedMs: this.#readMs() };
  }
}
