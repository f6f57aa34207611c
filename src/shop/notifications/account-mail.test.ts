import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCodeMail, writeConfirmationMail, writeNotice } from './account-mail.ts';
import { renderMail } from './render-mail.ts';
import type { MailContents } from './render-mail.ts';

const SHOP = 'https://shop.example';
const frame = { shopName: 'Crypto Market', shopAddress: 'Elm Street', shopUrl: SHOP, markUrl: null, footer: '' };
const at = new Date('2026-11-20T12:00:00Z');
const renderText = (words: MailContents): string => renderMail(words, frame).text;

test('[ACC-07] the reset mail has its code on its own line', () => {
  const words = writeCodeMail({ username: 'Ada', code: 'ABCD2345' }, SHOP);
  const text = renderText(words);
  assert.match(text, /^Code: ABCD2345$/m);
  assert.deepEqual(text.match(/\b[A-Z2-7]{8}\b/g), ['ABCD2345'], 'nothing else resembles a code');
  for (const part of ['Hello Ada', '10 minutes', 'works once', `${SHOP}/lost-password`, 'Did you not request']) {
    assert.ok(text.includes(part), part);
  }
  // A mail list can be seen by others, so the code is not in it.
  for (const seen of [words.subject, words.preview]) assert.ok(!seen.includes('ABCD2345'));
});

test('[ACC-12] the confirmation mail has the link and no text of users', () => {
  const token = 'x'.repeat(43);
  const text = renderText(writeConfirmationMail({ token }, SHOP));
  assert.ok(text.includes(`${SHOP}/confirm-email/${token}`));
  for (const part of ['three days', 'works once', 'mistyped']) assert.ok(text.includes(part), part);
});

test('[API-08] notices have the change, its time and the next step', () => {
  for (const [kind, subject, link] of [
    ['password-changed', 'Your password was changed', '/lost-password'],
    ['password-reset', 'Your password was reset', '/lost-password'],
    // A code would go to the new address, which may belong to a thief.
    ['address-changed', 'Your email address was changed', '/contact'],
  ] as const) {
    const words = writeNotice({ kind, username: 'Ada', at }, SHOP);
    const text = renderText(words);
    assert.equal(words.subject, subject);
    for (const part of ['Hello Ada', '20 Nov 2026, 12:00 UTC', 'If this was not you', `${SHOP}${link}`]) {
      assert.ok(text.includes(part), `${kind}: ${part}: ${text}`);
    }
  }
});
