/** Reads a value at a path in parsed JSON; throws with the path if there is none. */
export function valueAt(json: unknown, ...keys: readonly (string | number)[]): unknown {
  let value = json;
  for (const [depth, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      throw new Error(`nothing at ${keys.slice(0, depth + 1).join('.')} in ${JSON.stringify(json)}`);
    }
    value = Reflect.get(value, key);
  }
  return value;
}

export function textAt(json: unknown, ...keys: readonly (string | number)[]): string {
  const value = valueAt(json, ...keys);
  if (typeof value !== 'string') throw new Error(`no text at ${keys.join('.')}: ${JSON.stringify(value)}`);
  return value;
}

export function numberAt(json: unknown, ...keys: readonly (string | number)[]): number {
  const value = valueAt(json, ...keys);
  if (typeof value !== 'number') throw new Error(`no number at ${keys.join('.')}: ${JSON.stringify(value)}`);
  return value;
}

export function listAt(json: unknown, ...keys: readonly (string | number)[]): readonly unknown[] {
  const value: unknown = valueAt(json, ...keys);
  if (!Array.isArray(value)) throw new Error(`no list at ${keys.join('.')}: ${JSON.stringify(value)}`);
  return value.map((item: unknown) => item);
}

export function keysAt(json: unknown, ...keys: readonly (string | number)[]): readonly string[] {
  const value = valueAt(json, ...keys);
  if (typeof value !== 'object' || value === null) throw new Error(`no object at ${keys.join('.')}`);
  return Object.keys(value);
}
