import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { formatCountdown } from '../format-countdown.ts';
import { headingOf, headingOfStatus, tellPayment } from './payment-words.ts';
import type { PaymentToTell } from './payment-message.ts';

const WAITING = { heading: 'Waiting for confirmation', status: 'Awaiting confirmation' };

test('[PAY-01] each status has its heading', () => {
  assert.deepEqual(headingOfStatus('pending'), { heading: 'Complete your order', status: 'Awaiting payment' });
  assert.deepEqual(headingOfStatus('user_paid'), WAITING);
  assert.deepEqual(headingOfStatus('paid'), { heading: 'Order paid.', status: 'Paid' });
  for (const status of ['expired', 'cancelled', 'refunded'] as const) {
    assert.equal(headingOfStatus(status).heading.toLowerCase(), status);
    assert.equal(headingOfStatus(status).status.toLowerCase(), status);
  }
});

test('[PAY-01] waits for confirmation while the chain shows the full amount', () => {
  for (const state of paymentStates) {
    const isThere = state === 'seen' || state === 'confirming';
    for (const status of ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const) {
      const isOpen = status === 'pending' || status === 'user_paid';
      const shown = headingOf({ payment_status: status, payment: { state, loss: null } });
      assert.deepEqual(shown, isThere && isOpen ? WAITING : headingOfStatus(status));
    }
  }
  const paidAgain = { payment_status: 'user_paid', payment: { state: 'seen', loss: 'double_spent' } } as const;
  assert.deepEqual(headingOf(paidAgain), WAITING);
  const lost = { payment_status: 'user_paid', payment: { state: 'reorged_out', loss: 'double_spent' } } as const;
  assert.deepEqual(headingOf(lost), { heading: 'Pay again', status: 'Not paid' });
});

const told: PaymentToTell = {
  status: 'pending',
  state: 'awaiting',
  confirmations: 1,
  required: 2,
  receivedBtc: '0.004000',
  missingBtc: '0.001000',
  surplusBtc: null,
  returnedBtc: null,
  immatureBlocks: null,
  isFree: false,
  hasCode: true,
};

test('[PAY-09] every state of a payment is told in words that help', () => {
  const texts = paymentStates.map((state) => tellPayment({ ...told, state }));
  assert.equal(new Set(texts.map(({ text }) => text)).size, paymentStates.length);
  assert.match(tellPayment({ ...told, state: 'underpaid' }).title, /^0\.001000 BTC/);
  assert.match(tellPayment({ ...told, state: 'confirming' }).title, /1 of 2 confirmations/);
  assert.match(tellPayment({ ...told, state: 'overpaid', surplusBtc: '0.000500' }).text, /0\.000500 BTC more/);
});

test('[OPS-03] a paid order says how far it has come, and does not say so to whoever has only the link', () => {
  for (const state of ['paid', 'overpaid'] as const) {
    const paid = { ...told, status: 'paid', state, receivedBtc: '0.005000', missingBtc: null } as const;
    assert.match(tellPayment({ ...paid, fulfilment: 'unfulfilled' }).text, /we are getting your order ready/);
    assert.match(tellPayment({ ...paid, fulfilment: 'shipped' }).text, /on its way to you/);
    assert.match(tellPayment({ ...paid, fulfilment: 'delivered' }).text, /has been delivered/);
    assert.match(tellPayment(paid).text, /^Your payment is confirmed\./);
  }
});

test('[PAY-09] what is told points at what stands on the page, and names a surplus before it is confirmed', () => {
  for (const state of ['awaiting', 'underpaid'] as const) {
    assert.match(tellPayment({ ...told, state }).text, /code/);
    const elsewhere = tellPayment({ ...told, state, hasCode: false }).text;
    assert.match(elsewhere, /payment page/);
    assert.doesNotMatch(elsewhere, /below|Scan/);
  }
  for (const state of ['seen', 'confirming'] as const) {
    assert.match(tellPayment({ ...told, state, surplusBtc: '0.000500' }).text, /0\.000500 BTC more than is due/);
    assert.doesNotMatch(tellPayment({ ...told, state }).text, /more than/);
  }
});

test('[PAY-09] a surplus: what of it goes back, what has gone back, and what is too little for that', () => {
  const paid = { ...told, status: 'paid', fulfilment: 'unfulfilled' } as const;
  const over = { ...paid, state: 'overpaid', surplusBtc: '0.000500' } as const;
  assert.match(tellPayment(over).text, /0\.000500 BTC more than was due; tell us below where/);
  assert.match(tellPayment({ ...over, fulfilment: undefined }).text, /sign in to tell us where/);
  assert.match(tellPayment({ ...over, surplusBtc: '0.00000293' }).text, /too little for the network to carry back/);
  assert.match(tellPayment({ ...over, surplusBtc: '0.00000294' }).text, /tell us below/);
  assert.match(
    tellPayment({ ...over, wayBack: 'named' }).text,
    /it goes back once you have opened the link in our mail/,
  );
  assert.match(
    tellPayment({ ...over, wayBack: 'known' }).text,
    /due; it goes back to the address that you have confirmed\./,
  );
  assert.match(tellPayment({ ...over, wayBack: 'going' }).text, /due; it is on its way back to you\./);
  const returned = tellPayment({ ...paid, state: 'paid', returnedBtc: '0.000500' }).text;
  assert.match(returned, /0\.000500 BTC that were too much went back to you/);
});

test('[PAY-10] a late payment that is confirmed waits for the shop, and asks for nothing', () => {
  const late = { ...told, status: 'expired', state: 'late', missingBtc: null } as const;
  assert.match(tellPayment({ ...late, confirmations: 1 }).text, /Once it is confirmed/);
  const waits = tellPayment({ ...late, confirmations: 2 });
  assert.match(waits.title, /waits for us/);
  assert.match(waits.text, /nothing to pay again/);
});

test('[PAY-10] [PAY-11] what a late payment waits for: the difference of today, what is gone, and the way back', () => {
  const late = { ...told, status: 'expired', state: 'late', confirmations: 2, missingBtc: null } as const;
  const own = { ...late, fulfilment: 'unfulfilled' } as const;
  const rate = { ...own, lateBecause: 'rate', restBtc: '0.000200' } as const;
  assert.match(tellPayment(rate).text, /today’s price 0\.000200 BTC are missing\. Pay the difference, or wait/);
  assert.match(tellPayment({ ...rate, restBtc: null }).text, /At today’s price it covers the order/);
  assert.match(tellPayment({ ...own, lateBecause: 'sold-out' }).text, /is sold out.*nothing to pay again/);
  assert.match(tellPayment({ ...own, lateBecause: 'promo' }).text, /promo code.*nothing to pay again/);
  assert.match(tellPayment(rate).text, /Name an address below, and we send it back/);
  assert.match(tellPayment({ ...rate, fulfilment: undefined }).text, /Sign in and name an address/);
  assert.match(tellPayment({ ...rate, wayBack: 'named' }).text, /Open the link in our mail/);
  assert.match(tellPayment({ ...rate, wayBack: 'known' }).text, /to the address that you have confirmed/);
});

test('[PAY-09] the coins of a miner are told, though they count for nothing yet', () => {
  assert.match(tellPayment({ ...told, immatureBlocks: 99 }).text, /before 100 blocks, so they count after 99 more\./);
});

test('[PAY-04] a customer’s word is taken as a word', () => {
  assert.notEqual(tellPayment(told).title, tellPayment({ ...told, status: 'user_paid' }).title);
});

test('[PAY-10] [PAY-11] an order whose time is over, or that was given up, asks for no payment', () => {
  for (const state of ['expired', 'replaced', 'dropped', 'awaiting'] as const) {
    assert.match(tellPayment({ ...told, status: 'expired', state }).text, /new price/);
  }
  assert.match(tellPayment({ ...told, status: 'expired', state: 'underpaid' }).text, /^0\.004000 BTC arrived/);
  for (const state of paymentStates.filter((one) => !one.startsWith('refund'))) {
    assert.match(tellPayment({ ...told, status: 'cancelled', state }).text, /^0\.004000 BTC arrived/);
  }
  assert.match(tellPayment({ ...told, status: 'cancelled', receivedBtc: null }).text, /don’t pay/);
  assert.match(tellPayment({ ...told, status: 'cancelled', state: 'refunding' }).text, /sending back what you paid/);
  assert.match(tellPayment({ ...told, status: 'cancelled', state: 'refunded' }).text, /was sent back to you/);
});

test('[PAY-02] the countdown is hh:mm:ss and ends at zero', () => {
  assert.equal(formatCountdown(7_200_000), '02:00:00');
  assert.equal(formatCountdown(7_199_001), '02:00:00');
  assert.equal(formatCountdown(3_661_000), '01:01:01');
  assert.equal(formatCountdown(0), '00:00:00');
  assert.equal(formatCountdown(-5), '00:00:00');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359_999 }), (seconds) => {
      const [hours = 0, minutes = 0, rest = 0] = formatCountdown(seconds * 1000)
        .split(':')
        .map(Number);
      assert.equal(hours * 3600 + minutes * 60 + rest, seconds);
      assert.ok(minutes < 60 && rest < 60);
    }),
  );
});

test('[OPS-25] an order that was written off says how its money comes back', () => {
  const closed = { ...told, status: 'cancelled', state: 'written_off', fulfilment: 'unfulfilled' } as const;
  assert.equal(tellPayment(closed).title, 'This order is closed');
  assert.match(tellPayment(closed).text, /0\.004000 BTC arrived.*Name an address below, and we send it back/);
  assert.match(tellPayment({ ...closed, wayBack: 'known' }).text, /to the address that you have confirmed/);
  assert.match(tellPayment({ ...closed, wayBack: 'entered' }).text, /to the address that we entered for you/);
  assert.equal(tellPayment({ ...closed, status: 'expired' }).title, 'This order is closed');
  assert.match(tellPayment({ ...closed, receivedBtc: '0.00000293' }).text, /too little for the network to carry back/);
  const legacy = { ...closed, receivedBtc: '0.00000300', wayBack: 'known', leastBackBtc: 0.000_005_46 } as const;
  assert.match(tellPayment(legacy).text, /Name a native SegWit address/);
});

test('[PAY-13] a surplus too small for the named address is not promised', () => {
  const over = {
    ...told,
    status: 'paid',
    state: 'overpaid',
    surplusBtc: '0.00000300',
    leastBackBtc: 0.000_005_46,
  } as const;
  for (const wayBack of ['named', 'entered', 'known'] as const) {
    assert.match(tellPayment({ ...over, wayBack }).text, /too little for the network to carry to your address/);
  }
  assert.match(tellPayment({ ...over, wayBack: 'going' }).text, /on its way back to you/);
  assert.match(
    tellPayment({ ...over, wayBack: 'known', surplusBtc: '0.00000546' }).text,
    /address that you have confirmed/,
  );
});
