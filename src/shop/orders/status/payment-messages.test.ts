import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { formatCountdown } from '../format-countdown.ts';
import { hasCountdown } from '../web/read-order.ts';
import { describeMarkedPaid, describePayment, getOrderHeading, getStatusHeading } from './payment-messages.ts';
import type { PaymentToDescribe } from './payment-message.ts';

const WAITING = { heading: 'Waiting for confirmation', status: 'Awaiting confirmation' };

test('[PAY-01] each status has its heading', () => {
  assert.deepEqual(getStatusHeading('pending'), { heading: 'Complete your order', status: 'Awaiting payment' });
  assert.deepEqual(getStatusHeading('user_paid'), WAITING);
  assert.deepEqual(getStatusHeading('paid'), { heading: 'Order paid.', status: 'Paid' });
  for (const status of ['expired', 'cancelled', 'refunded'] as const) {
    assert.equal(getStatusHeading(status).heading.toLowerCase(), status);
    assert.equal(getStatusHeading(status).status.toLowerCase(), status);
  }
});

test('[PAY-01] the heading is Waiting for confirmation once the full amount is seen', () => {
  for (const state of paymentStates) {
    const isThere = state === 'seen' || state === 'confirming';
    for (const status of ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const) {
      const isOpen = status === 'pending' || status === 'user_paid';
      const shown = getOrderHeading({ payment_status: status, payment: { state, loss: null } });
      // With a part missing the order waits for money, whatever its buyer said.
      const isMissing = status === 'user_paid' && ['underpaid', 'replaced', 'dropped'].includes(state);
      assert.deepEqual(shown, isThere && isOpen ? WAITING : getStatusHeading(isMissing ? 'pending' : status));
    }
  }
  const paidAgain = { payment_status: 'user_paid', payment: { state: 'seen', loss: 'double_spent' } } as const;
  assert.deepEqual(getOrderHeading(paidAgain), WAITING);
  const lost = { payment_status: 'user_paid', payment: { state: 'reorged_out', loss: 'double_spent' } } as const;
  assert.deepEqual(getOrderHeading(lost), { heading: 'Pay again', status: 'Not paid' });
});

const payment: PaymentToDescribe = {
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

test('[PAY-09] every payment state has a helpful message', () => {
  const texts = paymentStates.map((state) => describePayment({ ...payment, state }));
  assert.equal(new Set(texts.map(({ text }) => text)).size, paymentStates.length);
  assert.match(describePayment({ ...payment, state: 'underpaid' }).title, /^0\.001000 BTC/);
  assert.match(describePayment({ ...payment, state: 'confirming' }).title, /1 of 2 confirmations/);
  assert.match(describePayment({ ...payment, state: 'overpaid', surplusBtc: '0.000500' }).text, /0\.000500 BTC more/);
});

test('[OPS-03] a paid order shows its fulfilment, but not on the pay page', () => {
  for (const state of ['paid', 'overpaid'] as const) {
    const paid = { ...payment, status: 'paid', state, receivedBtc: '0.005000', missingBtc: null } as const;
    assert.match(describePayment({ ...paid, fulfilment: 'unfulfilled' }).text, /we are preparing your order/);
    assert.match(describePayment({ ...paid, fulfilment: 'shipped' }).text, /on its way to you/);
    assert.match(describePayment({ ...paid, fulfilment: 'delivered' }).text, /has been delivered/);
    assert.match(describePayment(paid).text, /^Your payment is confirmed\./);
  }
});

test('[PAY-09] messages refer to what the page shows and name a surplus', () => {
  for (const state of ['awaiting', 'underpaid'] as const) {
    assert.match(describePayment({ ...payment, state }).text, /code/);
    const elsewhere = describePayment({ ...payment, state, hasCode: false }).text;
    assert.match(elsewhere, /payment page/);
    assert.doesNotMatch(elsewhere, /below|Scan/);
  }
});

test('[PAY-09] [PAY-13] a surplus is described alike before and after the payment is final', () => {
  const own = { ...payment, fulfilment: 'unfulfilled', surplusBtc: '0.000500', missingBtc: null } as const;
  for (const [refundRoute, route] of [
    ['unknown', 'Enter a refund address below to get it back.'],
    ['named', 'Confirm your refund address with the link in our mail to get it back.'],
    ['entered', 'We refund it to the address that we entered for you.'],
    ['known', 'We refund it to the address that you confirmed.'],
  ] as const) {
    const said = `You sent 0.000500 BTC more than the amount due. ${route}`;
    for (const [status, state] of [
      ['pending', 'seen'],
      ['user_paid', 'seen'],
      ['pending', 'confirming'],
      ['paid', 'overpaid'],
    ] as const) {
      const of = { ...own, status, state, refundRoute };
      const { text } = describePayment(of);
      assert.ok(text.includes(said), `${state}: ${text}`);
      // Nothing is asked of the buyer in the same breath as nothing is to do.
      const isAsked = refundRoute === 'unknown' || refundRoute === 'named';
      if (isAsked) assert.doesNotMatch(text, /don’t need to|close this page/);
      assert.doesNotMatch(describePayment({ ...of, surplusBtc: null }).text, /BTC more than/);
      assert.match(describePayment({ ...of, surplusBtc: '0.00000293' }).text, /too little to refund\./);
    }
  }
});

test('[PAY-04] what a buyer marked as paid is said in each state in which money is missing', () => {
  const texts = Object.fromEntries(paymentStates.map((state) => [state, describeMarkedPaid(state)]));
  const shown = Object.entries(texts).filter(([, text]) => text !== null);
  assert.deepEqual(
    shown.map(([state]) => state),
    ['awaiting', 'underpaid'],
  );
  assert.match(String(texts['underpaid']), /only a part of the amount has arrived/);
  for (const [, text] of shown) assert.doesNotMatch(String(text), /confirm/i);
});

test('[PAY-01] [PAY-02] the countdown runs while, and only while, the order waits for money', () => {
  for (const status of ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const) {
    for (const state of paymentStates) {
      for (const bip21 of ['bitcoin:bcrt1q?amount=0.001', null]) {
        const shown = hasCountdown({ payment_status: status, payment: { state, bip21 } });
        const isOpen = status === 'pending' || status === 'user_paid';
        assert.equal(shown, isOpen && bip21 !== null && state !== 'seen' && state !== 'confirming');
      }
    }
  }
});

test('[PAY-09] describes a surplus: to refund, refunded, or too small', () => {
  const paid = { ...payment, status: 'paid', fulfilment: 'unfulfilled' } as const;
  const over = { ...paid, state: 'overpaid', surplusBtc: '0.000500' } as const;
  assert.match(describePayment(over).text, /0\.000500 BTC more than the amount due\. Enter a refund address below/);
  assert.match(describePayment({ ...over, fulfilment: undefined }).text, /Log in and enter a refund address/);
  assert.match(describePayment({ ...over, surplusBtc: '0.00000293' }).text, /which is too little to refund\./);
  assert.match(describePayment({ ...over, surplusBtc: '0.00000294' }).text, /Enter a refund address below/);
  assert.match(
    describePayment({ ...over, refundRoute: 'named' }).text,
    /Confirm your refund address with the link in our mail/,
  );
  assert.match(
    describePayment({ ...over, refundRoute: 'known' }).text,
    /due\. We refund it to the address that you confirmed\./,
  );
  assert.match(describePayment({ ...over, refundRoute: 'going' }).text, /due\. We are refunding it\./);
  const returned = describePayment({ ...paid, state: 'paid', returnedBtc: '0.000500' }).text;
  assert.match(returned, /We refunded 0\.000500 BTC that you overpaid/);
});

test('[PAY-10] a confirmed late payment waits and asks for nothing', () => {
  const late = { ...payment, status: 'expired', state: 'late', missingBtc: null } as const;
  assert.match(describePayment({ ...late, confirmations: 1 }).text, /once it is confirmed/);
  const waits = describePayment({ ...late, confirmations: 2 });
  assert.match(waits.title, /on hold/);
  assert.match(waits.text, /don’t pay again/);
});

test('[PAY-10] [PAY-11] shows the reason of a waiting late payment and the refund', () => {
  const late = { ...payment, status: 'expired', state: 'late', confirmations: 2, missingBtc: null } as const;
  const own = { ...late, fulfilment: 'unfulfilled' } as const;
  const rate = { ...own, lateReason: 'rate', missingAtPresentRateBtc: '0.000200' } as const;
  assert.match(
    describePayment(rate).text,
    /today’s price the order costs 0\.000200 BTC more\. Pay the difference, or wait/,
  );
  assert.match(
    describePayment({ ...rate, missingAtPresentRateBtc: null }).text,
    /It covers the order at today’s price/,
  );
  assert.match(describePayment({ ...own, lateReason: 'sold-out' }).text, /is sold out.*don’t pay again/);
  assert.match(describePayment({ ...own, lateReason: 'promo' }).text, /promo code.*don’t pay again/);
  assert.match(describePayment(rate).text, /Enter a refund address below/);
  assert.match(describePayment({ ...rate, fulfilment: undefined }).text, /Log in and enter a refund address/);
  assert.match(describePayment({ ...rate, refundRoute: 'named' }).text, /the link in our mail/);
  assert.match(describePayment({ ...rate, refundRoute: 'known' }).text, /to the address that you confirmed/);
});

test('[PAY-09] mentions immature mining rewards', () => {
  assert.match(
    describePayment({ ...payment, immatureBlocks: 99 }).text,
    /after 100 blocks, so it counts after 99 more\./,
  );
});

test('[PAY-04] a buyer’s statement does not count as a payment', () => {
  assert.notEqual(describePayment(payment).title, describePayment({ ...payment, status: 'user_paid' }).title);
});

test('[PAY-10] [PAY-11] an expired or cancelled order asks for no payment', () => {
  for (const state of ['expired', 'replaced', 'dropped', 'awaiting'] as const) {
    assert.match(describePayment({ ...payment, status: 'expired', state }).text, /new price/);
  }
  assert.match(describePayment({ ...payment, status: 'expired', state: 'underpaid' }).text, /^0\.004000 BTC arrived/);
  for (const state of paymentStates.filter((one) => !one.startsWith('refund'))) {
    assert.match(describePayment({ ...payment, status: 'cancelled', state }).text, /^0\.004000 BTC arrived/);
  }
  assert.match(describePayment({ ...payment, status: 'cancelled', receivedBtc: null }).text, /don’t pay/);
  assert.match(describePayment({ ...payment, status: 'cancelled', state: 'refunding' }).text, /refunding your payment/);
  assert.match(describePayment({ ...payment, status: 'cancelled', state: 'refunded' }).text, /refunded your payment/);
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

test('[OPS-25] a written-off order explains how to claim the money', () => {
  const closed = { ...payment, status: 'cancelled', state: 'written_off', fulfilment: 'unfulfilled' } as const;
  assert.equal(describePayment(closed).title, 'This order is closed');
  assert.match(describePayment(closed).text, /0\.004000 BTC arrived.*Enter a refund address below/);
  assert.match(describePayment({ ...closed, refundRoute: 'known' }).text, /to the address that you confirmed/);
  assert.match(describePayment({ ...closed, refundRoute: 'entered' }).text, /to the address that we entered for you/);
  assert.equal(describePayment({ ...closed, status: 'expired' }).title, 'This order is closed');
  assert.match(describePayment({ ...closed, receivedBtc: '0.00000293' }).text, /This is too little to refund\./);
  const legacy = { ...closed, receivedBtc: '0.00000300', refundRoute: 'known', minRefundBtc: 0.000_005_46 } as const;
  assert.match(describePayment(legacy).text, /Enter a native SegWit address/);
});

test('[PAY-13] does not promise a surplus below the address’s dust limit', () => {
  const over = {
    ...payment,
    status: 'paid',
    state: 'overpaid',
    surplusBtc: '0.00000300',
    minRefundBtc: 0.000_005_46,
  } as const;
  for (const wayBack of ['named', 'entered', 'known'] as const) {
    assert.match(describePayment({ ...over, refundRoute: wayBack }).text, /too little to refund to your address/);
  }
  assert.match(describePayment({ ...over, refundRoute: 'going' }).text, /We are refunding it/);
  assert.match(
    describePayment({ ...over, refundRoute: 'known', surplusBtc: '0.00000546' }).text,
    /address that you confirmed/,
  );
});
