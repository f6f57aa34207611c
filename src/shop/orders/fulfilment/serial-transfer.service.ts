/** Import and export of the numbers of shipped units as CSV. */
import { formatCsvLine, unescapeFormula } from '#src/platform/csv/csv-line.ts';
import { joinLines } from '#src/platform/csv/join-lines.ts';
import { CsvFileError, readCsv } from '#src/platform/csv/read-csv.ts';
import { Refusal } from '#src/platform/http/call.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange, recordChanges } from '#src/shop/audit-log/service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { lockOrders } from '../status/store.ts';
import { planSerialImport } from './serial-import.ts';
import type { ImportedSerial, SerialImportPlan } from './serial-import.ts';
import { normaliseSerial } from './serial-numbers.ts';
import * as store from './serials.store.ts';
import { formatLineName } from './show-shipments.ts';
import { listLinesToShip, listShipments } from './shipments.store.ts';

export interface SerialTransferOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'findOrderNumbers' | 'formatOrderNumber' | 'timeZone'>;
}

const COLUMNS = ['order', 'line', 'product', 'sku', 'number', 'parcel', 'shipped_at', 'returned_at'];
const MAX_IMPORT_ROWS = 5_000;
const MAX_SHOWN_PROBLEMS = 100;
const LIMITS = { maxRecordLength: 10_000, maxColumns: 50 };

const refuseFile = (line: number, message: string): Refusal =>
  new Refusal(400, 'invalid', `Line ${line}: ${message}`, { fields: { csv: `Line ${line}: ${message}.` } });

/** A row of the file, before its order is known. */
type Row = Omit<ImportedSerial, 'orderId'>;

const toPosition = (cell: string): number | null => (/^[1-9]\d{0,4}$/.test(cell) ? Number(cell) - 1 : null);

/** The rows of a file, or why it can't be read. */
async function readRows(csv: string): Promise<readonly Row[] | Refusal> {
  const rows: Row[] = [];
  let columns: ReadonlyMap<string, number> | null = null;
  const source = async function* () {
    yield Buffer.from(csv, 'utf8');
  };
  try {
    for await (const { line, cells } of readCsv(source, 'utf-8', LIMITS)) {
      if (columns === null) {
        columns = new Map(cells.map((cell, index) => [cell.trim().toLowerCase(), index]));
        const missing = ['order', 'line', 'number'].filter((name) => columns?.has(name) !== true);
        if (missing.length > 0) return refuseFile(line, `The file has no column ${missing.join(', ')}`);
        continue;
      }
      if (rows.length === MAX_IMPORT_ROWS) return refuseFile(line, 'A file may have 5,000 numbers. Split it');
      const known = columns;
      const read = (name: string): string => unescapeFormula(cells[known.get(name) ?? -1] ?? '').trim();
      const parcel = toPosition(read('parcel'));
      rows.push({
        line,
        order: read('order'),
        position: toPosition(read('line')),
        parcel: parcel === null ? null : parcel + 1,
        number: read('number'),
      });
    }
  } catch (error) {
    if (error instanceof CsvFileError) return refuseFile(error.line, error.message);
    throw error;
  }
  return columns === null ? refuseFile(1, 'The file is empty') : rows;
}

export class SerialTransfer {
  readonly #options: SerialTransferOptions;

  constructor(options: SerialTransferOptions) {
    this.#options = options;
  }

  /** What an import would do. Changes nothing. */
  async check(csv: string) {
    const rows = await readRows(csv);
    if (rows instanceof Refusal) return rows;
    const { db } = this.#options;
    return describePlan(rows.length, await this.#plan(db, await this.#findOrders(db, rows)));
  }

  /** Imports all numbers of a file, or none if one has a problem. */
  async import(csv: string, by: Actor) {
    const rows = await readRows(csv);
    if (rows instanceof Refusal) return rows;
    const { clock, db } = this.#options;
    return transact(db, async (tx) => {
      const imported = await this.#findOrders(tx, rows);
      const orderIds = [...new Set(imported.flatMap(({ orderId }) => orderId ?? []))].toSorted();
      await lockOrders(tx, orderIds);
      const plan = await this.#plan(tx, imported);
      const [problem] = plan.problems;
      if (problem !== undefined) return refuseImport(plan.problems.length, problem);
      // A parcel that is being shipped may have taken a number meanwhile: then nothing is stored.
      const [taken] = await store.insertSerials(tx, plan.added);
      if (taken !== undefined) throw new ImportTakenError(taken);
      await recordChanges(tx, toRecorded(plan, by, clock.now()));
      return describePlan(rows.length, plan);
    }).catch((error: unknown) => {
      if (error instanceof ImportTakenError) return refuseImport(1, { line: 0, message: error.message });
      throw error;
    });
  }

  /** File name and CSV in pieces. Records the export first. @param signal stops it */
  async export(
    days: ShopDays,
    by: Actor,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string; readonly pieces: AsyncGenerator<string> }> {
    const { clock, db, shopSettings } = this.#options;
    const period = toPeriod(days, shopSettings.timeZone);
    await transact(db, (tx) =>
      recordChange(tx, {
        at: clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'serial-numbers' },
        before: null,
        after: { ...period, time_zone: shopSettings.timeZone },
      }),
    );
    return { name: formatExportName('serial-numbers', days), pieces: joinLines(this.#writeLines(period, signal)) };
  }

  async *#writeLines(period: store.ShippedIn, signal?: AbortSignal): AsyncGenerator<string> {
    const { db, shopSettings } = this.#options;
    yield formatCsvLine(COLUMNS);
    for await (const serials of store.streamSerials(db, period, signal)) {
      for (const one of serials) {
        yield formatCsvLine([
          shopSettings.formatOrderNumber(one.order_number),
          String(one.position + 1),
          formatLineName(one),
          one.sku ?? '',
          one.number,
          String(one.parcel),
          one.shipped_at.toISOString(),
          one.returned_at?.toISOString() ?? '',
        ]);
      }
    }
  }

  /** With the order that each row means. */
  async #findOrders(db: Db, rows: readonly Row[]): Promise<readonly ImportedSerial[]> {
    const { shopSettings } = this.#options;
    const meant = new Map(rows.map(({ order }) => [order, shopSettings.findOrderNumbers(order)]));
    const known = await store.findOrderIds(db, [...meant.values()].flat());
    return rows.map((row) => {
      const ids = (meant.get(row.order) ?? []).flatMap((number) => known.get(number) ?? []);
      const [orderId = null] = ids;
      return { ...row, orderId: ids.length > 1 ? null : orderId };
    });
  }

  async #plan(db: Db, rows: readonly ImportedSerial[]): Promise<SerialImportPlan> {
    const orderIds = [...new Set(rows.flatMap(({ orderId }) => orderId ?? []))];
    const numbers = rows.flatMap(({ number }) => [normaliseSerial('serial', number), normaliseSerial('imei', number)]);
    const [lines, parcels, holders] = [
      await listLinesToShip(db, orderIds),
      await listShipments(db, orderIds),
      await store.findHeldNumbers(db, numbers),
    ];
    return planSerialImport(rows, { lines, parcels, holders });
  }
}

/** Rolls back an import whose number is shipped at the same time. */
class ImportTakenError extends Error {
  constructor(number: string) {
    super(`${number} is in another parcel and not returned`);
  }
}

function refuseImport(count: number, { line, message }: { readonly line: number; readonly message: string }): Refusal {
  const first = line === 0 ? message : `line ${line}: ${message}`;
  const problems = count === 1 ? '1 problem' : `${count} problems`;
  return new Refusal(409, 'import-problems', `The file has ${problems} now, ${first}. Check it again`);
}

const describePlan = (rows: number, { added, problems, unchanged }: SerialImportPlan) => ({
  rows,
  added: added.length,
  unchanged,
  orders: new Set(added.map(({ orderId }) => orderId)).size,
  problem_count: problems.length,
  problems: problems.slice(0, MAX_SHOWN_PROBLEMS),
});

/** An audit entry for each order. */
const toRecorded = ({ added }: SerialImportPlan, by: Actor, at: Date) =>
  [...Map.groupBy(added, ({ orderId }) => orderId)].map(([id, own]) => ({
    at,
    by,
    action: 'order.serial_numbers_imported',
    hasCustomerData: true,
    subject: { kind: 'order', id } as const,
    before: null,
    after: { serials: own.map(({ position, number }) => ({ position, number })) },
  }));
