/** Removes the data of a shop that has stopped. */
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const REMOVAL_TRIES = 300;

/**
 * Whether the directory is removed. A stopping database may still write, and `rmSync` does not
 * report leftovers.
 */
function isRemoved(directory: string): boolean {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    return false;
  }
  return !existsSync(directory);
}

export async function removeData(directory: string): Promise<void> {
  for (let triesLeft = REMOVAL_TRIES; !isRemoved(directory); triesLeft -= 1) {
    if (triesLeft === 0) throw new Error(`${directory} cannot be removed`);
    await sleep(100);
  }
}

/** Removes data at process exit, which cannot await anything. Ignores failures. */
export function removeDataNow(directory: string): void {
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (let triesLeft = REMOVAL_TRIES; triesLeft > 0 && !isRemoved(directory); triesLeft -= 1) {
    Atomics.wait(wait, 0, 0, 100);
  }
}
