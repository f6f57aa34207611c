import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { UNSAFE_decodeViaTurboStream } from 'react-router';
import '../../../tests/support/own-process.ts';
import { serializePageData } from './page-data.ts';

const read = async (text: string): Promise<unknown> => {
  const { body } = new Response(text);
  assert.ok(body);
  return (await UNSAFE_decodeViaTurboStream(body, globalThis)).value;
};

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.constantFrom(null, undefined, '<script>', ''),
    fc.array(tie('value')),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('value'),
      { noNullPrototype: true },
    ),
  ),
})).value;

test('React Router decodes any plain data', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('root', 'page'), plain, { noNullPrototype: true }),
      async (loaderData) => {
        const state = { loaderData, actionData: null, errors: null };
        const text = serializePageData(state);
        assert.ok(text !== null);
        assert.deepEqual(
          await read(text.replaceAll('<', '\\u003c')),
          state,
          'React Router changed the encoding of loader data: change src/platform/pages/page-data.ts',
        );
      },
    ),
  );
});

test('writes repeated values once', () => {
  const card = { name: 'a long name' };
  assert.equal(serializePageData([card, card, 'a long name'])?.match(/a long name/g)?.length, 1);
});

test('returns null for data that is not plain', () => {
  for (const number of [
    new Date(0),
    Promise.resolve(),
    new Map(),
    1n,
    Number.NaN,
    -0,
    () => 1,
    Object.create(null),
    new URL('x:y'),
  ]) {
    assert.equal(serializePageData({ loaderData: { root: [number] } }), null);
  }
});
