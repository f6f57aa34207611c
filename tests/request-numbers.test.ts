/** Numbers in requests have limits that PostgreSQL's integers and the shop's sums can hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { shopApi } from '#src/shop/api.ts';
import type { Endpoint } from '#src/platform/http/endpoint.ts';

/** Of the type `integer`. */
const MAX_INTEGER = 2_147_483_647;

type Schema = z.core.$ZodType;

/** The schemas that a schema consists of, with their names. */
function listParts(schema: Schema): readonly (readonly [name: string, part: Schema])[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<Schema>(schema.shape).map(([name, field]) => [`.${name}`, field]);
  }
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => ['', option]);
  if (schema instanceof z.ZodArray) return [['[]', schema.element]];
  if (schema instanceof z.ZodTuple) return schema.def.items.map((item) => ['[]', item]);
  if (schema instanceof z.ZodRecord) return [['{}', schema.valueType]];
  // A codec or transformation: what the request contains, and what becomes of it.
  if (schema instanceof z.ZodPipe)
    return [
      ['', schema.in],
      ['', schema.out],
    ];
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? [['', schema.unwrap()]] : [];
}

/** A number of up to two decimals, or an integer that a column can hold. */
const isBounded = ({ minValue, maxValue, format }: z.ZodNumber): boolean => {
  const limit = format === null ? Number.MAX_SAFE_INTEGER : MAX_INTEGER;
  return (maxValue ?? Infinity) <= limit && (minValue ?? -Infinity) >= -limit;
};

/** The paths of numbers without limits. */
const listUnbounded = (schema: Schema, path: string): readonly string[] =>
  schema instanceof z.ZodNumber && !isBounded(schema)
    ? [path]
    : listParts(schema).flatMap(([name, part]) => listUnbounded(part, path + name));

test('[OPS-32] every number of a request has a minimum and a maximum', () => {
  const contract: Readonly<Record<string, Endpoint>> = shopApi;
  const unbounded = Object.entries(contract).flatMap(([key, endpoint]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part];
      return schema ? listUnbounded(schema, `${key} ${part}`) : [];
    }),
  );
  assert.deepEqual(unbounded, []);
});
