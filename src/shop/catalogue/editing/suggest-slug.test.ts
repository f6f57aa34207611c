import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findFreeSlug, suggestSlug } from './suggest-slug.ts';

test('[OPS-02] a slug is made of the letters and digits of a name', () => {
  assert.equal(suggestSlug('  iPhone 17 Pro (256GB), Café! '), 'iphone-17-pro-256gb-cafe');
  for (const [name, slug] of [
    ['Łódź Żółć ąęćńś', 'lodz-zolc-aecns'],
    ['İzmir ığdır ŞĞ', 'izmir-igdir-sg'],
    ['Ærø Åse Þór ðø', 'aero-ase-thor-do'],
    ['Größe Straße', 'grosse-strasse'],
    ['Чайник Йод', 'chaynik-yod'],
    ['Ελλάδα', 'ellada'],
    ['东京', ''],
    ['ж'.repeat(300), 'zh'.repeat(50)],
  ] as const) {
    assert.equal(suggestSlug(name), slug);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) =>
      assert.match(suggestSlug(name), /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/),
    ),
  );
});

test('[OPS-02] a taken slug gets the next free number', () => {
  const taken = new Set(['cable', 'cable-2']);
  assert.equal(
    findFreeSlug('cable', (slug) => taken.has(slug)),
    'cable-3',
  );
  assert.equal(
    findFreeSlug('case', (slug) => taken.has(slug)),
    'case',
  );
});
