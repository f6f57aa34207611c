import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { asciiOutput } from './scripts/build-ascii.ts';
import { createInputRecorder } from './scripts/build-inputs.ts';
import { createFirstScriptsMinifier } from './scripts/minify-first-scripts.ts';
import { createShortClassNames } from './scripts/short-class-names.ts';
import { pageEnginePlugins } from './src/platform/pages/build-plugins.ts';

/**
 * Code of every page is bundled into few files, since each request costs time on a slow connection and small files
 * compress worse. Code that is fetched on demand or used by few pages is not in them.
 */
const SHARED = [
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|vite[\\/]preload-helper|pages[\\/]browser[\\/]start-router/,
  },
  // The frame of every page with its imports. Its styles declare the layers, so they come first.
  { name: 'frame', test: /[\\/]src[\\/]root\.tsx/ },
  {
    name: 'shop',
    // The excluded modules are used only by pages behind a cart or a form, and are bundled with those.
    test: /[\\/]shop[\\/]format-number\.|[\\/]src[\\/](?:ui|storefront|platform[\\/]pages[\\/]browser|shop[\\/]cart)[\\/](?!charge-rows|moment|use-polling|copy-button|use-copy|qr-code|text-area|back-link|layout[\\/]text-page|format-wait|live-channel|split-links|time-zone|reload-page|retry-navigation|(?:layout[/])?failed-navigation)/,
    tags: ['$initial' as const],
    minShareCount: 3,
  },
  {
    name: 'lists',
    test: /[\\/](?:faq|review)-(?:list|card)\.|[\\/](?:product-reviews|about-product)\.|[\\/](?:storefront[\\/]time-zone|shop[\\/](?:format|money))\./,
    minShareCount: 2,
  },
  {
    name: 'filters',
    test: /[\\/]src[\\/]shop[\\/]catalogue[\\/]filters[\\/](?!web[\\/]price-slider)/,
    minShareCount: 2,
  },
  // Pages behind the login, in few files: every page contains the list of all files.
  {
    name: 'talk',
    test: /[\\/]src[\\/](?:shop[\\/]support[\\/]tickets|storefront[\\/](?:live-channel|reload-page)|ui[\\/](?:split-links|text-area))|[\\/](?:moment|use-polling)\./,
    minShareCount: 2,
  },
  // Texts by the merchant, which the back office previews. One file: every page contains the list of all files.
  {
    name: 'texts',
    test: /[\\/]content[\\/](?:(?:legal|home)[\\/]|web[\\/](?:hero|advantages|promo-banner|partners))|layout[\\/]text-page/,
    minShareCount: 2,
  },
  {
    name: 'forms',
    test: /[\\/]src[\\/]shop[\\/]accounts[\\/](?!profile[\\/](?!web[\\/]reauthenticate)|personal-data)/,
    minShareCount: 2,
  },
  {
    name: 'orders',
    test: /[\\/]src[\\/]shop[\\/]orders[\\/]/,
    minShareCount: 2,
  },
  // In both halves of the shop, and in none of the groups above.
  { name: 'back-link', test: /[\\/]src[\\/]ui[\\/]back-link\./, minShareCount: 2 },
  // Last, since a group also takes what its modules import: customers would load the back office for a form field.
  { name: 'office', test: /[\\/]src[\\/]shop[\\/]admin[\\/]/, minShareCount: 2 },
];

/** Chunks of the pages on which most visits begin. */
const FIRST_SCRIPTS = new Set([
  'frame',
  'shop',
  'lists',
  'filters',
  'texts',
  'home-page',
  'catalogue-page',
  'category-page',
  'product-page',
  'recent-products',
]);

const nameScript = ({ name }: { readonly name: string }): string => `assets/${name.replace(/-page$/, '')}-[hash:7].js`;
const nameAsset = ({ names: [name = '[name]'] }: { readonly names: string[] }): string =>
  `assets/${name.replace(/(?:-page)?\.[a-z0-9]+$/, '')}-[hash:6][extname]`;

/** Short, since every page contains the list of all files. A few letters of a hash distinguish two releases. */
const NAMES = {
  entryFileNames: nameScript,
  chunkFileNames: nameScript,
  assetFileNames: nameAsset,
};

export default defineConfig(({ command, mode }) => ({
  define: { 'import.meta.env.STOCK_PAGES': String(command === 'serve' || mode === 'stock') },
  // In development a class name contains the name of its file.
  ...(command === 'build' && { css: { modules: { generateScopedName: createShortClassNames(import.meta.dirname) } } }),
  plugins: [
    reactRouter(),
    ...(mode === 'stock' ? [] : [...pageEnginePlugins, createFirstScriptsMinifier(FIRST_SCRIPTS)]),
    asciiOutput,
    createInputRecorder('pages'),
  ],
  build: {
    // An inlined picture would delay its style sheet or script.
    assetsInlineLimit: 0,
    // The server serves `public` itself.
    copyPublicDir: false,
    // These browsers support light-dark(), nesting and @layer, so styles are not transformed.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // How long plugins take is no fault of the code: a slow machine warned of it.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  environments: {
    client: { build: { rolldownOptions: { output: { ...NAMES, codeSplitting: { groups: SHARED } } } } },
  },
}));
