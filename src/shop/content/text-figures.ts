import {
  describeConfirmations,
  describeDuration,
  describeRefundRule,
  describeRetention,
  listConfirmations,
} from './describe-figures.ts';
import type { RefundMethod, RetentionPeriods } from './describe-figures.ts';
import type { Figures } from './placeholders.ts';

/** What questions and legal texts quote from the settings. */
export interface TextFigures {
  readonly values: Figures;
  /** Total of an order, and the confirmations that it needs. */
  readonly confirmations: readonly (readonly [total: string, confirmations: string])[];
}

interface FigureSource {
  readonly shopName: string;
  readonly shopAddress: string;
  readonly paymentWindowSeconds: number;
  /** For items that are almost sold out. */
  readonly shortWindowSeconds: number;
  readonly lateTolerancePercent: number;
  readonly refundMethod: RefundMethod;
  readonly retention: RetentionPeriods;
  readonly confirmationSteps: readonly { readonly fromCents: bigint; readonly confirmations: number }[];
}

export const describeFigures = (of: FigureSource): TextFigures => ({
  values: {
    shop_name: of.shopName,
    shop_address: of.shopAddress,
    payment_window: describeDuration(of.paymentWindowSeconds),
    short_payment_window: describeDuration(Math.min(of.shortWindowSeconds, of.paymentWindowSeconds)),
    late_tolerance: `${of.lateTolerancePercent} percent`,
    confirmations: describeConfirmations(of.confirmationSteps),
    refund_rule: describeRefundRule(of.refundMethod),
    ...describeRetention(of.retention),
  },
  confirmations: listConfirmations(of.confirmationSteps),
});
