import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { allowOwnFrames, hashInlineSources, buildPagePolicy } from './security-headers.ts';

const computeHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('every inline script and style of a page is hashed, and nothing else', () => {
  const { scripts, styles } = hashInlineSources(
    '<script>one()</script><script type="module" async="">two()</script><script src="/assets/a.js"></script>' +
      '<script type="application/ld+json">{"a":1}</script><style>p{color:red}</style>',
  );
  assert.deepEqual(scripts, [computeHash('one()'), computeHash('two()')]);
  assert.deepEqual(styles, [computeHash('p{color:red}')]);
});

test('a page may run its own scripts only and no generated code', () => {
  const policy = buildPagePolicy({ scripts: [computeHash('one()')], styles: [] }).split('; ');
  assert.ok(policy.includes(`script-src 'self' ${computeHash('one()')}`));
  for (const part of [
    "default-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.includes(part), part);
  }
  assert.ok(!policy.some((part) => part.includes('unsafe')));
});

test('a page that the shop may show in a frame refuses other sites, and allows nothing else', () => {
  const policy = buildPagePolicy({ scripts: [], styles: [] });
  const changed = allowOwnFrames(policy).split('; ');
  assert.deepEqual(
    changed.filter((part) => !policy.split('; ').includes(part)),
    ["frame-ancestors 'self'"],
  );
  assert.equal(changed.length, policy.split('; ').length);
});
