/** Requests `/healthz` again and again, and measures what delays the response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readMainThreadCpuMs } from '../../scripts/bench/support/process-figures.ts';
import { sendRawRequest } from './raw-call.ts';

const INTERVAL_MS = 15;

export interface HealthProbe {
  /** @returns in ms, for how long the shop computed at most while a request waited */
  stop(): Promise<number>;
}

/**
 * @param getPid the shop's process. What its main thread computes while a request waits is what holds it up; the wait
 *   itself also grows with the other work of the machine, and counts only where the system does not tell the former.
 */
export function startHealthProbe(url: string, getPid: () => number): HealthProbe {
  const stopping = new AbortController();
  const measure = async (): Promise<number> => {
    let longest = 0;
    while (!stopping.signal.aborted) {
      const pid = getPid();
      const [start, computed] = [performance.now(), readMainThreadCpuMs(pid)];
      const { status } = await sendRawRequest(url, { method: 'GET', path: '/healthz' }, 100);
      if (status !== 200) throw new Error(`/healthz responded ${status}`);
      const waited = performance.now() - start;
      longest = Math.max(longest, computed === null ? waited : (readMainThreadCpuMs(pid) ?? 0) - computed);
      await sleep(INTERVAL_MS);
    }
    return longest;
  };
  const measuring = measure();
  return {
    stop: () => {
      stopping.abort();
      return measuring;
    },
  };
}
