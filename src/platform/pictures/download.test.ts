import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isPublicAddress } from '#src/platform/outbound/address-policy.ts';
import { DownloadError, Downloads } from './download.ts';

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 1_000_000;

let server: Server;
let base: string;
let hits = 0;
const PAGES: Readonly<Record<string, RequestListener>> = {
  '/picture': (_request, response) => response.end('picture'),
  '/missing': (_request, response) => response.writeHead(404).end(),
  '/announced': (_request, response) => response.writeHead(200, { 'content-length': MAX_BYTES + 1 }).end(),
  '/endless': (_request, response) => {
    const piece = Buffer.alloc(65_536);
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', write);
    write();
  },
  '/broken': (_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  },
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/once': (_request, response) => response.writeHead(302, { location: '/picture' }).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
  '/silent': () => {},
  '/file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
};

before(async () => {
  server = createServer((request, response) => {
    hits += 1;
    const page = PAGES[request.url ?? ''];
    if (page) page(request, response);
    else response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, LOOPBACK, resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has a port
  base = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Permits the address of the server, as only tests do. */
const createPermitted = (): Downloads => new Downloads({ addresses: new Set([LOOPBACK]), isHttpAllowed: true });

const getProblem = async (downloads: Downloads, url: string): Promise<string> => {
  const outcome = await downloads.download(url, MAX_BYTES).catch((error: unknown) => error);
  assert.ok(outcome instanceof DownloadError, url);
  return outcome.message;
};

test('[OPS-12] only addresses of the public internet are public', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:80b::200e']) {
    assert.equal(isPublicAddress(address), true, address);
  }
  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.9.9',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'fec0::1',
    'nothing',
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

test('[OPS-12] connects to no internal address, however it is written', async () => {
  const downloads = new Downloads();
  const hitsBefore = hits;
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'localhost',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
  ]) {
    assert.match(await getProblem(downloads, `https://${host}/`), /not on the public internet/, host);
  }
  assert.equal(hits, hitsBefore);
});

test('[OPS-12] refuses other protocols, ports and passwords', async () => {
  const downloads = new Downloads();
  assert.match(await getProblem(downloads, 'http://example.com/a.jpg'), /https/);
  assert.match(await getProblem(downloads, 'file:///etc/passwd'), /https/);
  assert.match(await getProblem(downloads, 'https://example.com:5432/a.jpg'), /port/);
  assert.match(await getProblem(downloads, 'https://user:secret@example.com/a.jpg'), /password/);
  assert.match(await getProblem(downloads, 'not an address'), /not valid/);
});

test('[OPS-12] checks the address after each redirect', async () => {
  const downloads = createPermitted();
  assert.equal((await downloads.download(`${base}/once`, MAX_BYTES)).toString(), 'picture');
  assert.match(await getProblem(downloads, `${base}/inside`), /not on the public internet/);
  assert.match(await getProblem(downloads, `${base}/file`), /https/);
  assert.match(await getProblem(downloads, `${base}/loop`), /redirects more than 3 times/);
});

test('[OPS-12] a name is checked by the address that is connected to', async () => {
  // The name resolves to a loopback address that is not permitted.
  const other = new Downloads({ addresses: new Set(['127.0.0.2']), isHttpAllowed: true });
  const { port } = new URL(base);
  const hitsBefore = hits;
  assert.match(await getProblem(other, `http://localhost:${port}/picture`), /not on the public internet/);
  assert.equal(hits, hitsBefore);
});

test('[OPS-12] limits size and time, and reports failures', async () => {
  const downloads = createPermitted();
  assert.equal((await downloads.download(`${base}/picture`, MAX_BYTES)).toString(), 'picture');
  assert.match(await getProblem(downloads, `${base}/missing`), /status 404/);
  assert.match(await getProblem(downloads, `${base}/announced`), /more than/);
  assert.match(await getProblem(downloads, `${base}/endless`), /more than/);
  assert.match(await getProblem(downloads, `${base}/broken`), /connection to the other site failed/);
  const impatient = new Downloads({ addresses: new Set([LOOPBACK]), isHttpAllowed: true }, 100);
  assert.match(await getProblem(impatient, `${base}/silent`), /took too long/);
});
