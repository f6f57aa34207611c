/** Sells on a database cluster while faults are injected, and reports how long sales stopped and what differs. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#src/platform/database/database.ts';
import { setProductStock } from '../add-variants.ts';
import { waitUntil } from '../wait-until.ts';
import { hasNoInvoiceRequests } from '../invoice-stress.ts';
import { findDifferences, findLost, STOCK } from './cluster-audit.ts';
import { ClusterBuyers } from './cluster-buyers.ts';
import { FAULT_NAMES, FAULTS } from './cluster-faults.ts';
import type { Fault, FaultName } from './cluster-faults.ts';
import { ClusterShop, ROUTES } from './cluster-shop.ts';
import type { Route } from './cluster-shop.ts';
import { ClusterWatcher } from './cluster-watcher.ts';

export interface ClusterOptions {
  /** How often the primary is killed. */
  readonly rounds: number;
  readonly buyers: number;
  /** Limit of the time without sales after a lost primary. */
  readonly withinMs: number;
  readonly faults: readonly FaultName[];
}

interface Outage {
  readonly name: FaultName;
  readonly route: Route;
  /** Until an order was acknowledged that was created after the fault. */
  readonly salesAgainMs: number;
  /** Longest time without an acknowledged order, from the last one before the fault. */
  readonly longestGapMs: number;
  readonly refused: number;
}

/** @returns all findings; none if nothing is wrong */
export async function runCluster(options: ClusterOptions, print: (line: string) => void): Promise<readonly string[]> {
  const plans = planFaults(options);
  const [firstRoute] = plans[0] ?? ['hosts'];
  const shop = await ClusterShop.start(firstRoute);
  print('the cluster and three processes of the shop are up');
  const run = new ClusterRun(shop, options, print);
  await run.start();
  for (const [index, [route, names]] of plans.entries()) {
    if (index > 0) await shop.changeRoute(route);
    for (const name of names) await run.inject(route, name);
  }
  return run.finish();
}

/** The faults by route: half of the rounds, and every other fault, with each. */
function planFaults({ rounds, faults }: ClusterOptions): readonly (readonly [Route, readonly FaultName[]])[] {
  const others = faults.filter((name) => name !== 'primary');
  const isKilled = faults.includes('primary');
  return ROUTES.map((route, index) => {
    const length = isKilled ? Math.floor((rounds + 1 - index) / ROUTES.length) : 0;
    return [route, [...Array.from({ length }, () => 'primary' as const), ...others]] as const;
  }).filter(([, names]) => names.length > 0);
}

class ClusterRun {
  readonly #shop: ClusterShop;
  readonly #options: ClusterOptions;
  readonly #print: (line: string) => void;
  readonly #buyers: ClusterBuyers;
  readonly #outages: Outage[] = [];
  readonly #findings: string[] = [];
  #watcher: ClusterWatcher | null = null;

  constructor(shop: ClusterShop, options: ClusterOptions, print: (line: string) => void) {
    [this.#shop, this.#options, this.#print] = [shop, options, print];
    this.#buyers = new ClusterBuyers(shop);
  }

  async start(): Promise<void> {
    await this.#buyers.findProducts();
    for (const product of this.#buyers.products) await setProductStock(this.#shop.db, product, STOCK);
    await this.#buyers.start(this.#options.buyers);
    this.#watcher = await ClusterWatcher.start(this.#shop, this.#buyers);
    await this.#watcher.check();
    this.#print(`${this.#options.buyers} buyers are buying`);
  }

  async inject(route: Route, name: FaultName): Promise<void> {
    const { cluster } = this.#shop;
    const fault: Fault = FAULTS[name];
    await cluster.waitUntilWhole();
    await this.#waitForSale(Date.now());
    const refusedBefore = this.#buyers.refused;
    const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
    const { beganMs, undo, note } = await fault.inject(this.#shop);
    await this.#waitForSale(beganMs);
    const again = this.#buyers.orders.find(({ createdAtMs }) => createdAtMs > beganMs)?.acknowledgedAtMs ?? Infinity;
    const findings = [...((await undo?.()) ?? [])];
    cluster.revive();
    await cluster.waitUntilWhole();
    await this.#watcher?.check();
    const outage: Outage = {
      name,
      route,
      salesAgainMs: again - beganMs,
      longestGapMs: this.#measureGap(beganMs),
      refused: this.#buyers.refused - refusedBefore,
    };
    this.#outages.push(outage);
    const lost = await repeatUntilAvailable(() => findLost(this.#shop, this.#buyers));
    findings.push(...lost, ...this.#judge(outage, fault));
    this.#findings.push(...findings.map((finding) => `${name}, ${route}: ${finding}`));
    const { salesAgainMs, longestGapMs, refused } = outage;
    this.#print(
      `${name} (${route}): sales again after ${seconds(salesAgainMs)}, none for ${seconds(longestGapMs)} at most, ` +
        `${refused} requests refused, ${findings.length} findings; load ${load}${note === undefined ? '' : `; ${note}`}`,
    );
    for (const finding of findings.slice(0, 5)) this.#print(`  ${finding}`);
  }

  #judge({ salesAgainMs, refused }: Outage, fault: Fault): string[] {
    const { withinMs } = this.#options;
    return [
      ...(fault.isLimited === true && salesAgainMs > withinMs ? [`no sales for ${seconds(salesAgainMs)}`] : []),
      ...(fault.isHarmless === true && refused > 0 ? [`${refused} requests failed`] : []),
    ];
  }

  async #waitForSale(sinceMs: number): Promise<void> {
    await waitUntil(() => this.#buyers.orders.some(({ createdAtMs }) => createdAtMs > sinceMs));
  }

  #measureGap(sinceMs: number): number {
    const all = this.#buyers.orders.map(({ acknowledgedAtMs }) => acknowledgedAtMs).toSorted((a, b) => a - b);
    const times = [
      Math.max(...all.filter((atMs) => atMs <= sinceMs)),
      ...all.filter((atMs) => atMs > sinceMs),
      Date.now(),
    ];
    return Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs)));
  }

  async finish(): Promise<readonly string[]> {
    await this.#buyers.stop();
    this.#watcher?.close();
    await waitUntil(() => repeatUntilAvailable(() => hasNoInvoiceRequests(this.#shop.db)));
    const differences = await repeatUntilAvailable(() => findDifferences(this.#shop, this.#buyers));
    this.#findings.push(...this.#buyers.findings, ...differences);
    await this.#shop.stop();
    this.#printTable();
    return this.#findings;
  }

  #printTable(): void {
    const { orders, messages } = this.#buyers;
    const paid = orders.filter(({ paidAtMs }) => paidAtMs !== null);
    this.#print(`\n${'fault'.padEnd(44)}times  sales again: median, maximum   longest gap   refused`);
    for (const name of FAULT_NAMES) {
      const own = this.#outages.filter((one) => one.name === name);
      if (own.length === 0) continue;
      const times = own.map(({ salesAgainMs }) => salesAgainMs).toSorted((a, b) => a - b);
      const middle =
        ((times[Math.floor((times.length - 1) / 2)] ?? 0) + (times[Math.ceil((times.length - 1) / 2)] ?? 0)) / 2;
      const [longest, refused] = [
        Math.max(...own.map(({ longestGapMs }) => longestGapMs)),
        own.reduce((sum, one) => sum + one.refused, 0),
      ];
      this.#print(
        FAULTS[name].title.padEnd(44) +
          String(times.length).padStart(5) +
          `${seconds(middle)}, ${seconds(times.at(-1) ?? 0)}`.padStart(32) +
          seconds(longest).padStart(14) +
          String(refused).padStart(10),
      );
    }
    const refusals = [...this.#buyers.refusals].map(([status, count]) => `${count} of ${status}`).join(', ');
    this.#print(
      `\n${orders.length} acknowledged orders, ${paid.length} payments, ${messages.length} messages; refused: ${refusals || 'none'}`,
    );
    this.#print(`${this.#findings.length} findings`);
    for (const finding of new Set(this.#findings)) this.#print(`  ${finding}`);
  }
}

/** A cluster on a busy machine may change its primary at any time. */
async function repeatUntilAvailable<T>(read: () => Promise<T>): Promise<T> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      return await read();
    } catch (error) {
      if (triesLeft === 0 || !isDatabaseUnavailable(error)) throw error;
      await sleep(500);
    }
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
