import type { Plugin } from 'vite';

const toEscape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes a bundle of the server in ASCII. Node keeps the text of a file in memory, with two bytes per character if a
 * single one is not in ASCII.
 */
export const asciiOutput: Plugin = {
  name: 'ascii-output',
  applyToEnvironment: ({ name }) => name === 'ssr',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\u007f]/g, toEscape);
    }
  },
};
