import { arriving } from './arriving-payments.ts';
import { nodeUnavailable } from './node-unavailable.ts';
import { staffDecisions } from './staff-decisions.ts';
import { refunds } from './refunds.ts';
import { paymentWindow } from './payment-window.ts';
import { leaving } from './leaving-payments.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios; the order does not matter. */
export const scenarios: readonly Scenario[] = [
  ...arriving,
  ...leaving,
  ...paymentWindow,
  ...staffDecisions,
  ...refunds,
  ...nodeUnavailable,
];
