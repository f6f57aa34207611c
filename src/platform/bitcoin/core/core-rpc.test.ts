import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { z } from 'zod';
import { CoreRpc, RpcError } from './core-rpc.ts';
import { BatchedCalls } from './batched-calls.ts';

const callShape = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });

function createResponse(call: unknown) {
  const { id, method, params } = callShape.parse(call);
  return method === 'wrong'
    ? { id, result: null, error: { code: -5, message: 'No such thing' } }
    : { id, result: params, error: null };
}

/** A server with one password that echoes parameters. */
async function setUp(context: TestContext) {
  const app = Fastify();
  const bodies: unknown[] = [];
  const server = { password: 'user:secret' };
  app.post('/', async ({ headers, body }, reply) => {
    if (headers.authorization !== `Basic ${Buffer.from(server.password).toString('base64')}`)
      return reply.code(401).send();
    bodies.push(body);
    if (Array.isArray(body)) return body.map((one: unknown) => createResponse(one)).toReversed();
    const one = createResponse(body);
    return reply.code(one.error === null ? 200 : 500).send(one);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => app.close());
  return { url, bodies, server };
}

test('an RPC error has the node’s code and message', async (context) => {
  const { url } = await setUp(context);
  const rpc = new CoreRpc({ url: url.replace('//', '//user:secret@'), cookieFile: null });
  assert.deepEqual(await rpc.call('right', [1, 'a']), [1, 'a']);
  await assert.rejects(rpc.call('wrong'), (error) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.message], [-5, 'the Bitcoin node rejected wrong: No such thing (-5)']);
    return true;
  });
});

test('a wrong password is reported without the password', async (context) => {
  const { url } = await setUp(context);
  const rpc = new CoreRpc({ url: url.replace('//', '//user:geheim@'), cookieFile: null });
  await assert.rejects(rpc.call('right'), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /rejected the user and password/);
    assert.doesNotMatch(`${error.message} ${error.stack ?? ''} ${String(error.cause)}`, /geheim|Z2VoZWlt/);
    return true;
  });
});

test('reads the new cookie after the node restarts', async (context) => {
  const { url, server } = await setUp(context);
  const directory = await mkdtemp(join(tmpdir(), 'cookie-'));
  context.after(() => rm(directory, { recursive: true }));
  const cookieFile = join(directory, '.cookie');
  const rpc = new CoreRpc({ url, cookieFile });
  await assert.rejects(rpc.call('right'), /cookie file .* could not be read: ENOENT/);
  await writeFile(cookieFile, 'user:secret\n');
  assert.deepEqual(await rpc.call('right'), []);
  server.password = '__cookie__:other';
  await writeFile(cookieFile, server.password);
  assert.deepEqual(await rpc.call('right'), []);
});

test('batches concurrent calls and separates their results', async (context) => {
  const { url, bodies } = await setUp(context);
  const rpc = new CoreRpc({ url: url.replace('//', '//user:secret@'), cookieFile: null });
  const calls = new BatchedCalls(rpc, 'right');
  const responses = await Promise.all(Array.from({ length: 200 }, (_, index) => calls.call([index])));
  assert.deepEqual(
    responses,
    Array.from({ length: 200 }, (_, index) => [index]),
  );
  assert.equal(bodies.length, 2);
  const refused = new BatchedCalls(rpc, 'wrong');
  const results = await Promise.allSettled([refused.call([]), refused.call([])]);
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason instanceof RpcError));
  await assert.rejects(new BatchedCalls(new CoreRpc({ url, cookieFile: '/nowhere' }), 'right').call([]), /ENOENT/);
});
