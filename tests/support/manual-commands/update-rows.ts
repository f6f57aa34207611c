/** Commands of "Updating" in the manual. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipWithout } from '../programs.ts';
import { fillIn } from './command-row.ts';
import type { CommandRows } from './command-row.ts';

const TWO_PROCESSES = `shop.example {
\treverse_proxy 127.0.0.1:3000 127.0.0.1:3001 {
\t\tlb_policy cookie
\t\tlb_try_duration 10s
\t\thealth_uri /readyz
\t\thealth_interval 2s
\t}
}`;

export const UPDATE_ROWS: CommandRows = {
  'git clone --branch v2 https://git.example/shop.git /srv/shop/v2': {
    because: 'It takes the network, and the address is an example.',
  },
  'cp /srv/shop/v1/.env /srv/shop/v2/.env': {
    fact: 'the settings are copied to the folder of the next release',
    run: async ({ directory, succeed }, command) => {
      const [from, to] = [join(directory, 'v1'), join(directory, 'v2')];
      writeFileSync(from, 'PORT=3000');
      await succeed(fillIn(command, { '/srv/shop/v1/.env': from, '/srv/shop/v2/.env': to }));
      assert.equal(readFileSync(to, 'utf8'), 'PORT=3000');
    },
  },
  'cd /srv/shop/v2 && npm ci && npm run build': {
    because: 'npm ci takes the network. The named test builds in a second folder.',
    provenBy: ['tests/journeys/update.test.ts', 'two builds at the same time make one release'],
  },
  [TWO_PROCESSES]: {
    fact: 'Caddy accepts the site of two processes',
    skip: skipWithout('caddy'),
    run: async ({ directory, succeed }, block) => {
      const file = join(directory, 'Caddyfile');
      writeFileSync(file, block);
      const adapted = await succeed(`caddy adapt --adapter caddyfile --config ${file}`);
      assert.match(adapted, /"dial":"127\.0\.0\.1:3001"/);
    },
  },
};
