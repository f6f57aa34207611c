/** Requests `/healthz` again and again, and measures the longest wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRawRequest } from './raw-call.ts';

const INTERVAL_MS = 15;

export interface HealthProbe {
  /** @returns the longest wait in ms */
  stop(): Promise<number>;
}

export function startHealthProbe(url: string): HealthProbe {
  const stopping = new AbortController();
  const measure = async (): Promise<number> => {
    let longest = 0;
    while (!stopping.signal.aborted) {
      const start = performance.now();
      const { status } = await sendRawRequest(url, { method: 'GET', path: '/healthz' }, 100);
      if (status !== 200) throw new Error(`/healthz responded ${status}`);
      longest = Math.max(longest, performance.now() - start);
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
