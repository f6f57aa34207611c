import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createPageFinisher } from './page-shell.ts';

const createRoute = (id: string, css: readonly string[]) => ({
  id,
  module: `/assets/${id}.js`,
  imports: [`/assets/of-${id}.js`],
  css: [...css],
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
});
const parts = {
  manifest: {
    entry: { module: '/assets/entry.js', imports: [] },
    routes: {
      root: createRoute('root', ['/assets/a.css']),
      page: createRoute('page', ['/assets/a.css', '/assets/b.css#']),
    },
    url: '/assets/manifest.js',
    version: '1',
  },
  pressScript: 'record()',
  firstInHead: '<style>@layer one;</style>',
  readStyle: (href: string): string | null => `.from{content:"${href} $&"}`,
  getSize: (path: string) => path.length,
};
const page = {
  head: '<!DOCTYPE html><html><head><meta charSet="utf-8"/><title>$&</title>',
  body: ['<body>one ', Buffer.from('two'), ' three’'],
  data: '[{"_1":2},"text","</script>"]\n',
  handoff: '{"ssr":true}',
  routeIds: ['root', 'page'],
  shown: 2,
};

const finishPage = (changed: Partial<typeof parts> = {}, shown = 2): string =>
  createPageFinisher({ ...parts, ...changed })({ ...page, shown }, true).html.toString();

test('inserts all parts in order and copies cached fragments unchanged', () => {
  const html = finishPage();
  assert.match(
    html,
    /^<!DOCTYPE html><html><head><meta charSet="utf-8"\/><script>.*<\/script><style>@layer one;<\/style><title>\$&<\/title><style>/,
  );
  assert.match(html, /<\/head><body>one two three’<script type="application\/json" id="page-data">/);
  assert.match(html, /<script>startShop\(.*<\/script><\/body><\/html>$/);
});

test('inlines styles in order and keeps disabled links to them', () => {
  assert.match(
    finishPage(),
    /<style>\.from\{content:"\/assets\/a\.css \$&"\}\.from\{content:"\/assets\/b\.css \$&"\}<\/style><link rel="stylesheet"/,
  );
  const links = /<link rel="stylesheet" href="[^"]+" media="not all" disabled=""\/>/g;
  assert.deepEqual([finishPage().match(links)?.length, finishPage({}, 1).match(links)?.length], [3, 1]);
  // Of a sheet that other chunks share, parts that are loaded later look for the path alone.
  for (const href of ['/assets/b.css#', '/assets/b.css']) assert.ok(finishPage().includes(`href="${href}"`), href);
});

test('keeps a link for unknown sheets and those with a closing tag', () => {
  for (const css of [null, 'a{content:"</style><script>"}']) {
    const html = finishPage({ readStyle: () => css });
    assert.ok(!html.includes('<style>a') && html.includes('<link rel="stylesheet" href="/assets/a.css"/>'));
  }
});

test('escapes data so that no text ends its element', () => {
  const [, data = ''] = /id="page-data">([\s\S]*?)<\/script>/.exec(finishPage()) ?? [];
  assert.deepEqual(JSON.parse(data), [{ _1: 2 }, 'text', '</script>']);
});

test('the policy contains the hash of every inline script and style', () => {
  const finish = createPageFinisher(parts);
  const [forAll, forOne] = [finish(page, true), finish(page, false)];
  assert.notEqual(forAll.policy, forOne.policy);
  for (const { html, policy } of [forAll, forOne, finish({ ...page, data: '[1]\n' }, true)]) {
    for (const [, tag = '', text = ''] of html.toString().matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      const hash = createHash('sha256').update(text).digest('base64');
      assert.ok(
        policy
          .split('; ')
          .some((directive) => directive.startsWith(`${tag}-src`) && directive.includes(`'sha256-${hash}'`)),
        text,
      );
    }
  }
});
