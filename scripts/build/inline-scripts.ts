import { build } from 'vite';
import type { Plugin } from 'vite';

const QUERY = '?script';
const ENTRY = 'inline:entry';

/** Bundles and minifies a script that calls `run` of a module. */
async function bundleScript(module: string): Promise<string> {
  const entry: Plugin = {
    name: 'inline-entry',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? `import { run } from ${JSON.stringify(module)}; run();` : null),
  };
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [entry],
    build: {
      write: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' }, checks: { bundlerTimings: false } },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = first !== undefined && 'output' in first ? first.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${module} is not a script`);
  return chunk.code.trim();
}

/** `import text from './module.ts?script'`: the module as a script to inline in a page. */
export const inlineScripts: Plugin = {
  name: 'inline-scripts',
  enforce: 'pre',
  async load(id) {
    return id.endsWith(QUERY)
      ? `export default ${JSON.stringify(await bundleScript(id.slice(0, -QUERY.length)))};`
      : null;
  },
};
