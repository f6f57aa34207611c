/** Exports the catalogue as CSV. */
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';
import { unpackUuids } from '#src/platform/database/packed-ids.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { getColumn } from './columns.ts';
import { createExportRows, listExportFields } from './export-rows.ts';
import { readCosts } from '../costs/store.ts';
import { readProductsById } from '../editing/products.store.ts';
import { listExportIds, readStructure } from './present.store.ts';
import type { ExportFilter } from './present.store.ts';
import { StructureIndex } from './structure-index.ts';

/** Products read at a time: what is read survives collections of young garbage, so it is little. */
const BATCH = 25;

export interface ExportRequest extends ExportFilter {
  /** Whether the file has what units cost: only for staff who may see figures. */
  readonly hasCosts?: boolean | undefined;
}

/**
 * Streams the file in pieces, sorted by the slugs of the products. Reads as fast as it is read, and
 * holds no connection meanwhile: a product that changes is exported as it was before or after.
 * @param origin of the addresses of pictures
 * @param signal stops it
 */
export async function* exportProducts(
  db: Db,
  origin: string,
  { hasCosts = false, ...filter }: ExportRequest,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const { structure } = await readStructure(db);
  const index = new StructureIndex(structure);
  const { ids, options } = await listExportIds(db, filter, signal);
  const fields = listExportFields(options, hasCosts);
  const slice = new TimeSlice();
  yield formatCsvLine(fields.map(getColumn));
  for (const batch of unpackUuids(ids, BATCH)) {
    const lines: string[] = [];
    const products = await readProductsById(db, batch);
    const variantIds = products.flatMap(({ variants }) => variants.map(({ id }) => id));
    const costs = await readCosts(db, hasCosts ? variantIds : []);
    for (const product of products) {
      for (const cells of createExportRows(product, { index, origin, fields, costs })) lines.push(formatCsvLine(cells));
      await slice.pause();
    }
    yield lines.join('');
  }
}
