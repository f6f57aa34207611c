/** Measures a download of the shop: memory, its effect on other calls, and what a lost client leaves behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { ShopProcess } from '../../../tests/support/shop-process.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';

/** A slow reader takes 64 kB at a time, for this long; then it reads the rest as it arrives. */
const [SLOW_PAUSE_MS, SLOW_MS] = [20, 10_000];
/** When a client leaves. */
const LEAVE_AFTER_MS = 200;
/** How long the database is watched after a client has left. */
const WATCH_MS = 3_000;
const LOOK_EVERY_MS = 15;
/** Statements of timers are seen less often during a download. */
const MIN_LOOKS = 3;

/** Of a measured shop: on SIGUSR2 it collects garbage and prints the megabytes that are left. */
export const MEASURED_SHOP = {
  NODE_OPTIONS:
    '--expose-gc --import=data:text/javascript,process.on(`SIGUSR2`,()=>{gc();' +
    'const{heapUsed,external}=process.memoryUsage();console.error(`live=${(heapUsed+external)/1e6}=`)})',
};

export interface Exporter {
  readonly shop: Pick<ShopProcess, 'pid' | 'readOutput'>;
  /** Of the export, without host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Download {
  readonly megabytes: number;
  readonly seconds: number;
}

function send({ url, headers }: Exporter): {
  readonly request: ClientRequest;
  readonly response: Promise<IncomingMessage>;
} {
  const request = get(url, { headers, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (found) => {
      if (found.statusCode === 200) resolve(found);
      else reject(new Error(`${url} returned ${found.statusCode}`));
    });
    request.once('error', reject);
  });
  return { request, response };
}

/** Downloads the whole file. */
export async function download(exporter: Exporter, reader: 'fast' | 'slow'): Promise<Download> {
  const startedAt = performance.now();
  let bytes = 0;
  for await (const chunk of await send(exporter).response) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (reader === 'slow' && performance.now() - startedAt < SLOW_MS) await sleep(SLOW_PAUSE_MS);
  }
  return { megabytes: bytes / 1e6, seconds: (performance.now() - startedAt) / 1000 };
}

/** Highest resident memory of a process while `run` runs, in MB. Requires Linux. */
async function measurePeakMb(pid: number, run: () => Promise<unknown>): Promise<number> {
  // Resets the highest resident memory to the present one.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await run();
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Collects the garbage of the shop and returns its live memory in MB. */
async function measureLiveMb({ pid, readOutput }: Exporter['shop']): Promise<number> {
  const read = (): string[] => [...readOutput().matchAll(/^live=(.+)=$/gm)].map(([, megabytes = '']) => megabytes);
  const before = read().length;
  process.kill(pid, 'SIGUSR2');
  await waitUntil(() => read().length > before);
  return Number(read().at(-1));
}

/**
 * Highest resident memory during a download above that during ordinary calls, in MB. Run it after an equal
 * download: V8 enlarges its young generation with the first work of a process and keeps it.
 */
export async function measureAddedMb(
  exporter: Exporter,
  reader: 'fast' | 'slow',
  makeOrdinaryCalls: () => Promise<unknown>,
): Promise<number> {
  await measureLiveMb(exporter.shop);
  const ordinaryMb = await measurePeakMb(exporter.shop.pid, makeOrdinaryCalls);
  return (await measurePeakMb(exporter.shop.pid, () => download(exporter, reader))) - ordinaryMb;
}

/** Live memory in the middle of a download above that before, in MB: what the export itself holds. */
export async function measureHeldMb(exporter: Exporter, megabytes: number): Promise<number> {
  const before = await measureLiveMb(exporter.shop);
  let bytes = 0;
  let held: number | null = null;
  for await (const chunk of await send(exporter).response) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (held === null && bytes > (megabytes * 1e6) / 2) held = (await measureLiveMb(exporter.shop)) - before;
  }
  return held ?? 0;
}

/** Times a call again and again while the file is downloaded. */
export async function measureCallsDuring(exporter: Exporter, call: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const downloading = download(exporter, 'fast').finally(() => (state.isOver = true));
  while (!state.isOver) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  await downloading;
  return times;
}

const SHOP_BACKENDS = sql`
  pg_stat_activity
  where backend_type = 'client backend' and application_name = 'crypto-market' and pid <> pg_backend_pid()`;

async function listRunning(db: Db): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select distinct query from ${SHOP_BACKENDS} and state <> 'idle'`.execute(db);
  return rows.map(({ query }) => query);
}

const TRANSACTION = /^(?:begin|start|commit|rollback)\b/i;

/** The statements that the shop runs for a download: seen often during it, and not before. */
export async function listStatements(exporter: Exporter, db: Db): Promise<readonly string[]> {
  const look = async (until: () => boolean): Promise<ReadonlyMap<string, number>> => {
    const seen = new Map<string, number>();
    for (; !until(); await sleep(LOOK_EVERY_MS)) {
      for (const query of await listRunning(db)) seen.set(query, (seen.get(query) ?? 0) + 1);
    }
    return seen;
  };
  const end = performance.now() + WATCH_MS;
  const others = await look(() => performance.now() > end);
  const state = { isOver: false };
  const downloading = download(exporter, 'fast').finally(() => (state.isOver = true));
  const during = await look(() => state.isOver);
  await downloading;
  return [...during]
    .filter(([query, looks]) => looks >= MIN_LOOKS && !others.has(query) && !TRANSACTION.test(query))
    .map(([query]) => query);
}

/** How long after a client has left the last of these statements ends, in ms. 0: none runs any more. */
export async function measureStopMs(exporter: Exporter, statements: readonly string[], db: Db): Promise<number> {
  const { request, response } = send(exporter);
  // A client that leaves gets no response.
  void response.then(
    (found) => void found.resume().on('error', () => {}),
    () => {},
  );
  await sleep(LEAVE_AFTER_MS);
  request.destroy();
  const left = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(db);
  await sleep(WATCH_MS);
  const { rows } = await sql<{ ms: number | null }>`
    select max(extract(epoch from case when state = 'idle' then state_change else clock_timestamp() end
      - ${left.rows[0]?.at}::timestamptz) * 1000)::float8 as ms
    from ${SHOP_BACKENDS} and query = any(${statements}::text[])`.execute(db);
  return Math.max(0, rows[0]?.ms ?? 0);
}
