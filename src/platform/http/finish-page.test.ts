import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishPage } from './finish-page.ts';

const page =
  '<html><head><link rel="stylesheet" href="/assets/a.css"/>' +
  '<link rel="stylesheet" href="/assets/b.css#"/></head><body>$& text</body></html>';

test('styles come into the page in their order, before the sheets of later pages; their links are not fetched', () => {
  const finished = finishPage(page, (href) => `.from{content:"${href} $&"}`);
  assert.match(
    finished,
    /<style>\.from\{content:"\/assets\/a\.css \$&"\}\.from\{content:"\/assets\/b\.css \$&"\}<\/style><link rel="stylesheet"/,
  );
  assert.equal(finished.match(/<link rel="stylesheet" href="[^"]+" media="not all" disabled=""\/>/g)?.length, 2);
});

test('a style sheet that is unknown or could end its element stays a link', () => {
  for (const css of [null, 'a{content:"</style><script>"}']) {
    const finished = finishPage(page, () => css);
    assert.ok(!finished.includes('<style>'));
    assert.ok(finished.includes('<link rel="stylesheet" href="/assets/a.css"/>'));
  }
});
