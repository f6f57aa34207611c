/** What webhooks send, field by field. Without personal data: the API returns it to a key that may read it. */
import { z } from 'zod';
import { btc, id, instant, usd } from '#src/shop/codecs.ts';
import { fulfilmentStatuses, paymentStatuses, refundCovers, refundStates } from '#src/shop/orders/kinds.ts';
import { taxClasses } from '#src/shop/tax/tax-class.ts';
import { EVENT_TYPES, listEventGroups, listTypesOf, TEST_EVENT_TYPE } from './event-type.ts';
import type { EventGroup, SentEventType } from './event-type.ts';

/** Increases only when a field is removed or gets another meaning. New fields do not change it. */
const PAYLOAD_VERSION = 1;

const line = z.object({
  /** 0, 1, 2 … in the order. */
  position: z.int().nonnegative(),
  product_id: id,
  variant_id: id.nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  property_values: z.array(z.object({ property: z.string(), value: z.string() })),
  quantity: z.int().positive(),
  shipped_quantity: z.int().nonnegative(),
  price_usd: usd,
  price_btc: btc,
  isFree: z.boolean(),
});

const shipment = z.object({
  number: z.int().positive(),
  shipped_at: instant,
  carrier: z.string().nullable(),
  items: z.array(z.object({ position: z.int().nonnegative(), quantity: z.int().positive() })),
});

const refund = z.object({
  id,
  covers: z.enum(refundCovers),
  state: z.enum(refundStates),
  amount_btc: btc,
  made_at: instant,
  /** Null until its transaction is seen or recorded. */
  txid: z.string().nullable(),
});

const orderPayload = z.object({
  id,
  number: z.string(),
  payment_status: z.enum(paymentStatuses),
  fulfilment_status: z.enum(fulfilmentStatuses),
  created_at: instant,
  expires_at: instant,
  paid_at: instant.nullable(),
  /** Country of the delivery, ISO 3166. The address itself: GET /support/orders/{id}. */
  country: z.string(),
  /** Before the promo code, without shipping. */
  total_price_usd: usd,
  total_price_btc: btc,
  total_usd_after: usd,
  total_btc_after: btc,
  discount_usd: usd,
  shipping_usd: usd,
  tax: z
    .object({
      name: z.string(),
      is_included: z.boolean(),
      is_reverse_charge: z.boolean(),
      rates: z.array(
        z.object({ tax_class: z.enum(taxClasses), basis_points: z.int(), net_usd: usd, tax_usd: usd, gross_usd: usd }),
      ),
    })
    .nullable(),
  /** Dollars per bitcoin of the present quote. */
  rate_usd: usd,
  payment: z.object({
    amount_btc: btc,
    received_btc: btc,
    required_confirmations: z.int().nonnegative(),
    state: z.string().nullable(),
    loss: z.string().nullable(),
  }),
  order_items: z.array(line),
  shipments: z.array(shipment),
  refunds: z.array(refund),
});

/** A variant as the inventory call returns it. */
const variantPayload = z.object({
  variant_id: id,
  product_id: id,
  sku: z.string(),
  name: z.string(),
  slug: z.string(),
  /** Units that can be ordered; negative if more are promised than exist. Null: not counted. */
  available: z.int().nullable(),
});

const ticketPayload = z.object({
  id,
  status: z.enum(['open', 'in_progress', 'closed']),
  created_at: instant,
  closed_at: instant.nullable(),
  /** Of `ticket.message_created`; its text: GET /tickets/{id}/messages. */
  message: z.object({ id, sender_type: z.enum(['user', 'support']), created_at: instant }).nullable(),
});
export type TicketPayload = z.output<typeof ticketPayload>;

/** `data` of each group of events. */
export const PAYLOADS = {
  order: z.object({ order: orderPayload }),
  payment: z.object({ order: orderPayload }),
  refund: z.object({ order: orderPayload }),
  stock: z.object({ variant: variantPayload }),
  ticket: z.object({ ticket: ticketPayload }),
} satisfies Readonly<Record<EventGroup, z.ZodObject>>;
const testPayload = z.object({ message: z.string() });

/** The body of a request. @param data of the group */
export const createEnvelope = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    /** The same as the header webhook-id: a repeated delivery has the same. */
    id,
    type: z.literal(type),
    version: z.literal(PAYLOAD_VERSION),
    /** When it happened. */
    timestamp: instant,
    /** A shop in demo mode sends no real money. */
    mode: z.enum(['demo', 'live']),
    data,
  });

interface DescribedEvent {
  readonly summary: string;
  readonly body: z.ZodType;
}

/** Every event with its body, for the documentation. */
export function describeEvents(): Readonly<Record<string, DescribedEvent>> {
  const described: Record<string, DescribedEvent> = {};
  for (const group of listEventGroups()) {
    for (const type of listTypesOf(group)) {
      described[type] = { summary: EVENT_TYPES[type], body: createEnvelope(type, PAYLOADS[group]) };
    }
  }
  const test = { summary: 'A test that an owner requested', body: createEnvelope(TEST_EVENT_TYPE, testPayload) };
  return { ...described, [TEST_EVENT_TYPE]: test };
}

export type EventData = { readonly [Group in EventGroup]: z.output<(typeof PAYLOADS)[Group]> };

export interface EventToSend {
  readonly id: string;
  readonly type: SentEventType;
  readonly at: Date;
  readonly mode: 'demo' | 'live';
}

/** The JSON text that is sent. */
export function writeBody(
  { id: eventId, type, at, mode }: EventToSend,
  data: EventData[EventGroup] | z.output<typeof testPayload>,
): string {
  const head = { id: eventId, type, version: PAYLOAD_VERSION, timestamp: at.toISOString(), mode };
  return JSON.stringify({ ...head, data: encodeData(data) });
}

function encodeData(data: EventData[EventGroup] | z.output<typeof testPayload>): unknown {
  if ('order' in data) return z.encode(PAYLOADS.order, data);
  if ('variant' in data) return z.encode(PAYLOADS.stock, data);
  if ('ticket' in data) return z.encode(PAYLOADS.ticket, data);
  return z.encode(testPayload, data);
}
