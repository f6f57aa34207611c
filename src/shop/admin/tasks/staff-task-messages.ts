import type { StaffTaskKind } from './staff-task.ts';

interface StaffTaskMessage {
  /** Short title of the task. */
  readonly title: string;
  /** What happened, and what to do. */
  readonly text: string;
}

const MESSAGES: Readonly<Record<StaffTaskKind, StaffTaskMessage>> = {
  'reorged-out': {
    title: 'Do not ship: payment not confirmed',
    text: 'A reorganization removed the confirmations of a paid order. Usually they return within the hour. Do not ship until then; if the parcel has left, stop it. If the payment does not return, cancel the order, or close it as a loss if it was shipped.',
  },
  'refund-lost': {
    title: 'Refunded more than received',
    text: 'A refund was sent that the payments no longer cover: a payment was double-spent, or two refunds were sent. Close the order as a loss, or ask the buyer to pay.',
  },
  'refund-uncovered': {
    title: 'Refund sent, payment not confirmed',
    text: 'A payment lost its confirmations after the refund was sent. Wait until it is confirmed again. If it does not return, close the order as a loss.',
  },
  'refund-stopped': {
    title: 'Do not send this refund: payment not confirmed',
    text: 'Confirmed payments no longer cover this refund, so the shop does not broadcast it. Do not send it from another wallet. Wait until the payment is confirmed again, or withdraw the refund.',
  },
  'shipped-unpaid': {
    title: 'Shipped, but not paid',
    text: 'This order was shipped, and its payment was lost or not repeated in time. Ask the buyer to pay at a new price, accept a partial payment, or close the order as a loss.',
  },
  'part-double-spent': {
    title: 'Part of the payment was double-spent',
    text: 'A confirmed transaction spent its coins, so this part will not return. Wait until the buyer pays the rest at a new price, accept the rest as paid with a reason, refund it, or cancel the order.',
  },
  'double-spent': {
    title: 'The payment was double-spent',
    text: 'A confirmed transaction spent its coins, so this payment will not return. Do not ship the order. The buyer can pay again at a new price or cancel; or cancel the order to release its stock.',
  },
  'units-gone': {
    title: 'Refund withdrawn, item sold out',
    text: 'A full refund had released the stock of this order, and it was sold before the refund was withdrawn. Restock to ship the order, or make another refund.',
  },
  'refund-superseded': {
    title: 'Do not send this refund: the previous one was sent',
    text: 'A withdrawn refund was sent after all. Withdraw the open refund; otherwise the buyer is refunded twice.',
  },
  'refunded-twice': {
    title: 'Refunded twice',
    text: 'A withdrawn refund and its successor were both sent. Ask the buyer to pay the excess back to the order’s address, or accept it as a loss on the order page.',
  },
  'paid-after-write-off': {
    title: 'Another payment for a closed order',
    text: 'Earlier money was written off as unclaimed. Refund the new payment once there is an address, or write it off after the waiting period.',
  },
  claimed: {
    title: 'Written-off money was claimed',
    text: 'The buyer claimed it after the write-off. Refund it once there is an address.',
  },
  'paid-after-refund': {
    title: 'Money left after a refund',
    text: 'A refunded order has money that was not refunded: a part, or another payment. Refund it.',
  },
  'refund-to-send': {
    title: 'A refund is ready to send',
    text: 'Sign its transaction in your wallet and broadcast it, or send the amount from another wallet. The shop detects the payment on the chain.',
  },
  withdrawal: {
    title: 'The buyer withdrew from the contract',
    text: 'Refund the units within 14 days of the withdrawal; the order shows which, and the last day. Units that were not shipped are stopped. For shipped units you may wait until they, or a proof of sending, arrive.',
  },
  'late-sold-out': {
    title: 'Paid late, item sold out',
    text: 'The payment arrived late, and an item was sold since. Restock to have it accepted automatically, or refund it.',
  },
  'late-promo': {
    title: 'Paid late, promo code used up',
    text: 'The payment arrived late, and the promo code was used up since. It is accepted automatically once a use is free. Otherwise refund it.',
  },
  'late-rate': {
    title: 'Paid late, price changed',
    text: 'The payment arrived late, and the order now costs more bitcoin. Accept it as paid at the old price, or refund it.',
  },
  'late-overdue': {
    title: 'Paid long after expiry',
    text: 'The payment arrived, but the order expired too long ago to accept it automatically at its old price. Accept it as paid at that price, refund it, or wait: the buyer can get a new price.',
  },
  'cancelled-paid': {
    title: 'Payment for a cancelled order',
    text: 'Accept it as paid, which reserves its stock again, or refund it. If nobody claims it, enter an address, or write it off after the waiting period.',
  },
  'underpaid-over': {
    title: 'Partly paid and expired',
    text: 'Accept the amount as paid, refund it, or wait: the buyer can get a new price for the rest. If nobody claims it, enter an address, or write it off after the waiting period.',
  },
  'surplus-ready': {
    title: 'An overpayment can be refunded',
    text: 'The order is paid, and the buyer has confirmed a refund address. Refund the overpayment.',
  },
  surplus: {
    title: 'Overpaid',
    text: 'The order is paid. The overpayment can be refunded once the buyer has confirmed an address; the order page asks for one.',
  },
  'late-unconfirmed': {
    title: 'Unconfirmed for too long',
    text: 'The payment was sent in time but is still unconfirmed, so price and stock were released. The buyer was notified. Once confirmed, it is accepted automatically if price and stock still fit; otherwise it becomes a task.',
  },
  'late-no-rate': {
    title: 'Paid late, no rate available',
    text: 'The payment is evaluated as soon as a rate is available. Nothing to do yet.',
  },
  'late-confirming': {
    title: 'Paid late, confirming',
    text: 'Nothing to do yet. Once it has enough confirmations, it is accepted automatically or becomes a task.',
  },
  'refund-sent': {
    title: 'A refund was sent',
    text: 'Nothing to do. The refund is complete once it has the required confirmations.',
  },
  immature: {
    title: 'Mining reward, not spendable yet',
    text: 'The buyer paid with newly mined coins. They count after 100 blocks. Nothing to do yet.',
  },
};

/** Texts of staff tasks. */
export const describeStaffTask = (kind: StaffTaskKind): StaffTaskMessage => MESSAGES[kind];

/** A wrong next step may lose money or goods. */
const URGENT: Readonly<Record<StaffTaskKind, boolean>> = {
  'reorged-out': true,
  'refund-lost': true,
  'refund-uncovered': true,
  'refund-stopped': true,
  'shipped-unpaid': true,
  'part-double-spent': true,
  'double-spent': true,
  'units-gone': true,
  'refund-superseded': true,
  'refunded-twice': true,
  'paid-after-refund': false,
  'paid-after-write-off': false,
  claimed: false,
  'refund-to-send': false,
  withdrawal: false,
  'late-sold-out': false,
  'late-promo': false,
  'late-rate': false,
  'late-overdue': false,
  'late-unconfirmed': false,
  'cancelled-paid': false,
  'underpaid-over': false,
  'surplus-ready': false,
  surplus: false,
  'late-confirming': false,
  'late-no-rate': false,
  'refund-sent': false,
  immature: false,
};
export const isUrgent = (kind: StaffTaskKind): boolean => URGENT[kind];
