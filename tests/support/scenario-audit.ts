/** Audit after all scenarios: accounts for every satoshi in the node's blocks. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { toSats } from './merchant.ts';
import type { NodeOrder, SeenOrder } from './node-order.ts';
import type { NodeShop } from './node-shop.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { runWithShopDatabase } from './stock-stress.ts';

const run = promisify(execFile);

interface Account {
  readonly due: bigint;
  readonly surplus: bigint;
  readonly unsettled: bigint;
  readonly returned: bigint;
}

export interface Audit {
  /** Sats received according to the node's blocks. */
  readonly received: bigint;
  readonly ledger: bigint;
  readonly exported: bigint;
  /** The amounts per order as staff see them. */
  readonly accounted: Account;
  /** Empty when nothing is wrong. */
  readonly findings: readonly string[];
}

/** All payments to these addresses on the best chain. */
async function sumReceivedByBlocks({ call }: NodeShop, addresses: ReadonlySet<string>): Promise<Map<string, bigint>> {
  const received = new Map<string, bigint>();
  const height = Number(await call('getblockcount'));
  for (let at = 0; at <= height; at += 1) {
    const block = await call('getblock', await call('getblockhash', at), 2);
    for (const output of listAt(block, 'tx').flatMap((tx) => listAt(tx, 'vout'))) {
      const script = valueAt(output, 'scriptPubKey');
      if (typeof script !== 'object' || script === null || !('address' in script)) continue;
      const address = textAt(script, 'address');
      if (!addresses.has(address)) continue;
      received.set(address, (received.get(address) ?? 0n) + toSats(numberAt(output, 'value')));
    }
  }
  return received;
}

/** Sums of the accounting export: received and refunded. */
async function readExport({ shop }: NodeShop): Promise<{ readonly came: bigint; readonly back: bigint }> {
  const env = { ...process.env, ...shop.place, NODE_TEST_CONTEXT: undefined };
  const { stdout } = await run(process.execPath, ['scripts/run.mjs', 'accounting'], { env, maxBuffer: 1e8 });
  const [head = '', ...lines] = stdout.trim().split(/\r?\n/);
  const sumAmounts = (name: string): bigint => {
    const column = head.split(',').indexOf(name);
    return lines.reduce((sum, line) => sum + BigInt(line.split(',')[column] ?? ''), 0n);
  };
  return { came: sumAmounts('sats'), back: sumAmounts('refund_sats') };
}

/** Received, refunded and remaining amounts of an order, as staff see them. */
async function readAccount(nodeShop: NodeShop, { id }: NodeOrder, seen: SeenOrder) {
  const { body } = await nodeShop.callAsStaff('GET', `/orders/${id}/refunds`);
  const [surplus, whole] = ['surplus_btc', 'whole_btc'].map((key) => toSats(numberAt(body, 'refundable', key)));
  const confirmed = listAt(body, 'refunds').filter((refund) => textAt(refund, 'state') === 'confirmed');
  const sum = (key: string): bigint => confirmed.reduce((all: bigint, one) => all + toSats(numberAt(one, key)), 0n);
  const isPaid = seen.status === 'paid';
  return {
    due: isPaid ? seen.due : 0n,
    surplus: isPaid ? (surplus ?? 0n) : 0n,
    unsettled: isPaid ? 0n : (whole ?? 0n),
    returned: sum('debit_btc'),
    arrivedBack: sum('amount_btc'),
  };
}

export async function auditScenarios(nodeShop: NodeShop): Promise<Audit> {
  const findings: string[] = [];
  await nodeShop.mineUnwatched(101);
  await nodeShop.syncChain();
  const byAddress = await sumReceivedByBlocks(nodeShop, new Set(nodeShop.orders.map(({ address }) => address)));
  const received = [...byAddress.values()].reduce((sum, amount) => sum + amount, 0n);
  const [row] = await runWithShopDatabase(nodeShop.shop, async (db) => {
    const { rows } = await sql<{ total: bigint }>`
      select coalesce(sum(amount_sats), 0)::bigint as total from payment_outputs where is_live and order_id is not null`.execute(
      db,
    );
    return rows;
  });
  const ledger = row?.total ?? 0n;
  const exported = await readExport(nodeShop);
  const accounted = { due: 0n, surplus: 0n, unsettled: 0n, returned: 0n };
  let arrivedBack = 0n;
  for (const order of nodeShop.orders) {
    const seen = await order.readOrder();
    const came = byAddress.get(order.address) ?? 0n;
    if (seen.received !== came) findings.push(`${order.id} shows ${seen.received} sats, received ${came}`);
    const account = await readAccount(nodeShop, order, seen);
    const { due, surplus, unsettled, returned } = account;
    if (due + surplus + unsettled + returned !== came) {
      findings.push(
        `${order.id}, ${seen.status}: received ${came}, of that ${due} + ${surplus} + ${unsettled} + ${returned}`,
      );
    }
    if ((seen.state === 'overpaid') !== surplus > 0n)
      findings.push(`${order.id} is ${seen.state} with ${surplus} left`);
    accounted.due += due;
    accounted.surplus += surplus;
    accounted.unsettled += unsettled;
    accounted.returned += returned;
    arrivedBack += account.arrivedBack;
    const paid = (await order.listEvents()).filter((kind) => kind === 'paid').length;
    if (paid > 1) findings.push(`${order.id} has ${paid} paid events`);
  }
  const whole = accounted.due + accounted.surplus + accounted.unsettled + accounted.returned;
  const sums = { ledger, exported: exported.came, orders: whole };
  for (const [name, sum] of Object.entries(sums)) {
    if (sum !== received) findings.push(`received ${received} sats, the ${name} have ${sum}`);
  }
  if (exported.back !== arrivedBack)
    findings.push(`refunded ${arrivedBack} sats, the accounting export has ${exported.back}`);
  return { received, ledger, exported: exported.came, accounted, findings };
}
