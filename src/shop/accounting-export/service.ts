import { runCancellable } from '#src/platform/database/cancellable.ts';
import type { Db } from '#src/platform/database/database.ts';
import { addOutput, EXPORT_COLUMNS, EXPORT_NUMBER_COLUMNS, createOutputCells, EMPTY_TOTALS } from './output-line.ts';
import type { ExportTotals } from './output-line.ts';
import { formatCsvLine, formatCsvLineWithNumbers } from '#src/platform/csv/csv-line.ts';
import { addLoss, createLossCells } from './loss-line.ts';
import { listLosses } from './losses.store.ts';
import { readShopSettings } from '#src/shop/shop-settings/service.ts';
import { streamLiveOutputs, readTip } from './store.ts';
import type { Period } from './store.ts';

/**
 * Accounting export as CSV, from one snapshot of the ledger: a line for each live output that pays
 * an order, and a line for each loss. Outputs that are no longer live have no line.
 * @param period by when an output was first seen
 * @param write receives the text in pieces and is awaited
 * @param signal stops the running statement
 * @throws error 57014 of PostgreSQL, or the signal's reason, if it was stopped
 */
export async function writeAccountingExport(
  db: Db,
  period: Period,
  write: (text: string) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<ExportTotals> {
  await write(formatCsvLine(EXPORT_COLUMNS));
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute((tx) => runCancellable(db, tx, signal, () => writeLines(tx, period, write)));
}

async function writeLines(
  tx: Db,
  period: Period,
  write: (text: string) => void | Promise<void>,
): Promise<ExportTotals> {
  const tip = await readTip(tx);
  const { order_prefix: prefix } = (await readShopSettings(tx)).orders;
  let totals = EMPTY_TOTALS;
  for await (const outputs of streamLiveOutputs(tx, period)) {
    totals = outputs.reduce(addOutput, totals);
    await write(
      outputs
        .map((output) => formatCsvLineWithNumbers(createOutputCells(output, tip, prefix), EXPORT_NUMBER_COLUMNS))
        .join(''),
    );
  }
  for (const loss of await listLosses(tx, period)) {
    totals = addLoss(totals, loss, tip);
    await write(formatCsvLineWithNumbers(createLossCells(loss, tip, prefix), EXPORT_NUMBER_COLUMNS));
  }
  return totals;
}
