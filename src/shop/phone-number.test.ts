import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPhoneNumber, normalisePhone } from './phone-number.ts';

test('[BILL-06] accepts telephone numbers as people write them', () => {
  for (const text of [
    '+44 20 7946 0000',
    '020 7946 0000',
    '(030) 123-45 67',
    '030/1234567',
    '06.12.34.56.78',
    '+1 555 0100 x12',
    '555 0100 ext. 7',
    ' +49\u00a030\u00a0123456 ',
    '＋８１ ３ １２３４ ５６７８',
    '030–123456',
    '030−123456',
    '\u202a+49 30 123456\u202c',
    '٠١٢٣٤٥٦٧٨٩',
    '+٢٠ ١٠ ١٢٣٤٥٦٧٨',
    'tel:+49-30-123456',
    '+49 30 123456 #12',
  ]) {
    assert.ok(isPhoneNumber(text), text);
  }
});

test('[BILL-06] refuses what is no telephone number', () => {
  for (const text of [
    '',
    'abc',
    '-',
    '+',
    '1234',
    '1'.repeat(16),
    '12345 call me',
    '++4912345',
    'x12345',
    '+49 30 12a45',
    '+49 30 1234\n56',
  ]) {
    assert.equal(isPhoneNumber(text), false, text);
  }
});

test('[BILL-06] stores telephone numbers in one form', () => {
  for (const [typed, written] of [
    ['+٢٠ ١٠ ١٢٣٤٥٦٧٨', '+20 10 12345678'],
    ['＋８１\u3000３ １２３４ ５６７８', '+81 3 1234 5678'],
    ['\u202a+49\u00a030\u2009123456\u202c', '+49 30 123456'],
    ['tel:+49–30–123456', '+49-30-123456'],
    ['030/1234567', '030/1234567'],
    ['no number', 'no number'],
  ] as const)
    assert.equal(normalisePhone(typed), written);
});
