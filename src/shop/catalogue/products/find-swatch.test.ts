import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedCategories } from '../../../../db/seed/catalogue.ts';
import { findSwatch } from './find-swatch.ts';

test('[PROD-03] has a swatch for every colour of the demo catalogue', () => {
  const colors = seedCategories.flatMap(({ properties }) => Object.keys(properties['Color'] ?? {}));
  assert.ok(colors.length > 40);
  assert.deepEqual(
    colors.filter((color) => !/^#[0-9a-f]{6}$/.test(findSwatch(color) ?? '')),
    [],
  );
});

test('[PROD-03] ignores case and blanks, has no swatch for other values', () => {
  assert.equal(findSwatch(' SPACE Black '), findSwatch('Space Black'));
  for (const value of ['', '256GB', 'Wi-Fi', 'constructor', '__proto__']) assert.equal(findSwatch(value), undefined);
});
