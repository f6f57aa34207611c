import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { asciiOutput } from './scripts/build/build-ascii.ts';
import { createInputRecorder } from './scripts/build/build-inputs.ts';
import { CHUNK_GROUPS } from './scripts/build/chunk-groups.ts';
import { inlineScripts } from './scripts/build/inline-scripts.ts';
import { aliasTypeface } from './scripts/build/subset-typeface.ts';
import { routeModulesPlugin } from './src/platform/pages/build-plugins.ts';

const OF_EVERY_PAGE = /^assets\/(?:rolldown-runtime|react|frame|shop)-/;

const typeface = await aliasTypeface();

export default defineConfig(({ command, mode }) => ({
  define: { 'import.meta.env.STOCK_PAGES': String(command === 'serve' || mode === 'stock') },
  resolve: { alias: typeface },
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
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNK_GROUPS } } } } },
  },
}));
