import type { Db } from '#src/platform/database/database.ts';
import { addToTotals, BOOK_COLUMNS, bookLine, NOTHING_BOOKED } from './book-line.ts';
import type { BookTotals } from './book-line.ts';
import { csvLine } from './csv-line.ts';
import { addLoss, lossLine } from './loss-line.ts';
import { lossesIn } from './losses.store.ts';
import { liveOutputs, readTip } from './store.ts';
import type { Period } from './store.ts';

/**
 * The books as CSV: one line for each output in the mempool or in the best chain that pays an order, of one moment of the
 * ledger, whose sum of satoshis they have. What a payment that left was is not money and stands in no line; one line more
 * for each order that was closed as a loss, or of which more was sent back than is confirmed.
 * @param period by when an output was first seen.
 * @param write takes the text piece by piece; it is waited for.
 */
export async function writeBooks(
  db: Db,
  period: Period,
  write: (text: string) => void | Promise<void>,
): Promise<BookTotals> {
  await write(csvLine(BOOK_COLUMNS));
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (tx) => {
    const tip = await readTip(tx);
    let totals = NOTHING_BOOKED;
    for await (const outputs of liveOutputs(tx, period)) {
      totals = outputs.reduce(addToTotals, totals);
      await write(outputs.map((output) => csvLine(bookLine(output, tip))).join(''));
    }
    for (const loss of await lossesIn(tx, period)) {
      totals = addLoss(totals, loss, tip);
      await write(csvLine(lossLine(loss, tip)));
    }
    return totals;
  });
}
