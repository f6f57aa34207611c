/**
 * Stress test of edits: staff change products, stock and promotions through two processes while
 * buyers order. One process is paused, the other one killed. Afterwards every order is compared with
 * what the database held at its commit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { setProductStock } from '../add-variants.ts';
import { textAt } from '../read-json.ts';
import { SeededRandom } from '../seeded-random.ts';
import { startSecondProcess } from '../second-process.ts';
import { startSpawnedShop } from '../spawned-shop.ts';
import type { SpawnedShop } from '../spawned-shop.ts';
import type { ShopProcess } from '../shop-process.ts';
import { runWithShopDatabase } from '../stock-stress.ts';
import {
  countAdjustments,
  installAudit,
  readOrders,
  readStockMoves,
  readVariantTotals,
  readVersions,
} from './audit-tables.ts';
import { ChangeWatcher } from './change-watcher.ts';
import { compareProcesses } from './compare-processes.ts';
import { EditBuyer } from './edit-buyer.ts';
import type { PlacedOrder } from './edit-buyer.ts';
import { createPromotion, pickEditKind } from './edit-kinds.ts';
import type { EditContext, StoredEdit } from './edit-kinds.ts';
import { findOrderFaults } from './order-oracle.ts';
import type { OrderFault } from './order-oracle.ts';
import { describeRefusal, ProcessPool } from './process-pool.ts';
import { replayStock } from './stock-oracle.ts';
import type { StockReport, StockRequest } from './stock-oracle.ts';

export interface EditStressOptions {
  readonly seed: number;
  /** Acknowledged edits. */
  readonly edits: number;
  readonly buyers: number;
  readonly pauseMs: number;
  readonly progress: (line: string) => void;
}

interface ProductOfRun {
  readonly id: string;
  readonly slug: string;
}

export interface EditStressReport {
  readonly edits: ReadonlyMap<string, number>;
  readonly editRefusals: ReadonlyMap<string, number>;
  readonly refusals: ReadonlyMap<string, number>;
  readonly outcomes: Readonly<Record<'cancelled' | 'paid' | 'left', number>>;
  readonly orders: number;
  /** Number of orders with each fault. */
  readonly faults: Readonly<Record<OrderFault, number>>;
  readonly stock: StockReport;
  readonly counts: ProcessPool['counts'];
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  readonly delays: readonly { readonly api: number; readonly page: number }[];
  /** From the end of the pause, and from the restart after the kill. */
  readonly catchUp: { readonly paused: number; readonly pausedPage: number; readonly killed: number };
  /** Empty when nothing is wrong. */
  readonly findings: readonly string[];
}

const PRODUCTS = 10;
const UNITS = 6;
const STAFF = 4;
const PROMOTIONS = 4;
/** Of the edits, when the pause and the kill happen. */
const [PAUSE_AT, KILL_AT] = [0.25, 0.7];
const EQUAL_WITHIN_MS = 10_000;
/** A second, and more on a busy machine. */
const MAX_CATCH_UP_MS = 5_000;
/** Share of requests that may be asked to try again, while locks of a paused process are held. */
const MAX_BUSY_SHARE = 0.02;
const PASSWORD = 'crypto-market';

export async function runEditStress(options: EditStressOptions): Promise<EditStressReport> {
  const shop = await startSpawnedShop();
  try {
    const other = await startSecondProcess(shop);
    try {
      return await runWithShopDatabase(shop, async (db) => {
        const stress = new EditStress(shop, other, db, options);
        try {
          return await stress.run();
        } finally {
          await stress.stop();
        }
      });
    } finally {
      // A stopped process does not handle SIGTERM.
      resume(other.pid);
      await other.stop();
    }
  } finally {
    await shop.stop();
  }
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

class EditStress {
  readonly #shop: SpawnedShop;
  readonly #other: ShopProcess;
  readonly #db: Db;
  readonly #options: EditStressOptions;
  readonly #random: SeededRandom;
  readonly #pool: ProcessPool;
  readonly #stockRequests = new Map<string, StockRequest>();
  readonly #promotions = { ids: new Set<string>(), codes: new Set<string>() };
  readonly #stored: StoredEdit[] = [];
  readonly #placed: PlacedOrder[] = [];
  readonly #edits = new Map<string, number>();
  readonly #editRefusals = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #outcomes = { cancelled: 0, paid: 0, left: 0 };
  readonly #findings: string[] = [];
  #made = 0;
  #isPaused = false;
  #isOver = false;

  constructor(shop: SpawnedShop, other: ShopProcess, db: Db, options: EditStressOptions) {
    this.#shop = shop;
    this.#other = other;
    this.#db = db;
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    const processes = [
      { name: 'first', url: shop.url },
      { name: 'second', url: other.url },
    ];
    this.#pool = new ProcessPool(processes, this.#random.fork(1));
  }

  async run(): Promise<EditStressReport> {
    const { progress } = this.#options;
    const { watched, products, start } = await this.#prepare();
    const tokens = await Promise.all(['staff', 'owner', 'staff', 'owner'].slice(0, STAFF).map((of) => this.#logIn(of)));
    const contexts = tokens.map((token, index) => this.#createContext(token, index, products, [...start.keys()]));
    for (let left = PROMOTIONS; left > 0; left -= 1) await createPromotion(contexts[0] ?? this.#fail());
    const buyers = this.#createBuyers(products);
    await Promise.all(buyers.map((buyer) => buyer.signUp()));
    progress(`${buyers.length} buyers signed up; staff edit ${products.length} products`);

    const watcher = new ChangeWatcher(this.#pool, tokens[0] ?? '', watched);
    const watching = watcher.run(() => this.#isOver || this.#isPaused);
    const buying = Promise.all(buyers.map((buyer) => buyer.buyUntilOver()));
    const editing = Promise.all(contexts.map((context) => this.#editUntilDone(context)));
    const [catchUp] = await Promise.all([this.#disturb(watcher), editing]).finally(() => {
      this.#isOver = true;
    });
    await Promise.all([buying, watching]);
    progress(`${this.#made} edits and ${this.#placed.length} orders; comparing`);

    await this.#compareAll({
      slugs: products.map(({ slug }) => slug),
      tokens: buyers.map((of) => of.token).slice(0, 12),
    });
    const faults = await this.#checkOrders();
    const stock = await this.#checkStock(start);
    await this.#checkEdits();
    this.#findings.push(...stock.findings, ...watcher.findings, ...this.#pool.faults);
    const { unavailable, requests } = this.#pool.counts;
    if (unavailable > requests * MAX_BUSY_SHARE)
      this.#findings.push(`${unavailable} of ${requests} requests got a 503`);
    if (this.#pool.faults.length > 0) progress(`${this.#shop.readOutput()}\n${this.#other.readOutput()}`.slice(-4_000));
    return {
      edits: this.#edits,
      editRefusals: this.#editRefusals,
      refusals: this.#refusals,
      outcomes: this.#outcomes,
      orders: this.#placed.length,
      faults,
      stock,
      counts: this.#pool.counts,
      latencies: this.#pool.latencies,
      delays: watcher.delays,
      catchUp,
      findings: this.#findings,
    };
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#pool.stop();
  }

  #fail(): never {
    throw new Error('no staff');
  }

  async #logIn(username: string): Promise<string> {
    const { body } = await this.#pool.call('POST', '/users/login', { body: { username, password: PASSWORD } });
    return textAt(body, 'tokens', 'accessToken');
  }

  /** Products with properties and without; their stock is tracked. The watched one is not sold. */
  async #prepare() {
    const { rows } = await sql<ProductOfRun>`
      select products.id, slug from products
      join product_variants variant on variant.product_id = products.id
      where products.is_published group by products.id having count(*) <= 12
      order by md5(products.id::text || ${String(this.#options.seed)}) limit ${PRODUCTS + 1}
    `.execute(this.#db);
    const [watched, ...products] = rows;
    if (watched === undefined || products.length < PRODUCTS) throw new Error('too few products');
    for (const { id } of products) await setProductStock(this.#db, id, UNITS);
    const { rows: stock } = await sql<{ id: string; available: number }>`
      select variant_id as id, available from variant_stock
    `.execute(this.#db);
    await installAudit(this.#db);
    return { watched, products, start: new Map(stock.map(({ id, available }) => [id, available])) };
  }

  #createContext(
    token: string,
    index: number,
    products: readonly ProductOfRun[],
    variantIds: readonly string[],
  ): EditContext {
    return {
      random: this.#random.fork(100 + index),
      call: (method, path, request) => this.#pool.call(method, path, { ...request, token }),
      productIds: products.map(({ id }) => id),
      variantIds,
      promotions: this.#promotions,
      stockRequests: this.#stockRequests,
    };
  }

  #createBuyers(products: readonly ProductOfRun[]): readonly EditBuyer[] {
    return Array.from(
      { length: this.#options.buyers },
      (_, index) =>
        new EditBuyer({
          name: `edits-${index}`,
          pool: this.#pool,
          random: this.#random.fork(1_000 + index),
          slugs: products.map(({ slug }) => slug),
          codes: this.#promotions.codes,
          isOver: () => this.#isOver,
          placed: this.#placed,
          refusals: this.#refusals,
          outcomes: this.#outcomes,
        }),
    );
  }

  async #editUntilDone(context: EditContext): Promise<void> {
    const { edits } = this.#options;
    while (this.#made < edits && !this.#isOver) {
      // The kill follows the pause, so that one process always responds.
      if (this.#isPaused && this.#made >= edits * KILL_AT) {
        await sleep(50);
        continue;
      }
      const kind = pickEditKind(context.random);
      const { response, stored } = await kind.run(context);
      if (stored === null) {
        increment(this.#editRefusals, `${kind.name}: ${describeRefusal(response)}`);
        continue;
      }
      this.#made += 1;
      increment(this.#edits, kind.name);
      this.#stored.push(...stored);
    }
  }

  async #waitForEdits(share: number): Promise<void> {
    while (this.#made < this.#options.edits * share && !this.#isOver) await sleep(20);
  }

  /** Pauses the second process, then kills the first one, which started the database. */
  async #disturb(watcher: ChangeWatcher): Promise<EditStressReport['catchUp']> {
    const { pauseMs, progress } = this.#options;
    await this.#waitForEdits(PAUSE_AT);
    this.#isPaused = true;
    process.kill(this.#other.pid, 'SIGSTOP');
    progress(`the second process is paused after ${this.#made} edits`);
    await sleep(pauseMs);
    await watcher.editNow();
    process.kill(this.#other.pid, 'SIGCONT');
    const paused = await watcher.measure(this.#pool.find('second'));
    progress(`it is resumed after ${this.#made} edits and shows them after ${paused?.api} ms`);
    this.#isPaused = false;

    await this.#waitForEdits(KILL_AT);
    this.#pool.demoProcess = this.#pool.find('second');
    await this.#shop.kill9();
    progress(`the first process is killed after ${this.#made} edits`);
    await watcher.editNow();
    await this.#shop.restart();
    const killed = await watcher.measure(this.#pool.find('first'));
    progress(`it is started again after ${this.#made} edits and shows them after ${killed?.api} ms`);
    const [never, limit] = [Number.POSITIVE_INFINITY, MAX_CATCH_UP_MS];
    const catchUp = { paused: paused?.api ?? never, pausedPage: paused?.page ?? never, killed: killed?.api ?? never };
    if (Math.max(...Object.values(catchUp)) > limit) this.#findings.push(`a process did not catch up in ${limit} ms`);
    return catchUp;
  }

  /** All processes and a fresh one show the same. */
  async #compareAll(compared: { readonly slugs: readonly string[]; readonly tokens: readonly string[] }) {
    const third = await startSecondProcess(this.#shop);
    const pool = new ProcessPool(
      [...this.#pool.processes.map(({ name, url }) => ({ name, url })), { name: 'third', url: third.url }],
      this.#random.fork(2),
    );
    try {
      let differences = await compareProcesses(pool, compared);
      for (const until = performance.now() + EQUAL_WITHIN_MS; differences.length > 0 && performance.now() < until;) {
        await sleep(500);
        differences = await compareProcesses(pool, compared);
      }
      this.#findings.push(...differences, ...pool.faults);
    } finally {
      await pool.stop();
      await third.stop();
    }
  }

  async #checkOrders(): Promise<Record<OrderFault, number>> {
    const faults = { price: 0, withdrawn: 0, promotion: 0, total: 0 };
    const orders = await readOrders(this.#db);
    for (const { orderId, inserted, committed, milliseconds } of orders) {
      const found = findOrderFaults(committed);
      for (const fault of new Set(found.map((one) => one.fault))) faults[fault] += 1;
      // Whether the edit was committed after the checkout had read the catalogue.
      const when = findOrderFaults(inserted).length === 0 ? 'changed during the checkout' : 'stale when inserted';
      for (const { fault, text } of found)
        this.#findings.push(`order ${orderId}, ${fault}: ${text} (${when}, ${Math.round(milliseconds)} ms)`);
    }
    const known = new Set(orders.map(({ orderId }) => orderId));
    for (const { id, expectedTotalUsd, totalUsd, dearer } of this.#placed) {
      if (!known.has(id)) this.#findings.push(`the acknowledged order ${id} is missing`);
      if (expectedTotalUsd !== null && expectedTotalUsd !== totalUsd)
        this.#findings.push(`order ${id} costs ${totalUsd}, the buyer agreed to ${expectedTotalUsd}`);
      for (const line of dearer) this.#findings.push(`order ${id} is dearer than accepted: ${line}`);
    }
    return faults;
  }

  async #checkStock(start: ReadonlyMap<string, number>): Promise<StockReport> {
    const moves = await readStockMoves(this.#db);
    return replayStock(start, moves, this.#stockRequests, await readVariantTotals(this.#db));
  }

  /** Every acknowledged edit was stored, and each change of stock once. */
  async #checkEdits(): Promise<void> {
    const versions = await readVersions(this.#db);
    const adjustments = await countAdjustments(this.#db);
    for (const { version, stockKey } of this.#stored) {
      if (version !== undefined && !versions.has(version)) this.#findings.push(`the edit ${version} is lost`);
      if (stockKey !== undefined && !adjustments.has(stockKey)) this.#findings.push(`the edit ${stockKey} is lost`);
    }
    for (const [key, count] of adjustments) if (count > 1) this.#findings.push(`${key} was carried out ${count} times`);
  }
}
