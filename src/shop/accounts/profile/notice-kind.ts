/** What users are told of, lest somebody else did it. */
export type NoticeKind = 'password-changed' | 'password-reset' | 'address-changed';
