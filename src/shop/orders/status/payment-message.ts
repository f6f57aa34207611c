/** What decides on the message about an order's payment, and the message. */
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import type { ShownLoss } from '../show-order.ts';

/** Where money that goes back goes: that is to be told, was named and is to be confirmed, was entered by staff, is known; or it is being sent. */
export type RefundRoute = 'unknown' | 'named' | 'entered' | 'known' | 'going';

/** Satoshi a virtual byte. */
export interface LowFee {
  readonly paid: number;
  readonly day: number;
}

/** An order's payment as its buyer reads it; amounts as decimals of bitcoin. */
export interface PaymentToDescribe {
  readonly status: PaymentStatus;
  readonly state: PaymentState;
  /** What the order has lost; left out or null for nothing. */
  readonly loss?: ShownLoss | null | undefined;
  readonly confirmations: number;
  readonly required: number;
  /** All that has arrived; null for nothing. */
  readonly receivedBtc: string | null;
  /** What is still to be sent; null when nothing is missing. */
  readonly missingBtc: string | null;
  /** What came beyond what was due; null for nothing. */
  readonly surplusBtc: string | null;
  /** What went back of that; null for nothing. */
  readonly returnedBtc: string | null;
  /** Left out: to be told. */
  readonly refundRoute?: RefundRoute | undefined;
  /** The least that the network carries to the address that was named, in BTC; null or left out where that is not known. */
  readonly minRefundBtc?: number | null | undefined;
  /** Why a late payment that is confirmed waits; null or left out where that is not known. */
  readonly lateReason?: 'rate' | 'no-rate' | 'sold-out' | 'promo' | null | undefined;
  /** What an order whose time is over would still ask at the present rate; null or left out where that is not known. */
  readonly missingAtPresentRateBtc?: string | null | undefined;
  /** What is due was first seen within the window; left out: it was not. */
  readonly isSeenInTime?: boolean | undefined;
  /** By how much what has come is short of what was due, and is accepted; null or left out for nothing. */
  readonly shortBtc?: string | null | undefined;
  /** Of an unconfirmed payment whose fee is low: that and what it takes within a day, in sat/vB; null or left out: it is not. */
  readonly lowFee?: LowFee | null | undefined;
  /** Blocks until a miner's reward that has arrived counts; null while there is none. */
  readonly immatureBlocks: number | null;
  /** Nothing was to be paid. */
  readonly isFree: boolean;
  /** The code and the address to pay stand below what is told. */
  readonly hasCode: boolean;
  /** How far what was ordered has come; left out where that is nobody's business. */
  readonly fulfilment?: FulfilmentStatus | undefined;
}

/** Whether it is the buyer's turn, the network's, nobody's any more, or something went wrong. */
type PaymentTone = 'waiting' | 'moving' | 'good' | 'attention';

export interface PaymentMessage {
  readonly tone: PaymentTone;
  /** What has happened, in a few words. */
  readonly title: string;
  /** What it means, and what to do about it. */
  readonly text: string;
}
