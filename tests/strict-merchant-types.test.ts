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

/** JSON types that a schema allows; null for any. */
function listTypes(schema: unknown): ReadonlySet<string> | null {
  const {
    type,
    anyOf,
    enum: values,
  } = z
    .looseObject({
      type: z.union([z.string(), z.array(z.string())]).optional(),
      anyOf: z.array(z.unknown()).optional(),
      enum: z.array(z.unknown()).optional(),
    })
    .parse(schema);
  if (anyOf) return new Set(anyOf.flatMap((one) => [...(listTypes(one) ?? [])]));
  if (type !== undefined) return new Set([type].flat());
  return values ? new Set(values.map((value) => typeof value)) : null;
}

/** Values that are of none of these types. */
function createWrongValues(types: ReadonlySet<string>): unknown[] {
  const values: readonly (readonly [string, unknown])[] = [
    ['string', 'text'],
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

test('[API-00] every field of the merchant’s calls accepts only its own type', async () => {
  const contract: Contract = shopApi;
  let fieldCount = 0;
  for (const [key, { body: schema }] of Object.entries(contract)) {
    if (!schema || !isMerchantCall(key)) continue;
    const method = METHODS.find((one) => key.startsWith(one)) ?? 'POST';
    const [, named = ''] = key.split(' ');
    const path = named.replace('{kind}', 'terms').replaceAll(/\{\w+\}/g, ABSENT_ID);
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    for (const [name, property] of Object.entries(properties)) {
      const types = listTypes(property);
      if (types === null) continue;
      fieldCount += 1;
      for (const wrong of createWrongValues(types)) {
        const what = `${key} with ${name}: ${JSON.stringify(wrong)}`;
        const response = await shop.api(method, path, { token: owner, body: { [name]: wrong } });
        assert.equal(response.status, 400, `${what} ${JSON.stringify(response.body)}`);
        const fields = valueAt(response.body, 'error', 'fields') ? keysAt(response.body, 'error', 'fields') : [];
        assert.ok(
          fields.some((field) => field.split('.')[0] === name),
          `${what} does not name the field: ${JSON.stringify(response.body)}`,
        );
      }
    }
    for (const whole of [[], 'text', 1, true, null]) {
      assert.equal(
        (await shop.api(method, path, { token: owner, body: whole })).status,
        400,
        `${key} ${String(whole)}`,
      );
    }
  }
  assert.ok(fieldCount > 50, `only ${fieldCount} fields`);
});
