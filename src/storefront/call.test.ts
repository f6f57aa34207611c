import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import '../../tests/support/own-process.ts';
import { ApiFailure } from './api.ts';
import { call } from './call.ts';
import type { takePrefetchedResponse } from '#src/platform/pages/browser/prefetched-responses.ts';

type Early = Awaited<NonNullable<ReturnType<typeof takePrefetchedResponse>>>;

const RATE = { state: 'current' };
const requested: string[] = [];
let createResponse: () => Response;
const shopWindow: { earlyAnswers?: { token: null; answers: Record<string, Promise<Early>> } } = {};

Object.defineProperty(globalThis, 'window', { value: shopWindow });
globalThis.fetch = (url) => {
  requested.push(typeof url === 'string' ? url : '');
  return Promise.resolve(createResponse());
};

/** A response whose body never ends. */
function createBrokenResponse(status = 200): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new DOMException('It took too long', 'TimeoutError')),
  });
  return new Response(body, { status });
}
const setPrefetched = (response: Promise<Response>) => {
  shopWindow.earlyAnswers = {
    token: null,
    answers: { '/rate': response.then((value) => [value, Date.now()] as const) },
  };
};

beforeEach(() => {
  requested.length = 0;
  createResponse = () => Response.json(RATE);
  delete shopWindow.earlyAnswers;
});

test('uses a prefetched response instead of a request', async () => {
  setPrefetched(Promise.resolve(Response.json({ state: 'old' })));
  assert.deepEqual(await call('GET /rate'), { state: 'old' });
  assert.deepEqual(requested, []);
});

test('requests again when the prefetched response failed or timed out', async () => {
  for (const failed of [
    Promise.resolve(createBrokenResponse()),
    Promise.reject(new DOMException('late', 'TimeoutError')),
  ]) {
    setPrefetched(failed);
    assert.deepEqual(await call('GET /rate'), RATE);
  }
  assert.deepEqual(requested, ['/api/rate', '/api/rate']);
});

test('fails with status 0 when the body ends early', async () => {
  for (const status of [200, 201, 409]) {
    createResponse = () => createBrokenResponse(status);
    await assert.rejects(call('GET /rate'), (error) => error instanceof ApiFailure && error.status === 0);
  }
});

test('reports who changed which fields meanwhile', async () => {
  const conflict = { by: 'dana', at: '2026-03-01T10:00:00.000Z', fields: [{ path: 'tax_name', label: 'Tax name' }] };
  createResponse = () =>
    Response.json({ error: { code: 'changed-meanwhile', message: 'No', conflict } }, { status: 409 });
  await assert.rejects(call('GET /rate'), (error) => {
    assert.ok(error instanceof ApiFailure);
    assert.deepEqual(error.conflict, conflict);
    return true;
  });
  createResponse = () => Response.json({ error: { code: 'taken', message: 'No', conflict: {} } }, { status: 409 });
  await assert.rejects(call('GET /rate'), (error) => error instanceof ApiFailure && error.conflict === null);
});

test('accepts a response without a body', async () => {
  createResponse = () => new Response(null, { status: 204 });
  assert.equal(await call('GET /rate'), null);
});
