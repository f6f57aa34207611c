import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearFilters, hasFilter, listFilterFields } from './catalogue-query.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import {
  listActiveFilters,
  isChecked,
  dropUnknownNames,
  toPanelOptions,
  buildPropertyGroups,
  createGroupQuery,
  toggleOption,
  filterVisibleOptions,
} from './filter-panel.ts';
import type { CountedOptions } from './filter-panel.ts';

const options: CountedOptions = {
  categories: [
    { id: 'c1', slug: 'iphone', name: 'iPhone', count: 3 },
    { id: 'c2', slug: 'macbook', name: 'MacBook', count: 0 },
  ],
  brands: [{ id: 'b1', slug: 'apple', name: 'Apple', count: 3 }],
  properties: [
    {
      category_id: 'c1',
      name: 'Memory Capacity',
      values: [
        { id: 'p1024', value: '1024GB', count: 1 },
        { id: 'p128', value: '128GB', count: 2 },
      ],
    },
    { category_id: 'c1', name: 'Color', values: [{ id: 'red', value: 'Red', count: 0 }] },
    {
      category_id: 'c2',
      name: 'Memory Capacity',
      values: [
        { id: 'm1', value: '1TB', count: 4 },
        { id: 'm128', value: '128GB', count: 5 },
      ],
    },
  ],
};
const nothing: CatalogueQuery = {
  text: 'pro',
  categories: [],
  brands: [],
  minimum: null,
  maximum: null,
  values: [],
  sort: 'newest',
  offset: 24,
};

test('[CAT-05] [CAT-06] merges values of one name, sorts capacities, adds counts', () => {
  assert.deepEqual(buildPropertyGroups(options.properties), [
    {
      name: 'Memory Capacity',
      options: [
        { label: '128GB', ids: ['p128', 'm128'], count: 7 },
        { label: '1024GB', ids: ['p1024'], count: 1 },
        { label: '1TB', ids: ['m1'], count: 4 },
      ],
    },
    { name: 'Color', options: [{ label: 'Red', ids: ['red'], count: 0 }] },
  ]);
});

test('[CAT-06] hides options without products unless they are checked', () => {
  const boxes = toPanelOptions(options.categories);
  assert.deepEqual(
    filterVisibleOptions(boxes, []).map(({ label }) => label),
    ['iPhone'],
  );
  assert.equal(filterVisibleOptions(boxes, ['macbook']).length, 2);
});

test('[CAT-06] toggles all ids of a merged option', () => {
  const box = { label: '128GB', ids: ['p128', 'm128'], count: 7 };
  assert.equal(isChecked(['m128'], box), true);
  assert.equal(isChecked(['m1'], box), false);
  assert.deepEqual(toggleOption(['m1', 'm128'], box, true), ['m1', 'm128', 'p128']);
  assert.deepEqual(toggleOption(['p128', 'm1', 'm128'], box, false), ['m1']);
});

test('[CAT-06] drops unknown names from the query', () => {
  const query = { ...nothing, categories: ['iphone', 'c2', 'none'], brands: ['none'], values: ['m1', 'none'] };
  assert.deepEqual(dropUnknownNames(query, options), {
    ...nothing,
    categories: ['iphone', 'c2'],
    brands: [],
    values: ['m1'],
  });
  assert.equal(dropUnknownNames(nothing, options), nothing);
});

test('[CAT-06] removes each active filter alone and returns to page one', () => {
  const requested: CatalogueQuery = {
    ...nothing,
    categories: ['c1', 'macbook'],
    minimum: 10,
    maximum: 20.5,
    values: ['p128', 'm128', 'red'],
  };
  const first = { ...requested, offset: 0 };
  assert.deepEqual(listActiveFilters(requested, options), [
    { label: '$10 to $20.50', without: { ...first, minimum: null, maximum: null } },
    { label: 'iPhone', without: { ...first, categories: ['macbook'] } },
    { label: 'MacBook', without: { ...first, categories: ['c1'] } },
    { label: '128GB', without: { ...first, values: ['red'] } },
    { label: 'Red', without: { ...first, values: ['p128', 'm128'] } },
  ]);
  const listLabels = (change: Partial<CatalogueQuery>) =>
    listActiveFilters({ ...nothing, ...change }, options).map(({ label }) => label);
  assert.deepEqual(listLabels({ minimum: 10 }), ['From $10']);
  assert.deepEqual(listLabels({ maximum: 10 }), ['Up to $10']);
  assert.deepEqual(listLabels({}), []);
});

test('[CAT-06] lists every filter that is set as an active one', () => {
  const all: CatalogueQuery = {
    ...nothing,
    categories: ['c1', 'macbook'],
    brands: ['apple'],
    minimum: 10,
    maximum: 20,
    values: ['p128', 'red'],
  };
  for (const field of listFilterFields()) assert.ok(hasFilter({ ...nothing, [field]: all[field] }), field);
  let [query, steps] = [all, 0];
  for (let [first] = listActiveFilters(query, options); first; [first] = listActiveFilters(query, options)) {
    query = first.without;
    steps += 1;
  }
  assert.deepEqual(query, clearFilters(all));
  assert.equal(steps, 6);
});

test('[SRCH-03] links a group to its category with its own filters', () => {
  const query = { ...nothing, categories: ['iphone'], brands: ['apple'], maximum: 900, values: ['p128', 'm128'] };
  assert.deepEqual(createGroupQuery(query, new Set(['p128', 'p1024'])), {
    ...query,
    categories: [],
    values: ['p128'],
    offset: 0,
  });
});
