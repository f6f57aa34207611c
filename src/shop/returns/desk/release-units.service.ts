/** Gives the units of a return that stay with the buyer back, with their numbers. */
import type { Db } from '#src/platform/database/database.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import type { ReturnRow } from '../store.ts';
import { listSerialsToRelease, listUnitsToRelease } from '../units-to-release.ts';
import type { ReturnEnd } from '../units-to-release.ts';
import { keepSerials } from './arriving-units.service.ts';
import type { SerialMarks } from './arriving-units.service.ts';

const units = new ReturningUnitsService();

/** In the transaction of the step that ends the return. A refusal rolls it back. */
export async function releaseUnits(
  tx: Db,
  row: ReturnRow,
  end: ReturnEnd,
  marks: SerialMarks,
): Promise<Refusal | null> {
  await units.giveBack(tx, row.orderId, listUnitsToRelease(row, end));
  return keepSerials(tx, row, listSerialsToRelease(row, end), { marks });
}
