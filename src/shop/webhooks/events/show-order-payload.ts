import { cents } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { FulfilmentStatus, PaymentStatus, RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';
import { showCharges } from '#src/shop/orders/show-charges.ts';
import type { LineValue, StoredCharges } from '#src/shop/orders/stored-order.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';

export interface OrderFacts extends StoredCharges {
  readonly id: string;
  readonly number: bigint;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
  readonly country: string;
  readonly total_cents: Cents;
  readonly total_sats: Sats;
  readonly total_after_cents: Cents;
  readonly total_after_sats: Sats;
  readonly rate: CentsPerBtc;
  readonly due_sats: Sats;
  readonly received_sats: Sats;
  readonly required_confirmations: number;
  readonly state: string | null;
  readonly loss: string | null;
}

export interface LineFacts {
  readonly position: number;
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly sku: string | null;
  readonly name: string;
  readonly property_values: readonly LineValue[];
  readonly quantity: number;
  readonly shipped_quantity: number;
  readonly price_cents: Cents;
  readonly price_sats: Sats;
  readonly is_free: boolean;
}

export interface ShipmentFacts {
  readonly number: number;
  readonly shipped_at: Date;
  readonly carrier: string | null;
  readonly items: readonly { readonly position: number; readonly quantity: number }[];
}

export interface RefundFacts {
  readonly id: string;
  readonly covers: RefundCovers;
  readonly state: RefundState;
  readonly amount_sats: Sats;
  readonly made_at: Date;
  readonly txid: string | null;
}

export interface OrderParts {
  readonly lines: readonly LineFacts[];
  readonly shipments: readonly ShipmentFacts[];
  readonly refunds: readonly RefundFacts[];
}

/** An order as webhooks send it. @param prefix of order numbers */
export function showOrderPayload(order: OrderFacts, { lines, shipments, refunds }: OrderParts, prefix: string) {
  const charges = showCharges(order);
  return {
    id: order.id,
    number: formatOrderNumber(order.number, prefix),
    payment_status: order.payment_status,
    fulfilment_status: order.fulfilment_status,
    created_at: order.created_at,
    expires_at: order.expires_at,
    paid_at: order.paid_at,
    country: order.country,
    total_price_usd: order.total_cents,
    total_price_btc: order.total_sats,
    total_usd_after: order.total_after_cents,
    total_btc_after: order.total_after_sats,
    discount_usd: charges.discount_usd,
    shipping_usd: charges.shipping_usd,
    tax: charges.tax && {
      name: charges.tax.name,
      is_included: charges.tax.is_included,
      is_reverse_charge: charges.tax.is_reverse_charge,
      rates: charges.tax.rates,
    },
    rate_usd: cents(order.rate),
    payment: {
      amount_btc: order.due_sats,
      received_btc: order.received_sats,
      required_confirmations: order.required_confirmations,
      state: order.state,
      loss: order.loss,
    },
    order_items: lines.map((line) => ({
      position: line.position,
      product_id: line.product_id,
      variant_id: line.variant_id,
      sku: line.sku,
      name: line.name,
      property_values: line.property_values.map(({ property, value }) => ({ property, value })),
      quantity: line.quantity,
      shipped_quantity: line.shipped_quantity,
      price_usd: line.price_cents,
      price_btc: line.price_sats,
      isFree: line.is_free,
    })),
    shipments: shipments.map(({ number, shipped_at, carrier, items }) => ({
      number,
      shipped_at,
      carrier,
      items: items.map(({ position, quantity }) => ({ position, quantity })),
    })),
    refunds: refunds.map(({ id, covers, state, amount_sats: amount, made_at, txid }) => ({
      id,
      covers,
      state,
      amount_btc: amount,
      made_at,
      txid,
    })),
  };
}
