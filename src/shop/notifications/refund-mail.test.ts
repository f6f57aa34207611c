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
const frame = { shopName: 'Crypto Market', shopAddress: 'Elm Street', shopUrl: SHOP };
const refund = {
  username: 'Ada',
  number: 'CM-100001',
  orderId: '019a0000-0000-7000-8000-000000000001',
  covers: 'surplus',
  amountSats: sats(50_547n),
  address: ADDRESS,
  txid: TXID,
  told: 'made',
} as const;
type Refund = Parameters<typeof writeRefundMail>[0];
const mail = (change: Partial<Refund> = {}) => renderMail(writeRefundMail({ ...refund, ...change }, SHOP), frame);

function has(words: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(words.includes(part), `${JSON.stringify(part)} is not in:\n${words}`);
}

test('[PAY-13] [MAIL-02] a refund that was made: of what, how much to the satoshi, where to, and no word of an arrival', () => {
  const { subject, text, html } = mail();
  assert.equal(subject, 'Order CM-100001: we are sending 0.00050547 BTC back');
  for (const version of [text, html]) {
    has(version, 'Hello Ada', 'what you paid too much for your order CM-100001', '0.00050547 BTC', ADDRESS);
    has(version, `${SHOP}/dashboard/orders/${refund.orderId}`);
    // Planned, it may still be sent by another transaction.
    assert.doesNotMatch(version, new RegExp(`${TXID}|was sent back|has arrived`));
  }
});

test('[PAY-13] [MAIL-02] a refund that is confirmed: that it has arrived, and by which transaction', () => {
  const { subject, text, html } = mail({ told: 'confirmed', covers: 'whole', amountSats: sats(900_000n) });
  assert.equal(subject, 'Order CM-100001: 0.009000 BTC were sent back');
  for (const version of [text, html]) {
    has(
      version,
      'Your refund has arrived',
      'what you paid for your order CM-100001 was sent back',
      '0.009000 BTC',
      TXID,
    );
    has(version, ADDRESS, `${SHOP}/dashboard/orders/${refund.orderId}`);
    assert.doesNotMatch(version, /too much|are sending/);
  }
  assert.doesNotMatch(mail({ told: 'confirmed', txid: null }).text, /Transaction|null/);
});

test('[PAY-13] an address for refunds: the whole of it, and the link that confirms it', () => {
  const token = 'x'.repeat(43);
  const words = writeRefundAddressMail({ username: 'Ada', number: 'CM-100001', address: ADDRESS, token }, SHOP);
  const { subject, text, html } = renderMail(words, frame);
  assert.equal(subject, 'Order CM-100001: please confirm your address for refunds');
  for (const version of [text, html]) {
    has(version, ADDRESS, `${SHOP}/confirm-refund-address/${token}`, 'Do not confirm it'.slice(3), 'within seven days');
  }
});

test('[OPS-25] [MAIL-02] a recorded refund claims no confirmation of the network', () => {
  const { text } = mail({ told: 'recorded', covers: 'whole' });
  has(text, 'we have sent back what you paid for your order CM-100001', ADDRESS, TXID);
  assert.doesNotMatch(text, /confirmed|has arrived/);
});

test('[OPS-25] [MAIL-02] a record that was undone is corrected, without its transaction', () => {
  const { subject, text } = mail({ told: 'undone' });
  assert.match(subject, /were not sent back yet/);
  has(text, 'That was a mistake', 'nothing is lost');
  assert.ok(!text.includes(TXID));
});

test('[OPS-25] [MAIL-02] an address entered by staff: which, from when, and how to object', () => {
  const holdsFrom = new Date('2026-03-04T12:00:00Z');
  const { text } = renderMail(writeEnteredAddressMail({ ...refund, holdsFrom }, SHOP), frame);
  has(text, ADDRESS, '4 Mar 2026', 'name your own address', `${SHOP}/dashboard/orders/${refund.orderId}`);
});

test('[OPS-25] [MAIL-02] written-off money: how much, and that it can still be claimed', () => {
  const whole = renderMail(writeWrittenOffMail({ ...refund, covers: 'whole' }, SHOP), frame).text;
  has(whole, '0.00050547 BTC arrived for your order CM-100001', 'It is still yours');
  has(renderMail(writeWrittenOffMail(refund, SHOP), frame).text, '0.00050547 BTC more than was due arrived');
  const dust = renderMail(writeWrittenOffMail({ ...refund, amountSats: sats(293n) }, SHOP), frame).text;
  assert.doesNotMatch(dust, /still yours/);
});
