/**
 * The internals of React Router that the page engine uses. A failure names the changed internal and the file of the
 * engine to compare with it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as reactRouter from 'react-router';

const PACKAGE = new URL('../../../node_modules/react-router/', import.meta.url);
const readModule = (path: string): string => readFileSync(new URL(`dist/production/lib/${path}`, PACKAGE), 'utf8');
const START = 'src/platform/pages/browser/start-router.tsx';

/** The parameters that start-router.tsx passes; null for exports that are not called. */
const UNSAFE: Readonly<Record<string, number | null>> = {
  UNSAFE_createBrowserHistory: 0,
  UNSAFE_createClientRoutes: 5,
  UNSAFE_createRouter: 1,
  UNSAFE_decodeViaTurboStream: 2,
  UNSAFE_defaultMapRouteProperties: null,
  UNSAFE_FrameworkContext: null,
  UNSAFE_getTurboStreamSingleFetchDataStrategy: 4,
  UNSAFE_hydrationRouteProperties: null,
  UNSAFE_RemixErrorBoundary: null,
};

test('every UNSAFE_ import is in the table of this test', () => {
  // The compiler checks the types.
  const values = readFileSync(START, 'utf8').replaceAll(/import type \{[^}]*\}/g, '');
  const imported = [...values.matchAll(/\b(UNSAFE_\w+) as/g)].map(([, name = '']) => name);
  assert.deepEqual(imported.toSorted(), Object.keys(UNSAFE).toSorted());
});

for (const [name, passed] of Object.entries(UNSAFE)) {
  test(`React Router exports ${name} with its parameters`, () => {
    const exported: unknown = Reflect.get(reactRouter, name);
    assert.ok(exported !== undefined, `React Router no longer exports ${name}: rework ${START}`);
    if (passed === null) return;
    assert.ok(typeof exported === 'function', `React Router's ${name} is no longer a function`);
    const required = exported.length;
    assert.ok(
      required <= passed,
      `React Router's ${name} takes ${required} parameters and ${START} passes ${passed}: see its HydratedRouter`,
    );
  });
}

/** Internal code that the engine repeats: the first characters of the digest of each module without its comments. */
const REPEATED: readonly (readonly [path: string, digest: string, what: string, repeatedBy: string])[] = [
  ['dom-export/hydrated-router.js', 'cc40c595b51944d8', 'HydratedRouter', START],
  [
    'dom/ssr/components.js',
    'ad53f027fa7cdc40',
    'Scripts and Links',
    'src/platform/pages/deferred-hydration.ts and page-shell.ts',
  ],
  ['dom/ssr/server.js', '3f7a9f8898634b6f', 'ServerRouter', 'src/platform/pages/fast-render.ts (EntryContext)'],
  ['server-runtime/server.js', '321bfa369bc4914e', 'createRequestHandler', 'src/platform/pages/fast-render.ts'],
  ['dom/ssr/routeModules.js', '9ec37c870b68c69e', 'loadRouteModule', 'src/platform/pages/build-plugins.ts'],
];

for (const [path, digest, what, repeatedBy] of REPEATED) {
  test(`the engine repeats React Router's present ${what}`, () => {
    const code = readModule(path).replaceAll(/\/\*[\s\S]*?\*\//g, '');
    const now = createHash('sha256').update(code).digest('hex').slice(0, 16);
    assert.equal(
      now,
      digest,
      `React Router changed ${what} (lib/${path}). Compare it with ${repeatedBy}, run the journeys, then set ${now} here`,
    );
  });
}

test('the replacement of routeModules.js exports all that React Router exports', () => {
  const [, list = ''] = /export \{([^}]*)\}/.exec(readModule('dom/ssr/routeModules.js')) ?? [];
  assert.deepEqual(
    list.split(',').map((name) => name.trim().replace(/^.* as /, '')),
    ['loadRouteModule'],
    'React Router changed the exports of lib/dom/ssr/routeModules.js: change src/platform/pages/build-plugins.ts',
  );
});
