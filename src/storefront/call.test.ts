import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ApiFailure } from './api.ts';
import { call } from './call.ts';
import type { takePrefetchedResponse } from '#src/platform/pages/browser/prefetched-responses.ts';

type Early = Awaited<NonNullable<ReturnType<typeof takePrefetchedResponse>>>;

const RATE = { state: 'current' };
const asked: string[] = [];
let answer: () => Response;
const shopWindow: { earlyAnswers?: { token: null; answers: Record<string, Promise<Early>> } } = {};

Object.defineProperty(globalThis, 'window', { value: shopWindow });
globalThis.fetch = (url) => {
  asked.push(typeof url === 'string' ? url : '');
  return Promise.resolve(answer());
};

/** Its head has come, the rest never will. */
function brokenOff(status = 200): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new DOMException('It took too long', 'TimeoutError')),
  });
  return new Response(body, { status });
}
const early = (response: Promise<Response>) => {
  shopWindow.earlyAnswers = { token: null, answers: { '/rate': response.then((one) => [one, Date.now()] as const) } };
};

beforeEach(() => {
  asked.length = 0;
  answer = () => Response.json(RATE);
  delete shopWindow.earlyAnswers;
});

test('an early answer is taken, and not asked for again', async () => {
  early(Promise.resolve(Response.json({ state: 'old' })));
  assert.deepEqual(await call('GET /rate'), { state: 'old' });
  assert.deepEqual(asked, []);
});

test('an early answer that cannot be read any more, or never came, is asked for anew', async () => {
  for (const gone of [Promise.resolve(brokenOff()), Promise.reject(new DOMException('late', 'TimeoutError'))]) {
    early(gone);
    assert.deepEqual(await call('GET /rate'), RATE);
  }
  assert.deepEqual(asked, ['/api/rate', '/api/rate']);
});

test('an answer that breaks off is no answer, whatever its status', async () => {
  for (const status of [200, 201, 409]) {
    answer = () => brokenOff(status);
    await assert.rejects(call('GET /rate'), (error) => error instanceof ApiFailure && error.status === 0);
  }
});

test('an answer without a body is one', async () => {
  answer = () => new Response(null, { status: 204 });
  assert.equal(await call('GET /rate'), null);
});
