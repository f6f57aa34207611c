const GIGABYTES_PER = { GB: 1, TB: 1024 } as const;

/** Parses a capacity (`128GB`, `1TB` = 1024GB) to gigabytes; undefined for other text. */
export function parseGigabytes(written: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(GB|TB)$/.exec(written) ?? [];
  if (amount === undefined || (unit !== 'GB' && unit !== 'TB')) return undefined;
  return Number(amount) * GIGABYTES_PER[unit];
}

const isInTerabytes = (written: string): boolean => written.endsWith('TB');

/**
 * Compares capacities by size; GB precedes TB when equal. Other values come last, in their order.
 */
export function compareCapacities(a: string, b: string): number {
  const [sizeA, sizeB] = [parseGigabytes(a), parseGigabytes(b)];
  if (sizeA === undefined || sizeB === undefined) return Number(sizeA === undefined) - Number(sizeB === undefined);
  return sizeA - sizeB || Number(isInTerabytes(a)) - Number(isInTerabytes(b));
}

/** Values of a property in display order: capacities by size, others unchanged. */
export function sortPropertyValues<T extends { readonly value: string }>(values: readonly T[]): readonly T[] {
  const areCapacities = values.every(({ value }) => parseGigabytes(value) !== undefined);
  return areCapacities ? values.toSorted((a, b) => compareCapacities(a.value, b.value)) : values;
}
