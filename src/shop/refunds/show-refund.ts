import { formatDecimalBtc } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { PaymentUriWriter } from '#src/shop/orders/show-order.ts';
import { isRecorded } from './manual/manual-record.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';

export interface RefundToShow {
  readonly id: string;
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

/**
 * A refund as staff receive it from the API. Amounts in sats.
 * @param number of the order, as people see it
 */
export function showRefund(refund: RefundToShow, number: string, writeUri: PaymentUriWriter) {
  const { address, amountSats } = refund;
  return {
    id: refund.id,
    covers: refund.covers,
    amount_btc: amountSats,
    debit_btc: refund.debitSats,
    fee_btc: refund.feeSats,
    address,
    psbt: refund.psbt,
    bip21: writeUri({ address, amountBtc: formatDecimalBtc(amountSats), label: `Refund ${number}` }),
    state: refund.state,
    txid: refund.txid,
    is_recorded: isRecorded(refund),
    is_elsewhere: refund.isElsewhere,
    reason: refund.reason,
    made_at: refund.madeAt,
  };
}

export type ShownRefund = ReturnType<typeof showRefund>;
