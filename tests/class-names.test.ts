import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShortClassNames } from '../scripts/short-class-names.ts';

test('short class names are stable and unique', () => {
  const nameOf = createShortClassNames('/shop');
  const first = nameOf('page', '/shop/src/a.module.css');
  const names = [
    first,
    nameOf('title', '/shop/src/a.module.css'),
    nameOf('page', '/shop/src/b.module.css'),
    nameOf('title', '/shop/src/b.module.css'),
  ];
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Za-z]{4}\d+$/);
  assert.equal(nameOf('page', '/shop/src/a.module.css?used'), first);
});
