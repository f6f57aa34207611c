import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEGAL_KINDS, LEGAL_TITLES } from '#src/shop/content/legal/legal-kind.ts';
import { findPages, putExactFirst } from './find-everywhere.ts';

const listTexts = (role: string, query: string): string[] => findPages(role, query).map(({ text }) => text);

test('[OPS-30] the search finds the texts of the shop by their names', () => {
  assert.deepEqual(findPages('owner', 'terms'), [
    { group: 'Pages', text: 'Terms and conditions', detail: 'Content', to: '/admin/content?part=terms' },
  ]);
  assert.deepEqual(listTexts('owner', 'home page'), ['Home page']);
  for (const kind of LEGAL_KINDS) {
    const found = findPages('owner', LEGAL_TITLES[kind]).map(({ to }) => to);
    assert.ok(found.includes(`/admin/content?part=${kind}`), kind);
  }
  const delivery = findPages('owner', 'delivery').map(({ to }) => to);
  assert.ok(delivery.includes('/admin/content?part=delivery'), delivery.join());
  assert.deepEqual(listTexts('support', 'terms'), [], 'support does not edit them');
});

test('[OPS-30] what is named exactly as the query is found first', () => {
  const found = [{ text: 'iPhone 16e' }, { text: 'iPhone 16 Pro' }, { text: 'iPhone 16' }];
  assert.deepEqual(
    putExactFirst(found, 'iphone 16').map(({ text }) => text),
    ['iPhone 16', 'iPhone 16e', 'iPhone 16 Pro'],
  );
});
