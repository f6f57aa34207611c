/** Plans the import of numbers for orders that are shipped. */
import type { SerialKind } from '#src/shop/catalogue/serial-kind.ts';
import { findSerialProblem, normaliseSerial } from './serial-numbers.ts';

/** A line of the file. */
export interface ImportedSerial {
  /** Line of the file. */
  readonly line: number;
  /** The order as it is written. */
  readonly order: string;
  /** Null: there is none with this number, or several may be meant. */
  readonly orderId: string | null;
  /** Position of the order line, from 0; null: not a number. */
  readonly position: number | null;
  /** Number of the parcel within the order; null: any. */
  readonly parcel: number | null;
  readonly number: string;
}

/** A line of an order. */
interface KnownLine {
  readonly order_id: string;
  readonly position: number;
  readonly serial_kind: SerialKind;
}

/** A parcel that is not undone. */
interface KnownParcel {
  readonly id: string;
  readonly order_id: string;
  readonly number: number;
  readonly units: readonly {
    readonly position: number;
    readonly quantity: number;
    readonly serials: readonly { readonly number: string }[];
  }[];
}

export interface ImportContext {
  readonly lines: readonly KnownLine[];
  /** Oldest first. */
  readonly parcels: readonly KnownParcel[];
  /** Numbers that are with a buyer. */
  readonly holders: ReadonlySet<string>;
}

interface PlannedSerial {
  readonly orderId: string;
  readonly shipmentId: string;
  readonly position: number;
  readonly number: string;
}

export interface SerialImportPlan {
  readonly added: readonly PlannedSerial[];
  /** Lines whose number is recorded for this line of the order. */
  readonly unchanged: number;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** What an import would do. Numbers are assigned to parcels with units that have none, the oldest first. */
export function planSerialImport(rows: readonly ImportedSerial[], context: ImportContext): SerialImportPlan {
  const planner = new Planner(context);
  for (const row of rows) planner.add(row);
  return planner;
}

class Planner implements SerialImportPlan {
  readonly added: PlannedSerial[] = [];
  readonly problems: { line: number; message: string }[] = [];
  unchanged = 0;
  readonly #holders: ReadonlySet<string>;
  readonly #kinds: ReadonlyMap<string, SerialKind>;
  readonly #parcels: ReadonlyMap<string, readonly KnownParcel[]>;
  /** Free units by parcel and position. */
  readonly #free = new Map<string, number>();
  /** Line of the file by number. */
  readonly #seen = new Map<string, number>();

  constructor({ lines, parcels, holders }: ImportContext) {
    this.#holders = holders;
    this.#kinds = new Map(lines.map((line) => [`${line.order_id} ${line.position}`, line.serial_kind]));
    this.#parcels = Map.groupBy(parcels, ({ order_id: id }) => id);
  }

  add(row: ImportedSerial): void {
    const problem = this.#plan(row);
    if (problem !== null) this.problems.push({ line: row.line, message: problem });
  }

  #plan({ line, order, orderId, position, parcel, number: typed }: ImportedSerial): string | null {
    if (orderId === null) return `There is no order ${order}`;
    if (position === null) return 'The line is not a number from 1';
    const asked = this.#kinds.get(`${orderId} ${position}`);
    if (asked === undefined) return `Order ${order} has no line ${position + 1}`;
    const parcels = (this.#parcels.get(orderId) ?? []).filter(({ number }) => parcel === null || number === parcel);
    const units = parcels.flatMap(({ id, units: all }) =>
      all.filter((one) => one.position === position).map((one) => ({ ...one, id })),
    );
    if (asked === 'none') return 'The product of this line asks for no numbers. Change that in the product first';
    const number = normaliseSerial(asked, typed);
    const wrong = number === '' ? 'The number is missing' : findSerialProblem(asked, number);
    if (wrong !== null) return wrong;
    if (units.some(({ serials }) => serials.some((one) => one.number === number))) {
      this.unchanged += 1;
      return null;
    }
    const other = this.#seen.get(number);
    if (other !== undefined) return `${number} is on line ${other}, too`;
    this.#seen.set(number, line);
    if (this.#holders.has(number)) return `${number} is in another parcel and not returned`;
    const where = parcel === null ? '' : ` in parcel ${parcel}`;
    if (units.length === 0) return `No unit of this line was shipped${where}`;
    const chosen = units.find((one) => this.#countFree(one) > 0);
    if (chosen === undefined) return `Each shipped unit of this line has a number${where}`;
    this.#free.set(`${chosen.id} ${position}`, this.#countFree(chosen) - 1);
    this.added.push({ orderId, shipmentId: chosen.id, position, number });
    return null;
  }

  #countFree({ id, position, quantity, serials }: KnownParcel['units'][number] & { readonly id: string }): number {
    return this.#free.get(`${id} ${position}`) ?? quantity - serials.length;
  }
}
