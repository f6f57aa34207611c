import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { listCardColors, MAX_CARD_COLORS, offersColors } from './card-colors.ts';

const createProperty = (name: string, values: readonly string[]) => ({
  id: name,
  name,
  values: values.map((value) => ({ id: value, value, increaseCents: cents(0n) })),
});
const CAPACITY = createProperty('Capacity', ['256GB', '512GB']);
const COLOR = createProperty('Color', ['Silver', 'Deep Blue', 'Mystery']);
const OFFERED = [CAPACITY, COLOR];

const createVariant = (capacity: string, color: string, isAvailable = true) => ({
  valueIds: [capacity, color].toSorted(),
  sku: `${capacity} ${color}`,
  isAvailable,
});
const ALL = CAPACITY.values.flatMap(({ id }) => COLOR.values.map((color) => createVariant(id, color.id)));
const listSkus = (...args: Parameters<typeof listCardColors>) => listCardColors(...args)?.colors.map(({ sku }) => sku);

test('[CARD-04] a colour means the variant with the other values of the card', () => {
  assert.deepEqual(listSkus(OFFERED, ['512GB', 'Silver'], ALL), ['512GB Silver', '512GB Deep Blue']);
  assert.deepEqual(listSkus(OFFERED, ['256GB', 'Mystery'], ALL), ['256GB Silver', '256GB Deep Blue']);
});

test('[CARD-04] a colour means another variant if that one is sold out or not sold', () => {
  const soldOut = ALL.map((one) => (one.sku === '512GB Deep Blue' ? { ...one, isAvailable: false } : one));
  assert.deepEqual(listSkus(OFFERED, ['512GB', 'Silver'], soldOut), ['512GB Silver', '256GB Deep Blue']);
  const unsold = ALL.filter(({ sku }) => sku !== '512GB Deep Blue');
  assert.deepEqual(listSkus(OFFERED, ['512GB', 'Silver'], unsold), ['512GB Silver', '256GB Deep Blue']);
  const listAvailable = (variants: typeof ALL) =>
    listCardColors(OFFERED, ['512GB', 'Silver'], variants)?.colors.map(({ is_available: isAvailable }) => isAvailable);
  assert.deepEqual(listAvailable(soldOut), [true, true]);
  const noBlue = ALL.map((one) => ({ ...one, isAvailable: !one.sku.endsWith('Deep Blue') }));
  assert.deepEqual(listAvailable(noBlue), [true, false]);
  const none = ALL.map((one) => ({ ...one, isAvailable: false }));
  assert.deepEqual(listSkus(OFFERED, ['512GB', 'Silver'], none), ['512GB Silver', '512GB Deep Blue']);
});

test('[CARD-04] under a filter a colour keeps the other values of the card', () => {
  const [first, ...others] = ALL.filter(({ sku }) => sku !== '512GB Mystery');
  assert.ok(first);
  const changed = others.map((one) => (one.sku === '512GB Deep Blue' ? { ...one, isAvailable: false } : one));
  const listed = listCardColors(OFFERED, ['512GB', 'Silver'], [first, ...changed], true);
  assert.deepEqual([listed?.colors.map(({ sku }) => sku), listed?.count], [['512GB Silver', '512GB Deep Blue'], 2]);
});

test('[CARD-04] counts colours without a swatch, and shows none of a single colour', () => {
  const found = listCardColors(OFFERED, ['256GB', 'Silver'], ALL);
  assert.equal(found?.count, 3);
  assert.deepEqual(
    found.colors.map(({ name }) => name),
    ['Silver', 'Deep Blue'],
  );
  const single = ALL.filter(({ valueIds }) => valueIds.includes('Silver'));
  assert.equal(listCardColors(OFFERED, ['256GB', 'Silver'], single), null);
  assert.equal(listCardColors([CAPACITY], ['256GB'], ALL), null);
  assert.ok(offersColors(OFFERED) && !offersColors([CAPACITY]) && !offersColors([]));
});

test('[CARD-04] every colour of a card is a variant that is sold, available if one of it is', () => {
  const variant = fc.tuple(fc.constantFrom('256GB', '512GB'), fc.constantFrom('Silver', 'Deep Blue'), fc.boolean());
  fc.assert(
    fc.property(fc.array(variant), fc.constantFrom('256GB', '512GB'), (list, capacity) => {
      const variants = list.map((of) => createVariant(...of));
      const found = listCardColors(OFFERED, [capacity, 'Silver'], variants);
      for (const { name, sku } of found?.colors ?? []) {
        const ofColor = variants.filter(({ valueIds }) => valueIds.includes(name));
        const chosen = ofColor.filter((one) => one.sku === sku);
        assert.ok(chosen.length > 0);
        assert.equal(
          chosen.some(({ isAvailable }) => isAvailable),
          ofColor.some(({ isAvailable }) => isAvailable),
        );
      }
    }),
  );
});

test('[CARD-04] shows at most five colours', () => {
  const names = ['Silver', 'Black', 'Blue', 'Green', 'Pink', 'Yellow', 'Orange'];
  const variants = names.map((name) => ({ valueIds: [name], sku: name, isAvailable: true }));
  const found = listCardColors([createProperty('Color', names)], ['Silver'], variants);
  assert.deepEqual([found?.colors.length, found?.count], [MAX_CARD_COLORS, 7]);
});
