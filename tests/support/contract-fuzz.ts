/** Requests generated from the contract's schemas: mostly valid, then mutated in many ways. */
import * as fc from 'fast-check';
import { z } from 'zod';
import type { Endpoint } from '#src/platform/http/endpoint.ts';
import type { RawRequest } from './raw-call.ts';

type Schema = z.core.JSONSchema.JSONSchema;

export interface Known {
  /** Ids of existing objects in the shop. */
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
  /** Values that keep a call short and the run's own sessions alive. */
  readonly bounds: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '1e0',
  'true',
  'a\u0000b',
  '\ud800',
  '\udfff',
  'x'.repeat(5000),
  '\u202e',
  '🂡'.repeat(40),
];
const HOSTILE_TEXTS = ["' or 1=1 --", '%_\\', '<script>alert(1)</script>', '../../etc/passwd'];
const ODD_NUMBERS = [0, -1, 0.5, 1e20, 2 ** 53, -(2 ** 31), 21_000_001, 1e-9];
const ODD_OBJECTS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  ['a'],
  { length: 1 },
  { toString: 1 },
  { $ne: null },
];
const NASTY: readonly unknown[] = [...ODD_TEXTS, ...HOSTILE_TEXTS, ...ODD_NUMBERS, ...ODD_OBJECTS];
const nasty = fc.constantFrom(...NASTY);
const EXTRA_KEYS = [
  'role',
  'id',
  'user_id',
  'is_admin',
  'price_usd',
  'isFree',
  'constructor',
  'toString',
  '__proto__',
  '',
];

function generateValue(schema: unknown, known: Known): fc.Arbitrary<unknown> {
  return isSchema(schema) ? generateValueOfSchema(schema, known) : fc.jsonValue();
}

const isSchema = (schema: unknown): schema is Schema => typeof schema === 'object' && schema !== null;

function generateValueOfSchema(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { enum: choices, anyOf, type, minimum = 0, maximum, maxItems = 3 } = schema;
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map((one) => generateValue(one, known)));
  switch (type) {
    case 'string':
      return generateText(schema, known);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum ?? 99, 2 ** 31) });
    case 'number':
      return fc.double({ min: minimum, max: maximum ?? 1, noNaN: true });
    case 'array':
      return fc.array(generateValue(schema.items, known), { maxLength: Math.min(maxItems, 3) });
    case 'object':
      return generateFields(schema, (_, one) => generateValue(one, known));
    default:
      return fc.jsonValue();
  }
}

function generateText({ format, pattern, minLength = 0, maxLength = 20 }: Schema, known: Known): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...known.ids), fc.uuid({ version: 7 }));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) });
}

function generateFields(
  { properties = {}, required = [] }: Schema,
  made: (name: string, one: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, one] of Object.entries(properties)) fields[name] = made(name, one);
  return fc.record(fields, { requiredKeys: required });
}

function toSchema(schema: z.ZodObject | undefined): Schema | null {
  return schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : null;
}

type Bend = (fields: Readonly<Record<string, unknown>>) => unknown;
const bend: fc.Arbitrary<Bend> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Bend>((fields) => fields) },
  // One field is replaced, removed or added.
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(), nasty).map(
      ([at, value]): Bend =>
        (fields) =>
          change(fields, at, [value]),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map(
      (at): Bend =>
        (fields) =>
          change(fields, at, []),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...EXTRA_KEYS), nasty).map(
      ([key, value]): Bend =>
        (fields) =>
          Object.fromEntries([...Object.entries(fields), [key, value]]),
    ),
  },
  {
    weight: 1,
    arbitrary: nasty.map(
      (value): Bend =>
        () =>
          value,
    ),
  },
);

function change(fields: Readonly<Record<string, unknown>>, at: number, values: readonly unknown[]): unknown {
  const entries = Object.entries(fields);
  const index = entries.length === 0 ? 0 : at % entries.length;
  const [key] = entries[index] ?? ['none'];
  return Object.fromEntries([...entries.toSpliced(index, 1), ...values.map((value) => [key, value])]);
}

/** Ways to corrupt the bytes of a body. */
const spoil: fc.Arbitrary<(json: string) => { type: string; body: string | Buffer }> = fc.oneof(
  { weight: 16, arbitrary: fc.constant((body: string) => ({ type: 'application/json', body })) },
  {
    weight: 1,
    arbitrary: fc.nat(40).map((at) => (body: string) => ({ type: 'application/json', body: body.slice(0, at) })),
  },
  { weight: 1, arbitrary: fc.constant((body: string) => ({ type: 'application/json', body: `${body}}` })) },
  {
    weight: 1,
    arbitrary: fc.constant((body: string) => ({
      type: 'application/json',
      body: Buffer.from(`${body.slice(0, -1)}\xff`, 'latin1'),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('text/plain', 'application/x-www-form-urlencoded', 'a', '')
      .map((type) => (body: string) => ({ type, body })),
  },
);

const formatQueryValue = (value: unknown): string => encodeURIComponent(toText(value)).replaceAll('%5B', '[');
/** A URL can't contain a lone surrogate, but it can contain its bytes, which are invalid UTF-8. */
const toText = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));

export function createRequest(key: string, endpoint: Endpoint, known: Known): fc.Arbitrary<RawRequest> {
  const [method = '', template = ''] = key.split(' ');
  const generatePart = (schema: Schema | null): fc.Arbitrary<unknown> => {
    if (!schema) return fc.constant(null);
    const fields = generateFields(schema, (name, one) => known.bounds[`${key} ${name}`] ?? generateValue(one, known));
    return fc.tuple(fields, bend).map(([made, bent]) => bent(made));
  };
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fc
    .record({
      params: fc.array(fc.oneof(fc.constantFrom(...known.ids), nasty.map(toText)), {
        minLength: names.length,
        maxLength: names.length,
      }),
      query: generatePart(toSchema(endpoint.query)),
      body: generatePart(toSchema(endpoint.body)),
      spoiled: spoil,
      token: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...known.tokens) },
        { weight: 3, arbitrary: fc.constant(null) },
      ),
      cookie: fc.constantFrom(
        null,
        null,
        'guest_user_id=x',
        `guest_user_id=${'y'.repeat(43)}`,
        'session=x; session=y',
        '=;=,"',
      ),
      idempotencyKey: fc.constantFrom(null, null, 'k', '', 'ä', 'k'.repeat(300)),
    })
    .map(({ params, query, body, spoiled, token, cookie, idempotencyKey }) => {
      const path = names.reduce(
        (made, name, at) => made.replace(`{${name}}`, encodeURIComponent(params[at] ?? '')),
        template,
      );
      const isObject = typeof query === 'object' && query !== null;
      const pairs = isObject
        ? Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${formatQueryValue(value)}`)
        : [];
      const sent = endpoint.body ? spoiled(JSON.stringify(body)) : null;
      return {
        method,
        path: `/api${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(cookie === null ? {} : { cookie }),
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
          ...(sent && sent.type !== '' ? { 'content-type': sent.type } : {}),
        },
        body: sent?.body,
      };
    });
}
