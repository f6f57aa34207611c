/** The name, the address and the order-number prefix of the shop have one source. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ORDER_NUMBER_PREFIX, parseOrderNumber, SHOP_ADDRESS, SHOP_NAME, SHOP_SLUG } from '#src/shop/shop-identity.ts';

const SOURCE = 'src/shop/shop-identity.ts';
const TEXT_FILES = ['src/**/*.{ts,tsx,css,svg,html}', 'public/**/*.{webmanifest,json,svg,txt,html}', '*.html'];
const escapePattern = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);
/** Words of the address that are specific enough to search for. */
const [street = '', district = ''] = SHOP_ADDRESS.split(', ').map((part) => part.replace(/^\d+\s*/, ''));
const spaced = SHOP_SLUG.split('-').join(String.raw`[\s_-]?`);
/** The slug in `src/platform` names the software to PostgreSQL and the file system, not the shop to its customers. */
const FORBIDDEN: readonly (readonly [RegExp, allowed: RegExp | null])[] = [
  [new RegExp(spaced, 'i'), /^src\/platform\//],
  [new RegExp(escapePattern(SHOP_NAME), 'i'), null],
  [new RegExp(`${escapePattern(street)}|${escapePattern(district)}`, 'i'), null],
  [new RegExp(String.raw`\b${escapePattern(ORDER_NUMBER_PREFIX)}(?![a-z])`, 'i'), null],
];

const findCopies = (path: string, text: string): string[] =>
  FORBIDDEN.flatMap(([pattern, allowed]) => {
    const found = allowed?.test(path) === true ? null : pattern.exec(text);
    return found === null ? [] : [`${path}: "${found[0]}"`];
  });

test('shop name, address and order prefix are in one file only', () => {
  const paths = TEXT_FILES.flatMap((pattern) => globSync(pattern)).filter(
    (path) => path !== SOURCE && !/\.test\.tsx?$/.test(path),
  );
  assert.ok(paths.length > 500, `${paths.length} files were read`);
  assert.deepEqual(
    paths.flatMap((path) => findCopies(path, readFileSync(path, 'utf8'))),
    [],
  );
});

test('a copy of the name, address or prefix is found', () => {
  const page = 'src/shop/cart/web/cart-page.tsx';
  for (const text of [SHOP_NAME, SHOP_NAME.toUpperCase(), SHOP_SLUG, SHOP_ADDRESS, `${street} 1`, '`CM-${number}`']) {
    assert.equal(findCopies(page, `<p>${text}</p>`).length > 0, true, text);
  }
  assert.deepEqual(findCopies('src/platform/database/database.ts', `application_name: '${SHOP_SLUG}'`), []);
});

test('an order number is read with and without its prefix', () => {
  for (const text of ['100001', `${ORDER_NUMBER_PREFIX}100001`, `${ORDER_NUMBER_PREFIX.toLowerCase()}100001`]) {
    assert.equal(parseOrderNumber(text), '100001', text);
  }
  for (const text of ['', ORDER_NUMBER_PREFIX, '10a', '1'.repeat(19)]) assert.equal(parseOrderNumber(text), null, text);
});
