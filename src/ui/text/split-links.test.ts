import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { splitLinks } from './split-links.ts';

test('separates URLs from the text around them without losing any', () => {
  assert.deepEqual(splitLinks('Pay at https://shop.example/pay/a-b_c?x=1. Thanks'), [
    { at: 0, text: 'Pay at ', isLink: false },
    { at: 7, text: 'https://shop.example/pay/a-b_c?x=1', isLink: true },
    { at: 41, text: '. Thanks', isLink: false },
  ]);
  for (const text of ['data:text/html,x', 'xhttp://a.example', 'ftp://a.example', 'http://', '']) {
    assert.ok(
      splitLinks(text).every(({ isLink }) => !isLink),
      text,
    );
  }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('http://', 'https://a', '.', ' ', '\n', '<', '"', 'é', ')')), (parts) => {
      assert.equal(
        splitLinks(parts.join(''))
          .map(({ text }) => text)
          .join(''),
        parts.join(''),
      );
    }),
  );
});
