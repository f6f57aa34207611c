/** Every list in a request has a maximum length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import { LIST_CAPS } from './support/list-caps.ts';

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The maximum length of each list below a schema, by its path. Null: without one. */
function listMaxima(schema: unknown, path: string): readonly (readonly [string, number | null])[] {
  if (!isJson(schema)) return [];
  if (Array.isArray(schema)) return schema.flatMap((one) => listMaxima(one, path));
  const { items, maxItems, properties } = schema;
  const inner = ['anyOf', 'oneOf', 'allOf', 'additionalProperties'].flatMap((name) => listMaxima(schema[name], path));
  const fields = isJson(properties) ? Object.entries(properties) : [];
  return [
    ...(schema['type'] === 'array' ? [[path, typeof maxItems === 'number' ? maxItems : null] as const] : []),
    ...inner,
    ...listMaxima(items, `${path}[]`),
    ...fields.flatMap(([name, field]) => listMaxima(field, path === '' ? name : `${path}.${name}`)),
  ];
}

test('[API-00] each list in a request has the maximum length of the table', () => {
  const contract: Contract = { ...shopApi, ...demoToolsApi };
  const found = Object.entries(contract).flatMap(([key, { query, body }]) => {
    const maxima = [query, body].flatMap((schema) =>
      schema === undefined ? [] : listMaxima(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), ''),
    );
    return maxima.length === 0 ? [] : [[key, Object.fromEntries(maxima)]];
  });
  assert.deepEqual(Object.fromEntries(found), LIST_CAPS);
});
