import { formatDollarInput, parseDollars } from './parse-dollars.ts';

export interface EditedPropertyValue {
  /** Identifies the row while it moves. */
  readonly key: number;
  /** Undefined: new. */
  readonly id: string | undefined;
  readonly value: string;
  readonly increase: string;
  readonly productCount: number;
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
      productCount: value.product_count,
    })),
  }));

export const addValue = (values: readonly EditedPropertyValue[]): readonly EditedPropertyValue[] => [
  ...values,
  {
    key: Math.max(-1, ...values.map(({ key }) => key)) + 1,
    id: undefined,
    value: '',
    increase: formatDollarInput(0),
    productCount: 0,
  },
];

/** What the API takes. An increase that is no price becomes −1, which the API refuses at its field. */
export const toProperties = (properties: readonly EditedProperty[]) =>
  properties.map(({ id, name, values }) => ({
    ...(id === undefined ? {} : { id }),
    name,
    values: values.map((value) => ({
      ...(value.id === undefined ? {} : { id: value.id }),
      value: value.value,
      increase_usd: parseDollars(value.increase) ?? -1,
    })),
  }));
