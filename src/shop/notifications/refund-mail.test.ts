import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import {
  writeEnteredAddressMail,
  writeRefundAddressMail,
  writeRefundMail,
  writeWrittenOffMail,
} from './refund-mail.ts';
import { renderMail } from './render-mail.ts';

const SHOP = 'https://shop.example';
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const TXID = 'ab'.repeat(32);
const frame = { shopName: 'Crypto Market', shopAddress: 'Elm Street', shopUrl: SHOP, markUrl: null, footer: '' };
const refund = {
  username: 'Ada',
  number: 'CM-100001',
  orderId: '019a0000-0000-7000-8000-000000000001',
  covers: 'surplus',
  lines: null,
  valueCents: null,
  rate: null,
  rateAt: null,
  amountSats: sats(50_547n),
  address: ADDRESS,
  txid: TXID,
  mail: 'made',
} as const;
type Refund = Parameters<typeof writeRefundMail>[0];
const renderRefundMail = (change: Partial<Refund> = {}) =>
  renderMail(writeRefundMail({ ...refund, ...change }, SHOP), frame);

/** @param mail text or HTML, in which order numbers are marked */
function has(mail: string, ...parts: readonly string[]): void {
  const words = mail.replaceAll(/<\/?span[^>]*>/g, '');
  for (const part of parts) assert.ok(words.includes(part), `${JSON.stringify(part)} is not in:\n${words}`);
}

test('[PAY-13] [MAIL-02] the mail of a made refund has amount and address', () => {
  const { subject, text, html } = renderRefundMail();
  assert.equal(subject, 'Order CM-100001: we are refunding 0.00050547 BTC');
  for (const version of [text, html]) {
    has(version, 'Hello Ada', 'your overpayment for order CM-100001', '0.00050547 BTC', ADDRESS);
    has(version, `${SHOP}/dashboard/orders/${refund.orderId}`);
    // Another transaction may pay the refund instead of the planned one.
    assert.doesNotMatch(version, new RegExp(`${TXID}|we refunded|has arrived`));
  }
});

test('[PAY-13] [MAIL-02] the mail of a confirmed refund has its transaction', () => {
  const { subject, text, html } = renderRefundMail({ mail: 'confirmed', covers: 'whole', amountSats: sats(900_000n) });
  assert.equal(subject, 'Order CM-100001: 0.009000 BTC refunded');
  for (const version of [text, html]) {
    has(version, 'Your refund has arrived', 'we refunded your payment for order CM-100001', '0.009000 BTC', TXID);
    has(version, ADDRESS, `${SHOP}/dashboard/orders/${refund.orderId}`);
    assert.doesNotMatch(version, /overpayment|are refunding/);
  }
  assert.doesNotMatch(renderRefundMail({ mail: 'confirmed', txid: null }).text, /Transaction|null/);
});

test('[PAY-13] the refund address mail has the full address and link', () => {
  const token = 'x'.repeat(43);
  const words = writeRefundAddressMail({ username: 'Ada', number: 'CM-100001', address: ADDRESS, token }, SHOP);
  const { subject, text, html } = renderMail(words, frame);
  assert.equal(subject, 'Order CM-100001: please confirm your refund address');
  for (const version of [text, html]) {
    has(version, ADDRESS, `${SHOP}/confirm-refund-address/${token}`, 'don’t confirm it'.slice(3), 'within seven days');
  }
});

test('[OPS-25] [MAIL-02] the mail of a recorded refund claims no confirmation', () => {
  const { text } = renderRefundMail({ mail: 'recorded', covers: 'whole' });
  has(text, 'we refunded your payment for order CM-100001', ADDRESS, TXID);
  assert.doesNotMatch(text, /confirmed|has arrived/);
});

test('[OPS-25] [MAIL-02] the mail of an undone record has no transaction', () => {
  const { subject, text } = renderRefundMail({ mail: 'undone' });
  assert.match(subject, /not refunded yet/);
  has(text, 'That was wrong', 'Your money is not lost');
  assert.ok(!text.includes(TXID));
});

test('[OPS-25] [MAIL-02] the mail of an address entered by staff explains how to object', () => {
  const holdsFrom = new Date('2026-03-04T12:00:00Z');
  const { text } = renderMail(writeEnteredAddressMail({ ...refund, holdsFrom }, SHOP), frame);
  has(text, ADDRESS, '4 Mar 2026', 'enter your own address', `${SHOP}/dashboard/orders/${refund.orderId}`);
});

test('[OPS-25] [MAIL-02] the mail of written-off money states that it can be claimed', () => {
  const whole = renderMail(writeWrittenOffMail({ ...refund, covers: 'whole' }, SHOP), frame).text;
  has(whole, 'we received 0.00050547 BTC for your order CM-100001', 'It is still yours');
  has(renderMail(writeWrittenOffMail(refund, SHOP), frame).text, 'we received 0.00050547 BTC more than the amount due');
  const dust = renderMail(writeWrittenOffMail({ ...refund, amountSats: sats(293n) }, SHOP), frame).text;
  assert.doesNotMatch(dust, /still yours/);
});
