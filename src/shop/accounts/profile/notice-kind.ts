/** Security notices mailed to the user, in case someone else made the change. */
export type NoticeKind =
  | 'password-changed'
  | 'password-reset'
  | 'address-changed'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'recovery-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-replaced'
  | 'factor-change-cancelled';
