import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any awaited change on a slow, busy machine; shorter than a test may take. */
const WITHIN_MS = 120_000;

/** Checks repeatedly until the condition holds; fails after two minutes. */
export async function waitUntil(isMet: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; ;) {
    // Read before the check: the last check happens after the end.
    const isOver = performance.now() > end;
    if (await isMet()) return;
    if (isOver) assert.fail(`the condition did not become true: ${isMet.toString()}`);
    await sleep(50);
  }
}
