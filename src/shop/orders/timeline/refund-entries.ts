import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { RefundMethod } from '#src/shop/shop-settings/refund-method.ts';
import type { RefundCovers, RefundState } from '../kinds.ts';

export interface RefundEntry {
  readonly covers: RefundCovers;
  /** What a refund of lines covers; null for another one. */
  readonly lines: {
    readonly items: readonly { readonly name: string; readonly quantity: number }[];
    readonly shipping: boolean;
    readonly total_usd: Cents;
  } | null;
  readonly method: RefundMethod;
  /** Dollars of a sale that it returns; null: of no sale. */
  readonly valueCents: Cents | null;
  /** Rate of a refund by value, and when it was found. */
  readonly rate: CentsPerBtc | null;
  readonly rateAt: Date | null;
  readonly amountSats: Sats;
  readonly state: RefundState;
  readonly txid: string | null;
  /** It pays the order of an exchange instead of an address. */
  readonly isCredit: boolean;
  readonly at: Date;
}

/** What a timeline shows of the refunds of its order; the refunds slice provides it. */
export interface RefundEntries {
  /** Oldest first, without withdrawn ones. */
  readonly refunds: readonly RefundEntry[];
  /** Refund address, confirmed or not; null without one. */
  readonly address: string | null;
}
