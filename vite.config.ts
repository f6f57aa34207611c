import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { asciiOutput } from './scripts/build/build-ascii.ts';
import { createInputRecorder } from './scripts/build/build-inputs.ts';
import { inlineScripts } from './scripts/build/inline-scripts.ts';
import { routeModulesPlugin } from './src/platform/pages/build-plugins.ts';

/** The folder of a part of the shop, such as `catalogue-filters`. */
const nameChunkOfPart = (id: string): string | null => {
  const [, slice, part] = /[\\/]src[\\/]shop[\\/]([a-z-]+)[\\/]([a-z-]+)[\\/]/.exec(id) ?? [];
  if (slice === undefined || slice === 'admin') return null;
  return part === 'web' ? slice : `${slice}-${part}`;
};

/**
 * Code that several pages load at once is bundled by folder: each request costs time on a slow connection, and small
 * files compress worse. Modules of an earlier group are not in a later one.
 */
const GROUPS = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/ },
  // The frame of every page.
  { name: 'frame', test: /[\\/]src[\\/]root\.tsx/ },
  // Loaded by every page: the styles of `src/ui`, which precede those of a page only if every page has them, what the
  // frame, lists and products need of its code, and cards.
  {
    name: 'shop',
    test: /[\\/]src[\\/](?:ui[\\/](?:(?:browser|controls|feedback|graphics|react|styles|text)[\\/]|.+\.css$)|storefront[\\/]products[\\/])/,
    minShareCount: 7,
  },
  // Of lists with a filter, and of forms:
  { name: 'fields', test: /[\\/]src[\\/]ui[\\/]fields[\\/]/, minShareCount: 2 },
  // Not part of the first load of lists and products:
  { name: 'parts', test: /[\\/]src[\\/]ui[\\/](?:copy|dialog|display|layout|page)[\\/]/, minShareCount: 7 },
  // What home and product pages show of products besides: rows, reviews and descriptions.
  {
    name: 'products',
    test: /[\\/]src[\\/](?:storefront[\\/]products|shop[\\/](?:catalogue[\\/]products|inventory[\\/]alerts|reviews)[\\/]web)[\\/]/,
    minShareCount: 2,
  },
  { name: 'storefront', test: /[\\/]src[\\/]storefront[\\/](?!(?:forms|uploads)[\\/])/, minShareCount: 7 },
  // Not part of the first load: pages with a form share it, and the rules for what is typed.
  {
    name: 'form',
    test: /[\\/]src[\\/](?:(?:ui[\\/]form|storefront[\\/]forms)[\\/]|shop[\\/][^\\/]+$)/,
    minShareCount: 2,
  },
  // Buyers upload pictures of a defect, staff those of products.
  { name: 'uploads', test: /[\\/]src[\\/]storefront[\\/]uploads[\\/]/, minShareCount: 2 },
  { name: nameChunkOfPart, minShareCount: 2 },
  // Last, since a group also takes what its modules import: customers would load the back office for a form field.
  { name: 'admin', test: /[\\/]src[\\/]shop[\\/]admin[\\/]/, minShareCount: 2 },
].map((group) => ({ ...group, tags: ['$initial' as const] }));

const OF_EVERY_PAGE = /^assets\/(?:rolldown-runtime|react|frame|shop)-/;

export default defineConfig(({ command, mode }) => ({
  define: { 'import.meta.env.STOCK_PAGES': String(command === 'serve' || mode === 'stock') },
  plugins: [
    reactRouter(),
    mode !== 'stock' && routeModulesPlugin,
    inlineScripts,
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
    // What every page has loaded need not be loaded with a part of it.
    modulePreload: { resolveDependencies: (_file, files) => files.filter((file) => !OF_EVERY_PAGE.test(file)) },
    // How long plugins take is no fault of the code: a slow machine warned of it.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } } } },
  },
}));
