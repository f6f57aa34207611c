/** Applies a checked import in one transaction: the catalogue is the former or the new one. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { writeCosts } from '../costs/store.ts';
import { deleteDrafts } from '../editing/products.store.ts';
import { releaseNames, writeProducts } from '../editing/write-products.store.ts';
import * as apply from './apply.store.ts';
import type { PictureSource } from './pictures.service.ts';
import { recordHandles } from './handles.store.ts';
import { listPlannedPictures } from './pictures.store.ts';
import type { Progress } from './store.ts';
import { CancelledImport } from './import-state.ts';
import * as store from './store.ts';

const BATCH = 500;
const MAX_NOTE = 200;

/** The catalogue changed after the check, so the import would overwrite the changes. */
export class OutdatedImport extends Error {
  override readonly name = 'OutdatedImport';
}

/** What changed after the check, as a message; null if nothing did. */
export async function describeOutdated(tx: Db, importId: string): Promise<string | null> {
  const names = await apply.listOutdated(tx, importId);
  if (names.length > 0) {
    return `These products changed after the check: ${names.join(', ')}. Upload the file again`;
  }
  return (await apply.isStructureOutdated(tx, importId))
    ? 'Brands, categories or options changed after the check. Upload the file again'
    : null;
}

export interface ApplyRequest {
  readonly db: Db;
  readonly stockAdjustments: Pick<StockAdjustments, 'restate'>;
  readonly pictures: Pick<PictureSource, 'lock'>;
  readonly importId: string;
  readonly filename: string;
  readonly by: StaffActor;
  readonly counts: {
    readonly createdProducts: number;
    readonly changedProducts: number;
    readonly unchangedProducts: number;
    readonly leftOutProducts: number;
  };
  readonly now: () => Date;
  /** Outside of the transaction, so that the progress is visible. Rejects if the import was cancelled. */
  readonly onProgress: (progress: Progress) => Promise<void>;
}

/**
 * @throws OutdatedImport if the catalogue changed after the check
 * @throws CancelledImport if the import was cancelled or applied by another process
 */
export function applyImport(request: ApplyRequest): Promise<void> {
  const { db, importId, filename, by, counts, now, onProgress } = request;
  const { createdProducts, changedProducts, unchangedProducts, leftOutProducts } = counts;
  const products = createdProducts + changedProducts;
  const ranges = Array.from({ length: Math.ceil(products / BATCH) }, (_, at) => ({
    importId,
    from: at * BATCH + 1,
    to: (at + 1) * BATCH,
  }));
  return transact(db, async (tx) => {
    await apply.lockProducts(tx, importId);
    await lockPictures(tx, request);
    const revision = await apply.lockCatalogue(tx);
    const outdated = await describeOutdated(tx, importId);
    if (outdated !== null) throw new OutdatedImport(outdated);
    await apply.createStructure(tx, importId);
    for (const range of ranges) await releaseNames(tx, apply.selectStaged(range));
    for (const range of ranges) {
      await onProgress({ phase: 'writing', done: range.from - 1, total: products });
      const staged = apply.selectStaged(range);
      const ids = await writeProducts(tx, staged, { revision, now: now(), by: by.userId });
      await deleteDrafts(tx, ids);
      await recordHandles(tx, range);
    }
    const costs = await apply.listPlannedCosts(tx, importId);
    if (costs.length > 0) await writeCosts(tx, costs, { at: now(), userId: by.userId });
    await onProgress({ phase: 'stock', done: products, total: products });
    await writeStock(tx, request);
    const isApplied = await store.changeState(tx, importId, { from: ['applying'], to: 'applied', now: now() });
    if (!isApplied) throw new CancelledImport();
    await recordChange(tx, {
      at: now(),
      by,
      action: 'import.applied',
      subject: { kind: 'import', id: importId, name: filename },
      before: { state: 'applying' },
      after: {
        state: 'applied',
        created_products: createdProducts,
        changed_products: changedProducts,
        unchanged_products: unchangedProducts,
        left_out_products: leftOutProducts,
      },
    });
  });
}

/** The pictures stay until the transaction ends. */
async function lockPictures(tx: Db, { importId, pictures }: ApplyRequest): Promise<void> {
  const [missing] = await pictures.lock(tx, await listPlannedPictures(tx, importId));
  if (missing !== undefined) {
    throw new OutdatedImport(`The picture ${missing} was deleted after the check. Upload the file again`);
  }
}

async function writeStock(tx: Db, { importId, filename, by, stockAdjustments }: ApplyRequest): Promise<void> {
  await stockAdjustments.restate(tx, await apply.listPlannedStock(tx, importId), {
    reason: 'counted',
    note: `Import of ${filename}`.slice(0, MAX_NOTE).toWellFormed(),
    by,
  });
}

export { analyzeCatalogue } from './apply.store.ts';
