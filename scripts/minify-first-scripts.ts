import { minify } from 'terser';
import type { Plugin } from 'vite';

/**
 * Has Terser minify scripts of a first visit, which have a byte budget. It runs before Vite's own minifier, is far
 * slower, and saves 5 to 10 %.
 * @param names of the chunks
 */
export function createFirstScriptsMinifier(names: ReadonlySet<string>): Plugin {
  return {
    name: 'minify-first-scripts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async renderChunk(code, { name }) {
      if (!names.has(name)) return null;
      const { code: minified } = await minify(code, { module: true, ecma: 2020, compress: { passes: 2 } });
      return minified ?? null;
    },
  };
}
