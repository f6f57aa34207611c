import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until it holds; fails after about half a minute. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail('it never came true');
}
