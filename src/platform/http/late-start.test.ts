import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLate } from './late-start.ts';

const MODULE = `<script type="module" async="">import "/assets/manifest-1.js";
import * as route0 from "/assets/root-1.js";
import * as route1 from "/assets/home-1.js";
  
  window.__reactRouterRouteModules = {"root":route0,"home":route1};

import("/assets/entry-1.js");</script>`;
const PRELOADS =
  '<link rel="modulepreload" href="/assets/root-1.js" fetchpriority="low"/><link rel="modulepreload" href="/assets/home-1.js"/>';
const PUBLIC = { isPublic: true, sizeOf: (path: string) => (path.includes('home') ? 2 : 1) };
const page = `<html><head><title>$&</title></head><body>text${MODULE}${PRELOADS}</body></html>`;

test('a public page fetches no script by itself; its start names all that React Router wanted, the largest first', () => {
  const late = startLate(page, PUBLIC);
  assert.doesNotMatch(late, /type="module"|<link/);
  assert.match(late, /^<html><head><script>\(function\(d,w\)\{/);
  assert.match(late, /\["\/assets\/home-1\.js","\/assets\/root-1\.js"\]\.forEach/);
  assert.match(
    late,
    /import\("\/assets\/manifest-1\.js"\),import\("\/assets\/root-1\.js"\),import\("\/assets\/home-1\.js"\)/,
  );
  assert.match(
    late,
    /var route0=m\[1\],route1=m\[2\];window\.__reactRouterRouteModules = \{"root":route0,"home":route1\};/,
  );
  assert.match(late, /return import\("\/assets\/entry-1\.js"\)\}\)\}\)<\/script><\/body><\/html>$/);
});

test('a private page starts at once', () => {
  assert.match(startLate(page, { ...PUBLIC, isPublic: false }), /\}\)\},1\)<\/script>/);
});

test('where React Router writes something else, the page is left as it is', () => {
  const others = [
    page.replace('import "/assets/manifest-1.js";', 'import manifest from "/assets/manifest-1.js";'),
    page.replace('import("/assets/entry-1.js");', ''),
    page.replace('window.__reactRouterRouteModules', 'window.modules'),
    page.replace('type="module" async=""', 'type="module"'),
  ];
  for (const other of others) assert.equal(startLate(other, PUBLIC), other);
});
