/**
 * One shop for all test files of a process. The test run puts the files that use it into few
 * processes (`scripts/test/test-groups.ts`), which also share a browser. Run alone, a file has its own.
 */
import { after } from 'node:test';
import { startTestShop } from './shop.ts';
import type { TestShop } from './shop.ts';

let started: Promise<TestShop> | null = null;

/**
 * Starts the shop at the first call. For tests that need no settings, use accounts of their own, and
 * leave clock, stock, promotions, prices and the process as they were.
 */
export function shareTestShop(): Promise<TestShop> {
  started ??= startTestShop();
  return started;
}
after(async () => (await started)?.stop());
