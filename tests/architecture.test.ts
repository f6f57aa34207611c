/** Checks the architecture: allowed imports, file locations, and table owners. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findImportCycles, findMutualPairs, findViolations, getKind } from './support/architecture.ts';
import { MUTUAL_FOLDERS } from './support/mutual-folders.ts';
import { REFUSED_CODE } from './support/refused-code.ts';
import { SLICES } from './support/slices.ts';
import { keysAt } from './support/read-json.ts';
import { findForeignWrites, listTables, listWrittenTables, TABLE_OWNERS } from './support/table-owners.ts';

const list = (patterns: string[]): string[] =>
  globSync(patterns)
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
const source = list([
  'src/**/*.{ts,tsx,css,svg,avif,webp,woff2}',
  'scripts/**/*.{ts,mjs}',
  'tests/**/*.ts',
  'db/**/*.ts',
  '*.config.ts',
]);
const read = (path: string): string => readFileSync(path, 'utf8');

test('every file has a kind and only allowed imports', () => {
  assert.ok(source.length > 40, `only ${source.length} files were found`);
  const kinds = new Set(source.map(getKind));
  for (const kind of ['rules', 'contract', 'platform', 'outside'] as const)
    assert.ok(kinds.has(kind), `no ${kind} found`);
  assert.deepEqual(
    source.flatMap((path) => findViolations({ path, text: read(path) })),
    [],
  );
});

test('a slice imports only lower slices', () => {
  const order = Object.keys(SLICES);
  for (const [at, slice] of order.entries()) {
    const above = (SLICES[slice] ?? []).filter((other) => order.indexOf(other) <= at);
    assert.deepEqual(above, [], `${slice} imports a higher slice`);
  }
});

test('no two files import each other', () => {
  const files = source.filter((path) => /^src\/.*\.tsx?$/.test(path)).map((path) => ({ path, text: read(path) }));
  assert.deepEqual(findImportCycles(files), []);
  const circle = [
    { path: 'src/shop/cart/a.ts', text: "import type { B } from './web/b.tsx';" },
    { path: 'src/shop/cart/web/b.tsx', text: "const a = await import('#src/shop/cart/a.ts');" },
    { path: 'src/shop/cart/c.ts', text: "import { a } from './a.ts';" },
  ];
  assert.deepEqual(findImportCycles(circle), ['src/shop/cart/a.ts <> src/shop/cart/web/b.tsx']);
});

const code = source
  .filter((path) => /^src\/(?:shop|platform)\/(?!.*\.test\.tsx?$).*\.tsx?$/.test(path))
  .map((path) => ({ path, text: read(path) }));

/** Null for files directly in src/shop, which every slice uses. */
const getFolder = (path: string) => /^(src\/(?:shop|platform)\/.+)\/[^/]+$/.exec(path)?.[1] ?? null;
const getPartOfAdmin = (path: string) => /^src\/shop\/admin\/([a-z-]+)\//.exec(path)?.[1] ?? null;

test('folders import each other only where the list says why', () => {
  assert.deepEqual(findMutualPairs(code, getFolder).toSorted(), Object.keys(MUTUAL_FOLDERS).toSorted());
  assert.ok(Object.keys(MUTUAL_FOLDERS).length <= 15);
  const mutual = [
    { path: 'src/shop/cart/a.ts', text: "import { b } from './web/b.tsx';" },
    { path: 'src/shop/cart/web/c.tsx', text: "import type { D } from '../d.ts';" },
  ];
  assert.deepEqual(findMutualPairs(mutual, getFolder), ['src/shop/cart <> src/shop/cart/web']);
});

test('no two parts of admin import each other, pages included', () => {
  assert.deepEqual(findMutualPairs(code, getPartOfAdmin), []);
});

for (const [path, text, reason] of REFUSED_CODE) {
  test(`refused: ${path} ${text}`, () => {
    const violations = findViolations({ path, text });
    assert.equal(violations.length, 1);
    assert.match(violations.join('\n'), reason);
  });
}

const allowed: readonly (readonly [string, string])[] = [
  ['src/shop/cart/price-cart.ts', "import { addSats } from '../money.ts';\nimport type { Sats } from '../money.ts';"],
  ['src/shop/tax/tax-form.ts', "import type { TaxSettingsBody } from './contract.ts';"],
  ['src/shop/orders/total.ts', "import { priceCart } from '../cart/price-cart.ts'; // new Date() is the caller's"],
  ['src/shop/orders/contract.ts', "import { payment } from '../payments/contract.ts';"],
  ['src/shop/cart/store.ts', "import { sql } from 'kysely';\nexport const one = sql`select 1`;"],
  [
    'src/shop/cart/lines.store.ts',
    "import { sql } from 'kysely';\nimport { one } from './store.ts';\nawait sql`select 1`;",
  ],
  [
    'src/shop/orders/service.ts',
    "import { lockCart } from '../cart/service.ts';\nimport { insert } from './store.ts';",
  ],
  [
    'src/shop/cart/web/cart-line.tsx',
    "import type { cartApi } from '../contract.ts';\nimport { useState } from 'react';",
  ],
  ['src/shop/cart/web/cart-line.tsx', "import styles from './cart-line.module.css';\nimport url from './box.svg';"],
  ['src/shop/catalogue/web/home-page.tsx', "import { Reviews } from '#src/shop/reviews/web/reviews.tsx';"],
  ['src/app/settings.ts', 'const port = process.env.PORT;'],
  ['src/shop/cart/web/cart-page.tsx', "import { OrderCard } from '#src/shop/orders/web/order-card.tsx';"],
  [
    'src/shop/orders/checkout/service.ts',
    "import { insert } from '../store.ts';\nimport { place } from './quotes.store.ts';",
  ],
  ['src/main.ts', "import { openCart } from './shop/cart/service.ts';"],
  ['src/app/demo.ts', "import { DemoTools } from '#src/shop/demo/service.ts';"],
  ['src/app/compose.ts', "import type { Demo } from './demo.ts';\nconst demo = await import('./demo.ts');"],
];
for (const [path, text] of allowed) {
  test(`allowed: ${path} ${text}`, () => assert.deepEqual(findViolations({ path, text }), []));
}

test('every table has one owner, and no other file writes it', () => {
  const tables = listTables(list(['db/migrations/*.sql']).map(read));
  assert.ok(tables.length > 40, `only ${tables.length} tables were found`);
  assert.deepEqual(
    tables.filter((table) => !Object.hasOwn(TABLE_OWNERS, table)),
    [],
  );
  const created = new Set([...tables, 'schema_migrations', 'pgboss', 'a table with a computed name']);
  for (const [table, owner] of Object.entries(TABLE_OWNERS)) {
    assert.ok(created.has(table), `${table} does not exist`);
    assert.ok(existsSync(owner), `${owner} of ${table} does not exist`);
  }
  assert.deepEqual(
    source.flatMap((path) => findForeignWrites({ path, text: read(path) })),
    [],
  );
});

test('personal data owns no table and has no store', () => {
  assert.deepEqual(
    source.filter((path) => path.startsWith('src/shop/personal-data/') && path.endsWith('store.ts')),
    [],
  );
  assert.deepEqual(
    Object.values(TABLE_OWNERS).filter((owner) => owner.startsWith('src/shop/personal-data')),
    [],
  );
});

const foreignWrites: readonly (readonly [string, string, string])[] = [
  ['src/shop/refunds/store.ts', 'sql`update orders set x = 1`', 'orders'],
  ['src/shop/refunds/store.ts', 'sql`\n  update\n    orders as o\n  set x = 1`', 'orders'],
  ['src/shop/refunds/store.ts', 'sql`UPDATE ONLY "public"."orders" o SET x = 1`', 'orders'],
  ['src/shop/cart/store.ts', 'sql`with made as (insert into order_lines select 1) select 1`', 'order_lines'],
  ['src/shop/personal-data/store.ts', 'sql<Id>`delete from carts where id = ${id} returning id`', 'carts'],
  ['src/shop/orders/store.ts', 'sql`merge into variant_stock using lines on true`', 'variant_stock'],
  ['src/shop/orders/store.ts', 'sql`truncate table reviews`', 'reviews'],
  ['src/shop/accounts/store.ts', "tables(db).insertInto('account_notices').values(row)", 'account_notices'],
  ['src/shop/accounts/store.ts', "tables(db)\n .updateTable('tickets as t')\n .set(row)", 'tickets'],
  ['src/shop/accounts/store.ts', "tables(db).deleteFrom('refunds')", 'refunds'],
  ['src/shop/accounts/store.ts', "tables(db).mergeInto('refunds')", 'refunds'],
  ['src/shop/accounts/store.ts', 'tables(db).deleteFrom(table)', 'a table with a computed name'],
  ['src/shop/accounts/store.ts', 'sql`insert into ${table} values (1)`', 'a table with a computed name'],
  ['src/shop/accounts/store.ts', 'sql`update ${table} set x = 1`', 'a table with a computed name'],
  ['src/platform/mail/store.ts', 'sql`delete from devchain_blocks`', 'devchain_blocks'],
  ['src/shop/inventory/store.ts', 'sql`insert into a_new_table values (1)`', 'a_new_table'],
  ['scripts/stock.ts', 'sql`delete from variant_stock`', 'variant_stock'],
];
for (const [path, text, table] of foreignWrites) {
  test(`refused: ${path} ${text}`, () => {
    const violations = findForeignWrites({ path, text });
    assert.equal(violations.length, 1, violations.join('\n'));
    assert.ok(violations[0]?.startsWith(`${path}: writes ${table}, which`), violations[0]);
  });
}

const ownWrites: readonly (readonly [string, string])[] = [
  ['src/shop/orders/status/store.ts', 'sql`update orders set x = 1`'],
  ['src/shop/inventory/store.ts', 'sql`insert into variant_stock values (1)`'],
  ['src/shop/refunds/store.ts', 'sql`select from orders where id = ${id} for no key update of orders`'],
  ['src/shop/reviews/store.ts', 'sql`insert into reviews values (1) on conflict (id) do update set x = 1`'],
  ['src/shop/accounts/profile/routes.ts', "failureMessage: 'The update failed. Set a password.'"],
  ['src/shop/cart/service.ts', '// delete from orders, which another slice owns'],
  ['tests/support/order-shop.ts', 'sql`delete from orders`'],
  ['db/seed/seed.ts', 'sql`insert into orders values (1)`'],
  ['scripts/bench/support/place-orders.ts', 'sql`insert into orders values (1)`'],
];
for (const [path, text] of ownWrites) {
  test(`allowed: ${path} ${text}`, () => assert.deepEqual(findForeignWrites({ path, text }), []));
}

test('reads written tables from SQL and tables from migrations', () => {
  assert.deepEqual(listWrittenTables('sql`update carts set a = 1 from b where x in (select 1)`'), ['carts']);
  const migrations = [
    'create table a (id int);\nCREATE TABLE IF NOT EXISTS b ();',
    'alter table a rename to c; drop table b;',
  ];
  assert.deepEqual(listTables(migrations), ['c']);
});

const PAGE_ROUTES = 'src/routes.ts';
const PAGE_FIXTURES = 'tests/support/pages/page-fixtures.ts';
const FURTHER_PAGE_FIXTURES = ['staff', 'catalogue', 'support', 'integration', 'return'].map(
  (name) => `tests/support/pages/${name}-page-fixtures.ts`,
);

/** The forgotten steps of adding a page: the file to edit, and what to add. */
function findMissingPageSteps(pages: readonly string[], routes: string, fixtures: string): string[] {
  const urls = ['/', ...[...routes.matchAll(/\bpage\('([^']+)'/g)].map(([, path = '']) => `/${path}`)];
  const tested = new Set([...fixtures.matchAll(/\broute: '([^']+)'/g)].map(([, url = '']) => url));
  return [
    ...pages
      .filter((path) => !routes.includes(`'${path.slice('src/'.length)}'`))
      .map((path) => `${PAGE_ROUTES}: add the path of ${path}`),
    ...urls.filter((url) => !tested.has(url)).map((url) => `${PAGE_FIXTURES}: add a fixture with the route '${url}'`),
    ...[...tested]
      .filter((url) => !urls.includes(url))
      .map((url) => `${PAGE_FIXTURES}: no page has the route '${url}'`),
  ];
}

test('every page has a route and a page fixture', () => {
  const pages = source.filter((path) => /^src\/shop\/.*-page\.tsx$/.test(path));
  assert.ok(pages.length > 30, `only ${pages.length} pages were found`);
  const fixtures = [PAGE_FIXTURES, ...FURTHER_PAGE_FIXTURES].map(read).join('');
  assert.deepEqual(findMissingPageSteps(pages, read(PAGE_ROUTES), fixtures), []);
  const forgotten = findMissingPageSteps(['src/shop/content/web/jobs-page.tsx'], "page('team', 'a')", "route: '/'");
  assert.deepEqual(forgotten, [
    'src/routes.ts: add the path of src/shop/content/web/jobs-page.tsx',
    "tests/support/pages/page-fixtures.ts: add a fixture with the route '/team'",
  ]);
});

const FORMATTERS: readonly string[] = [
  'src/shop/format.ts',
  'src/shop/format-number.ts',
  // Days of arrival, with their weekdays; on the server and where a buyer chooses a country.
  'src/shop/format-arrival.ts',
  // Converts days of the shop's time zone to moments.
  'src/shop/shop-days.ts',
  // Splits texts into what readers see as characters, and into words.
  'src/platform/pdf/break-lines.ts',
  // Reads the time zone of the browser and formats nothing.
  'src/ui/browser/browser-storage.ts',
  // Converts the text of date fields.
  'src/shop/admin/promotions/local-date-time.ts',
];

test('only the format modules format dates and numbers for a locale', () => {
  const callers = source.filter(
    (path) =>
      /^src\/(?!.*\.test\.tsx?$).*\.tsx?$/.test(path) && /\.toLocale(?:Date|Time)?String\(|new Intl\./.test(read(path)),
  );
  assert.deepEqual(callers, FORMATTERS.toSorted());
});

const MAXIMUM_LINES = 400;

test(`no file is longer than ${MAXIMUM_LINES} lines`, () => {
  const files = [...source, ...list(['db/**/*.sql'])].filter((path) => /\.(?:tsx?|mjs|css|sql)$/.test(path));
  const long = files.filter((path) => read(path).trimEnd().split('\n').length > MAXIMUM_LINES);
  assert.deepEqual(long, []);
});

/** Names whose numbers are not consecutive. */
const findGaps = (names: readonly string[]): string[] =>
  names.filter((name, at) => !new RegExp(`^${String(at + 1).padStart(4, '0')}_[a-z0-9_]+\\.sql$`).test(name));

test('migrations are numbered without a gap', () => {
  const names = list(['db/migrations/*']).map((path) => path.slice('db/migrations/'.length));
  assert.ok(names.length > 0, 'no migration was found');
  assert.deepEqual(findGaps(names), []);
  assert.deepEqual(findGaps(['0001_a.sql', '0003_b.sql']), ['0003_b.sql']);
  assert.deepEqual(findGaps(['0001_a.sql', '0001_b.sql']), ['0001_b.sql']);
});

/** Paths in backticks in the "where is …?" table. */
const listTablePaths = (readme: string): string[] =>
  readme
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`([^`\s]*\/[^`\s]*)`/g)].map(([, path = '']) => path))
    .filter((path) => /^(?:src|db|docs|tests|scripts|public)\//.test(path));

test('paths in the README table exist', { skip: !existsSync('README.md') }, () => {
  const paths = listTablePaths(read('README.md'));
  assert.ok(paths.length > 5, `the table names only ${paths.length} paths`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(path)),
    [],
  );
  assert.deepEqual(listTablePaths('| the price | `src/shop/cart/price-cart.ts` |'), ['src/shop/cart/price-cart.ts']);
});

test('every dependency has its line in docs/dependencies.md', () => {
  const manifest: unknown = JSON.parse(read('package.json'));
  const names = ['dependencies', 'devDependencies'].flatMap((kind) => keysAt(manifest, kind));
  assert.ok(names.length > 10, `only ${names.length} dependencies were read`);
  const rows = read('docs/dependencies.md').split('\n');
  const table = new Set(rows.flatMap((row) => (/^\| ([^|]+) \|/.exec(row)?.[1] ?? '').split(', ')));
  const missing = names.filter((name) => !table.has(name));
  assert.deepEqual(missing, []);
});

/** Requirement ids such as [CART-03] in test titles. */
const listIds = (text: string): string[] => [...text.matchAll(/\[([A-Z]+-\d{2,})\]/g)].map(([, id = '']) => id);

test('every requirement that a test names exists', { skip: !existsSync('docs/requirements.md') }, () => {
  const known = new Set([...read('docs/requirements.md').matchAll(/^- ([A-Z]+-\d{2,}) /gm)].map(([, id = '']) => id));
  assert.ok(known.size > 50, `only ${known.size} requirements were read`);
  const tests = source.filter((path) => path.endsWith('.test.ts') && path !== 'tests/architecture.test.ts');
  const unknown = tests.flatMap((path) =>
    listIds(read(path))
      .filter((id) => !known.has(id))
      .map((id) => `${path}: ${id}`),
  );
  assert.deepEqual(unknown, []);
  assert.deepEqual(listIds("test('[CART-03] [PAY-06] …"), ['CART-03', 'PAY-06']);
});
