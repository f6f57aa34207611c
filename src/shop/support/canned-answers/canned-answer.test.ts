import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as assertProperty, property, string } from 'fast-check';
import { fillCannedAnswer, hasPlaceholder, insertAnswer } from './canned-answer.ts';

const ADA = { name: 'ada', order: 'CM-100001' };

test('[OPS-04] replaces the placeholders of a canned answer', () => {
  const text = 'Hello {name}, {order} is on its way, {name}. {other} {ORDER}';
  assert.equal(fillCannedAnswer(text, ADA), 'Hello ada, CM-100001 is on its way, ada. {other} {ORDER}');
});

test('[OPS-04] keeps a placeholder without a value', () => {
  const filled = fillCannedAnswer('Hello {name}, order {order}', { ...ADA, order: null });
  assert.equal(filled, 'Hello ada, order {order}');
  assert.ok(hasPlaceholder(filled));
  assert.equal(hasPlaceholder(fillCannedAnswer('Hello {name}', ADA)), false);
});

test('[OPS-04] inserts any name literally', () => {
  assertProperty(property(string(), (name) => fillCannedAnswer('({name})', { name, order: null }) === `(${name})`));
});

test('[OPS-04] adds a canned answer below a started message', () => {
  assert.equal(insertAnswer(' \n', 'Hello'), 'Hello');
  assert.equal(insertAnswer('One ', 'Two'), 'One\n\nTwo');
});
