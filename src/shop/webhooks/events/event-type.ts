/** Types of the events that webhooks send, each declared once, with what it means. */

export const EVENT_TYPES = {
  'order.created': 'An order was placed',
  'order.paid': 'An order is paid: the payment has the required confirmations',
  'order.expired': 'An order expired unpaid',
  'order.cancelled': 'An order was cancelled',
  'order.updated': 'The amount due, the payment window, the delivery address or a recorded parcel of an order changed',
  'order.partly_shipped': 'A part of an order was shipped',
  'order.shipped': 'The last part of an order was shipped',
  'order.delivered': 'An order was delivered',
  'order.refunded': 'Everything received for an order was refunded',
  'payment.seen': 'A payment was seen and has no confirmation yet',
  'payment.confirming': 'A payment is in a block and needs more confirmations',
  'payment.confirmed': 'A payment has the required confirmations',
  'payment.incomplete': 'A payment is less than the amount due',
  'payment.surplus': 'More was paid than the amount due',
  'payment.late': 'A payment came after the payment window',
  'payment.reorged_out': 'A block with a payment left the chain, or the payment left the mempool',
  'payment.lost': 'A payment was double-spent, or a refund has no cover any more',
  'refund.created': 'A refund was made and not sent yet',
  'refund.sent': 'The transaction of a refund was seen',
  'refund.confirmed': 'A refund has the required confirmations, or staff recorded it',
  'refund.withdrawn': 'A refund was withdrawn, or its record was undone',
  'stock.sold_out': 'A variant sold out',
  'stock.low': 'A variant fell to its threshold of low stock',
  'stock.back_in_stock': 'A sold-out variant can be ordered again',
  'ticket.created': 'A customer opened a ticket',
  'ticket.message_created': 'A customer or the team wrote in a ticket',
  'ticket.closed': 'A ticket was closed',
  'ticket.reopened': 'A closed ticket was reopened',
} as const;
export type EventType = keyof typeof EVENT_TYPES;

const isEventType = (text: string): text is EventType => Object.hasOwn(EVENT_TYPES, text);

/** All types, in the order of the documentation. */
export const listEventTypes = (): EventType[] => Object.keys(EVENT_TYPES).filter((name) => isEventType(name));

/** Those of these texts that are types. A newer version of the shop may have stored others. */
export const pickEventTypes = (texts: readonly string[]): EventType[] => texts.filter((text) => isEventType(text));

/** Sent by "Send test event" to one endpoint, whatever it selected. */
export const TEST_EVENT_TYPE = 'webhook.test';
export type SentEventType = EventType | typeof TEST_EVENT_TYPE;

/** Groups of the form: the part of the name before the dot. */
export const EVENT_GROUPS = {
  order: 'Orders',
  payment: 'Payments',
  refund: 'Refunds',
  stock: 'Stock',
  ticket: 'Tickets',
} as const;
export type EventGroup = keyof typeof EVENT_GROUPS;

const isEventGroup = (text: string): text is EventGroup => Object.hasOwn(EVENT_GROUPS, text);

export const listEventGroups = (): EventGroup[] => Object.keys(EVENT_GROUPS).filter((name) => isEventGroup(name));

export const listTypesOf = (group: EventGroup): EventType[] =>
  listEventTypes().filter((type) => type.startsWith(`${group}.`));
