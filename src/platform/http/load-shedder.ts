/**
 * Load shedding: refuses work during an overload, the lowest priority first, so that accepted requests complete
 * soon. Measures the delay of the event loop and the wait of queued work.
 */
import type { FastifyInstance } from 'fastify';
import { createOverloaded } from './call.ts';
import type { Refusal } from './call.ts';
import { measureEventLoopDelay } from './event-loop-delay.ts';
import type { Priority } from './priority.ts';
import { WorkQueue } from './work-queue.ts';
import type { ClassLimits, RunOptions } from './work-queue.ts';

/** Mean event loop delay in ms from which work is refused immediately. */
const MAX_DELAY_MS: Readonly<Record<Priority, number>> = { critical: 800, normal: 500, browsing: 200 };

/** Connections accepted between two pages. An idle loop turn takes microseconds. */
const TICKS_BETWEEN_RENDERS = 16;

type Limits = Readonly<Record<Priority, ClassLimits>>;

/** CPU-bound work: pages, searches. */
const RENDER_LIMITS: Limits = {
  critical: { running: 8, waiting: 200, waitMs: 3_000 },
  normal: { running: 6, waiting: 100, waitMs: 2_000 },
  browsing: { running: 4, waiting: 100, waitMs: 800 },
};
/**
 * Comparing the responses behind cached pages: CPU-bound, much shorter than a render. The turns
 * between two renders allow up to sixteen, so neither kind waits long for the other.
 */
const REVALIDATION_LIMITS: Limits = {
  critical: { running: 8, waiting: 400, waitMs: 3_000 },
  normal: { running: 6, waiting: 400, waitMs: 2_000 },
  browsing: { running: 4, waiting: 400, waitMs: 800 },
};
/** Connections accepted between two revalidations. */
const TICKS_BETWEEN_REVALIDATIONS = 1;
/** Work that waits for the database, which runs sixteen statements in parallel. */
const CALL_LIMITS: Limits = {
  critical: { running: 20, waiting: 500, waitMs: 400 },
  normal: { running: 14, waiting: 200, waitMs: 800 },
  browsing: { running: 8, waiting: 100, waitMs: 400 },
};

type ShedResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

type WorkKind = 'render' | 'revalidation' | 'call';

export interface LoadShedder {
  /**
   * Runs the work now or queues it.
   * @param kind `render` and `revalidation` use the processor, `call` waits for the database
   */
  run<T>(kind: WorkKind, importance: Priority, work: () => Promise<T>, options?: RunOptions): Promise<ShedResult<T>>;
}

/** Accepts everything immediately: with RATE_LIMITS=off, and for tests. */
export const noShedding: LoadShedder = {
  run: async (_kind, _importance, work) => ({ ok: true, value: await work() }),
};

export const createLoadShedder = (server: FastifyInstance): LoadShedder =>
  createDelayBasedShedder(measureEventLoopDelay(server));

/** @param delayMs mean event loop delay; infinite after a stall too long to measure */
export function createDelayBasedShedder(delayMs: () => number): LoadShedder {
  const queues = {
    render: new WorkQueue({ limits: RENDER_LIMITS, ticksBetween: TICKS_BETWEEN_RENDERS }),
    revalidation: new WorkQueue({ limits: REVALIDATION_LIMITS, ticksBetween: TICKS_BETWEEN_REVALIDATIONS }),
    call: new WorkQueue({ limits: CALL_LIMITS, ticksBetween: 0 }),
  };
  const isLate = (importance: Priority): boolean => {
    const delay = delayMs();
    // A delay that cannot be measured does not refuse a checkout; a full queue does.
    if (importance === 'critical' && !Number.isFinite(delay)) return false;
    return delay > MAX_DELAY_MS[importance];
  };
  return {
    run: async (kind, importance, work, options) => {
      if (isLate(importance)) return { ok: false, refusal: createOverloaded() };
      const ran = await queues[kind].run(importance, work, options);
      return ran.ok ? ran : { ok: false, refusal: createOverloaded() };
    },
  };
}
