/** Logins of customers while many addresses guess passwords, over real connections. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { createJsonRequest, sendRawRequest } from './support/raw-call.ts';
import type { RawResponse } from './support/raw-call.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const FLOODERS = 60;
const ROUNDS = 5;

// A trusted proxy: its header distinguishes the clients.
let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
});
after(() => shop.stop());

const logIn = (address: string, username: string, password: string): Promise<RawResponse> => {
  const request = createJsonRequest('POST', '/users/login', { username, password });
  const headers = { ...request.headers, 'x-forwarded-for': address };
  return sendRawRequest(shop.url, { ...request, headers }, FLOODERS * 2 * ROUNDS);
};

test('[OPS-26] ten of ten honest logins succeed while sixty addresses guess', async () => {
  const guesses: Promise<RawResponse>[] = [];
  const honest: string[] = [];
  const logInHonestly = async (address: string): Promise<void> => {
    const { status, text } = await logIn(address, 'alice', 'crypto-market');
    honest.push(status === 200 ? '200' : `${status} ${text}`);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each address starts two guesses while those of the former rounds still wait.
    for (let flooder = 0; flooder < FLOODERS; flooder += 1) {
      for (const guess of ['first guess', 'second guess'])
        guesses.push(logIn(`192.0.2.${flooder}`, `nobody ${round} ${flooder}`, guess));
    }
    await Promise.all([logInHonestly(`198.51.100.${round}`), logInHonestly(`203.0.113.${round}`)]);
  }
  assert.deepEqual(honest, Array<string>(2 * ROUNDS).fill('200'));
  const guessed = (await Promise.all(guesses)).map(({ status }) => status);
  assert.deepEqual(
    guessed.filter((status) => status === 200),
    [],
  );
});
