import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { resolveReturnPath, appendReturnPath } from './return-path.ts';

const ORIGIN = 'https://shop.example';

test('[ACC-05] returns to a path of this site, otherwise the dashboard', () => {
  for (const path of ['/', '/cart', '/catalog/product/iphone-17?color=black&x=//y#top', '/dashboard/orders']) {
    assert.equal(resolveReturnPath(path), path);
  }
  assert.equal(resolveReturnPath(null), '/dashboard');
  assert.equal(resolveReturnPath(''), '/dashboard');
});

test('[OPS-30] members of the team return to the back office', () => {
  assert.equal(resolveReturnPath(null, { isStaff: true }), '/admin');
  assert.equal(resolveReturnPath('//evil.example', { isStaff: true }), '/admin');
  assert.equal(resolveReturnPath('/cart', { isStaff: true }), '/cart');
});

test('[ACC-05] a return path can be sent in a header', () => {
  assert.equal(resolveReturnPath('/search-results?q=日本&x=%41'), '/search-results?q=%E6%97%A5%E6%9C%AC&x=%41');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.match(resolveReturnPath(`/${text}`), /^[ -~]+$/);
    }),
  );
});

test('[ACC-05] never redirects to another site', () => {
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
  for (const path of foreign) assert.equal(resolveReturnPath(path), '/dashboard', JSON.stringify(path));
});

test('[ACC-05] stays on this site for any input', () => {
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
  const path = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(path, (text) => {
      const target = new URL(resolveReturnPath(text), `${ORIGIN}/login`);
      assert.equal(target.origin, ORIGIN);
      assert.ok(!target.pathname.startsWith('//'), target.pathname);
    }),
    { numRuns: 1000 },
  );
});

test('[ACC-05] passes the return path between login and registration', () => {
  assert.equal(appendReturnPath('/registration', '/cart'), '/registration?to=%2Fcart');
  assert.equal(appendReturnPath('/login', null), '/login');
  assert.equal(appendReturnPath('/login', '//evil.example'), '/login');
});
