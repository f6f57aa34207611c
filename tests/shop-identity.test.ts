/** No name, address or order-number prefix of a shop is code: they are settings. The demo's are in its seed. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { demoSettings } from '../db/seed/shop-settings.ts';
import { createFileSlug } from '#src/shop/shop-settings/file-slug.ts';

const TEXT_FILES = ['src/**/*.{ts,tsx,css,svg,html}', 'public/**/*.{webmanifest,json,svg,txt,html}', '*.html'];
const { name, address } = demoSettings.identity;
const { order_prefix: prefix } = demoSettings.orders;
const escapePattern = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);
/** Words of the address that are specific enough to search for. */
const [street = '', district = ''] = address.split(', ').map((part) => part.replace(/^\d+\s*/, ''));
const slug = createFileSlug(name);
const spaced = slug.split('-').join(String.raw`[\s_-]?`);
/** The slug in `src/platform` names the software to PostgreSQL and the file system, not the shop to its customers. */
const FORBIDDEN: readonly (readonly [RegExp, allowed: RegExp | null])[] = [
  [new RegExp(spaced, 'i'), /^src\/platform\//],
  [new RegExp(escapePattern(name), 'i'), null],
  [new RegExp(`${escapePattern(street)}|${escapePattern(district)}`, 'i'), null],
  [new RegExp(String.raw`\b${escapePattern(prefix)}(?![a-z])`, 'i'), null],
  [/support@shop\.example/, null],
];

const findCopies = (path: string, text: string): string[] =>
  FORBIDDEN.flatMap(([pattern, allowed]) => {
    const found = allowed?.test(path) === true ? null : pattern.exec(text);
    return found === null ? [] : [`${path}: "${found[0]}"`];
  });

test('[OPS-07] no source file holds a shop’s name, address or prefix', () => {
  const paths = TEXT_FILES.flatMap((pattern) => globSync(pattern)).filter((path) => !/\.test\.tsx?$/.test(path));
  assert.ok(paths.length > 500, `${paths.length} files were read`);
  assert.deepEqual(
    paths.flatMap((path) => findCopies(path, readFileSync(path, 'utf8'))),
    [],
  );
});

test('[OPS-07] a copy of the name, address or prefix is found', () => {
  const page = 'src/shop/cart/web/cart-page.tsx';
  for (const text of [name, name.toUpperCase(), slug, address, `${street} 1`, '`CM-${number}`']) {
    assert.equal(findCopies(page, `<p>${text}</p>`).length > 0, true, text);
  }
  assert.deepEqual(findCopies('src/platform/database/database.ts', `application_name: '${slug}'`), []);
});
