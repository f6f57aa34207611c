/** Every message about a refused value is a sentence of the shop, for every call of the API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { Contract, Endpoint } from '#src/platform/http/endpoint.ts';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import './support/built-pages.ts';
import { ABSENT_ID } from './support/access-callers.ts';
import { assertResponse } from './support/assert-response.ts';
import { createJsonRequest, sendRawRequest } from './support/raw-call.ts';
import type { RawRequest, RawResponse } from './support/raw-call.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
const tokens: string[] = [];
before(async () => {
  shop = await startTestShop();
  for (const username of ['owner', 'alice']) {
    const body = { username, password: 'crypto-market' };
    tokens.push(textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken'));
  }
});
after(() => shop.stop());

const jsonSchema = z.looseObject({
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** Too long, too short, of other types, outside of every range, and none of a choice. */
const WRONG: readonly unknown[] = [
  'x'.repeat(3_000),
  '',
  ' ',
  'none',
  '\u0000',
  -1,
  0.123,
  1e300,
  true,
  null,
  [],
  {},
  [[]],
];

const WRONG_QUERIES = ['x'.repeat(3_000), '', '-1', '1e300', '%00', 'none'] as const;

/** A value of the form of the schema, whose values at this depth are all the wrong one. */
function fill(schema: unknown, wrong: unknown, depth: number): unknown {
  const { anyOf = [] } = jsonSchema.parse(schema ?? {});
  const forms = [schema, ...anyOf].map((one) => jsonSchema.parse(one ?? {}));
  const form = forms.find((one) => one.properties !== undefined || one.items !== undefined);
  if (depth === 0 || form === undefined) return wrong;
  const { properties, items } = form;
  if (properties === undefined) return [fill(items, wrong, depth - 1)];
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fill(one, wrong, depth - 1)]));
}

/** Requests of a call with wrong values everywhere. */
function createRequests(key: string, { body, query }: Endpoint): readonly ((token: string) => RawRequest)[] {
  const [method = '', template = ''] = key.split(' ');
  const path = template.replaceAll(/\{\w+\}/g, ABSENT_ID);
  const schema = body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const filled = schema ? WRONG.flatMap((wrong) => [1, 2, 3].map((depth) => fill(schema, wrong, depth))) : [];
  const bodies = schema ? [...filled, {}, { unknown_field: 1 }, [], 'text', null] : [];
  const distinct = new Map(bodies.map((one) => [JSON.stringify(one), one]));
  const names = Object.keys(query?.shape ?? {});
  const queries =
    names.length === 0 ? [] : WRONG_QUERIES.map((wrong) => names.map((name) => `${name}=${wrong}`).join('&'));
  return [
    ...[...distinct.values()].map((one) => (token: string) => createJsonRequest(method, path, one, token)),
    ...queries.map((one) => (token: string) => createJsonRequest(method, `${path}?${one}`, undefined, token)),
  ];
}

const contract: Contract = { ...shopApi, ...demoToolsApi };
// They would end the sessions of the test, or move its clock.
const SKIPPED = new Set(['POST /users/logout', 'POST /dev/clock']);

test('[API-00] refuses values with messages of the shop, for every call', async () => {
  const messages = new Set<string>();
  let refused = 0;
  const check = (what: string, response: RawResponse): void => {
    assertResponse(response, what);
    if (response.status !== 400) return;
    refused += 1;
    const { error } = z
      .object({ error: z.object({ fields: z.record(z.string(), z.string()).optional() }) })
      .parse(JSON.parse(response.text));
    for (const message of Object.values(error.fields ?? {})) messages.add(message);
  };
  for (const [key, endpoint] of Object.entries(contract)) {
    if (SKIPPED.has(key)) continue;
    for (const create of createRequests(key, endpoint)) {
      // Buyers have calls that members of the team have not.
      for (const token of tokens) {
        const response = await sendRawRequest(shop.url, create(token));
        check(`${key} ${JSON.stringify(create('')).slice(0, 300)}`, response);
        if (response.status !== 403) break;
      }
    }
  }
  assert.ok(refused > 2_000, `only ${refused} were refused`);
  // Parts of sentences about their field, or sentences.
  const odd = [...messages].filter(
    (message) =>
      !/^(?:["“]?[\p{L}\d$])/u.test(message) || /[{}<>]|\bzod\b/i.test(message.replaceAll(/\{[a-z]+\}/g, '')),
  );
  assert.deepEqual(odd, []);
});
