/** What completes a login after the password, or authorises a change of second factors. */
export type ConfirmedWith = 'factor' | 'recovery-code';

export const FACTOR_CHANGE_KINDS = [
  'add-app',
  'remove-app',
  'add-passkey',
  'remove-passkey',
  'replace-recovery-codes',
] as const;
export type FactorChangeKind = (typeof FACTOR_CHANGE_KINDS)[number];
