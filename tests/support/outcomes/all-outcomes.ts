import { arriving } from './arriving.ts';
import { nodeUnavailable } from './away.ts';
import { staffDecisions } from './by-staff.ts';
import { refunds } from './giving-back.ts';
import { paymentWindow } from './in-time.ts';
import { leaving } from './leaving.ts';
import type { Scenario } from './outcome.ts';

/** In an order that any of them may come first in. */
export const scenarios: readonly Scenario[] = [
  ...arriving,
  ...leaving,
  ...paymentWindow,
  ...staffDecisions,
  ...refunds,
  ...nodeUnavailable,
];
