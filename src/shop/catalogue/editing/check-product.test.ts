import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { findProblems } from './check-product.ts';
import type { ProductContent } from './product-content.ts';

const content: ProductContent = {
  name: 'Cable',
  slug: 'cable',
  article: 'CABLE',
  category_id: 'category',
  brand_id: 'brand',
  base_price_usd: cents(100n),
  description: '',
  description_markdown: null,
  sub_description: '',
  tax_class: 'standard',
  serial_kind: 'none',
  in_the_box: '',
  chapters: [],
  weight_grams: null,
  safety: null,
  energy_label: null,
  specifications: [],
  pictures: [],
  values: [],
  variants: [],
};

/** The problem of a product with this many values of each property. */
function findValueProblem(counts: readonly number[]): string | undefined {
  const properties = counts.map((count, property) => ({
    values: Array.from({ length: count }, (_, value) => ({ id: `${property}-${value}` })),
  }));
  const values = properties.flatMap((property) => property.values);
  const chosen = values.map(({ id }) => ({ id, increase_usd: cents(0n), pictures: [] }));
  return findProblems({ ...content, values: chosen }, { properties })['values'];
}

test('[OPS-08] a product has at most 4 properties and 250 variants', () => {
  assert.equal(findValueProblem([1, 1, 1, 1]), undefined);
  assert.match(findValueProblem([1, 1, 1, 1, 1]) ?? '', /at most 4 properties/);
  assert.equal(findValueProblem([25, 10]), undefined);
  assert.match(findValueProblem([251]) ?? '', /make 251 variants/);
});
