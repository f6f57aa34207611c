/**
 * Serializes loader data in React Router's turbo-stream format: one array in which each value appears once, and objects and
 * lists refer to their parts by index. React Router's own encoder also supports promises, errors and classes, and streams;
 * page data is plain and complete.
 */

/** Codes of values without an index. */
const NULL = -5;
const UNDEFINED = -7;

/** Null unless all data is plain: strings, finite numbers, booleans, null, undefined, arrays and plain objects. */
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
