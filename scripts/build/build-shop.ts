/**
 * Bundles the program of the shop into a few files. Their modules share scopes and strings, so that a process needs less
 * memory and starts faster than from a thousand source files.
 */
import path from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { asciiOutput } from './build-ascii.ts';
import { SHOP_BUNDLE } from './build-directory.ts';
import { createInputRecorder } from './build-inputs.ts';

/**
 * Not bundled. The pages import the first three from node_modules, and a process must have each of them only once. The
 * next three are optional. pino starts a thread from a file of its own.
 * The library of passkeys, which is loaded on demand, needs its packages
 * to run in their order.
 */
const EXTERNAL = [
  'react',
  'react-dom',
  'react-router',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
  'pino',
  '@simplewebauthn/server',
];

/** Writes which modules each file of the bundle contains, for tests of what a shop loads. */
const listModules: Plugin = {
  name: 'list-modules',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
    const lists = files.map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => path.relative('.', id))]);
    this.emitFile({ type: 'asset', fileName: 'modules.json', source: JSON.stringify(Object.fromEntries(lists)) });
  },
};

/** @param directory of the release */
export async function buildShop(directory: string): Promise<void> {
  const bundle = path.join(directory, SHOP_BUNDLE);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [createInputRecorder('shop'), asciiOutput, listModules],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: 'src/main.ts',
      outDir: path.dirname(bundle),
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node22',
      // Stack traces keep their names; comments would only cost memory.
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        experimental: { attachDebugInfo: 'none' },
        output: {
          entryFileNames: path.basename(bundle),
          chunkFileNames: '[name]-[hash:7].js',
          comments: false,
        },
      },
    },
  });
}
