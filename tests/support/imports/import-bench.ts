/** The import of the catalogue on a test database, without HTTP: jobs run when they are enqueued. */
import { v7 as uuidv7 } from 'uuid';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { JobData, JobQueue } from '#src/platform/jobs/jobs.ts';
import { storeCheckOf } from '#src/shop/catalogue/imports/check.service.ts';
import { Imports } from '#src/shop/catalogue/imports/service.ts';
import type { ImportChoice, ImportsOptions, ShownImport } from '#src/shop/catalogue/imports/service.ts';
import type { PictureSource } from '#src/shop/catalogue/imports/pictures.service.ts';
import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import { silentLog } from '../database.ts';
import { allowPriceChanges, createStaffActor } from '../staff-actor.ts';

const ORIGIN = 'http://shop.test';

export interface ImportBench {
  readonly imports: Imports;
  /** Uploads a file and waits for its check. */
  check(file: string | Uint8Array): Promise<ShownImport>;
  /** Uploads, checks and applies a file. */
  importFile(file: string | Uint8Array): Promise<ShownImport>;
  apply(id: string, choice?: ImportChoice): Promise<ShownImport>;
  readonly userId: string;
  /** Another process on the same database. */
  reopen(options: BenchOptions): ImportBench;
  exportFile(): Promise<string>;
  /** Runs the jobs enqueued so far. */
  runJobs(): Promise<void>;
}

type BenchOptions = { readonly isLive?: boolean; readonly unknownWeight?: UnknownWeightRule } & Partial<PictureSource> &
  Partial<Pick<ImportsOptions, 'check'>>;

export async function openImportBench(db: Db, options: BenchOptions = {}): Promise<ImportBench> {
  const userId = uuidv7();
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, role, created_at)
    values (${userId}, 'importer', ${userId}, ${userId}, ${userId}, 'x', 'manager', now())
  `.execute(db);
  return createBench(db, userId, options);
}

function createBench(
  db: Db,
  userId: string,
  { isLive = false, unknownWeight, check: checkElsewhere, ...pictures }: BenchOptions,
): ImportBench {
  const clock = { now: () => new Date() };
  const queue: JobData[] = [];
  const jobs: JobQueue = {
    enqueue: async (_tx, _name, data) => void queue.push(data),
    enqueueAll: async () => {},
  };
  const source: PictureSource = {
    listMissing: async () => new Set(),
    lock: async () => new Set(),
    load: async () => ({ ok: false, problem: 'The other site does not exist' }),
    ...pictures,
  };
  const imports = new Imports({
    db,
    clock,
    check:
      checkElsewhere ?? (async (request) => ({ outcome: await storeCheckOf({ ...request, db, pictures: source }) })),
    log: silentLog,
    jobs,
    revisions: { announce: async () => {} },
    priceGuard: allowPriceChanges,
    stockAdjustments: new StockAdjustments({ clock, isTrackedByDefault: isLive, lockOpenOrders: async () => [] }),
    getUnknownWeight: () => unknownWeight ?? null,
    origin: ORIGIN,
    onApplied: () => {},
    pictures: source,
  });
  const runJobs = async (): Promise<void> => {
    for (const data of queue.splice(0)) await imports.run(data);
  };
  const find = async (id: string): Promise<ShownImport> => {
    const found = await imports.find(id);
    if (found === null) throw new Error('there is no such import');
    return found;
  };
  const check: ImportBench['check'] = async (file) => {
    const content = typeof file === 'string' ? Buffer.from(file) : file;
    const uploaded = await imports.upload({ filename: 'products.csv', content }, createStaffActor(userId));
    if (uploaded === null) throw new Error('another import is running');
    await runJobs();
    return find(uploaded.id);
  };
  const apply: ImportBench['apply'] = async (id, choice) => {
    const applied = await imports.apply(id, createStaffActor(userId), choice);
    if (!applied.ok) throw new Error(`refused: ${applied.reason}`);
    await runJobs();
    return find(id);
  };
  return {
    imports,
    userId,
    reopen: (other) => createBench(db, userId, other),
    check,
    apply,
    importFile: async (file) => {
      const checked = await check(file);
      return checked.state === 'checked' ? apply(checked.id) : checked;
    },
    exportFile: async () => {
      let text = '';
      for await (const piece of imports.exportProducts({})) text += piece;
      return text;
    },
    runJobs,
  };
}
