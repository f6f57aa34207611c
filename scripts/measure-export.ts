/** Measures a download of the shop: memory, its effect on other calls, and what a lost client leaves behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** A slow reader takes 64 kB at a time, for this long; then it reads the rest as it arrives. */
const [SLOW_PAUSE_MS, SLOW_MS] = [20, 10_000];
/** When the database may still be busy after a client has disconnected. */
const GRACE_MS = 500;
const SAMPLES = 10;

export interface Exporter {
  readonly pid: number;
  /** Of the export, without host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExportFigures {
  readonly megabytes: number;
  readonly seconds: number;
  /** Highest resident memory of the shop during the export above that before it. */
  readonly addedMb: number;
}

function open({ url, headers }: Exporter): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`${url} returned ${response.statusCode}`));
    }).on('error', reject);
  });
}

const readStatusMb = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Downloads the whole file. Requires Linux. */
export async function measureExport(exporter: Exporter, reader: 'fast' | 'slow'): Promise<ExportFigures> {
  // Resets the highest resident memory to the present one.
  writeFileSync(`/proc/${exporter.pid}/clear_refs`, '5');
  const beforeMb = readStatusMb(exporter.pid, 'VmRSS');
  const startedAt = performance.now();
  let bytes = 0;
  const response = await open(exporter);
  for await (const chunk of response) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (reader === 'slow' && performance.now() - startedAt < SLOW_MS) await sleep(SLOW_PAUSE_MS);
  }
  return {
    megabytes: bytes / 1e6,
    seconds: (performance.now() - startedAt) / 1000,
    addedMb: readStatusMb(exporter.pid, 'VmHWM') - beforeMb,
  };
}

/** Times a call again and again while the file is downloaded. */
export async function measureCallsDuring(exporter: Exporter, call: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const download = measureExport(exporter, 'fast').finally(() => (state.isOver = true));
  while (!state.isOver) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  await download;
  return times;
}

/** How many of `SAMPLES` looks at the database find a statement after a client left in the middle of the file. */
export async function countStatementsAfterDisconnect(exporter: Exporter, db: Db): Promise<number> {
  const response = await open(exporter);
  await new Promise((resolve) => response.once('data', resolve));
  response.destroy();
  await sleep(GRACE_MS);
  let busy = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { rows } = await sql`
      select from pg_stat_activity
      where backend_type = 'client backend' and state <> 'idle' and application_name = 'crypto-market'
        and pid <> pg_backend_pid()
    `.execute(db);
    if (rows.length > 0) busy += 1;
    await sleep(100);
  }
  return busy;
}
