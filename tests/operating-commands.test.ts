/** Every command of the operator's manuals runs as it is written, or has a reason why a test cannot run it. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCommandContext } from './support/manual-commands/command-row.ts';
import type { CommandRow } from './support/manual-commands/command-row.ts';
import { listCommands } from './support/manual-commands/list-commands.ts';
import { MACHINE_ROWS } from './support/manual-commands/machine-rows.ts';
import { NODE_ROWS } from './support/manual-commands/node-rows.ts';
import { SHOP_ROWS } from './support/manual-commands/shop-rows.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { makeTemporaryDirectory } from './support/template.ts';

const MANUALS = ['docs/operating.md', 'deploy/README.md'];
const read = (path: string): string => readFileSync(path, 'utf8');
const rows = new Map<string, CommandRow>(Object.entries({ ...SHOP_ROWS, ...NODE_ROWS, ...MACHINE_ROWS }));
const commands = new Set(MANUALS.flatMap((path) => listCommands(read(path))));

test('[OPS-21] finds commands in blocks, in prose and across lines', () => {
  const manual = [
    'Run `npm run db\n-- status`, not `a row` or `GET /readyz`, as `A_B=1 npm start`:',
    '',
    '    cd /srv && npm ci',
    '    share/x.py shop',
    '',
    '1. `17 3 * * * cd /srv`',
    '',
    '        KEY=value',
    '        OTHER=x',
  ].join('\n');
  assert.deepEqual(listCommands(manual), [
    'cd /srv && npm ci',
    'share/x.py shop',
    'KEY=value\nOTHER=x',
    'npm run db -- status',
    'A_B=1 npm start',
    '17 3 * * * cd /srv',
  ]);
});

test('[OPS-21] each command of the manuals has a row, and each row a command', () => {
  assert.ok(commands.size > 60, `only ${commands.size} commands were found`);
  assert.deepEqual(
    [...commands].filter((command) => !rows.has(command)),
    [],
    'commands without a row',
  );
  assert.deepEqual(
    [...rows.keys()].filter((command) => !commands.has(command)),
    [],
    'rows without a command',
  );
});

test('[OPS-21] the tests that run commands instead exist', () => {
  for (const [command, row] of rows) {
    if ('because' in row && row.provenBy !== undefined) {
      const [file, title] = row.provenBy;
      assert.ok(read(file).includes(title), `${command}: ${file} has no ${title}`);
    }
  }
});

let shop: SpawnedShop;
const directory = makeTemporaryDirectory();
before(async () => {
  shop = await startSpawnedShop();
});
after(async () => {
  await shop.stop();
  rmSync(directory, { recursive: true, force: true });
});

let count = 0;
for (const [command, row] of rows) {
  if ('because' in row) continue;
  test(`[OPS-21] ${row.fact}`, { skip: row.skip ?? false }, async () => {
    const own = join(directory, String((count += 1)));
    mkdirSync(own);
    await row.run(createCommandContext(shop, own), command);
  });
}
