/** At the end of all outcomes: what came by the node's own blocks, and where every satoshi of it is. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { satsOf } from './merchant.ts';
import type { NodeShop } from './node-shop.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { besideShop } from './stock-storm.ts';

const run = promisify(execFile);

export interface Audit {
  /** Sats, by the node's blocks. */
  readonly received: bigint;
  readonly ledger: bigint;
  readonly books: bigint;
  /** What of it is accounted for, order by order. */
  readonly accounted: { readonly due: bigint; readonly surplus: bigint; readonly unsettled: bigint };
  /** Empty when all is well. */
  readonly findings: readonly string[];
}

/** What every one of these addresses was ever paid on the best chain. */
async function receivedByBlocks({ call }: NodeShop, addresses: ReadonlySet<string>): Promise<Map<string, bigint>> {
  const received = new Map<string, bigint>();
  const height = Number(await call('getblockcount'));
  for (let at = 0; at <= height; at += 1) {
    const block = await call('getblock', await call('getblockhash', at), 2);
    for (const output of listAt(block, 'tx').flatMap((tx) => listAt(tx, 'vout'))) {
      const script = valueAt(output, 'scriptPubKey');
      if (typeof script !== 'object' || script === null || !('address' in script)) continue;
      const address = textAt(script, 'address');
      if (!addresses.has(address)) continue;
      received.set(address, (received.get(address) ?? 0n) + satsOf(numberAt(output, 'value')));
    }
  }
  return received;
}

/** The column of sats, as `npm run books` writes it. */
async function booked({ shop }: NodeShop): Promise<bigint> {
  const env = { ...process.env, DATA_DIR: shop.dataDir, DATABASE_URL: '', NODE_TEST_CONTEXT: undefined };
  const { stdout } = await run(process.execPath, ['scripts/run.mjs', 'books'], { env, maxBuffer: 1e8 });
  const [head = '', ...lines] = stdout.trim().split(/\r?\n/);
  const column = head.split(',').indexOf('sats');
  return lines.reduce((sum, line) => sum + BigInt(line.split(',')[column] ?? ''), 0n);
}

export async function auditOutcomes(world: NodeShop): Promise<Audit> {
  const findings: string[] = [];
  await world.mineUnwatched(101);
  await world.look();
  const byAddress = await receivedByBlocks(world, new Set(world.orders.map(({ address }) => address)));
  const received = [...byAddress.values()].reduce((sum, amount) => sum + amount, 0n);
  const [row] = await besideShop(world.shop, async (db) => {
    const { rows } = await sql<{ total: bigint }>`
      select coalesce(sum(amount_sats), 0)::bigint as total from payment_outputs where is_live and order_id is not null`.execute(
      db,
    );
    return rows;
  });
  const ledger = row?.total ?? 0n;
  const books = await booked(world);
  const accounted = { due: 0n, surplus: 0n, unsettled: 0n };
  for (const order of world.orders) {
    const seen = await order.see();
    const came = byAddress.get(order.address) ?? 0n;
    if (seen.received !== came) findings.push(`${order.id} tells of ${seen.received} sats, ${came} came`);
    if (seen.status === 'paid') {
      accounted.due += seen.due;
      accounted.surplus += came - seen.due;
      if (came < seen.due) findings.push(`${order.id} is paid with ${came} of ${seen.due} sats`);
    } else accounted.unsettled += came;
    if ((seen.state === 'overpaid') !== (seen.status === 'paid' && came > seen.due)) {
      findings.push(`${order.id} is ${seen.state} with ${came} of ${seen.due} sats`);
    }
    const paid = (await order.turns()).filter((kind) => kind === 'paid').length;
    if (paid > 1) findings.push(`${order.id} was paid for the first time ${paid} times`);
  }
  const whole = accounted.due + accounted.surplus + accounted.unsettled;
  for (const [name, sum] of [
    ['ledger', ledger],
    ['books', books],
    ['orders', whole],
  ] as const) {
    if (sum !== received) findings.push(`${received} sats came, the ${name} have ${sum}`);
  }
  return { received, ledger, books, accounted, findings };
}
