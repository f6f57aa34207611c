/** What monitoring reads: metrics of the shop, and the parts that `/readyz` names. */
import type { Db } from '#src/platform/database/database.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import { readQueueDepths, readQueueHealth } from '#src/platform/jobs/queue-health.ts';
import { MAIL_JOB } from '#src/platform/mail/mails.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { SharedReading } from '#src/platform/process/shared-reading.ts';
import type { RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import type { MetricSource } from '#src/platform/telemetry/telemetry.ts';
import type { OrderList } from '#src/shop/orders/list/service.ts';
import { paymentStatuses } from '#src/shop/orders/kinds.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { Overview } from '../overview/service.ts';
import type { Setup } from '../settings/service.ts';
import { PROCESS_METRICS, SHOP_METRICS, sumByValue } from './shop-metrics.ts';
import { countRecentOrders } from './store.ts';

/** A larger number of orders to ship is cut off. */
const MAX_TO_SHIP = 10_000;
const RECENT_MS = 24 * 3_600_000;
/** How long a reading is reused. However often monitoring asks, the database is read once in this time. */
const METRICS_REUSED_MS = 5_000;
const PARTS_REUSED_MS = 3_000;
/** A reading that takes longer is reported as unknown. */
const PARTS_TIMEOUT_MS = 1_000;
const UNKNOWN_PARTS = { mail: 'unknown', queue: 'unknown', backup: 'unknown', backup_age_s: null } as const;

export interface WatchingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orderList: Pick<OrderList, 'countToShip'>;
  readonly overview: Pick<Overview, 'readBackup'>;
  readonly payments: Pick<Payments, 'readChainHealth'>;
  readonly rates: RateSourceWithState;
  readonly setup: Pick<Setup, 'readHealth'>;
}

export class Watching {
  readonly #options: WatchingOptions;
  readonly #parts = new SharedReading<Readiness['parts']>(PARTS_REUSED_MS);

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  /**
   * Adds mail, queue and backup to what `/readyz` reports, as the back office shows them. They do not change whether
   * the shop is ready: a process that cannot send mails still sells.
   */
  async describeReadiness(readiness: Readiness): Promise<Readiness> {
    const isReadable = readiness.parts['database'] === 'ready';
    const parts = isReadable ? await this.#parts.read(() => this.#readParts(readiness), PARTS_TIMEOUT_MS) : null;
    return { ...readiness, parts: { ...readiness.parts, ...(parts ?? UNKNOWN_PARTS) } };
  }

  async #readParts(readiness: Readiness): Promise<Readiness['parts']> {
    const { clock, overview, setup } = this.#options;
    const [{ parts }, backup] = await Promise.all([setup.readHealth(readiness), overview.readBackup()]);
    const stateOf = (name: string): string => parts.find((part) => part.name === name)?.state ?? 'unknown';
    const ageMs = backup.at === null ? null : clock.now().getTime() - backup.at.getTime();
    return {
      mail: stateOf('mail'),
      queue: stateOf('jobs'),
      backup: backup.is_due ? 'due' : 'current',
      backup_age_s: ageMs === null ? null : Math.round(ageMs / 1000),
    };
  }

  /** Metrics from the database. */
  createShopMetrics(checkReadiness: () => Promise<Readiness>): MetricSource<keyof typeof SHOP_METRICS> {
    const reading = new SharedReading<Awaited<ReturnType<Watching['readShopMetrics']>>>(METRICS_REUSED_MS);
    const read = async () => {
      const values = await reading.read(async () => this.readShopMetrics(await checkReadiness()));
      if (values === null) throw new Error('the metrics of the shop could not be read');
      return values;
    };
    return { definitions: SHOP_METRICS, read };
  }

  /** Metrics from the memory of this process. */
  createProcessMetrics(): MetricSource<keyof typeof PROCESS_METRICS> {
    const { clock, rates } = this.#options;
    const read = async () => {
      const [rate, state] = [rates.getCurrent(), rates.getState()];
      return {
        shop_rate_state: { current: 0, delayed: 0, none: 0, [state]: 1 },
        ...(rate && {
          shop_rate_age_seconds: Math.max(0, clock.now().getTime() - rate.at.getTime()) / 1000,
          shop_rate_usd: Number(rate.centsPerBtc) / 100,
        }),
      };
    };
    return { definitions: PROCESS_METRICS, read };
  }

  async readShopMetrics(readiness: Readiness) {
    const { clock, db, orderList, overview, payments, setup } = this.#options;
    const now = clock.now();
    const computeAge = (at: Date): number => (now.getTime() - at.getTime()) / 1000;
    const [orders, toShip, queues, mail, { parts }, backup, chain] = await Promise.all([
      countRecentOrders(db, new Date(now.getTime() - RECENT_MS)),
      orderList.countToShip(MAX_TO_SHIP),
      readQueueDepths(db),
      readQueueHealth(db, MAIL_JOB),
      setup.readHealth(readiness),
      overview.readBackup(),
      payments.readChainHealth(),
    ]);
    return {
      shop_orders: sumByValue(
        paymentStatuses,
        orders.map(({ status: value, total }) => ({ value, total })),
      ),
      shop_payments: sumByValue(
        paymentStates,
        orders.map(({ state: value, total }) => ({ value, total })),
      ),
      shop_orders_to_ship: toShip,
      shop_jobs: Object.fromEntries(queues.map(({ queue, waiting }) => [queue, waiting])),
      shop_jobs_oldest_age_seconds: Object.fromEntries(queues.map(({ queue, ageSeconds }) => [queue, ageSeconds])),
      shop_mails_retried: mail.retried,
      shop_part_ok: Object.fromEntries(parts.map((part) => [part.name, Number(part.is_ok)])),
      shop_backup_due: Number(backup.is_due),
      ...(backup.at && { shop_backup_age_seconds: computeAge(backup.at) }),
      ...(chain.tipHeight !== null && { shop_chain_tip_height: chain.tipHeight }),
      ...(chain.tipAt && { shop_chain_tip_age_seconds: computeAge(chain.tipAt) }),
      ...(chain.reconciledAt && { shop_chain_lag_seconds: computeAge(chain.reconciledAt) }),
    };
  }
}
