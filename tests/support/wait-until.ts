import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than whatever is waited for takes on a slow machine with much else to do; shorter than a test may take. */
const WITHIN_MS = 120_000;

/** Looks again and again until it holds; fails after two minutes. */
export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; ;) {
    // Asked before the look: the last look comes after the end.
    const isOver = performance.now() > end;
    if (await holds()) return;
    if (isOver) assert.fail(`it never came true: ${holds.toString()}`);
    await sleep(50);
  }
}
