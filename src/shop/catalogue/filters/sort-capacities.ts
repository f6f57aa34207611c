const GIGABYTES_PER = { GB: 1, TB: 1024 } as const;

/** A capacity as written (`128GB`, `1TB`) in gigabytes, 1TB being 1024GB; undefined for any other text. */
export function parseGigabytes(written: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(GB|TB)$/.exec(written) ?? [];
  if (amount === undefined || (unit !== 'GB' && unit !== 'TB')) return undefined;
  return Number(amount) * GIGABYTES_PER[unit];
}

const isInTerabytes = (written: string): boolean => written.endsWith('TB');

/** Orders two capacities by size; of two equal ones that in GB comes first. What is no capacity comes last, as it came. */
export function compareCapacities(a: string, b: string): number {
  const [sizeA, sizeB] = [parseGigabytes(a), parseGigabytes(b)];
  if (sizeA === undefined || sizeB === undefined) return Number(sizeA === undefined) - Number(sizeB === undefined);
  return sizeA - sizeB || Number(isInTerabytes(a)) - Number(isInTerabytes(b));
}

/** Values of a property in the order they are offered in: capacities by size, anything else as it came. */
export function sortPropertyValues<T extends { readonly value: string }>(values: readonly T[]): readonly T[] {
  const areCapacities = values.every(({ value }) => parseGigabytes(value) !== undefined);
  return areCapacities ? values.toSorted((a, b) => compareCapacities(a.value, b.value)) : values;
}
