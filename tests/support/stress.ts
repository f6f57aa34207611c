/**
 * A stress test: many customers buy and pay while shop, database or both are killed at random
 * and restart. Afterwards every response is compared with the shop and its chain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from './seeded-random.ts';
import { readDatabasePid, killDatabase } from './kill-database.ts';
import { startSpawnedShop } from './spawned-shop.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { listAt, textAt } from './read-json.ts';
import { auditStress, compareSoldUnits, readSoldUnits } from './stress-audit.ts';
import type { Audit } from './stress-audit.ts';
import { StressBuyer } from './stress-buyer.ts';
import { StressCalls } from './stress-calls.ts';
import type { EncounteredErrors } from './stress-calls.ts';

export const killKinds = ['shop', 'database', 'both'] as const;
type KillKind = (typeof killKinds)[number];

export interface StressOptions {
  readonly seed: number;
  /** Total number of kills. */
  readonly rounds: number;
  readonly kills: readonly KillKind[];
  /** Number of customers; those who leave are replaced. */
  readonly customers: number;
  /** Concurrently active customers. */
  readonly parallel: number;
  /** Minimum number of orders; more when the kills take longer. */
  readonly orders: number;
  readonly progress: (line: string) => void;
}

export interface StressReport extends Audit {
  readonly seed: number;
  readonly acknowledged: number;
  readonly customers: number;
  readonly payments: number;
  readonly kills: Readonly<Record<KillKind, number>>;
  /** From each kill to the first ready response, in ms. */
  readonly recoveries: Readonly<Record<KillKind, readonly number[]>>;
  readonly counts: EncounteredErrors;
  /** Empty when nothing is wrong. */
  readonly findings: readonly string[];
}

/** Of six kills three hit the shop, two the database, one both. */
const PATTERN: readonly KillKind[] = ['shop', 'database', 'shop', 'both', 'shop', 'database'];
const RECOVER_WITHIN_MS = 90_000;
const MIN_CALM_MS = 250;
const CALM_SPREAD_MS = 900;
/** More than any order needs. */
const LAST_BLOCKS = 8;
const PRODUCTS = 24;

export async function runStress(options: StressOptions): Promise<StressReport> {
  const shop = await startSpawnedShop();
  try {
    return await new Stress(shop, options).run();
  } finally {
    await shop.stop();
  }
}

class Stress {
  readonly #shop: SpawnedShop;
  readonly #options: StressOptions;
  readonly #calls: StressCalls;
  readonly #buyers: StressBuyer[] = [];
  readonly #recoveries: Record<KillKind, number[]> = { shop: [], database: [], both: [] };
  #isOver = false;

  constructor(shop: SpawnedShop, options: StressOptions) {
    this.#shop = shop;
    this.#options = options;
    this.#calls = new StressCalls(shop);
  }

  async run(): Promise<StressReport> {
    const soldBefore = await readSoldUnits(this.#calls);
    const { body } = await this.#calls.callUntilResponse('GET', `/products?limit=${PRODUCTS}&sort=price_asc`);
    const products = listAt(body).map((product) => textAt(product, 'id'));
    await this.#runTogether([this.#killAll(), this.#serveAll(products)]);
    const buyers = this.#buyers.filter(({ token }) => token !== '');

    // Pending transactions are mined, and every payable order is paid.
    await this.#calls.callUntilResponse('POST', '/dev/mine', { body: { blocks: LAST_BLOCKS } });
    this.#options.progress('all kills are done; comparing');
    await auditStress(this.#calls, buyers);
    await this.#shop.restart();
    const audit = await auditStress(this.#calls, buyers);
    compareSoldUnits(this.#calls, soldBefore, await readSoldUnits(this.#calls), audit.sold);
    const { counts, findings } = this.#calls;
    return {
      ...audit,
      seed: this.#options.seed,
      acknowledged: this.#countAcknowledged(),
      customers: buyers.length,
      payments: buyers.reduce((sum, { payments }) => sum + payments.length, 0),
      kills: {
        shop: this.#recoveries.shop.length,
        database: this.#recoveries.database.length,
        both: this.#recoveries.both.length,
      },
      recoveries: this.#recoveries,
      counts,
      findings: [...new Set(findings)],
    };
  }

  /** Stops all when one fails, before reporting the failure. */
  async #runTogether(all: readonly Promise<void>[]): Promise<void> {
    const ended = all.map((one) => one.catch((error: unknown) => this.#calls.end(error)));
    await Promise.all(ended);
    this.#calls.throwIfEnded();
  }

  #countAcknowledged(): number {
    return this.#buyers.reduce((sum, { orders }) => sum + orders.length, 0);
  }

  /** Serves customers until all kills are done and there are enough orders. */
  async #serveAll(products: readonly string[]): Promise<void> {
    const { customers, parallel, orders, seed } = this.#options;
    const waiting: StressBuyer[] = [];
    const createBuyer = (): StressBuyer => {
      const index = this.#buyers.length;
      const buyer = new StressBuyer(`stress-${index}`, this.#calls, new SeededRandom(seed).fork(index + 1), products);
      this.#buyers.push(buyer);
      return buyer;
    };
    for (let left = customers; left > 0; left -= 1) waiting.push(createBuyer());
    const serve = async (): Promise<void> => {
      while (!this.#isOver || this.#countAcknowledged() < orders) {
        const buyer = waiting.shift() ?? createBuyer();
        await buyer.buy();
        waiting.push(buyer.hasLeft ? createBuyer() : buyer);
      }
    };
    await this.#runTogether(Array.from({ length: parallel }, serve));
  }

  async #killAll(): Promise<void> {
    const { seed, rounds, kills, progress } = this.#options;
    const random = new SeededRandom(seed);
    const kinds = PATTERN.filter((kind) => kills.includes(kind));
    for (let round = 0; round < rounds; round += 1) {
      await sleep(MIN_CALM_MS + random.pickBelow(CALM_SPREAD_MS));
      this.#calls.throwIfEnded();
      const kind = kinds[round % kinds.length] ?? 'shop';
      const killedAt = performance.now();
      await (kind === 'database' ? this.#killDatabase() : this.#killShop(kind === 'both'));
      const ms = Math.round(performance.now() - killedAt);
      this.#recoveries[kind].push(ms);
      progress(`${round + 1}/${rounds} killed: ${kind}, back after ${ms} ms, ${this.#countAcknowledged()} orders`);
    }
    this.#isOver = true;
  }

  async #killShop(withDatabase: boolean): Promise<void> {
    const exited = this.#shop.kill9();
    if (withDatabase) killDatabase(this.#shop.dataDir);
    await exited;
    await this.#shop.restart();
  }

  /** The shop restarts its database. */
  async #killDatabase(): Promise<void> {
    const killed = killDatabase(this.#shop.dataDir);
    for (const until = performance.now() + RECOVER_WITHIN_MS; performance.now() < until; await sleep(10)) {
      const pid = readDatabasePid(this.#shop.dataDir);
      if (pid === null || pid === killed) continue;
      const response = await fetch(`${this.#shop.url}/readyz`).catch(() => null);
      await response?.arrayBuffer();
      if (response?.status === 200) return;
    }
    throw new Error(
      `the shop did not restart its database within ${RECOVER_WITHIN_MS / 1000} s:\n${this.#shop.readOutput()}`,
    );
  }
}
