import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Client } from 'pg';
import { ReadOnlyServerError } from '#src/platform/database/server-list.ts';
import { formatErrorMessage } from './error-message.ts';

const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const listenOn = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, host, () => resolve(server));
  });

test('an operator error is one line with the setting and no password', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `postgres://shop:secret-word@127.0.0.1:1/shop`;
  const faults: readonly (readonly [unknown, RegExp])[] = [
    [await catchError(listenOn(address.port, '127.0.0.1')), new RegExp(`^PORT: ${address.port} is in use already`)],
    [await catchError(listenOn(0, 'no-such-host.invalid')), /^HOST or DATABASE_URL: .*no-such-host\.invalid/],
    [await catchError(listenOn(0, '192.0.2.1')), /^HOST: .*EADDRNOTAVAIL/],
    [await catchError(mkdir('/dev/null/data', { recursive: true })), /^DATA_DIR: \/dev\/null\/data .*ENOTDIR/],
    [await catchError(new Client({ connectionString: url }).connect()), /^DATABASE_URL: .*ECONNREFUSED/],
    [
      new ReadOnlyServerError('the database server db1:5432 is read-only'),
      /^DATABASE_URL: no server accepts writes .*db1/,
    ],
    [new Error('timeout expired'), /^DATABASE_URL: the database accepts no connections/],
    [Object.assign(new Error('password authentication failed for user "shop"'), { code: '28P01' }), /^DATABASE_URL: /],
    [Object.assign(new Error('listen'), { code: 'EACCES', syscall: 'listen', port: 80 }), /^PORT: 80 .*1023/],
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /disk is full/],
  ];
  taken.close();
  for (const [fault, pattern] of faults) {
    const message = formatErrorMessage(fault) ?? '';
    assert.match(message, pattern);
    assert.doesNotMatch(message, /secret-word|\n/);
  }
  assert.equal(
    formatErrorMessage(new TypeError('x is not a function')),
    null,
    'a fault of the program keeps its stack',
  );
});
