import type { Db } from '#src/platform/database/database.ts';
import { addOutput, EXPORT_COLUMNS, createOutputCells, EMPTY_TOTALS } from './output-line.ts';
import type { ExportTotals } from './output-line.ts';
import { formatCsvLine } from './csv-line.ts';
import { addLoss, createLossCells } from './loss-line.ts';
import { listLosses } from './losses.store.ts';
import { streamLiveOutputs, readTip } from './store.ts';
import type { Period } from './store.ts';

/**
 * The books as CSV: one line for each output in the mempool or in the best chain that pays an order, of one moment of the
 * ledger, whose sum of satoshis they have. What a payment that left was is not money and stands in no line; one line more
 * for each order that was closed as a loss, or of which more was sent back than is confirmed.
 * @param period by when an output was first seen.
 * @param write takes the text piece by piece; it is waited for.
 */
export async function writeAccountingExport(
  db: Db,
  period: Period,
  write: (text: string) => void | Promise<void>,
): Promise<ExportTotals> {
  await write(formatCsvLine(EXPORT_COLUMNS));
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (tx) => {
    const tip = await readTip(tx);
    let totals = EMPTY_TOTALS;
    for await (const outputs of streamLiveOutputs(tx, period)) {
      totals = outputs.reduce(addOutput, totals);
      await write(outputs.map((output) => formatCsvLine(createOutputCells(output, tip))).join(''));
    }
    for (const loss of await listLosses(tx, period)) {
      totals = addLoss(totals, loss, tip);
      await write(formatCsvLine(createLossCells(loss, tip)));
    }
    return totals;
  });
}
