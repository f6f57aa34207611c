/** How late the event loop runs what is due, while a server serves requests. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';

/** Period of the mean delay. A single stall is not an overload. */
const SAMPLE_MS = 1_000;
/** Interval of the timer whose delay is measured. */
const RESOLUTION_MS = 10;

/**
 * Measures from the moment at which the server listens: what its start computes delays no request.
 * @returns the mean delay of the last full second in ms; 0 in the first one, infinite after a stall too long to measure
 */
export function measureEventLoopDelay(server: FastifyInstance): () => number {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let meanMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const sample = (): void => {
    meanMs = delays.count === 0 ? Infinity : Math.max(0, delays.mean / 1e6 - RESOLUTION_MS);
    delays.reset();
    // The next second begins now, however late this one ended.
    timer?.refresh();
  };
  server.addHook('onListen', (done) => {
    delays.enable();
    timer = setTimeout(sample, SAMPLE_MS).unref();
    done();
  });
  server.addHook('onClose', (_server, done) => {
    clearTimeout(timer);
    delays.disable();
    done();
  });
  return () => meanMs;
}
