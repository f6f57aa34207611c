import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  createSafety,
  listSafetyFacts,
  mergeSafety,
  NO_SAFETY,
  SAFETY_FIELDS,
  SAFETY_LABELS,
} from './product-safety.ts';
import type { ProductSafety, SafetyField } from './product-safety.ts';

const given = (texts: Partial<ProductSafety>): ProductSafety => ({ ...NO_SAFETY, ...texts });

test('[PROD-10] a product has the safety information of its brand unless it has its own', () => {
  const brand = given({ manufacturer: 'Acme', manufacturer_address: '1 Main St', warnings: 'Keep dry' });
  assert.deepEqual(mergeSafety(brand, null), brand);
  assert.deepEqual(
    mergeSafety(brand, given({ manufacturer: 'Bolt' })),
    given({ manufacturer: 'Bolt', warnings: 'Keep dry' }),
  );
  assert.deepEqual(mergeSafety(null, given({ warnings: ' Hot ' })), given({ warnings: 'Hot' }));
  assert.equal(mergeSafety(given({ warnings: '  ' }), null), null);
  assert.equal(mergeSafety(null, null), null);
});

const safetyOf = (owner: string) =>
  fc
    .array(fc.boolean(), { minLength: SAFETY_FIELDS.length, maxLength: SAFETY_FIELDS.length })
    .map((isSet) => createSafety((field) => (isSet[SAFETY_FIELDS.indexOf(field)] === true ? owner : '')));

test('[PROD-10] the addresses of one company never stand beside another company', () => {
  const companies: readonly (readonly SafetyField[])[] = [
    ['manufacturer', 'manufacturer_address', 'manufacturer_contact'],
    ['responsible_name', 'responsible_address', 'responsible_contact'],
  ];
  fc.assert(
    fc.property(safetyOf('brand'), safetyOf('product'), (brand, product) => {
      const merged = mergeSafety(brand, product);
      return companies.every((fields) => new Set(fields.map((of) => merged?.[of] ?? '').filter(Boolean)).size <= 1);
    }),
  );
});

test('[PROD-10] facts are what is given, in the order of the page', () => {
  assert.deepEqual(listSafetyFacts(given({ warnings: 'Keep dry', manufacturer: 'Acme' })), [
    [SAFETY_LABELS.manufacturer, 'Acme'],
    [SAFETY_LABELS.warnings, 'Keep dry'],
  ]);
  assert.deepEqual(listSafetyFacts(null), []);
});
