import { formatDecimalBtc } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import type { PaymentUriWriter } from '#src/shop/orders/show-order.ts';
import { isRecorded } from './manual/manual-record.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';

export interface RefundToShow {
  readonly id: string;
  /** Number of the order. */
  readonly number: bigint;
  readonly covers: RefundCovers;
  readonly debitSats: Sats;
  readonly amountSats: Sats;
  readonly feeSats: Sats | null;
  readonly address: string;
  /** Base64. */
  readonly psbt: string | null;
  readonly madeAt: Date;
  readonly state: RefundState;
  readonly txid: string | null;
  readonly vout: number | null;
  readonly isElsewhere: boolean;
  readonly reason: string | null;
}

/** A refund as staff receive it from the API. Amounts in sats. */
export function showRefund(refund: RefundToShow, writeUri: PaymentUriWriter) {
  const { address, amountSats, number } = refund;
  return {
    id: refund.id,
    covers: refund.covers,
    amount_btc: amountSats,
    debit_btc: refund.debitSats,
    fee_btc: refund.feeSats,
    address,
    psbt: refund.psbt,
    bip21: writeUri({ address, amountBtc: formatDecimalBtc(amountSats), label: `Refund ${formatOrderNumber(number)}` }),
    state: refund.state,
    txid: refund.txid,
    is_recorded: isRecorded(refund),
    is_elsewhere: refund.isElsewhere,
    reason: refund.reason,
    made_at: refund.madeAt,
  };
}

export type ShownRefund = ReturnType<typeof showRefund>;
