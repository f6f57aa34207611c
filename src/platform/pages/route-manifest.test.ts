import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCommonManifestUrl, shrinkManifestText } from './route-manifest.ts';

test('omits false values and files of the parent route', () => {
  const root = { id: 'root', hasLoader: true, hasAction: false, imports: ['/a.js'], css: ['/a.css'] };
  const page = {
    id: 'page',
    parentId: 'root',
    path: 'x',
    hasLoader: true,
    hasAction: false,
    hasDefaultExport: true,
    imports: ['/a.js', '/b.js'],
    css: ['/a.css'],
  };
  const text = `window.__reactRouterManifest=${JSON.stringify({ entry: { module: '/e.js' }, routes: { root, page } })};`;
  const slim = {
    root: { id: 'root', hasLoader: true, imports: ['/a.js'], css: ['/a.css'] },
    page: { id: 'page', parentId: 'root', path: 'x', hasLoader: true, imports: ['/b.js'] },
  };
  assert.equal(shrinkManifestText(text), `window.__reactRouterManifest=${JSON.stringify({ routes: slim })};`);
});

const createRoute = (id: string, path?: string) => ({ id, ...(path !== undefined && { path }), hasLoader: true });

test('leaves separate routes out of the common manifest', () => {
  const routes = {
    root: createRoute('root'),
    cart: createRoute('cart', 'cart'),
    staff: createRoute('staff', 'admin/orders'),
  };
  const text = `window.__reactRouterManifest=${JSON.stringify({ routes })};`;
  const { staff: _left, ...common } = routes;
  assert.equal(
    shrinkManifestText(text, (path) => path?.startsWith('admin') === true),
    `window.__reactRouterManifest=${JSON.stringify({ routes: common })};`,
  );
  assert.equal(getCommonManifestUrl('/assets/manifest-1a.js'), '/assets/manifest-1a-common.js');
});

test('rejects a manifest in another format', () => {
  for (const text of ['', 'window.other={}', 'window.__reactRouterManifest={"routes":1};']) {
    assert.throws(() => shrinkManifestText(text), /unknown format/);
  }
});
