/** Commands of the manual that work on the shop: npm scripts and calls of the API. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createApiKey, getOwnerToken } from '../api-key.ts';
import { skipWithout } from '../programs.ts';
import { listAt, textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { setUpApp } from '../totp-app.ts';
import { fillIn, quote } from './command-row.ts';
import type { CommandContext, CommandRows } from './command-row.ts';

const PASSWORD = 'crypto-market';
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const needsCurl = skipWithout('curl');

async function register(shop: TestShop, username: string): Promise<string> {
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  return username;
}

async function readSlug(shop: TestShop): Promise<string> {
  return textAt((await shop.api('GET', '/products?limit=1&q=airtag')).body, 0, 'slug');
}

/** Data directory with the restored database, which two rows use. */
let restored: Promise<string> | null = null;
const RESTORE = 'npm run db -- restore FILE';

/** Writes a backup and restores it into an empty directory, which it returns. */
async function restore({ directory, succeed }: CommandContext): Promise<string> {
  const [file, dataDir] = [join(directory, 'shop.gz'), join(directory, 'restored')];
  await succeed(`npm run db -- backup ${file}`);
  const out = await succeed(fillIn(RESTORE, { FILE: file }), { env: { DATA_DIR: dataDir } });
  assert.match(out, /^Restored \d+ rows/m);
  return dataDir;
}

const DATABASE_ROWS: CommandRows = {
  'npm run db -- backup FILE': {
    fact: 'db backup writes a file',
    run: async ({ directory, succeed }, command) => {
      const file = join(directory, 'shop.gz');
      assert.match(await succeed(fillIn(command, { FILE: file })), /^Wrote \d+ rows/m);
      assert.ok(statSync(file).size > 1000);
    },
  },
  [String.raw`17 3 * * * cd /srv/shop && npm run -s db -- backup /backup/shop-$(date +\%F).gz`]: {
    fact: 'the line of the crontab writes a file named by the day',
    run: async ({ directory, succeed }, line) => {
      // cron takes five fields and turns \% into %.
      const command = line.replace(/^(?:\S+ ){5}/, '').replaceAll(String.raw`\%`, '%');
      await succeed(fillIn(command, { '/srv/shop': quote(process.cwd()), '/backup': directory }));
      const day = new Date().toISOString().slice(0, 10);
      assert.ok(existsSync(join(directory, `shop-${day}.gz`)));
    },
  },
  'npm run db -- backup-done': {
    fact: 'db backup-done records the backup of another tool',
    run: async ({ succeed }, command) => assert.match(await succeed(command), /^Recorded a backup/m),
  },
  [RESTORE]: {
    fact: 'db restore fills an empty database',
    run: async (context) => {
      restored ??= restore(context);
      const status = await context.succeed('npm run db status', { env: { DATA_DIR: await restored } });
      assert.match(status, /^ *[1-9]\d* {2}products$/m);
    },
  },
  'npm run db reset -- --yes': {
    fact: 'db reset empties the database of a stopped shop',
    run: async (context, command) => {
      restored ??= restore(context);
      const dataDir = await restored;
      assert.match(await context.succeed(command, { env: { DATA_DIR: dataDir } }), /^The database is empty/m);
      assert.equal((await context.run(command)).code, 1, 'refused beside a running shop');
    },
  },
  'npm run db status': {
    fact: 'db status shows the location of the data',
    run: async ({ shop, succeed }, command) => {
      const out = await succeed(command);
      assert.ok(out.includes(`Where       ${shop.dataDir} (running)`), out);
    },
  },
  'cd /srv/shop && sudo -u shop npm run db status': {
    fact: 'a command runs in the folder of the code',
    run: async ({ succeed }, command) => {
      // Another user: tests/deploy-unit.test.ts.
      const own = fillIn(command, { '/srv/shop': quote(process.cwd()), 'sudo -u shop ': '' });
      assert.match(await succeed(own), /\(running\)$/m);
    },
  },
  'npm run db -- seed': {
    fact: 'db seed changes no existing rows',
    run: async ({ succeed }, command) => assert.match(await succeed(command), /Existing rows were not changed/),
  },
  'npm run db seed -- --products 100000': {
    fact: 'db seed adds generated products',
    run: async ({ succeed }, command) =>
      assert.match(await succeed(fillIn(command, { '100000': '7' })), /^7 of 7 generated products$/m),
  },
};

const STAFF_ROWS: CommandRows = {
  'npm run staff': {
    fact: 'staff without arguments prints its usage',
    run: async ({ run }, command) => {
      const { code, err } = await run(command);
      assert.equal(code, 2);
      assert.match(err, /^Usage: npm run staff -- list/m);
    },
  },
  'npm run staff -- owner NAME': {
    fact: 'staff owner makes an account an owner',
    run: async ({ shop, succeed }, command) => {
      const name = await register(shop, 'olivia');
      assert.match(await succeed(fillIn(command, { NAME: name })), /^olivia is owner now\.$/m);
    },
  },
  'npm run staff -- reset-2fa NAME': {
    fact: 'staff reset-2fa removes a second factor',
    run: async ({ shop, succeed }, command) => {
      const name = await register(shop, 'iris');
      await succeed(`npm run staff -- support ${name}`);
      await setUpApp(shop, name);
      assert.match(await succeed(fillIn(command, { NAME: name })), /^iris is logged out everywhere/m);
    },
  },
};

const STOCK_ROWS: CommandRows = {
  'npm run stock -- set NAME 5': {
    fact: 'stock set makes units available, which stock list shows',
    run: async ({ shop, succeed }, command) => {
      const slug = await readSlug(shop);
      assert.match(await succeed(fillIn(command, { NAME: slug })), /has 5 available\.$/m);
      assert.match(await succeed('npm run stock -- list'), new RegExp(`^ +5 {2}${slug}, SKU `, 'm'));
    },
  },
  'npm run stock -- list': {
    fact: 'stock list shows limited stock',
    run: async ({ succeed }, command) =>
      assert.match(await succeed(command), /reserved by orders|No product has limited/),
  },
  'npm run stock -- unlimited NAME': {
    fact: 'stock unlimited stops tracking',
    run: async ({ shop, succeed }, command) =>
      assert.match(await succeed(fillIn(command, { NAME: await readSlug(shop) })), /has unlimited stock\.$/m),
  },
};

const EXPORT_ROWS: CommandRows = {
  'npm run accounting': {
    fact: 'accounting prints a CSV',
    run: async ({ succeed }, command) => assert.match(await succeed(command), /^order.*,sats,/m),
  },
  'npm run -s accounting > accounting.csv': {
    fact: 'accounting writes a CSV without lines of npm',
    run: async ({ directory, succeed }, command) => {
      const file = join(directory, 'accounting.csv');
      await succeed(fillIn(command, { 'accounting.csv': file }));
      assert.match(readFileSync(file, 'utf8'), /^order/);
    },
  },
  'npm run -s accounting -- --from 2026-01-01 --to 2026-12-31 > 2026.csv': {
    fact: 'accounting takes a range of days',
    run: async ({ directory, succeed }, command) => {
      const file = join(directory, '2026.csv');
      await succeed(fillIn(command, { '2026.csv': file }));
      assert.match(readFileSync(file, 'utf8'), /^order/);
    },
  },
  'npm run audit': {
    fact: 'audit without arguments prints its usage',
    run: async ({ run }, command) => assert.equal((await run(command)).code, 2),
  },
  'npm run audit -- verify': {
    fact: 'audit verify prints the newest hash, which --expect finds',
    run: async ({ shop, succeed }, command) => {
      await succeed(`npm run stock -- set ${await readSlug(shop)} 9`);
      const [hash = assert.fail('no hash')] = /\b[0-9a-f]{64}\b/.exec(await succeed(command)) ?? [];
      await succeed(`${command} --expect ${hash}`);
    },
  },
  'npm run audit -- verify --expect HASH': {
    fact: 'audit verify fails for an unknown hash',
    run: async ({ run }, command) => assert.equal((await run(fillIn(command, { HASH: 'ab'.repeat(32) }))).code, 1),
  },
  'npm run audit -- export FILE': {
    fact: 'audit export writes a CSV',
    run: async ({ directory, succeed }, command) => {
      const file = join(directory, 'audit.csv');
      await succeed(fillIn(command, { FILE: file }));
      assert.match(readFileSync(file, 'utf8'), /^[a-z_]+,/);
    },
  },
  'npm run wallet -- export': {
    fact: 'wallet export prints descriptor and range',
    run: async ({ succeed }, command) => assert.match(await succeed(command), /^Issued +/m),
  },
  'BITCOIN_NETWORK=mainnet npm run wallet -- check': {
    fact: 'wallet check prints the first five addresses of a key',
    run: async ({ succeed }, command) => {
      const out = await succeed(command, { input: `${ZPUB}\n` });
      assert.equal(out.match(/\bbc1q[0-9a-z]{38}\b/g)?.length, 5, out);
    },
  },
};

/** The block that logs in, lists staff tasks and logs out. */
const TOKEN_BLOCK = String.raw`TOKEN=$(curl -s https://shop.example/api/users/login -H 'content-type: application/json' \
  -d '{"username":"NAME","password":"PASSWORD"}' | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')
curl -s https://shop.example/api/payments/attention -H "authorization: Bearer $TOKEN"
curl -s https://shop.example/api/users/logout -X POST -H "authorization: Bearer $TOKEN"`;

const CALL_ROWS: CommandRows = {
  [TOKEN_BLOCK]: {
    fact: 'a login over curl returns a token, which lists tasks and logs out',
    skip: needsCurl,
    run: async ({ shop, succeed }, block) => {
      const values = { 'https://shop.example': shop.url, '"NAME"': '"staff"', '"PASSWORD"': `"${PASSWORD}"` };
      const out = await succeed(`${fillIn(block, values)}; echo; echo "$TOKEN"`);
      const [, tasks = '', token = ''] = /^(\{.*\})\{"message":"success"\}\n(\S+)\n$/.exec(out) ?? assert.fail(out);
      assert.ok(listAt(JSON.parse(tasks), 'orders').length >= 0);
      assert.equal((await shop.api('GET', '/payments/attention', { token })).status, 401, 'it is logged out');
    },
  },
  [`curl --data-binary @photo.jpg -H 'content-type: application/octet-stream' -H "authorization: Bearer $TOKEN" https://shop.example/api/pictures`]:
    {
      fact: 'curl uploads a picture',
      skip: needsCurl,
      run: async ({ shop, directory, succeed }, command) => {
        const photo = join(directory, 'photo.jpg');
        const background = { r: 200, g: 30, b: 90 };
        await sharp({ create: { width: 640, height: 480, channels: 3, background } })
          .jpeg()
          .toFile(photo);
        const filled = fillIn(command, { 'photo.jpg': photo, 'https://shop.example': shop.url });
        const out = await succeed(filled, { env: { TOKEN: await getOwnerToken(shop) } });
        assert.match(textAt(JSON.parse(out), 'path'), /^\/images\/uploads\/\S+$/);
      },
    },
  "curl -H 'Authorization: Bearer cmk_live_…' 'https://shop.example/api/support/orders?queue=to-ship'": {
    fact: 'curl reads the orders to ship with an API key',
    skip: needsCurl,
    run: async ({ shop, succeed }, command) => {
      const { key } = await createApiKey(shop, await getOwnerToken(shop), ['orders:read']);
      const out = await succeed(fillIn(command, { 'cmk_live_…': key, 'https://shop.example': shop.url }));
      assert.ok(listAt(JSON.parse(out), 'orders').length >= 0);
    },
  },
  'curl -s http://127.0.0.1:3000/readyz': {
    fact: 'curl reads the readiness',
    skip: needsCurl,
    run: async ({ shop, succeed }, command) =>
      assert.match(await succeed(fillIn(command, { 'http://127.0.0.1:3000': shop.url })), /"status":"ready"/),
  },
  "rsync -a --delete --include='private-*' --exclude='*' DATA_DIR/uploads/ /backup/uploads/": {
    fact: 'rsync deletes erased files of returns, and no other picture',
    skip: skipWithout('rsync'),
    run: async ({ directory, succeed }, command) => {
      const [from, to] = [join(directory, 'returns-data'), join(directory, 'returns-backup')];
      const copied = join(to, 'uploads');
      for (const path of [join(from, 'uploads'), copied]) mkdirSync(path, { recursive: true });
      writeFileSync(join(from, 'uploads', 'private-kept.jpg'), 'a');
      for (const name of ['private-kept.jpg', 'private-erased.jpg', 'library.avif'])
        writeFileSync(join(copied, name), 'a');
      await succeed(fillIn(command, { DATA_DIR: from, '/backup': to }));
      assert.deepEqual(readdirSync(copied).toSorted(), ['library.avif', 'private-kept.jpg']);
    },
  },
  'rsync -a DATA_DIR/uploads/ /backup/uploads/': {
    fact: 'rsync copies uploaded pictures',
    skip: skipWithout('rsync'),
    run: async ({ directory, succeed }, command) => {
      const from = join(directory, 'data');
      mkdirSync(join(from, 'uploads', '1'), { recursive: true });
      mkdirSync(join(directory, 'backup'));
      writeFileSync(join(from, 'uploads', '1', 'a.avif'), 'a');
      await succeed(fillIn(command, { DATA_DIR: from, '/backup': join(directory, 'backup') }));
      assert.equal(readFileSync(join(directory, 'backup/uploads/1/a.avif'), 'utf8'), 'a');
    },
  },
};

export const SHOP_ROWS: CommandRows = {
  'npm run build': {
    fact: 'build builds the shop unless its build is current',
    run: async ({ succeed }, command) =>
      assert.match(await succeed(command), /^The shop is built already\.$|^Building the shop/m),
  },
  ...DATABASE_ROWS,
  ...STAFF_ROWS,
  ...STOCK_ROWS,
  ...EXPORT_ROWS,
  ...CALL_ROWS,
};
