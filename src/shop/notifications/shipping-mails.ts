/** Texts of the mails about shipments and the delivery address. */
import type { ShipmentToShow } from '#src/shop/orders/fulfilment/show-shipments.ts';
import { createDeliveryFact, createLinesBlock, createText, orderLink } from './order-mail-parts.ts';
import type { MailContent, OrderMailData, OrderMailWriters } from './order-mail-parts.ts';
import type { Fact, MailBlock } from './render-mail.ts';

const formatSerials = ({ items }: ShipmentToShow): string =>
  items
    .filter(({ serials }) => serials.length > 0)
    .map(({ name, serials }) => `${name}: ${serials.map(({ number }) => number).join(', ')}`)
    .join('; ');

const createShipmentFacts = ({ order, shipment, trackingReference, username }: OrderMailData): readonly Fact[] => {
  const carrier = shipment?.carrier ?? null;
  // Whoever reads the mails of an unconfirmed address may be a stranger.
  const serials = shipment === null || username === null ? '' : formatSerials(shipment);
  return [
    { label: 'Order', value: order.number },
    ...(carrier === null ? [] : [{ label: 'Carrier', value: carrier }]),
    ...(trackingReference === null ? [] : [{ label: 'Tracking reference', value: trackingReference, isCode: true }]),
    ...(serials === '' ? [] : [{ label: 'Serial numbers', value: serials }]),
  ];
};

const createTrackingLink = (shipment: ShipmentToShow | null): readonly MailBlock[] =>
  shipment === null || shipment.tracking_url === null
    ? []
    : [{ kind: 'link', label: 'Track the parcel', url: shipment.tracking_url }];

const formatItems = ({ items }: ShipmentToShow): string =>
  items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

const HELP = 'Your order shows the delivery address. If it is wrong, write to us now.';
const describeReference = (reference: string | null): string =>
  reference === null ? '' : '. Use this reference to track the parcel';

/** Where a consumer withdraws (2011/83/EU, article 11a). */
const createWithdrawalLink = ({ order, withdrawalUrl = null }: OrderMailData): readonly MailBlock[] =>
  withdrawalUrl === null || order.payment_status !== 'paid'
    ? []
    : [
        createText('Changed your mind? You can withdraw within 14 days of the delivery, without a reason.'),
        { kind: 'link', label: 'Withdraw from contract here', url: withdrawalUrl },
      ];

/** The last shipment of an order, which may be its only one. */
export function writeShipped(data: OrderMailData): MailContent | null {
  const { order, shipment, trackingReference: reference } = data;
  if (data.isShipmentUndone) return null;
  const isRest = shipment !== null && shipment.number > 1;
  const what = isRest ? `the rest of your order ${order.number}` : `your order ${order.number}`;
  return {
    subject: isRest ? `Order ${order.number}: the rest is on its way` : `Order ${order.number} is on its way`,
    title: isRest ? 'The rest of your order is on its way' : 'Your order is on its way',
    preview: reference === null ? 'We handed it to the courier.' : `Tracking reference ${reference}`,
    blocks: [
      createText(`We handed ${what} to the courier${describeReference(reference)}.`),
      { kind: 'facts', facts: [...createShipmentFacts(data), ...createDeliveryFact(data)] },
      ...createTrackingLink(shipment),
      ...(isRest ? [createText(`This parcel contains ${formatItems(shipment)}.`)] : []),
      createText(HELP),
      orderLink(data),
      ...(isRest ? [] : [createLinesBlock(data)]),
      ...createWithdrawalLink(data),
    ],
  };
}

/** A shipment that left units of the order. */
export function writePartlyShipped(data: OrderMailData): MailContent | null {
  const { order, shipment, trackingReference: reference } = data;
  if (data.isShipmentUndone) return null;
  // The mail of a later shipment may be sent first.
  const isRestLeft = order.fulfilment_status === 'partly_shipped' && order.payment_status === 'paid';
  return {
    subject: `Part of order ${order.number} is on its way`,
    title: 'Part of your order is on its way',
    preview: reference === null ? 'We handed a parcel to the courier.' : `Tracking reference ${reference}`,
    blocks: [
      createText(`We handed a part of your order ${order.number} to the courier${describeReference(reference)}.`),
      { kind: 'facts', facts: [...createShipmentFacts(data), ...createDeliveryFact(data)] },
      ...createTrackingLink(shipment),
      createText(
        `${shipment === null ? '' : `This parcel contains ${formatItems(shipment)}. `}${isRestLeft ? 'We write to you when we ship the rest. ' : ''}${HELP}`,
      ),
      orderLink(data),
      ...createWithdrawalLink(data),
    ],
  };
}

/** Staff changed the delivery address. The mail contains no address: the order page does. */
function writeAddressChanged(data: OrderMailData): MailContent {
  const { order } = data;
  return {
    subject: `Order ${order.number}: the delivery address was changed`,
    title: 'The delivery address was changed',
    preview: 'Open your order to check it.',
    blocks: [
      createText(
        `We changed the delivery address of your order ${order.number}. Your order shows the present address. If it is wrong, or you did not ask for it, write to us now.`,
      ),
      orderLink(data),
    ],
  };
}

/** Staff corrected carrier or tracking number of a parcel. The mail has the present ones. */
export function writeTrackingCorrected(data: OrderMailData): MailContent | null {
  const { order, shipment, trackingReference: reference } = data;
  if (shipment === null) return null;
  return {
    subject: `Order ${order.number}: corrected tracking details`,
    title: 'We corrected the tracking details of your parcel',
    preview: reference === null ? 'The parcel has no tracking reference.' : `Tracking reference ${reference}`,
    blocks: [
      createText(
        `The tracking details in our last mail about a parcel of your order ${order.number} were wrong. ${reference === null ? 'The parcel has no tracking reference.' : 'These are right:'}`,
      ),
      { kind: 'facts', facts: createShipmentFacts(data) },
      ...createTrackingLink(shipment),
      createText(`This parcel contains ${formatItems(shipment)}.`),
      orderLink(data),
    ],
  };
}

/** Staff recorded a parcel by mistake. */
export function writeShipmentUndone(data: OrderMailData): MailContent {
  const { order } = data;
  const isLeft = order.payment_status === 'paid' && order.fulfilment_status !== 'delivered';
  return {
    subject: `Order ${order.number}: a parcel is not on its way yet`,
    title: 'A parcel is not on its way yet',
    preview: 'We recorded it by mistake.',
    blocks: [
      createText(
        `We wrote that we handed a parcel of your order ${order.number} to the courier. That was a mistake: it is not on its way, and its tracking reference is not valid.${isLeft ? ' We write to you when we ship it.' : ''}`,
      ),
      orderLink(data),
    ],
  };
}

export const shippingMails = {
  'partly-shipped': writePartlyShipped,
  shipped: writeShipped,
  'tracking-corrected': writeTrackingCorrected,
  'shipment-undone': writeShipmentUndone,
  'address-changed': writeAddressChanged,
} as const satisfies OrderMailWriters;
