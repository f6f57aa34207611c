import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { readFirstSeenTimes } from './first-seen-times.ts';
import { EsploraClient } from './esplora-client.ts';

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)];

async function startServer(context: TestContext, respond: (query: string) => unknown): Promise<EsploraClient> {
  const app = Fastify();
  app.get('/v1/transaction-times', ({ url }, reply) => {
    const body = respond(url);
    return body === undefined ? reply.code(404).send('') : reply.send(body);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => app.close());
  return new EsploraClient({ url, pause: async () => {} });
}

test('[PAY-10] reads first-seen times of mempool.space', async (context) => {
  const requests: string[] = [];
  const client = await startServer(context, (query) => {
    requests.push(query);
    return [1_772_366_400, 0];
  });
  const times = await readFirstSeenTimes(client, [FIRST, SECOND]);
  assert.deepEqual([...times], [[FIRST, new Date('2026-03-01T12:00:00Z')]]);
  assert.equal(requests[0], `/v1/transaction-times?txId[]=${FIRST}&txId[]=${SECOND}`);
  assert.equal((await readFirstSeenTimes(client, [])).size, 0);
});

test('[PAY-10] missing or malformed first-seen times cause no error', async (context) => {
  for (const body of [undefined, 'no', { times: [] }, ['1'], [-1]]) {
    const client = await startServer(context, () => body);
    assert.equal((await readFirstSeenTimes(client, [FIRST])).size, 0);
  }
});
