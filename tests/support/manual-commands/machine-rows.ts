/** Commands of the manual that change the machine, and texts that are no commands of the shop. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '#src/app/settings.ts';
import { findProgram, skipWithout } from '../programs.ts';
import { fillIn } from './command-row.ts';
import type { CommandContext, CommandRow, CommandRows } from './command-row.ts';

const onlyRoot = process.getuid?.() === 0 ? false : 'needs root';
const noAccounts = onlyRoot || (findProgram('useradd') === null && 'needs useradd and usermod');
const NO_ENGINE = 'No Docker engine runs where the tests do. tests/deploy-container.test.ts checks the files.';
const NO_SYSTEMD =
  'It needs systemd as the first process. tests/deploy-unit.test.ts verifies the unit and runs its command.';

/** A directory with copies of the user database, for `--prefix`. */
function copyAccounts(directory: string): string {
  mkdirSync(join(directory, 'etc'));
  for (const name of ['passwd', 'group', 'shadow', 'gshadow', 'login.defs'])
    copyFileSync(`/etc/${name}`, join(directory, 'etc', name));
  return directory;
}

const SETTINGS_BLOCK = `SHOP_MODE=live
PUBLIC_URL=https://shop.example
TRUST_PROXY=1
BITCOIN_NETWORK=mainnet
BITCOIN_XPUB="wpkh([d34db33f/84h/0h/0h]xpub…/0/*)#checksum"
CHAIN_SOURCE=core
CORE_RPC_URL=http://127.0.0.1:8332
CORE_COOKIE_FILE=/var/lib/bitcoind/.cookie
RATE_SOURCE=live
SMTP_URL=smtps://user:password@mail.example:465
MAIL_FROM="Your Shop <orders@shop.example>"
SUPPORT_EMAIL=you@shop.example`;
const XPUB =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';

/** Runs `install` with another target. @returns the mode of the file */
async function installAs({ directory, succeed }: CommandContext, command: string, target: string): Promise<number> {
  const file = join(directory, 'installed');
  await succeed(fillIn(command, { [target]: ` ${file}` }));
  return statSync(file).mode & 0o777;
}

const MOVED: CommandRow = {
  because: 'The named test moves a shop to another PostgreSQL and back.',
  provenBy: ['tests/move-database.test.ts', 'a shop moves with orders, sessions, mails and an open payment, and back'],
};
const TWO_PROCESSES = `shop.example {
\treverse_proxy 127.0.0.1:3000 127.0.0.1:3001 {
\t\tlb_policy cookie
\t\tlb_try_duration 10s
\t\thealth_uri /readyz
\t\thealth_interval 2s
\t}
}`;

const PROMETHEUS_BLOCK = `scrape_configs:
  - job_name: crypto-market
    static_configs:
      - targets: ['127.0.0.1:9464']
rule_files:
  - /srv/shop/deploy/prometheus-alerts.yml`;

const readSite = (): string => readFileSync('deploy/Caddyfile', 'utf8').trimEnd().split('\n').slice(1).join('\n');

export const MACHINE_ROWS: CommandRows = {
  'npm ci && npm start': {
    because: 'npm ci takes the network: .ci/run calls it in a fresh clone. The named test calls npm start.',
    provenBy: ['tests/operation-stop.test.ts', 'SIGTERM to npm alone stops the shop and its database'],
  },
  'npm start': {
    because: 'The named test calls it.',
    provenBy: ['tests/operation-stop.test.ts', 'SIGTERM to npm alone stops the shop and its database'],
  },
  'cd /srv/shop && npm ci --omit=dev && npm run build': {
    because: 'npm ci takes the network. The named test runs a build that root installed as another user.',
    provenBy: ['tests/operation-start.test.ts', 'code that the user cannot write to starts when it was built'],
  },
  'npm ci': { because: 'It takes the network: .ci/run calls it in a fresh clone.' },
  'git clone --branch v2 https://git.example/shop.git /srv/shop-v2': {
    because: 'It takes the network. The named test runs two releases from folders of their own.',
    provenBy: ['tests/rolling-update.test.ts', 'a rolling update'],
  },
  'cd /srv/shop-v2 && npm ci && npm run build': {
    because: 'npm ci takes the network. The named test runs two releases from folders of their own.',
    provenBy: ['tests/rolling-update.test.ts', 'a rolling update'],
  },
  'cp -p /srv/shop/.env /srv/shop-v2/.env': {
    fact: 'cp keeps the mode of the settings',
    run: async ({ directory, succeed }, command) => {
      mkdirSync(join(directory, 'shop-v2'));
      mkdirSync(join(directory, 'shop'));
      writeFileSync(join(directory, 'shop/.env'), 'PORT=1', { mode: 0o640 });
      await succeed(fillIn(command, { '/srv': directory }));
      assert.equal(statSync(join(directory, 'shop-v2/.env')).mode & 0o777, 0o640);
    },
  },
  [TWO_PROCESSES]: {
    fact: 'Caddy accepts two processes of the shop',
    skip: skipWithout('caddy'),
    run: async ({ directory, succeed }, site) => {
      const file = join(directory, 'Caddyfile');
      writeFileSync(file, `${site}\n`);
      assert.match(await succeed(`caddy adapt --config ${file}`), /"policy":"cookie"/);
      assert.equal(await succeed(`caddy fmt ${file}`), `${site}\n`);
    },
  },
  'chown -R shop: /var/lib/shop/assets': {
    fact: 'chown gives the assets to the shop',
    skip: onlyRoot,
    run: async ({ directory, succeed }, command) => {
      await succeed(fillIn(command, { 'shop:': 'nobody:', '/var/lib/shop/assets': directory }));
      assert.equal(statSync(directory).uid, 65_534);
    },
  },
  [PROMETHEUS_BLOCK]: {
    fact: 'the settings of Prometheus name the alerts of deploy/',
    run: async (_context, block) => {
      const { rule_files: files } = z.object({ rule_files: z.array(z.string()) }).parse(parse(block));
      for (const file of files) assert.ok(existsSync(fillIn(file, { '/srv/shop/': '' })), file);
    },
  },
  'npm run db -- move': MOVED,
  'npm run db -- move --undo': MOVED,
  'npm run db -- move postgres://user:password@host:5432/shop': MOVED,
  'npm run db -- backup': { because: 'The row with FILE runs it.' },
  'kill -9': {
    because: 'The named test kills the shop and starts it again.',
    provenBy: ['tests/operation-stop.test.ts', 'a start on a suspended database names its process and the remedy'],
  },
  'kill -CONT': {
    because: 'The named test continues the database that a start names.',
    provenBy: ['tests/operation-stop.test.ts', 'a start on a suspended database names its process and the remedy'],
  },
  'ulimit -n 256': {
    because: 'The named test starts the shop with this limit.',
    provenBy: ['tests/file-descriptor-limit.test.ts', 'OPEN_FILES = 256'],
  },
  [SETTINGS_BLOCK]: {
    fact: 'the settings of a live shop are valid once its key is entered',
    run: async (_context, block) => {
      const placeholder = '"wpkh([d34db33f/84h/0h/0h]xpub…/0/*)#checksum"';
      const settings = readSettings(parseEnv(fillIn(block, { [placeholder]: XPUB })));
      assert.deepEqual([settings.mode, settings.network, settings.chain.source], ['live', 'mainnet', 'core']);
    },
  },
  [readSite()]: {
    because: 'The named test runs it, and another one compares it with deploy/Caddyfile.',
    provenBy: ['tests/deploy-proxies.test.ts', 'requests wait at Caddy while the shop restarts'],
  },
  [`rpcauth=shop:…
rpcwhitelist=shop:estimatesmartfee,getblock,getblockchaininfo,getblockhash,getmempoolentry,getmempoolinfo,getnettotals,getnetworkinfo,getrawmempool,getrawtransaction,gettxout,sendrawtransaction
# Without this line bitcoin-cli, which has no list, may call nothing.
rpcwhitelistdefault=0`]: {
    because:
      'The named test starts a node with it. src/platform/bitcoin/core/rpc-methods.test.ts compares the list with the code.',
    provenBy: ['tests/node-settings.test.ts', 'a real node with the manual’s rpcwhitelist serves every call'],
  },
  'useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin shop': {
    fact: 'useradd creates the shop’s user',
    skip: noAccounts,
    run: async ({ directory, succeed }, command) => {
      await succeed(fillIn(command, { useradd: `useradd --prefix ${copyAccounts(directory)}` }));
      assert.match(
        readFileSync(join(directory, 'etc/passwd'), 'utf8'),
        /^shop:.*:\/nonexistent:\/usr\/sbin\/nologin$/m,
      );
    },
  },
  'usermod -aG bitcoin shop': {
    fact: 'usermod adds the shop’s user to the group of the node',
    skip: noAccounts,
    run: async ({ directory, succeed }, command) => {
      const prefix = copyAccounts(directory);
      for (const [name, line] of [
        ['passwd', 'shop:x:54321:54321::/nonexistent:/usr/sbin/nologin'],
        ['group', 'shop:x:54321:'],
        ['group', 'bitcoin:x:54322:'],
        ['shadow', 'shop:!:20000::::::'],
        ['gshadow', 'bitcoin:!::'],
      ] as const)
        writeFileSync(join(prefix, 'etc', name), `${line}\n`, { flag: 'a' });
      await succeed(fillIn(command, { usermod: `usermod --prefix ${prefix}` }));
      assert.match(readFileSync(join(prefix, 'etc/group'), 'utf8'), /^bitcoin:x:54322:shop$/m);
    },
  },
  'install -m 640 -g shop deploy/env.example .env': {
    fact: 'install writes settings that only root and the shop read',
    skip: onlyRoot,
    run: async (context, command) =>
      assert.equal(await installAs(context, fillIn(command, { '-g shop': '-g 54321' }), ' .env'), 0o640),
  },
  'install -m 600 deploy/env.example deploy/.env': {
    fact: 'install writes settings that only their owner reads',
    run: async (context, command) => assert.equal(await installAs(context, command, ' deploy/.env'), 0o600),
  },
  'install -m 644 deploy/crypto-market.service /etc/systemd/system/': {
    fact: 'install writes the unit',
    run: async (context, command) => assert.equal(await installAs(context, command, ' /etc/systemd/system/'), 0o644),
  },
  'caddy validate --config /etc/caddy/Caddyfile': {
    fact: 'Caddy validates the Caddyfile',
    skip: skipWithout('caddy'),
    run: async ({ succeed }, command) => {
      await succeed(fillIn(command, { '/etc/caddy/Caddyfile': 'deploy/Caddyfile' }));
    },
  },
  'nginx -t': {
    because: 'The named test checks and starts nginx with the file.',
    provenBy: ['tests/deploy-proxies.test.ts', 'nginx redirects http to https'],
  },
  'systemctl daemon-reload': { because: NO_SYSTEMD },
  'systemctl enable --now crypto-market': { because: NO_SYSTEMD },
  'systemctl restart crypto-market': { because: NO_SYSTEMD },
  'systemctl edit crypto-market': { because: NO_SYSTEMD },
  'journalctl -u crypto-market': { because: NO_SYSTEMD },
  'journalctl -u crypto-market | grep /first-owner/': { because: NO_SYSTEMD },
  'docker compose logs': { because: NO_ENGINE },
  'docker compose -f deploy/compose.yaml logs shop': { because: NO_ENGINE },
  'docker compose -f deploy/compose.yaml up -d --build': { because: NO_ENGINE },
  'docker compose -f deploy/compose.yaml exec shop npm run db status': { because: NO_ENGINE },
  'docker compose -f deploy/compose.yaml exec shop npm run -s db -- backup /var/lib/shop/shop.gz': {
    because: NO_ENGINE,
  },
  'docker compose -f deploy/compose.yaml cp shop:/var/lib/shop/shop.gz .': { because: NO_ENGINE },
  'docker build -f deploy/Dockerfile -t crypto-market .': { because: NO_ENGINE },
  'docker run --rm --init -p 127.0.0.1:3000:3000 crypto-market': { because: NO_ENGINE },
  'aws s3 sync DATA_DIR/uploads s3://bucket/prefix': {
    because: 'It needs the client of the provider of the bucket. The named test uses a bucket as it is after the copy.',
    provenBy: ['tests/picture-storage.test.ts', 'bucket'],
  },
};
