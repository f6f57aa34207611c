import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeField, toSnakeCase } from './describe-field.ts';

test('[OPS-06] fields are shown in plain English', () => {
  assert.equal(describeField('is_published'), 'Published');
  assert.equal(describeField('url'), 'URL');
  assert.equal(describeField('urls'), 'Urls');
  assert.equal(describeField('minimum_subtotal_cents'), 'Minimum subtotal');
  assert.equal(describeField('low_stock_threshold'), 'Low stock threshold');
  assert.equal(describeField('hasReverseCharge'), 'Reverse charge');
  assert.equal(describeField('discount_basis_points'), 'Discount percent');
  assert.equal(toSnakeCase('homeCountry'), 'home_country');
});
