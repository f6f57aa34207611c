/** Choice of units to refund, read from a form. */
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { computeAmountRefund, computeLineRefund, countRefundable } from '#src/shop/refunds/lines/line-refund.ts';
import type { LinesToRefund, RefundableOrder } from '#src/shop/refunds/lines/line-refund.ts';
import { readText } from '../../kit/form-text.ts';
import { toCents, toSats } from './return-text.ts';

type Lines = RefundsOfOrder['lines'];

const toRefundableOrder = ({
  amounts,
  deducted_usd: deducted,
  items,
  refunded_btc: refunded,
  shipping,
}: Lines): RefundableOrder => ({
  lines: items.map((item) => ({
    position: item.position,
    quantity: item.quantity,
    shippedQuantity: item.shipped_quantity,
    refundedUnshipped: item.refunded_unshipped_quantity,
    refundedShipped: item.refunded_shipped_quantity,
    netCents: toCents(item.net_usd),
    taxCents: toCents(item.tax_usd),
    refundedNetCents: toCents(item.refunded_net_usd),
    refundedTaxCents: toCents(item.refunded_tax_usd),
  })),
  shipping: {
    netCents: toCents(shipping.net_usd),
    taxCents: toCents(shipping.tax_usd),
    isRefunded: shipping.is_refunded,
    refundedNetCents: toCents(shipping.refunded_net_usd),
    refundedTaxCents: toCents(shipping.refunded_tax_usd),
  },
  amounts: amounts.map(({ net_usd: net, position, tax_usd: tax }) => ({
    position,
    netCents: toCents(net),
    taxCents: toCents(tax),
  })),
  deductedCents: toCents(deducted),
  refundedSats: toSats(refunded),
});

/** A field of the form: units of a line, shipped or not. */
export interface UnitsField {
  readonly name: string;
  readonly position: number;
  readonly isShipped: boolean;
  readonly left: number;
  readonly title: string;
}

/** Fields of the lines of which units are left. */
export const listUnitsFields = (lines: Lines): readonly UnitsField[] =>
  toRefundableOrder(lines).lines.flatMap((line) => {
    const { position } = line;
    const title = lines.items.find((item) => item.position === position)?.name ?? '';
    const { shipped, unshipped } = countRefundable(line);
    return [
      { name: `unshipped-${position}`, position, isShipped: false, left: unshipped, title },
      { name: `shipped-${position}`, position, isShipped: true, left: shipped, title },
    ].filter(({ left }) => left > 0);
  });

/** Units and shipping as chosen in the form. */
export const readChoice = (data: FormData, fields: readonly UnitsField[]): LinesToRefund => ({
  units: fields.flatMap(({ isShipped, name, position }) => {
    const quantity = Number(readText(data, name)) || 0;
    return quantity > 0 ? [{ position, isShipped, quantity }] : [];
  }),
  shipping: readText(data, 'shipping') !== '',
});

/** What the refund of a choice takes, or why it can't be made. */
export const computeChoice = (lines: Lines, choice: LinesToRefund) =>
  computeLineRefund(toRefundableOrder(lines), toSats(lines.settled_btc), choice);

/** What a refund of these dollars takes, or why it can't be made. */
export const computeAmount = (lines: Lines, usd: number) =>
  computeAmountRefund(toRefundableOrder(lines), toSats(lines.settled_btc), toCents(usd));
