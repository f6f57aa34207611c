/** Imported by a test that opens pages over HTTP: they are built before it runs. A browser needs them anyway. */
export const BUILT_PAGES = 'tests/support/built-pages.ts';
