/** All faults that `npm run stress -- mutations` makes, by layer. */
import type { Fault, Layer } from './fault.ts';
import { pageFaults } from './page-faults.ts';
import { routeFaults } from './route-faults.ts';
import { ruleFaults } from './rule-faults.ts';
import { serviceFaults } from './service-faults.ts';
import { storeFaults } from './store-faults.ts';

export const faultsByLayer: Readonly<Record<Layer, readonly Fault[]>> = {
  rules: ruleFaults,
  services: serviceFaults,
  stores: storeFaults,
  routes: routeFaults,
  pages: pageFaults,
};

/** @throws Error unless the text to replace occurs exactly once */
export function applyFault(code: string, { id, from, to }: Fault): string {
  const parts = code.split(from);
  if (parts.length !== 2) throw new Error(`${id}: its text occurs ${parts.length - 1} times`);
  return parts.join(to);
}
