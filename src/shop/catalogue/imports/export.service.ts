/** Exports the catalogue as CSV. */
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';
import { unpackUuids } from '#src/platform/database/packed-ids.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { getColumn } from './columns.ts';
import { createExportRows, listExportFields } from './export-rows.ts';
import { readProductsById } from '../editing/products.store.ts';
import { listExportIds, readStructure } from './present.store.ts';
import type { ExportFilter } from './present.store.ts';
import { StructureIndex } from './structure-index.ts';

/** Products read at a time: what is read survives collections of young garbage, so it is little. */
const BATCH = 25;

export type { ExportFilter } from './present.store.ts';

/**
 * Streams the file in pieces, sorted by the slugs of the products. Reads as fast as it is read, and
 * holds no connection meanwhile: a product that changes is exported as it was before or after.
 * @param origin of the addresses of pictures
 * @param signal stops it
 */
export async function* exportProducts(
  db: Db,
  origin: string,
  filter: ExportFilter,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const { structure } = await readStructure(db);
  const index = new StructureIndex(structure);
  const { ids, options } = await listExportIds(db, filter, signal);
  const fields = listExportFields(options);
  const slice = new TimeSlice();
  yield formatCsvLine(fields.map(getColumn));
  for (const batch of unpackUuids(ids, BATCH)) {
    const lines: string[] = [];
    for (const product of await readProductsById(db, batch)) {
      for (const cells of createExportRows(product, { index, origin, fields })) lines.push(formatCsvLine(cells));
      await slice.pause();
    }
    yield lines.join('');
  }
}
