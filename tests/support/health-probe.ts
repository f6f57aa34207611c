/** Requests `/healthz` again and again, and measures the longest wait. */
import { sendRawRequest } from './raw-call.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 15;

export interface HealthProbe {
  /** @returns the longest wait in ms */
  stop(): Promise<number>;
}

export function startHealthProbe(url: string): HealthProbe {
  let [isStopped, longest] = [false, 0];
  const measuring = (async () => {
    do {
      const start = performance.now();
      const { status } = await sendRawRequest(url, { method: 'GET', path: '/healthz' }, 100);
      if (status !== 200) throw new Error(`/healthz responded ${status}`);
      longest = Math.max(longest, performance.now() - start);
      await sleep(INTERVAL_MS);
    } while (!isStopped);
  })();
  return {
    stop: async () => {
      isStopped = true;
      await measuring;
      return longest;
    },
  };
}
