import { cents, formatDecimalBtc } from '#src/shop/money.ts';
import type { RefundMethod } from '#src/shop/shop-settings/refund-method.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { PaymentUriWriter } from '#src/shop/orders/show-order.ts';
import { isRecorded } from './manual/manual-record.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';

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
  readonly creditedOrderId: string | null;
  readonly linesReason: string | null;
  readonly linesCents: Cents | null;
  readonly restocks: boolean;
  readonly coversShipping: boolean;
  readonly amountReason: string | null;
  readonly method: RefundMethod;
  readonly fullSats: Sats;
  readonly valueCents: Cents | null;
  readonly rate: CentsPerBtc | null;
  readonly rateAt: Date | null;
}

/** Units of a line that a refund covers. */
export interface CoveredUnits {
  readonly position: number;
  readonly name: string;
  readonly values: readonly LineValue[];
  readonly quantity: number;
}

/** What a refund of lines covers; null for another refund. */
export const showCoveredLines = (
  { coversShipping, linesCents }: Pick<RefundToShow, 'coversShipping' | 'linesCents'>,
  units: readonly CoveredUnits[],
) =>
  linesCents === null
    ? null
    : {
        items: units.map(({ name, quantity, values }) => ({
          name: formatLineName({ name, property_values: values }),
          quantity,
        })),
        shipping: coversShipping,
        total_usd: linesCents,
      };

/**
 * A refund as staff receive it from the API. Amounts in sats.
 * @param number of the order, as people see it
 */
export function showRefund(
  refund: RefundToShow,
  number: string,
  writeUri: PaymentUriWriter,
  units: readonly CoveredUnits[] = [],
) {
  const lines = showCoveredLines(refund, units);
  const { address, amountSats } = refund;
  return {
    id: refund.id,
    covers: refund.covers,
    lines: lines && { ...lines, reason: refund.linesReason ?? '', restock: refund.restocks },
    amount_reason: refund.amountReason,
    method: refund.method,
    value_usd: refund.valueCents,
    rate_usd: refund.rate && cents(refund.rate),
    rate_at: refund.rateAt,
    returns_btc: refund.fullSats,
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
    credited_order_id: refund.creditedOrderId,
    made_at: refund.madeAt,
  };
}

export type ShownRefund = ReturnType<typeof showRefund>;

/**
 * Whether the buyer sees the dollars of a refund. A refund of the whole in kind ends the sale, also when a part of the
 * payment was lost: its satoshis may be worth less than the price.
 */
export const isValueReturned = ({ covers, method }: Pick<RefundToShow, 'covers' | 'method'>): boolean =>
  method === 'value' || covers !== 'whole';
