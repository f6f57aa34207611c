import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { after, before, test } from 'node:test';
import { NOTHING_PRIVATE, parseAllowedPrivate } from './address-policy.ts';
import { findUrlProblem, postGuarded } from './post-guarded.ts';
import type { GuardedRequest } from './post-guarded.ts';

const LOOPBACK = parseAllowedPrivate('127.0.0.0/8') ?? assert.fail('an address is invalid');
let server: Server;
let port: number;
let handle: RequestListener;
let reached = 0;

const readPort = (of: Server): number => {
  const address = of.address();
  return typeof address === 'object' && address !== null ? address.port : assert.fail('no port');
};

before(async () => {
  server = createServer((request, response) => {
    reached += 1;
    handle(request, response);
  });
  // A connection counts, whether or not a request follows.
  server.on('connection', () => (reached += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '0.0.0.0', resolve);
  });
  port = readPort(server);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const send = (url: string, extra: Partial<GuardedRequest> = {}) =>
  postGuarded({
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    timeoutMs: 2_000,
    allowed: NOTHING_PRIVATE,
    isHttpAllowed: true,
    resolveHost: async () => ['127.0.0.1'],
    ...extra,
  });

/** Forms of addresses of this machine, of its network and of the cloud, for a URL. */
const listTargets = (at: number): string[] => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '0x7f.0x0.0x0.0x1',
    '127.000.000.001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ⓛocalhost',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[fec0::1]',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '169.254.1.1',
    '0xa9fea9fe',
    '2852039166',
    '198.18.0.1',
    '192.0.0.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    'metadata.internal',
    'rebound.example',
    'xn--nxasmq6b.example',
    '127.0.0.1.nip.example',
  ];
  const users = ['user@127.0.0.1', 'user:pass@localhost', '8.8.8.8@127.0.0.1', '8.8.8.8%40x@127.0.0.1'];
  return [...hosts, ...users].map((host) => `http://${host}:${at}/hook`);
};

test('[OPS-19] reaches none of 60 private targets', async () => {
  handle = (_request, response) => void response.end();
  reached = 0;
  const targets = listTargets(port);
  assert.ok(targets.length >= 60, String(targets.length));
  for (const url of targets) {
    // Names resolve to private addresses of all kinds.
    for (const answer of ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '::1']) {
      const { status } = await send(url, { resolveHost: async () => [answer] });
      assert.equal(status, null, url);
    }
  }
  assert.equal(reached, 0);
});

test('[OPS-19] checks the address that each connection uses', async () => {
  handle = (_request, response) => void response.end();
  reached = 0;
  let answers = 0;
  // The first answer is public, the next one is not.
  const resolveHost = async (): Promise<string[]> => [['192.0.2.1', '127.0.0.1'][answers++] ?? '127.0.0.1'];
  for (let tries = 0; tries < 3; tries += 1) await send(`http://rebound.example:${port}/`, { resolveHost });
  assert.equal(reached, 0);
  // Of several addresses only allowed ones are used.
  const mixed = { allowed: LOOPBACK, resolveHost: async () => ['10.0.0.1', '127.0.0.1'] };
  assert.equal((await send(`http://mixed.example:${port}/`, mixed)).status, 200);
});

test('[OPS-19] does not follow redirects', async () => {
  handle = (request, response) => {
    if (request.url === '/start') response.writeHead(307, { location: `http://127.0.0.1:${port}/secret` });
    response.end();
  };
  reached = 0;
  const { status } = await send(`http://127.0.0.1:${port}/start`, { allowed: LOOPBACK });
  // One connection with one request.
  assert.deepEqual([status, reached], [307, 2]);
});

test('[OPS-19] ends a request without a response in time', async () => {
  handle = () => {};
  const result = await send(`http://127.0.0.1:${port}/`, { allowed: LOOPBACK, timeoutMs: 150 });
  assert.ok(result.status === null && result.failure === 'No response in time', JSON.stringify(result));
  const unresolved = { timeoutMs: 150, resolveHost: () => new Promise<never>(() => {}) };
  assert.equal((await send(`http://hanging.example:${port}/`, unresolved)).status, null);
});

test('[OPS-19] reads at most 16 KB of a response', async () => {
  handle = (_request, response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x\u0000'.repeat(4_096)));
      response.once('drain', write);
    };
    write();
  };
  const result = await send(`http://127.0.0.1:${port}/`, { allowed: LOOPBACK });
  assert.ok(result.status === 200 && result.body.length <= 16_384 && !result.body.includes('\u0000'));
});

test('[OPS-19] names what is wrong with a URL', () => {
  const isHttpAllowed = false;
  for (const url of [
    'erp.example',
    'ftp://erp.example',
    'http://erp.example',
    'https://user@erp.example',
    'https://u:p@erp.example',
    'https://erp.example/#part',
    'https://erp.example:22',
    'https://erp.example:80',
    'file:///etc/passwd',
    '',
  ]) {
    assert.notEqual(findUrlProblem(url, { isHttpAllowed }), null, url);
  }
  for (const url of ['https://erp.example', 'https://erp.example:8443/a?b=c', 'https://[2606:4700::1]/']) {
    assert.equal(findUrlProblem(url, { isHttpAllowed }), null, url);
  }
  assert.equal(findUrlProblem('http://erp.example', { isHttpAllowed: true }), null);
});
