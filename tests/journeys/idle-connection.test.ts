/** The shop closes the idle connections of a browser. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { launchChromium } from '../support/chromium.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const FORWARDER = fileURLToPath(new URL('../support/tcp-forwarder.ts', import.meta.url));
/** More connections than the queue of the stopped forwarder holds. */
const FILLING = 4;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

/** Starts a TCP forwarder between browser and shop that can pause and record connections. */
async function startForwarder() {
  const args = ['--disable-warning=ExperimentalWarning', FORWARDER, new URL(shop.url).port];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const listIds = (what: string): string[] =>
    [...text.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, id = '']) => id);
  await waitUntil(() => listIds('port').length === 1);
  const port = Number(listIds('port')[0]);
  return {
    port,
    listIds,
    stop: () => child.kill('SIGSTOP'),
    go: () => child.kill('SIGCONT'),
    end: () => child.kill('SIGKILL'),
  };
}
type Forwarder = Awaited<ReturnType<typeof startForwarder>>;

/** Opens a connection for a request that is aborted before it is sent. */
async function openUnused(page: Page, forwarder: Forwarder): Promise<void> {
  const { port, listIds, stop, go } = forwarder;
  const known = listIds('open').length;
  stop();
  const filling: Socket[] = [];
  for (let count = 0; count < FILLING; count += 1) filling.push(connect(port, '127.0.0.1').on('error', () => {}));
  await waitUntil(() => filling.filter(({ connecting }) => !connecting).length >= 2);
  const response = page.evaluate(async () => {
    // Requests with and without credentials never share a connection, so a new one is needed.
    const signal = AbortSignal.timeout(500);
    await fetch('/healthz', { credentials: 'omit', signal }).catch(() => {});
  });
  await response;
  for (const socket of filling) socket.destroy();
  go();
  const listUnused = (): string[] =>
    listIds('open')
      .slice(known)
      .filter((id) => !listIds('used').includes(id));
  await waitUntil(() => listUnused().some((id) => !listIds('closed').includes(id)));
}

test('[API-01] serves a browser whose connections were idle too long', async () => {
  const forwarder = await startForwarder();
  const browser = await launchChromium();
  try {
    const { listIds } = forwarder;
    const page = await browser.newPage({ baseURL: `http://127.0.0.1:${forwarder.port}` });
    await page.goto('/', { waitUntil: 'networkidle' });
    await openUnused(page, forwarder);
    await waitUntil(() => listIds('open').length === listIds('closed').length);
    const result = await page.evaluate(async () => {
      const { status, headers } = await fetch('/', { credentials: 'omit' });
      return { status, type: headers.get('content-type') };
    });
    assert.deepEqual(result, { status: 200, type: 'text/html; charset=utf-8' });
    assert.equal((await page.goto('/catalog'))?.status(), 200);
    await page.getByRole('heading', { level: 1, name: /Explore our catalog/ }).waitFor();
  } finally {
    await browser.close();
    forwarder.end();
  }
});
