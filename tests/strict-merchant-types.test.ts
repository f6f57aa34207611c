/** Bodies of the merchant's calls that differ from the contract are refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { shopApi } from '#src/shop/api.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import { ABSENT_ID } from './support/access-callers.ts';
import { isMerchantCall } from './support/merchant-calls.ts';
import { keysAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const METHODS = ['DELETE', 'POST', 'PUT'] as const;

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  const body = { username: 'owner', password: 'crypto-market' };
  owner = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
});
after(() => shop.stop());

const jsonSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.number().optional(),
});
type JsonSchema = z.output<typeof jsonSchema>;

const listOptions = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf?.flatMap((one) => listOptions(jsonSchema.parse(one))) ?? [schema];

/** JSON types that a schema allows; null for any. */
function listTypes(schema: JsonSchema): ReadonlySet<string> | null {
  const options = listOptions(schema).map(({ type, enum: values }) =>
    type === undefined ? values?.map((value) => typeof value) : [type].flat(),
  );
  return options.some((one) => one === undefined) ? null : new Set(options.flatMap((one) => one ?? []));
}

/** Values that are of none of these types; a text of a number or a boolean is none either. */
function listOtherTypes(types: ReadonlySet<string>): unknown[] {
  const values: readonly (readonly [string, unknown])[] = [
    ['string', 'text'],
    ['string', '1'],
    ['string', 'true'],
    ['number', 0.5],
    ['integer', 1],
    ['boolean', true],
    ['null', null],
    ['array', []],
    ['object', {}],
  ];
  const wrong = values.filter(([type]) => !types.has(type) && !(type === 'integer' && types.has('number')));
  return [...wrong.map(([, value]) => value), ...(types.has('string') ? ['a\u0000b', 'a\ud800'] : [])];
}

/** Values beyond the bounds of a schema with one type besides null. Numbers above 2^31 are not stored as integers. */
function listOutOfBounds(schema: JsonSchema): unknown[] {
  const [option, other] = listOptions(schema).filter(({ type }) => type !== 'null');
  if (option === undefined || other !== undefined) return [];
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, maxItems, enum: values } = option;
  return [
    ...(values === undefined ? [] : ['no such value']),
    ...(minLength === undefined ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
    ...(maximum === undefined ? [] : [maximum + 1, 1e308]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => ABSENT_ID)]),
  ];
}

interface BodyField {
  /** Such as `shipments.0.number`. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** A body with nothing but this value. */
  readonly wrap: (value: unknown) => unknown;
}

/** Fields of a body, and those of its objects and lists. */
function listFields(schema: JsonSchema, wrap: BodyField['wrap'], parent = ''): BodyField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = { path: `${parent}${name}`, schema: jsonSchema.parse(property) };
    const wrapField = (value: unknown): unknown => wrap({ [name]: value });
    const [option, other] = listOptions(field.schema).filter(({ type }) => type !== 'null');
    const inner = other === undefined ? option : undefined;
    return [
      { ...field, wrap: wrapField },
      ...(inner?.properties === undefined ? [] : listFields(inner, wrapField, `${field.path}.`)),
      ...(inner?.items === undefined
        ? []
        : listFields(jsonSchema.parse(inner.items), (value) => wrapField([value]), `${field.path}.0.`)),
    ];
  });
}

/** Whether an error names the field or what contains it. */
const isNamed = (fields: readonly string[], path: string): boolean =>
  fields.some((field) => `${path}.`.startsWith(`${field}.`) || field.startsWith(`${path}.`));

test('[API-00] every field of the merchant’s calls is strict and bounded', async () => {
  const contract: Contract = shopApi;
  let fieldCount = 0;
  for (const [key, { body: schema }] of Object.entries(contract)) {
    if (!schema || !isMerchantCall(key)) continue;
    const method = METHODS.find((one) => key.startsWith(one)) ?? 'POST';
    const [, named = ''] = key.split(' ');
    const path = named.replace('{kind}', 'terms').replaceAll(/\{\w+\}/g, ABSENT_ID);
    const whole = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    for (const { path: field, schema: property, wrap } of listFields(whole, (value) => value)) {
      const types = listTypes(property);
      if (types === null) continue;
      fieldCount += 1;
      const expectRefusal = async (wrong: unknown): Promise<void> => {
        const what = `${key} with ${field}: ${JSON.stringify(wrong).slice(0, 80)}`;
        const response = await shop.api(method, path, { token: owner, body: wrap(wrong) });
        assert.equal(response.status, 400, `${what} ${JSON.stringify(response.body)}`);
        const fields = valueAt(response.body, 'error', 'fields') ? keysAt(response.body, 'error', 'fields') : [];
        assert.ok(isNamed(fields, field), `${what} does not name the field: ${JSON.stringify(response.body)}`);
      };
      await Promise.all([...listOtherTypes(types), ...listOutOfBounds(property)].map(expectRefusal));
    }
    for (const body of [[], 'text', 1, true, null]) {
      assert.equal((await shop.api(method, path, { token: owner, body })).status, 400, `${key} ${String(body)}`);
    }
  }
  assert.ok(fieldCount > 150, `only ${fieldCount} fields`);
});
