import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerBuild } from 'react-router';
import { createPatternFinder } from './page-pattern.ts';

const module = { default: () => null };
const ROUTES: ServerBuild['routes'] = {
  root: { id: 'root', path: '', module },
  home: { id: 'home', parentId: 'root', index: true, module },
  product: { id: 'product', parentId: 'root', path: 'catalog/product/:slug', module },
  unknown: { id: 'unknown', parentId: 'root', path: '*', module },
};

test('[OPS-20] names a page by the pattern of its path', () => {
  const find = createPatternFinder(ROUTES);
  assert.equal(find('/'), '/');
  assert.equal(find('/catalog/product/iphone-17'), '/catalog/product/:slug');
  assert.equal(find('/nothing/here'), 'none');
  assert.equal(createPatternFinder({})('/'), 'none');
});
