/** How a buyer proved an order to be theirs, and what became of a statement of withdrawal. */

/** A link from a mail, the account, or number and mail address of the order. */
export const proofs = ['link', 'account', 'address'] as const;
export type Proof = (typeof proofs)[number];

/** Why a statement has no effect. */
export const refusalReasons = [
  'not-found',
  'not-paid',
  'business',
  'period-over',
  'nothing-left',
  'switched-off',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export type WithdrawalResult = 'recorded' | RefusalReason;

/** Lists of the statements that name no order: without an answer of staff, or with one. */
export const unmatchedViews = ['open', 'answered'] as const;
