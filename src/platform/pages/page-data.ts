/**
 * Writes what loaders answered in the form in which React Router's scripts read it: one list in which every value stands
 * once, objects and lists naming their parts by their places. React Router's own writer also knows promises, errors and
 * classes, looks at the clock for every value and answers a stream; a page's data is plain, and wanted at once.
 */

/** What has no place of its own. */
const NULL = -5;
const UNDEFINED = -7;

/** Null for what is not plain data: strings, finite numbers, booleans, null, undefined, lists and plain objects. */
export function serializePageData(data: unknown): string | null {
  const written: string[] = [];
  const places = new Map<unknown, number>();
  let isPlain = true;

  const place = (value: unknown): number => {
    if (value === null) return NULL;
    if (value === undefined) return UNDEFINED;
    const known = places.get(value);
    if (known !== undefined) return known;
    const index = written.push('') - 1;
    places.set(value, index);
    written[index] = write(value);
    return index;
  };
  const write = (value: unknown): string => {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'boolean' || (Number.isFinite(value) && !Object.is(value, -0))) return String(value);
    if (Array.isArray(value)) return `[${value.map(place).join()}]`;
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      let parts = '';
      for (const [name, part] of Object.entries(value)) {
        parts += `${parts === '' ? '' : ','}"_${place(name)}":${place(part)}`;
      }
      return `{${parts}}`;
    }
    isPlain = false;
    return '0';
  };
  place(data);
  return isPlain ? `[${written.join()}]\n` : null;
}
