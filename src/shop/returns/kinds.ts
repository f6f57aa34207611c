/** Causes and states of returns, each declared once. */

/** Withdrawal from the contract (2011/83/EU, article 9), statutory warranty, or what the shop allows besides. */
export const returnCauses = ['withdrawal', 'defect', 'courtesy'] as const;
export type ReturnCause = (typeof returnCauses)[number];

export const returnStates = [
  'requested',
  'approved',
  'in-transit',
  'received',
  'inspected',
  'closed',
  'refused',
] as const;
export type ReturnState = (typeof returnStates)[number];
