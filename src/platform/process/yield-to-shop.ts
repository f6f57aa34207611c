import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Makes this process the first to end when memory runs out, and gives it the processor after the shop.
 * @param niceness up to 19, the lowest priority
 */
export function yieldToShop(niceness: number): void {
  setPriority(niceness);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
}
