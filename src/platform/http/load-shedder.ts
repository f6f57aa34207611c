/**
 * Refuses work when there is more to do than can be done, the least important first, so that what is accepted is answered
 * soon. Measures are the delay of the event loop and the time that work has to wait for its turn.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { overloaded } from './call.ts';
import type { Refusal } from './call.ts';
import type { Priority } from './priority.ts';
import { WorkQueue } from './work-queue.ts';
import type { ClassLimits } from './work-queue.ts';

/** The mean of this time counts: a single stall is no overload. */
const SAMPLE_MS = 1_000;

/** Mean delay of the event loop in ms from which on work is refused at once. */
const MAX_DELAY_MS: Readonly<Record<Priority, number>> = { critical: 800, normal: 500, browsing: 200 };

/** So many connections are accepted between two pages; an idle turn takes some microseconds. */
const TICKS_BETWEEN_RENDERS = 16;

type Limits = Readonly<Record<Priority, ClassLimits>>;

/** Keeps the processor busy: pages, searches. */
const RENDER_LIMITS: Limits = {
  critical: { running: 8, waiting: 200, waitMs: 3_000 },
  normal: { running: 6, waiting: 100, waitMs: 2_000 },
  browsing: { running: 4, waiting: 100, waitMs: 800 },
};
/** Waits for the database, which answers sixteen at once. */
const CALL_LIMITS: Limits = {
  critical: { running: 20, waiting: 500, waitMs: 400 },
  normal: { running: 14, waiting: 200, waitMs: 800 },
  browsing: { running: 8, waiting: 100, waitMs: 400 },
};

type ShedResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export interface LoadShedder {
  /**
   * Does the work, now or when it is its turn.
   * @param kind `render` keeps the processor busy, `call` waits for the database
   * @param isWanted whether the client is still there when it is the work's turn
   */
  run<T>(
    kind: 'render' | 'call',
    importance: Priority,
    work: () => Promise<T>,
    isWanted?: () => boolean,
  ): Promise<ShedResult<T>>;
}

/** Accepts everything at once: with RATE_LIMITS=off, and for tests. */
export const noShedding: LoadShedder = {
  run: async (_kind, _importance, work) => ({ ok: true, value: await work() }),
};

export async function createLoadShedder(server: FastifyInstance): Promise<LoadShedder> {
  await server.register(underPressure, { sampleInterval: SAMPLE_MS });
  return createDelayBasedShedder(() => server.memoryUsage().eventLoopDelay);
}

/** @param delayMs mean delay of the event loop; infinite after one long stall, in which nothing could be measured */
export function createDelayBasedShedder(delayMs: () => number): LoadShedder {
  const queues = {
    render: new WorkQueue({ limits: RENDER_LIMITS, ticksBetween: TICKS_BETWEEN_RENDERS }),
    call: new WorkQueue({ limits: CALL_LIMITS, ticksBetween: 0 }),
  };
  const isLate = (importance: Priority): boolean => {
    const delay = delayMs();
    // What cannot be measured is no reason to refuse a checkout: its queue still is.
    if (importance === 'critical' && !Number.isFinite(delay)) return false;
    return delay > MAX_DELAY_MS[importance];
  };
  return {
    run: async (kind, importance, work, isWanted) => {
      if (isLate(importance)) return { ok: false, refusal: overloaded() };
      const ran = await queues[kind].run(importance, work, isWanted);
      return ran.ok ? ran : { ok: false, refusal: overloaded() };
    },
  };
}
