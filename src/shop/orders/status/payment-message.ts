/** Input and output of payment messages. */
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import type { LateReason } from './late-reason.ts';
import type { ShownLoss } from '../show-order.ts';

/**
 * Refund destination: unknown, named (unconfirmed), entered by staff, known (confirmed), or a
 * refund is under way.
 */
export type RefundRoute = 'unknown' | 'named' | 'entered' | 'known' | 'going';

/** In satoshis per virtual byte. */
export interface LowFee {
  readonly paid: number;
  readonly day: number;
}

/** A payment to describe to the buyer; amounts as decimal BTC. */
export interface PaymentToDescribe {
  readonly status: PaymentStatus;
  readonly state: PaymentState;
  /** Loss of the order; null or omitted for none. */
  readonly loss?: ShownLoss | null | undefined;
  readonly confirmations: number;
  readonly required: number;
  /** Received amount; null for nothing. */
  readonly receivedBtc: string | null;
  /** Missing amount; null if nothing is missing. */
  readonly missingBtc: string | null;
  /** Surplus; null for none. */
  readonly surplusBtc: string | null;
  /** Refunded part of the surplus; null for none. */
  readonly returnedBtc: string | null;
  /** Omitted: unknown. */
  readonly refundRoute?: RefundRoute | undefined;
  /** A part of what was received is the credit of a return. */
  readonly hasCredit?: boolean | undefined;
  /** All refunds are credits of exchanges. */
  readonly isExchanged?: boolean | undefined;
  /** Dust limit of the refund address in BTC; null or omitted if unknown. */
  readonly minRefundBtc?: number | null | undefined;
  /** Why a confirmed late payment is not accepted yet; null or omitted if unknown. */
  readonly lateReason?: LateReason | null | undefined;
  /** Why the order can’t be requoted, without a full stop; null or omitted if it can or it is unknown. */
  readonly requoteRefusal?: string | null | undefined;
  /** Missing amount of an expired order at the present rate; null or omitted if unknown. */
  readonly missingAtPresentRateBtc?: string | null | undefined;
  /** The amount due was first seen within the window. */
  readonly isSeenInTime?: boolean | undefined;
  /** Accepted shortfall within the tolerance; null or omitted for none. */
  readonly shortBtc?: string | null | undefined;
  /**
   * Low fee of an unconfirmed payment and the fee for confirmation within a day; null or omitted if
   * it is not low.
   */
  readonly lowFee?: LowFee | null | undefined;
  /** Blocks until a mining reward matures; null without one. */
  readonly immatureBlocks: number | null;
  /** The order total is 0. */
  readonly isFree: boolean;
  /** The QR code and address are shown below the message. */
  readonly hasCode: boolean;
  /** Fulfilment status; omitted on pages without login. */
  readonly fulfilment?: FulfilmentStatus | undefined;
}

/** Next actor: the buyer (waiting), the network (moving), none (good), or a problem (attention). */
type PaymentTone = 'waiting' | 'moving' | 'good' | 'attention';

export interface PaymentMessage {
  readonly tone: PaymentTone;
  readonly title: string;
  /** What it means and what to do next. */
  readonly text: string;
}
