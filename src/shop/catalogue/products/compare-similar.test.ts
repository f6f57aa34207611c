import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compareSimilar } from './compare-similar.ts';

const create = (slug: string, usd: number, specifications: Readonly<Record<string, string>>) => ({
  slug,
  name: slug,
  main_image: '',
  lowest_price_btc: null,
  lowest_price_usd: usd,
  is_price_from: false,
  specifications,
});

test('[PROD-17] compares a product with the three nearest in price, by facts that differ', () => {
  const others = [
    create('far', 9000, { Chip: 'M5', Weight: '2 kg' }),
    create('near', 1010, { Chip: 'A18', Weight: '170 g', Radio: '5G' }),
    create('nearer', 1001, { Chip: 'A19', Weight: '180 g', Radio: '5G' }),
    create('next', 700, { Chip: 'A17', Weight: '170 g', Radio: '5G' }),
  ];
  const compared = compareSimilar(create('this', 1000, { Chip: 'A19', Weight: '177 g', Radio: '5G' }), others);
  assert.deepEqual(
    compared?.products.map(({ slug, facts }) => [slug, ...facts]),
    [
      ['this', 'A19', '177 g'],
      ['nearer', 'A19', '180 g'],
      ['near', 'A18', '170 g'],
      ['next', 'A17', '170 g'],
    ],
  );
  assert.deepEqual(compared?.names, ['Chip', 'Weight']);
});

test('[PROD-17] compares nothing without another product, or without a fact of all that differs', () => {
  const one = create('this', 1000, { Chip: 'A19' });
  assert.equal(compareSimilar(one, []), null);
  assert.equal(compareSimilar(one, [create('same', 900, { Chip: 'A19' })]), null);
  assert.equal(compareSimilar(one, [create('other', 900, { Weight: '1 kg' })]), null);
});

test('[PROD-17] every product of the strip specifies each fact', () => {
  const specifications = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('x', 'y'));
  const price = fc.integer({ min: 0, max: 9999 });
  fc.assert(
    fc.property(fc.array(fc.tuple(price, specifications), { minLength: 1, maxLength: 8 }), (list) => {
      const [first, ...others] = list.map(([usd, facts], index) => create(String(index), usd, facts));
      const compared = first ? compareSimilar(first, others) : null;
      for (const { facts } of compared?.products ?? []) {
        assert.equal(facts.length, compared?.names.length);
        assert.ok(facts.every((fact) => fact !== ''));
      }
    }),
  );
});
