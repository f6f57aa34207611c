import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { seedCategories } from '../../../../db/seed/catalogue.ts';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import { searchByReference } from '../../../../tests/support/reference-search.ts';
import { ProductSearch } from './product-search.ts';
import { tokeniseQuery } from '../filters/tokenise-query.ts';

const createSearch = (names: readonly string[]): ProductSearch =>
  new ProductSearch(buildCatalogue(names.map((name) => ({ name }))).products, createFuzzyIndex);
const listNames = (search: ProductSearch, text: string): readonly string[] =>
  search.listPage({ text }, { sort: undefined, offset: 0, limit: 500 }).map(({ name }) => name);
const listNearest = (search: ProductSearch, text: string): readonly string[] =>
  search.findNearest(text, 4).map(({ name }) => name);

const demo = createSearch(seedCategories.flatMap(({ products }) => products.map(({ name }) => name)));

const MEANT: readonly (readonly [text: string, name: string])[] = [
  ['macbok', 'MacBook Air 15-inch M4'],
  ['mcbok', 'MacBook Air 15-inch M4'],
  ['iphone17', 'iPhone 17'],
  ['air pods', 'AirPods 4'],
  ['i phone', 'iPhone 16e'],
  ['pro iphone', 'iPhone 17 Pro'],
  ['ipone 17 pro', 'iPhone 17 Pro'],
  ['ipone17pro', 'iPhone 17 Pro'],
  ['iphone17promax', 'iPhone 17 Pro Max'],
  ['magsafe chargr', 'MagSafe Charger'],
  ['magsafechargr', 'MagSafe Charger'],
  ['iapd', 'iPad A16'],
  ['usbc', 'AirPods Max USB-C'],
  ['Ápple  wátch ', 'Apple Watch SE 3'],
  ['Appłe Wåtch', 'Apple Watch SE 3'],
];
for (const [text, name] of MEANT) {
  test(`[SRCH-06] '${text}' finds ${name}`, () => {
    assert.ok(listNames(demo, text).includes(name), listNames(demo, text).join(', '));
  });
}

test('[SRCH-06] treats a wrong digit as another product', () => {
  for (const text of ['iphone 18', 'iphone18', 'ipone 18', 'ipad a17x']) assert.deepEqual(listNames(demo, text), []);
});

test("[SRCH-05] '%', '_' and '\\' are ordinary characters", () => {
  for (const text of ['ipa_', 'i%d', 'iph\\ne', 'iphone%17', '%', '_', '\\', 'air_pods']) {
    assert.deepEqual(listNames(demo, text), [], text);
  }
});

test('[SRCH-06] does not read a letter of the next word as a typo', () => {
  assert.deepEqual(listNames(demo, 'studio d'), ['Studio Display']);
});

test('[SRCH-06] matches each query word with a different word', () => {
  assert.deepEqual(listNames(demo, 'mini m'), ['Mac mini M4', 'Mac mini M4 Pro', 'Logitech MX Keys Mini for Mac']);
  assert.ok(listNames(createSearch(['Magsafe Macbook']), 'ma magsafe').includes('Magsafe Macbook'));
});

test('[SRCH-06] lists exact matches first', () => {
  const search = createSearch(['MacBook Air', 'Case for Macbok', 'Pro Macbok', 'MacBook Pro']);
  assert.deepEqual(listNames(search, 'macbok'), ['Case for Macbok', 'Pro Macbok', 'MacBook Air', 'MacBook Pro']);
  assert.deepEqual(listNames(search, 'pro macbok'), ['Pro Macbok', 'MacBook Pro']);
});

test('[SRCH-06] ranks reordered words before typos', () => {
  const search = createSearch(['Pro Stant', 'Pro Stand', 'Stant one Pro']);
  assert.deepEqual(listNames(search, 'stant pro'), ['Pro Stant', 'Stant one Pro', 'Pro Stand']);
});

test('[SRCH-06] finds only products with the fewest typos', () => {
  const search = createSearch(['Stand', 'Strands', 'Standx']);
  assert.deepEqual(listNames(search, 'stnd'), ['Stand']);
  assert.deepEqual(listNames(search, 'strnds'), ['Strands']);
});

test('[SRCH-06] ignores typos with enough exact matches', () => {
  const search = createSearch(['Stand 1', 'Stand 2', 'Stand 3', 'Stank']);
  assert.deepEqual(listNames(search, 'stand'), ['Stand 1', 'Stand 2', 'Stand 3']);
});

const WORDS = [
  'iphone',
  'macbook',
  'air',
  'pro',
  '17',
  '16e',
  'case',
  'caze',
  'max',
  'usb-c',
  'café',
  'mag',
  'magsafe',
];
const anyName = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const anyNames = fc.uniqueArray(anyName, { minLength: 1, maxLength: 12 });
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split(''));
/** Part of a name, sometimes with a letter or a space removed, replaced or added. */
const anyText = fc
  .tuple(anyName, fc.nat(30), fc.nat(20), letter, fc.constantFrom('keep', 'drop', 'replace', 'add', 'blank', 'glue'))
  .map(([name, at, length, other, change]) => {
    const place = at % name.length;
    if (change === 'drop') return name.slice(0, place) + name.slice(place + 1);
    if (change === 'replace') return name.slice(0, place) + other + name.slice(place + 1);
    if (change === 'add') return name.slice(0, place) + other + name.slice(place);
    if (change === 'blank') return `${name.slice(0, place)} ${name.slice(place)}`;
    if (change === 'glue') return name.replaceAll(' ', '');
    return name.slice(place, place + length + 1);
  });
const anySort = fc.constantFrom(undefined, 'price_asc', 'price_desc', 'newest', 'best_sold');
const anyCatalogue = anyNames.chain((names) =>
  fc
    .array(fc.tuple(fc.bigInt({ min: 1n, max: 9n }), fc.nat(3)), { minLength: names.length, maxLength: names.length })
    .map((rest) =>
      buildCatalogue(names.map((name, at) => ({ name, cents: rest[at]?.[0] ?? 1n, sold: rest[at]?.[1] ?? 0 }))),
    ),
);

test('[SRCH-06] keeps exact matches first in the same order', () => {
  fc.assert(
    fc.property(anyCatalogue, anyText, anySort, ({ products }, text, sort) => {
      const before = searchByReference(products, { text }, sort);
      const results = new ProductSearch(products, createFuzzyIndex).listPage({ text }, { sort, offset: 0, limit: 100 });
      assert.deepEqual(results.slice(0, before.length), before);
      const contains = results.map(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
      assert.ok(!contains.slice(before.length).includes(true));
      assert.equal(new Set(results).size, results.length);
    }),
    { numRuns: 1_000 },
  );
});

test('[SRCH-06] splits the list into pages without loss', () => {
  fc.assert(
    fc.property(anyCatalogue, anyText, anySort, fc.integer({ min: 1, max: 5 }), ({ products }, text, sort, limit) => {
      const search = new ProductSearch(products, createFuzzyIndex);
      const total = search.countProducts({ text });
      const pages = Array.from({ length: Math.ceil(total / limit) }, (_, page) =>
        search.listPage({ text }, { sort, offset: page * limit, limit }),
      );
      assert.deepEqual(pages.flat(), search.listPage({ text }, { sort, offset: 0, limit: 100 }));
      assert.equal(pages.flat().length, total);
    }),
    { numRuns: 300 },
  );
});

test('[SRCH-06] finds a name by its words in any order', () => {
  const ordered = fc.tuple(anyNames, fc.nat(20), fc.array(fc.nat(100), { minLength: 20, maxLength: 20 }));
  fc.assert(
    fc.property(ordered, ([names, which, order]) => {
      const name = names[which % names.length] ?? '';
      const words = name.split(' ').map((word, at) => ({ word, at: order[at] ?? 0 }));
      const shuffled = words.toSorted((a, b) => a.at - b.at).map(({ word }) => word);
      assert.ok(listNames(createSearch(names), shuffled.join('   ')).includes(name));
    }),
    { numRuns: 300 },
  );
});

test('[SRCH-06] finds a name without its spaces', () => {
  const plain = fc.array(fc.constantFrom('iphone', 'macbook', 'air', 'pro', 'case', 'mag', 'magsafe', 'max'), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(anyNames, plain, fc.constantFrom('17', '16e', 'm4'), (names, words, model) => {
      const name = [...words, model].join(' ');
      assert.ok(listNames(createSearch([...names, name]), name.replaceAll(' ', '')).includes(name));
    }),
    { numRuns: 300 },
  );
});

test('[SRCH-06] finds a name with one or two typos', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(6), letter), { minLength: 1, maxLength: 2 }), (changes) => {
      const letters = 'macbook'.split('');
      for (const [at, other] of changes) letters[at] = other;
      assert.ok(listNames(createSearch(['MacBook Air']), `${letters.join('')} air`).includes('MacBook Air'));
    }),
  );
});

test('[SRCH-06] bounds the number of tokenisations', () => {
  const anyWords = fc.array(fc.string({ minLength: 1, maxLength: 200 }), { maxLength: 200 });
  fc.assert(
    fc.property(anyWords, fc.boolean(), (words, has) => assert.ok(tokeniseQuery(words, () => has).length <= 40)),
  );
  assert.deepEqual(
    tokeniseQuery(
      Array.from({ length: 200 }, () => 'a'),
      () => true,
    ),
    [],
  );
});

test('[SRCH-06] suggests products with the most matching words', () => {
  assert.deepEqual(listNearest(demo, 'iphone 99 plus'), [
    'iPhone 16 Plus',
    'iPhone Air',
    'iPhone 17 Pro',
    'iPhone 17 Pro Max',
  ]);
  assert.deepEqual(listNearest(demo, 'zeppelin'), []);
  assert.deepEqual(listNearest(demo, ''), []);
  assert.equal(listNearest(demo, Array.from({ length: 100 }, () => 'pro').join(' ')).length, 4);
});
