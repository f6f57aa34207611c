import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { recordInputs } from './scripts/build-inputs.ts';
import { shortClassNames } from './scripts/short-class-names.ts';
import { pageEnginePlugins } from './src/platform/pages/build-plugins.ts';

/**
 * What every page needs travels in a few files: on a slow line each further one costs, and apart they compress worse. What
 * is fetched when it is asked for, and what belongs to a few pages, stays apart.
 */
const SHARED = [
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|vite[\\/]preload-helper|pages[\\/]browser[\\/]start-router/,
  },
  // With all that it imports: what stands around every page. Its styles declare the layers, so they come first.
  { name: 'frame', test: /[\\/]src[\\/]root\.tsx/ },
  {
    name: 'shop',
    // What only those pages share that are behind a cart or a form travels with them.
    test: /[\\/]shop[\\/]format-number\.|[\\/]src[\\/](?:ui|storefront|platform[\\/]pages[\\/]browser|shop[\\/]cart)[\\/](?!moment|use-polling|copy-button|use-copy|text-area|back-link|layout[\\/]text-page|format-wait|live-channel|split-links|time-zone|use-reload|retry-navigation|(?:layout[/])?failed-navigation)/,
    tags: ['$initial' as const],
    minShareCount: 3,
  },
  {
    name: 'lists',
    test: /[\\/](?:faq|review)-(?:list|card)\.|[\\/]product-reviews\.|[\\/](?:storefront[\\/]time-zone|shop[\\/](?:format|money))\./,
    minShareCount: 2,
  },
  {
    name: 'filters',
    test: /[\\/]src[\\/]shop[\\/]catalogue[\\/](?:filters[\\/](?!web[\\/]price-slider)|web[\\/]product-grid)/,
    minShareCount: 2,
  },
  // Behind the login, in few files: the list of all of them travels with every page.
  {
    name: 'talk',
    test: /[\\/]src[\\/](?:shop[\\/]support[\\/]tickets|storefront[\\/](?:live-channel|use-reload)|ui[\\/](?:split-links|text-area))|[\\/](?:moment|use-polling)\./,
    minShareCount: 2,
  },
  { name: 'office', test: /[\\/]src[\\/]shop[\\/]admin[\\/]/, minShareCount: 2 },
  { name: 'forms', test: /[\\/]src[\\/]shop[\\/]accounts[\\/](?!profile|personal-data)/, minShareCount: 2 },
  {
    name: 'orders',
    test: /[\\/]src[\\/]shop[\\/]orders[\\/]/,
    minShareCount: 2,
  },
];

const nameScript = ({ name }: { readonly name: string }): string => `assets/${name.replace(/-page$/, '')}-[hash:7].js`;
const nameAsset = ({ names: [name = '[name]'] }: { readonly names: string[] }): string =>
  `assets/${name.replace(/(?:-page)?\.[a-z0-9]+$/, '')}-[hash:6][extname]`;

/** The list of all files travels with every page: few letters of a hash tell two releases apart. */
const NAMES = {
  entryFileNames: nameScript,
  chunkFileNames: nameScript,
  assetFileNames: nameAsset,
};

export default defineConfig(({ command, mode }) => ({
  define: { 'import.meta.env.STOCK_PAGES': String(command === 'serve' || mode === 'stock') },
  // While the shop is developed a class tells where it is from.
  ...(command === 'build' && { css: { modules: { generateScopedName: shortClassNames(import.meta.dirname) } } }),
  plugins: [reactRouter(), ...(mode === 'stock' ? [] : pageEnginePlugins), recordInputs],
  build: {
    // A picture inside a style sheet or a script delays what stands around it.
    assetsInlineLimit: 0,
    // The server serves `public` from where it is.
    copyPublicDir: false,
    // These browsers know light-dark(), nesting and @layer, so the styles stay as they are written.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
  },
  environments: {
    client: { build: { rolldownOptions: { output: { ...NAMES, codeSplitting: { groups: SHARED } } } } },
  },
}));
