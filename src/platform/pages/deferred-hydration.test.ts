import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHydrationScript } from './deferred-hydration.ts';

const START = {
  handoff: '{"ssr":true}',
  manifest: '/assets/manifest-1.js',
  entry: '/assets/entry-1.js',
  routes: [
    ['root', '/assets/root-1.js'],
    ['home', '/assets/home-1.js'],
  ],
  preloads: ['/assets/home-1.js', '/assets/root-1.js'],
  isPublic: true,
} as const;

test('loads manifest, route modules and entry as React Router does', () => {
  const script = createHydrationScript(START);
  assert.match(script, /^startShop\(function\(\)\{var c=window\.__reactRouterContext=\{"ssr":true\};c\.stream=/);
  assert.match(script, /\["\/assets\/home-1\.js","\/assets\/root-1\.js"\]\.forEach/);
  assert.match(
    script,
    /import\("\/assets\/manifest-1\.js"\),import\("\/assets\/root-1\.js"\),import\("\/assets\/home-1\.js"\)\]\)/,
  );
  assert.match(
    script,
    /window\.__reactRouterRouteModules=\{"root":m\[1\],"home":m\[2\]\};return import\("\/assets\/entry-1\.js"\)/,
  );
  assert.match(script, /\}\)\}\)$/);
});

test('starts a private page immediately', () => {
  assert.match(createHydrationScript({ ...START, isPublic: false }), /\}\)\},1\)$/);
});
