import type { Plugin } from 'vite';

/** After a backslash a letter cannot be replaced by an escape. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\[^\0-\u007f]/;

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
      if (file.type !== 'chunk') continue;
      if (ESCAPED.test(file.code)) this.error(`${file.fileName} has a letter outside ASCII after a backslash`);
      file.code = file.code.replaceAll(/[^\0-\u007f]/g, toEscape);
    }
  },
};
