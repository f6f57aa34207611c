/** Commands and settings of the manual for a Bitcoin node. They run on a real one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readSettings } from '#src/app/settings.ts';
import { findBitcoind, startBitcoind } from '../bitcoind.ts';
import type { Bitcoind } from '../bitcoind.ts';
import { findProgram } from '../programs.ts';
import { numberAt, textAt, valueAt } from '../read-json.ts';
import { BILLING } from '../stress-buyer.ts';
import { fillIn } from './command-row.ts';
import type { CommandContext, CommandRows } from './command-row.ts';

const NOBODY = 65_534;
/** A group that no account has. */
const GROUP = 54_321;
const bitcoind = findBitcoind() ?? '';
const noNode = bitcoind === '' && 'no bitcoind found: set BITCOIND';

/** Path of bitcoin-cli: beside bitcoind, else in PATH. */
function findClient(): string | null {
  const beside = join(dirname(bitcoind), 'bitcoin-cli');
  return bitcoind !== '' && existsSync(beside) ? beside : findProgram('bitcoin-cli');
}
const noClient = noNode || (findClient() === null && 'no bitcoin-cli found beside bitcoind');

/** Runs the work with a node that has wallets, and stops it. */
async function runWithNode(work: (node: Bitcoind) => Promise<void>): Promise<void> {
  const node = await startBitcoind(bitcoind, { wallet: true });
  try {
    await work(node);
  } finally {
    await node.stop();
  }
}

/** The command for this node instead of the default one. */
function atNode(command: string, { rpcUrl, cookieFile }: Bitcoind): string {
  const options = `-regtest -rpcport=${new URL(rpcUrl).port} -rpccookiefile=${cookieFile}`;
  return command.replace(/^bitcoin-cli/, `${findClient() ?? ''} ${options}`);
}

/** Issues an address in the shop, so that there is a range to export. */
async function issueAddress({ shop }: CommandContext): Promise<void> {
  const credentials = { username: 'wallet', email: 'wallet@example.com', password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body: credentials });
  const token = textAt((await shop.api('POST', '/users/login', { body: credentials })).body, 'tokens', 'accessToken');
  const product = textAt((await shop.api('GET', '/products?limit=1&q=iphone')).body, 0, 'id');
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
}

const CONF_BLOCK = `server=1
prune=10000
rpccookieperms=group`;
const SETTINGS_LINE =
  'CHAIN_SOURCE=core BITCOIN_NETWORK=mainnet CORE_RPC_URL=http://127.0.0.1:8332 CORE_COOKIE_FILE=/var/lib/bitcoind/.cookie';
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

export const NODE_ROWS: CommandRows = {
  'bitcoin-cli getblockchaininfo': {
    fact: 'a node reports that its first sync has ended',
    skip: noClient,
    run: ({ succeed }, command) =>
      runWithNode(async (node) => {
        // A node without a recent block is in its first sync.
        await node.call('createwallet', 'miner');
        await node.call('generatetoaddress', 1, await node.openWallet('miner')('getnewaddress'));
        assert.match(await succeed(atNode(command, node)), /"initialblockdownload": false/);
      }),
  },
  'bitcoin-cli keypoolrefill N': {
    fact: 'a wallet with private keys extends its range',
    skip: noClient,
    run: ({ succeed }, command) =>
      runWithNode(async (node) => {
        await node.call('createwallet', 'keys');
        await succeed(atNode(fillIn(command, { ' N': ' 1234' }), node));
        assert.ok(numberAt(await node.openWallet('keys')('getwalletinfo'), 'keypoolsize') >= 1234);
      }),
  },
  'bitcoin-cli rescanblockchain HEIGHT': {
    fact: 'a watch-only wallet imports the exported range and rescans from a height',
    skip: noClient,
    run: async (context, command) => {
      await issueAddress(context);
      const [exported = ''] =
        /bitcoin-cli importdescriptors '.+'$/m.exec(await context.succeed('npm run wallet -- export')) ?? [];
      await runWithNode(async (node) => {
        await node.call('createwallet', 'watch', true, true);
        const imported: unknown = JSON.parse(await context.succeed(atNode(exported, node)));
        assert.deepEqual([valueAt(imported, 0, 'success'), valueAt(imported, 1, 'success')], [true, true]);
        const scanned = await context.succeed(atNode(fillIn(command, { HEIGHT: '0' }), node));
        assert.equal(numberAt(JSON.parse(scanned), 'start_height'), 0);
      });
    },
  },
  [CONF_BLOCK]: {
    fact: 'the settings of bitcoin.conf open the cookie to the group of the node',
    skip: noNode,
    run: (_context, block) =>
      runWithNode(async (node) => {
        await node.halt();
        await node.resume(...block.split('\n').map((line) => `-${line}`));
        assert.equal(statSync(node.cookieFile).mode & 0o777, 0o640);
        assert.equal(valueAt(await node.call('getblockchaininfo'), 'pruned'), true);
      }),
  },
  'chmod g+x /var/lib/bitcoind': {
    fact: 'the group of the node passes through its folder',
    skip: process.getuid?.() === 0 ? noNode : 'needs root',
    run: ({ succeed }, command) =>
      runWithNode(async (node) => {
        await node.halt();
        await node.resume('-rpccookieperms=group');
        const folders = [dirname(node.cookieFile), dirname(dirname(node.cookieFile))];
        for (const path of [node.cookieFile, ...folders]) chownSync(path, 0, GROUP);
        for (const folder of folders) chmodSync(folder, 0o700);
        const readAsShop = (): string =>
          execFileSync('setpriv', [`--reuid=${NOBODY}`, `--regid=${GROUP}`, '--clear-groups', 'cat', node.cookieFile], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          });
        assert.throws(readAsShop);
        // On a test network also for the subfolder.
        for (const folder of folders) await succeed(fillIn(command, { '/var/lib/bitcoind': folder }));
        assert.match(readAsShop(), /^__cookie__:/);
      }),
  },
  [SETTINGS_LINE]: {
    fact: 'the settings of a node are valid',
    run: async (_context, line) => {
      const { chain } = readSettings({ ...parseEnv(line.replaceAll(' ', '\n')), BITCOIN_XPUB: ZPUB });
      assert.equal(chain.source, 'core');
    },
  },
  'sudo -u shop cat /var/lib/bitcoind/.cookie': {
    because: 'The row of chmod reads the cookie as another user of the group.',
  },
  'share/rpcauth/rpcauth.py shop': {
    because: 'The script comes with the source of the node. The named test computes the same hash and logs in with it.',
    provenBy: ['tests/node-settings.test.ts', 'a real node with the manual’s rpcwhitelist serves every call'],
  },
};
