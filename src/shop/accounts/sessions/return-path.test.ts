import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { resolveReturnPath, appendReturnPath } from './return-path.ts';

const ORIGIN = 'https://shop.example';

test('[ACC-05] a path of this site is where one returns to, the dashboard otherwise', () => {
  for (const path of ['/', '/cart', '/catalog/product/iphone-17?color=black&x=//y#top', '/dashboard/orders']) {
    assert.equal(resolveReturnPath(path), path);
  }
  assert.equal(resolveReturnPath(null), '/dashboard');
  assert.equal(resolveReturnPath(''), '/dashboard');
});

test('[ACC-05] nobody is sent to another site', () => {
  const foreign = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    'https://evil.example',
    'https:evil.example',
    'data:text/html,evil',
    'cart',
    ' //evil.example',
    '/cart\u0000',
  ];
  for (const wanted of foreign) assert.equal(resolveReturnPath(wanted), '/dashboard', JSON.stringify(wanted));
});

test('[ACC-05] whatever is asked for, one stays on this site', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    '?',
    '#',
    '%2f',
    '%5c',
    '\t',
    '\n',
    ' ',
    'https',
    'evil.example',
  );
  const wanted = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(wanted, (text) => {
      const target = new URL(resolveReturnPath(text), `${ORIGIN}/login`);
      assert.equal(target.origin, ORIGIN);
      assert.ok(!target.pathname.startsWith('//'), target.pathname);
    }),
    { numRuns: 1000 },
  );
});

test('[ACC-05] the way on is kept between login and registration', () => {
  assert.equal(appendReturnPath('/registration', '/cart'), '/registration?to=%2Fcart');
  assert.equal(appendReturnPath('/login', null), '/login');
  assert.equal(appendReturnPath('/login', '//evil.example'), '/login');
});
