import { setTimeout as sleep } from 'node:timers/promises';

const MAX_TRIES = 30;

/** Fetches a page; if a busy machine shed it, again when the response says, as a reader would. */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<Response> {
  for (let triesLeft = MAX_TRIES; ; triesLeft -= 1) {
    const response = await fetch(url, init);
    const seconds = response.headers.get('retry-after');
    if (response.status !== 503 || seconds === null || triesLeft === 0) return response;
    await response.arrayBuffer();
    await sleep(Number(seconds) * 1000);
  }
}
