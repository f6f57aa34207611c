import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mayUse, STAFF_ROLES } from '#src/shop/permissions.ts';
import { findPlace, listEntries } from './back-office-map.ts';

const listPages = (role: string): string[] => listEntries(role).flatMap(({ sections }) => sections.map(({ to }) => to));

test('[OPS-30] the rail has at most nine entries, which lead to every page without parameters', () => {
  assert.ok(listEntries('owner').length <= 9);
  const routes = readFileSync('src/routes.ts', 'utf8');
  const paths = [...routes.matchAll(/page\('(admin[a-z/-]*)'/g)].map(([, path]) => `/${path}`);
  assert.ok(paths.length > 20);
  for (const path of paths) assert.notEqual(findPlace(listEntries('owner'), path), null, path);
});

test('[OPS-30] a role sees exactly the pages that it may use', () => {
  const all = listEntries('owner').flatMap(({ sections }) => sections);
  for (const role of STAFF_ROLES) {
    const allowed = all.filter(({ area }) => area === null || mayUse(role, area)).map(({ to }) => to);
    assert.deepEqual(listPages(role), allowed, role);
  }
  assert.deepEqual(listPages('customer'), ['/admin', '/admin/security'], 'the shell is not shown to customers');
});

const find = (path: string) => findPlace(listEntries('owner'), path)?.section.to;

test('[OPS-30] a page below another belongs to its entry, and the first page has none below it', () => {
  assert.equal(find('/admin/orders/42'), '/admin/orders');
  assert.equal(find('/admin/products/new'), '/admin/products');
  assert.equal(find('/admin'), '/admin');
  assert.equal(find('/admin/no-such-page'), undefined);
  assert.equal(find('/admin/ordersx'), undefined);
});
