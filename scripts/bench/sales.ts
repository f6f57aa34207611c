/**
 * `npm run bench -- sales [--orders 100000 --data DIR]`: measures the figures of sales by time and by group, what
 * needs staff now, and the CSV exports. Fails if a median is above 150 ms. `--data` keeps the filled data.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/platform/database/database.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { fillSales } from '../../tests/support/fill-sales.ts';
import { textAt } from '../../tests/support/read-json.ts';
import { endOrphanedDatabase, startShopProcess } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';
import { reachDatabase } from '../reach-database.ts';

const GOAL_MS = 150;
const CALLS = 15;
const PERIODS = ['7d', '30d', '90d', '12m'];
const GROUPS = ['product', 'category', 'country', 'promotion'];

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '100000' }, data: { type: 'string' } },
});

async function fill(dataDir: string): Promise<void> {
  await fillFromTemplate(dataDir);
  const access = await reachDatabase({ databaseUrl: null, dataDir, isDataDirExplicit: true });
  const database = openDatabase({ connection: access.connection, log: silentLog, poolSize: 1 });
  try {
    await fillSales(database.db, Number(values.orders), new Date());
  } finally {
    await database.close();
    await access.stop();
  }
}

async function logIn(url: string): Promise<(path: string) => Promise<string>> {
  const login = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'staff', password: 'crypto-market' }),
  });
  const headers = { authorization: `Bearer ${textAt(await login.json(), 'tokens', 'accessToken')}` };
  return async (path) => {
    const response = await fetch(`${url}/api${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.text();
  };
}

const paths = [
  '/support/todo',
  '/support/health',
  ...PERIODS.flatMap((period) => [
    `/support/sales?period=${period}`,
    ...GROUPS.map((group) => `/support/sales/groups?period=${period}&group=${group}`),
  ]),
  '/support/sales?period=12m&by=day',
  '/exports/sales?period=12m&by=day',
  '/exports/sales?period=12m&group=product',
];

const dataDir = values.data ?? makeTemporaryDirectory();
try {
  if (values.data === undefined || !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    await fill(dataDir);
  }
  const shop = await startShopProcess(dataDir);
  try {
    const call = await logIn(shop.url);
    let isWithinGoal = true;
    console.log(`median of ${CALLS} calls in ms; goal ${GOAL_MS} ms`);
    for (const path of paths) {
      const times: number[] = [];
      for (let round = 0; round < CALLS; round += 1) {
        const startedAt = performance.now();
        await call(path);
        times.push(performance.now() - startedAt);
      }
      const median = times.toSorted((a, b) => a - b)[CALLS >> 1] ?? Infinity;
      if (median > GOAL_MS) isWithinGoal = false;
      console.log(`${path.padEnd(56)} ${median.toFixed(1).padStart(7)}${median > GOAL_MS ? '  ABOVE THE GOAL' : ''}`);
    }
    console.log(isWithinGoal ? '\nPASS' : '\nFAIL');
    process.exitCode = isWithinGoal ? 0 : 1;
  } finally {
    await shop.stop();
  }
} finally {
  endOrphanedDatabase(dataDir);
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
