import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDatabaseUrlProblem, formatDatabasePlace, readDatabaseUrl } from './database-url.ts';

test('[OPS-24] accepts a list of hosts as libpq does', () => {
  for (const url of [
    'postgres://shop:p%40ss@db1:5432,db2:5433,db3/shop?target_session_attrs=read-write',
    'postgresql://shop@[fd00::1]:5432,[fd00::2]/shop?target_session_attrs=primary&sslmode=verify-full',
    'postgres://shop@db1,db2/shop',
    'postgres://shop@localhost:5432/shop?host=%2Ftmp%2Fsocket',
  ]) {
    assert.equal(findDatabaseUrlProblem(url), null, url);
  }
  for (const [url, problem] of [
    ['mysql://db1/shop', /^must be a URL/],
    ['postgres://db1:x,db2/shop', /^must be a URL/],
    ['postgres://db1,,db2/shop', /^must be a URL/],
    ['postgres://db1,db2:70000/shop', /^must be a URL/],
    ['postgres://db1,db2/shop?target_session_attrs=standby', /^target_session_attrs must be/],
    ['postgres://db1,db2/shop?host=db3', /^several hosts/],
  ] as const) {
    assert.match(findDatabaseUrlProblem(url) ?? '', problem, url);
  }
});

test('[OPS-24] a single host without target_session_attrs is used as before', async () => {
  const url = 'postgres://shop@db1/shop';
  assert.deepEqual(readDatabaseUrl(url), { connectionString: url });
  const { connectionString, servers } = readDatabaseUrl('postgres://u:p@db1,db2:5433/shop?sslmode=disable');
  assert.equal(connectionString, 'postgres://u:p@db1/shop?sslmode=disable');
  const tried: string[] = [];
  const found = await servers?.find(async ({ host, port }) => {
    tried.push(`${host}:${port}`);
    if (host === 'db1') throw new Error('down');
  });
  assert.deepEqual(tried, ['db1:5432', 'db2:5433']);
  assert.deepEqual(found, { host: 'db2', port: 5433 });
});

test('[OPS-24] a place in a message has no password', () => {
  assert.equal(formatDatabasePlace('postgres://u:p@db1:1,db2/shop?password=x'), 'postgres://db1:1,db2/shop');
});
