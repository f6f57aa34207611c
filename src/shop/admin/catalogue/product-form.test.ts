import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLargePriceChanges, listLargeReductions } from './large-price-changes.ts';
import { parseDollars } from './parse-dollars.ts';
import { toProperties } from './property-form.ts';
import { createEmptyForm, listVariants, NEW_VARIANT, toContent, toForm } from './product-form.ts';

const category = {
  id: 'c',
  name: 'Phones',
  properties: [
    {
      id: 'p',
      name: 'Colour',
      values: [
        { id: 'v2', value: 'Blue', increase_usd: 0 },
        { id: 'v1', value: 'Red', increase_usd: 5 },
      ],
    },
    { id: 'q', name: 'Size', values: [{ id: 'v3', value: 'Large', increase_usd: 1 }] },
  ],
};

test('[OPS-02] [FMT-04] prices are read as staff type them', () => {
  assert.deepEqual(['1,299.00', ' $5 ', '-2.5', '+$3', '0.1'].map(parseDollars), [1299, 5, -2.5, 3, 0.1]);
  assert.deepEqual(['529,50', '1.299,00', '1 299,5', '-5,5'].map(parseDollars), [529.5, 1299, 1299.5, -5.5]);
  for (const bad of ['', 'free', '1.234', '1e3', '12345678', '1 2', '--1']) assert.equal(parseDollars(bad), null, bad);
});

test('[OPS-08] a form lists its variants with computed prices in display order', () => {
  const form = {
    ...createEmptyForm('c', 'b'),
    price: '10.10',
    values: {
      v1: { increase: '5', pictures: [] },
      v2: { increase: '0.20', pictures: [] },
      v3: { increase: '1', pictures: [] },
    },
  };
  assert.deepEqual(
    listVariants(category, form).map(({ name, computedPrice }) => [name, computedPrice]),
    [
      ['Blue, Large', 11.3],
      ['Red, Large', 16.1],
    ],
  );
  assert.equal(listVariants(category, { ...form, price: '?' })[0]?.computedPrice, null);
});

test('[OPS-02] [FMT-04] a price that can be read in two ways is refused at its field', () => {
  const form = {
    ...createEmptyForm('c', 'b'),
    price: '1,299',
    weight: '1,500',
    values: { v1: { increase: '5.000', pictures: [] } },
    variants: { v1: { ...NEW_VARIANT, price: '2.500', weight: '1,5' } },
  };
  const { problems } = toContent({ ...form, name: 'n', slug: 's', article: 'a' }, category);
  assert.deepEqual(problems, {
    base_price_usd: '“1,299” is unclear. Write 1299 or 1.29',
    weight_grams: '“1,500” is unclear. Write 1500 without a separator',
    'values.0.increase_usd': '“5.000” is unclear. Write 5000 or 5.00',
    'variants.0.own_price_usd': '“2.500” is unclear. Write 2500 or 2.50',
    'variants.0.weight_grams': 'Enter whole grams, such as 850',
  });
});

test('[OPS-02] what is loaded is sent again unchanged', () => {
  const content = {
    name: 'Phone',
    slug: 'phone',
    article: 'P-1',
    category_id: 'c',
    brand_id: 'b',
    base_price_usd: 19.99,
    description: 'd',
    description_markdown: null,
    sub_description: 's',
    tax_class: 'reduced',
    serial_kind: 'imei',
    in_the_box: 'Phone\nCable',
    chapters: [{ picture: '/images/a.avif', figure: '22 hours', title: 'of video', sentence: 'All day.' }],
    energy_label: null,
    safety: null,
    weight_grams: 850,
    specifications: [{ name: 'Weight', value: '1 g' }],
    pictures: [{ path: '/images/a.avif', alt: 'a' }],
    values: [{ id: 'v1', increase_usd: 5, pictures: [] }],
    variants: [
      {
        value_ids: ['v1'],
        own_price_usd: 9.5,
        sku: 'P-1',
        gtin: '',
        weight_grams: 900,
        pictures: [],
        is_published: false,
      },
    ],
  } as const;
  assert.deepEqual(toContent(toForm(content), category), { content, problems: {} });
  const { problems } = toContent({ ...toForm(content), price: 'much', name: ' ', weight: '0.5' }, category);
  assert.deepEqual(Object.keys(problems), ['name', 'base_price_usd', 'weight_grams']);
});

test('[OPS-02] a plain description is sent as Markdown once it is changed', () => {
  const loaded = { description: 'Up to 5 * 3', plainText: 'Up to 5 * 3', isPlain: true };
  const send = (changes: object) => {
    const form = { ...createEmptyForm('c', 'b'), ...loaded, ...changes };
    const { description, description_markdown: markdown } = toContent(form, null).content;
    return [description, markdown];
  };
  assert.deepEqual(send({}), ['Up to 5 * 3', null]);
  assert.deepEqual(send({ description: '**New**' }), ['Up to 5 * 3', '**New**']);
  assert.deepEqual(send({ description: ' ' }), [' ', null]);
  // Unsaved changes of the former release.
  assert.deepEqual(send({ plainText: undefined, description: '*Old*' }), ['*Old*', undefined]);
  assert.deepEqual(send({ isPlain: false, description: '**Old**' }), ['Up to 5 * 3', '**Old**']);
});

const createValue = (increase: string) => ({ key: 0, id: undefined, value: 'Blue', increase, productCount: 0 });

test('[OPS-02] [FMT-04] a suggested increase that is unclear is refused at its field', () => {
  const property = { key: 0, id: 'p', name: 'Colour', values: [createValue('10,50'), createValue('1,000')] };
  const { properties, problems } = toProperties([property]);
  assert.equal(properties[0]?.values[0]?.increase_usd, 10.5);
  assert.deepEqual(problems, {
    'properties.0.values.1.increase_usd': '“1,000” is unclear. Write 1000 or 1.00',
  });
});

test('[OPS-02] prices that change by half or more are asked about, with both numbers', () => {
  const before = {
    base_price_usd: 529.5,
    values: [{ id: 'v1', increase_usd: 10 }],
    variants: [
      { value_ids: ['v1'], own_price_usd: null },
      { value_ids: ['v2'], own_price_usd: 500 },
    ],
  };
  const names = new Map([
    ['v1', 'Red'],
    ['v2', 'Blue'],
  ]);
  const list = (changed: object) => listLargePriceChanges(before, { ...before, ...changed }, names);
  const base = { name: 'Base price', before: 529.5, after: 52_950 };
  assert.deepEqual(list({}), []);
  assert.deepEqual(list({ base_price_usd: 600 }), []);
  // Variants that follow the base price are not named again.
  assert.deepEqual(list({ base_price_usd: 52_950 }), [base]);
  assert.deepEqual(list({ values: [{ id: 'v1', increase_usd: 1000 }] }), [
    { name: 'Red', before: 539.5, after: 1529.5 },
  ]);
  assert.deepEqual(list({ variants: [{ value_ids: ['v2'], own_price_usd: 250 }] }), [
    { name: 'Blue', before: 500, after: 250 },
  ]);
});

test('[OPS-09] a sale price of at most half is asked about', () => {
  const own = [{ value_ids: ['a'], price_usd: 100 }];
  const list = (reduction: Parameters<typeof listLargeReductions>[0]['reduction']) =>
    listLargeReductions({ reduction }, 200, own, new Map([['a', 'Red']]));
  assert.deepEqual(list({ kind: 'percent', percent: 49 }), []);
  assert.deepEqual(list({ kind: 'percent', percent: 50 }), [{ name: 'Sale price', before: 200, after: 100 }]);
  assert.deepEqual(list({ kind: 'amount', price_usd: 150, variant_prices: [{ value_ids: ['a'], price_usd: 9 }] }), [
    { name: 'Red', before: 100, after: 9 },
  ]);
});
