import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toApiFilter, hasFilter, formatCatalogueQuery, clearFilters, parseCatalogueQuery } from './catalogue-query.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import { productQuery } from '../contract.ts';

const NOTHING: CatalogueQuery = {
  text: '',
  categories: [],
  brands: [],
  minimum: null,
  maximum: null,
  values: [],
  sort: null,
  offset: 0,
};
const ID_A = '019a9c00-0000-7000-8000-00000000000a';
const ID_B = '019a9c00-0000-7000-8000-00000000000b';
const parse = (search: string): CatalogueQuery => parseCatalogueQuery(new URLSearchParams(search), 'q');

test('[CAT-06] represents a view in the URL by API names', () => {
  const view: CatalogueQuery = {
    text: '100% pro_',
    categories: ['ipad-pro', ID_A],
    brands: ['apple'],
    minimum: 19.99,
    maximum: 900,
    values: [ID_A, ID_B],
    sort: 'price_asc',
    offset: 48,
  };
  const address =
    '?q=100%25+pro_&category=ipad-pro' +
    `&category=${ID_A}&brand=apple&price_min=19.99&price_max=900&values=${ID_A},${ID_B}&sort=price_asc&offset=48`;
  assert.equal(formatCatalogueQuery(view, 'q'), address);
  assert.deepEqual(parse(address), view);
  assert.equal(formatCatalogueQuery(NOTHING, 'q'), '');
  assert.equal(formatCatalogueQuery({ ...NOTHING, text: 'a b' }, 'query'), '?query=a+b');
});

test('[CAT-06] parses what a form without JavaScript submits', () => {
  assert.deepEqual(parse(`values=${ID_B}&values=${ID_A},${ID_B}&price_min=&price_max=+20+&sort=&q=+a+`), {
    ...NOTHING,
    text: 'a',
    maximum: 20,
    values: [ID_B, ID_A],
  });
});

test('[CAT-06] ignores invalid parameters', () => {
  for (const nonsense of [
    'sort=name',
    'price_min=-1&price_max=1e3',
    'price_min=1.234',
    'price_min=1,299',
    'offset=-24&category=&brand=../x&values=1,,x',
    `brand=${'a'.repeat(121)}`,
    'offset=1000000000000',
    'q=%00%20',
    'what=ever',
  ]) {
    assert.deepEqual(parse(nonsense), NOTHING, nonsense);
  }
  assert.deepEqual(parse('price_min=$ 19,99&price_max=1.299,50'), { ...NOTHING, minimum: 19.99, maximum: 1299.5 });
  assert.deepEqual(parse('price_min=20&price_max=10'), { ...NOTHING, maximum: 10 });
  assert.equal(parse('offset=25').offset, 24);
  assert.equal(parse(`q=${'a'.repeat(300)}`).text.length, 200);
  assert.equal(parse(`q=${'a'.repeat(199)}😀`).text, `${'a'.repeat(199)}\uFFFD`);
});

const names = ['q', 'category', 'brand', 'price_min', 'price_max', 'values', 'sort', 'offset', 'x'];
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 250 }),
  fc.constantFrom('apple', ID_A, `${ID_A},${ID_B}`, '10', '20.5', '9999999.99', 'newest', '24', '\ud800'),
);
const anyAddress = fc
  .array(fc.tuple(fc.constantFrom(...names), anyText), { maxLength: 12 })
  .map((pairs) => new URLSearchParams(pairs));

test('[CAT-06] round-trips any address to a query the API accepts', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const read = parseCatalogueQuery(address, 'q');
      assert.ok(productQuery.safeDecode(toApiFilter(read)).success, JSON.stringify(read));
      assert.ok(read.minimum === null || read.maximum === null || read.minimum <= read.maximum);
      assert.deepEqual(parse(formatCatalogueQuery(read, 'q')), read);
    }),
    { numRuns: 500 },
  );
});

test('[CAT-06] clears the filters, keeps text and sort', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const read = parseCatalogueQuery(address, 'q');
      const bare = clearFilters(read);
      assert.equal(hasFilter(bare), false);
      assert.deepEqual(bare, { ...NOTHING, text: read.text, sort: read.sort });
    }),
  );
});
