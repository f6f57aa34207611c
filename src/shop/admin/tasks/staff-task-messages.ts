import type { StaffTaskKind } from './staff-task.ts';

interface StaffTaskMessage {
  /** What is the matter, in a few words. */
  readonly title: string;
  /** What it means, and what to do. */
  readonly text: string;
}

const MESSAGES: Readonly<Record<StaffTaskKind, StaffTaskMessage>> = {
  'reorged-out': {
    title: 'Ship nothing: the network took the payment back',
    text: 'A reorganisation removed the block of a payment that counted as paid. Usually it is confirmed again within the hour; until then the order can’t be shipped. If the parcel has left, stop it. If the payment does not come again, give the order up, or close it as a loss if it was sent.',
  },
  'refund-lost': {
    title: 'More was sent back than has arrived',
    text: 'A refund of this order was sent, and what is left of its payments does not cover it: a payment was double-spent for good, or two refunds were sent. Close the order as a loss, or ask the buyer to pay.',
  },
  'refund-uncovered': {
    title: 'A refund was sent, and its payment was taken back',
    text: 'More of this order was sent back than is confirmed: the network took a payment back after the refund was sent. It may be confirmed again; wait for it. If it does not come again, close the order as a loss.',
  },
  'refund-stopped': {
    title: 'Do not send this refund: its payment was taken back',
    text: 'A refund was made and not sent, and what is confirmed does not cover it any more. The shop does not broadcast it. Do not send it from another wallet either. Wait until the payment is confirmed again, or withdraw the refund.',
  },
  'shipped-unpaid': {
    title: 'Sent, and not paid',
    text: 'This order was sent, and its payment will not return or its time to pay again is over. The buyer can still pay it at a new price. Ask for it, accept the part that has arrived if there is one, or close the order as a loss.',
  },
  'part-double-spent': {
    title: 'A part of the payment was double-spent for good',
    text: 'Another transaction spent its coins and has enough confirmations: that part will not return. Wait until the buyer pays the rest at a new price, accept the part that is here with a reason, send it back, or give the order up.',
  },
  'double-spent': {
    title: 'The payment was double-spent for good',
    text: 'Another transaction spent its coins and has enough confirmations: this payment will not return. The order can’t be shipped. Its buyer can pay again at a new price, or cancel; or give it up, and what is in it is for sale again.',
  },
  'units-gone': {
    title: 'Its refund was given up, and something is sold out',
    text: 'All of it had gone back, so what was ordered went on sale again and was sold; then the refund was taken back. With stock again the order can be shipped; otherwise make another refund.',
  },
  'refund-superseded': {
    title: 'Do not send this refund: the one before was sent',
    text: 'A refund that was withdrawn was sent all the same. Withdraw the one that waits; sent as well, the money would go back twice.',
  },
  'refunded-twice': {
    title: 'Sent back twice',
    text: 'A refund that was withdrawn was sent, and the next one too. Ask the buyer to pay the excess back to the order’s address, or accept it as a loss on the order’s page.',
  },
  'paid-after-write-off': {
    title: 'More money for a closed order',
    text: 'What was received before was written off as unclaimed. Send this back once there is an address, or write it off when its time has come.',
  },
  claimed: {
    title: 'Written-off money is owed again',
    text: 'It was claimed after the write-off. Send it back with a refund as soon as there is an address for it.',
  },
  'paid-after-refund': {
    title: 'Paid again after its refund',
    text: 'More has arrived for an order that was refunded. Send it back with another refund.',
  },
  'refund-to-send': {
    title: 'A refund waits to be sent',
    text: 'Sign its transaction in your wallet and broadcast it, or send the amount from another wallet. The shop recognises it on the chain.',
  },
  'late-sold-out': {
    title: 'Paid late, and something is sold out',
    text: 'The payment came after its time, and what it pays for was sold meanwhile. With stock again it is accepted by itself; otherwise send it back.',
  },
  'late-promo': {
    title: 'Paid late, and the promo code is used up',
    text: 'The payment came after its time, and the code of its price has been used by others. Once a use is free it is accepted by itself; otherwise send it back.',
  },
  'late-rate': {
    title: 'Paid late, and the rate has moved too far',
    text: 'The payment came after its time, and the same dollars cost more bitcoin by now. Settle the order at the price it had, or send everything back.',
  },
  'cancelled-paid': {
    title: 'Money for a cancelled order',
    text: 'Settle the order, which takes its stock again, or send everything back. If nobody claims it, enter an address, or write it off when its time has come.',
  },
  'underpaid-over': {
    title: 'Only a part was paid, and the time is over',
    text: 'Settle the order with what has arrived, send it back, or wait: the buyer can get a new price for the rest. If nobody claims it, enter an address, or write it off when its time has come.',
  },
  'surplus-ready': {
    title: 'A surplus can go back',
    text: 'The order is paid, and its buyer has confirmed where to send what was too much.',
  },
  surplus: {
    title: 'Paid too much',
    text: 'The order is paid. Its buyer has not confirmed an address yet to which the surplus can go; the order’s page asks for one.',
  },
  'late-unconfirmed': {
    title: 'Sent in time, and unconfirmed for too long',
    text: 'No block has taken the payment, so its price and stock are released; its buyer was told. Once it is confirmed it is accepted by itself if price and stock still fit, or it asks you.',
  },
  'late-no-rate': {
    title: 'Paid late, and there is no rate right now',
    text: 'Whether the payment can be accepted by itself is decided as soon as there is a rate again.',
  },
  'late-confirming': {
    title: 'Paid late, being confirmed',
    text: 'Nothing to do yet: once it is deep enough it is accepted by itself, or it asks you.',
  },
  'refund-sent': {
    title: 'A refund is on its way',
    text: 'Its transaction was seen. It is done after as many confirmations as the order asked for.',
  },
  immature: {
    title: 'A miner’s reward, not spendable yet',
    text: 'Somebody pays with newly mined coins. They count after 100 blocks, and for nothing until then.',
  },
};

/** What staff read of an order that needs them. */
export const describeStaffTask = (kind: StaffTaskKind): StaffTaskMessage => MESSAGES[kind];

/** Money or goods may be lost by what is done next. */
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
  'late-sold-out': false,
  'late-promo': false,
  'late-rate': false,
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
