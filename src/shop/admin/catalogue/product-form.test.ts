import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDollars } from './parse-dollars.ts';
import { createEmptyForm, listVariants, toContent, toForm } from './product-form.ts';

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

test('[OPS-02] prices are read as staff type them', () => {
  assert.deepEqual(['1,299.00', ' $5 ', '-2.5', '+$3', '0.1'].map(parseDollars), [1299, 5, -2.5, 3, 0.1]);
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

test('[OPS-02] what is loaded is sent again unchanged', () => {
  const content = {
    name: 'Phone',
    slug: 'phone',
    article: 'P-1',
    category_id: 'c',
    brand_id: 'b',
    base_price_usd: 19.99,
    description: 'd',
    sub_description: 's',
    tax_class: 'reduced',
    weight_grams: 850,
    specifications: [{ name: 'Weight', value: '1 g' }],
    pictures: [{ path: '/images/a.avif', alt: 'a' }],
    values: [{ id: 'v1', increase_usd: 5, pictures: [] }],
    variants: [{ value_ids: ['v1'], own_price_usd: 9.5, sku: 'P-1', gtin: '', pictures: [], is_published: false }],
  } as const;
  assert.deepEqual(toContent(toForm(content), category), { content, problems: {} });
  const { problems } = toContent({ ...toForm(content), price: 'much', name: ' ', weight: '0.5' }, category);
  assert.deepEqual(Object.keys(problems), ['name', 'base_price_usd', 'weight_grams']);
});
