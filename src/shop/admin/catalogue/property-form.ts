import { formatDollarInput, readDollars } from './parse-dollars.ts';

export interface EditedPropertyValue {
  /** Identifies the row while it moves. */
  readonly key: number;
  /** Undefined: new. */
  readonly id: string | undefined;
  readonly value: string;
  readonly increase: string;
}

export interface EditedProperty {
  readonly key: number;
  readonly id: string | undefined;
  readonly name: string;
  readonly values: readonly EditedPropertyValue[];
}

interface StoredProperty {
  readonly id: string;
  readonly name: string;
  readonly values: readonly {
    readonly id: string;
    readonly value: string;
    readonly increase_usd: number;
    readonly product_count: number;
  }[];
}

export const toPropertyForm = (properties: readonly StoredProperty[]): readonly EditedProperty[] =>
  properties.map(({ id, name, values }, key) => ({
    key,
    id,
    name,
    values: values.map((value, valueKey) => ({
      key: valueKey,
      id: value.id,
      value: value.value,
      increase: formatDollarInput(value.increase_usd),
    })),
  }));

/** How many products use a value, by its id. */
export const countUses = (properties: readonly StoredProperty[]): ReadonlyMap<string, number> =>
  new Map(properties.flatMap(({ values }) => values.map(({ id, product_count: count }) => [id, count])));

export const addValue = (values: readonly EditedPropertyValue[]): readonly EditedPropertyValue[] => [
  ...values,
  {
    key: Math.max(-1, ...values.map(({ key }) => key)) + 1,
    id: undefined,
    value: '',
    increase: formatDollarInput(0),
  },
];

/** What the API takes, or messages by its field names. */
export function toProperties(properties: readonly EditedProperty[]) {
  const problems: Record<string, string> = {};
  const read = (text: string, field: string): number => {
    const increase = readDollars(text, 'Enter an amount such as 10 or 2.50');
    if (!increase.ok) problems[field] = increase.problem;
    return increase.ok ? increase.value : 0;
  };
  const edited = properties.map(({ id, name, values }, at) => ({
    ...(id === undefined ? {} : { id }),
    name,
    values: values.map((value, index) => ({
      ...(value.id === undefined ? {} : { id: value.id }),
      value: value.value,
      increase_usd: read(value.increase, `properties.${at}.values.${index}.increase_usd`),
    })),
  }));
  return { properties: edited, problems };
}
