/** Short class names for the built pages, since each is repeated in scripts, styles and HTML. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

const LETTERS_OF_FILE = 4;

/**
 * Names a class by four letters of the hash of its file and its number in the file.
 * @returns a function whose names are the same in the bundles of browser and server
 * @throws if two files have the same letters
 */
export function createShortClassNames(root: string): (name: string, file: string) => string {
  const files = new Map<string, string>();
  const names = new Map<string, Map<string, string>>();
  return (name, file) => {
    const path = relative(root, file.split('?', 1)[0] ?? file).replaceAll('\\', '/');
    const hash = createHash('sha256')
      .update(path)
      .digest('base64')
      .replaceAll(/[^A-Za-z]/g, '');
    const letters = hash.slice(0, LETTERS_OF_FILE);
    const other = files.get(letters);
    if (other !== undefined && other !== path)
      throw new Error(`${path} and ${other} have the same short class name: rename one`);
    files.set(letters, path);
    const known = names.get(path) ?? new Map<string, string>();
    names.set(path, known);
    const number = known.get(name) ?? known.size.toString(36);
    known.set(name, number);
    return letters + number;
  };
}
