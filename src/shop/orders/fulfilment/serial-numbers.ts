/** Serial numbers and IMEIs of shipped units, as people and scanners enter them. */
import type { SerialKind } from '#src/shop/catalogue/serial-kind.ts';

const MAX_SERIAL = 40;
const IMEI_DIGITS = 15;

type AskedKind = Exclude<SerialKind, 'none'>;

const NAMES: Readonly<Record<AskedKind, { readonly one: string; readonly many: string }>> = {
  serial: { one: 'serial number', many: 'serial numbers' },
  imei: { one: 'IMEI', many: 'IMEIs' },
};

/** '1 IMEI', '3 serial numbers'. */
export const countSerials = (kind: AskedKind, count: number): string =>
  `${String(count)} ${count === 1 ? NAMES[kind].one : NAMES[kind].many}`;

/** What a field for the numbers of some units is called. */
export const nameSerials = (kind: AskedKind, count: number): string => {
  const { one, many } = NAMES[kind];
  const name = count === 1 ? one : many;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

/** The numbers of a text: one per line, or separated by spaces, commas or semicolons. */
export const splitSerials = (text: string): readonly string[] => text.split(/[\s,;]+/u).filter((one) => one !== '');

/** As it is stored: in capitals; an IMEI without the hyphens that it is printed with. */
export function normaliseSerial(kind: AskedKind, number: string): string {
  const capitals = number.trim().toUpperCase();
  return kind === 'imei' ? capitals.replaceAll(/[-/]/g, '') : capitals;
}

/** Whether the last digit is the check digit of the others (Luhn). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** What is wrong with a number; null if nothing is. */
export function findSerialProblem(kind: AskedKind, number: string): string | null {
  if (kind === 'imei') {
    if (!/^\d+$/.test(number) || number.length !== IMEI_DIGITS) return `${number} is not an IMEI: it has 15 digits`;
    return hasCheckDigit(number) ? null : `${number} is mistyped: its check digit is wrong`;
  }
  if (number.length > MAX_SERIAL) return `${number} is longer than ${MAX_SERIAL} characters`;
  return /^[0-9A-Z][0-9A-Z./_:+-]*$/.test(number)
    ? null
    : `${number} has characters that serial numbers do not have. Use letters, digits and . / _ : + -`;
}

/** Most problems in one message: a wrong file has one in each line. */
const MAX_PROBLEMS = 5;

export interface CheckedSerials {
  /** As they are stored. */
  readonly numbers: readonly string[];
  /** Why they are not those of so many units, as sentences; null if they are. */
  readonly problem: string | null;
}

/** Checks the numbers of some units of a line. */
export function checkSerials(kind: AskedKind, entered: readonly string[], units: number): CheckedSerials {
  const numbers = entered.map((one) => normaliseSerial(kind, one));
  const problems = numbers.flatMap((number) => findSerialProblem(kind, number) ?? []);
  const doubled = [...new Set(numbers.filter((number, index) => numbers.indexOf(number) !== index))];
  problems.push(...doubled.map((number) => `${number} is entered twice`));
  const missing = units - new Set(numbers).size;
  if (missing > 0) {
    const entry =
      numbers.length === 0 ? `Enter ${countSerials(kind, units)}` : `${countSerials(kind, missing)} missing`;
    problems.push(`${entry}, one for each unit`);
  }
  if (missing < 0)
    problems.push(
      `${countSerials(kind, -missing)} too many: ${units === 1 ? '1 unit is' : `${units} units are`} shipped`,
    );
  const more = problems.length > MAX_PROBLEMS ? [`And ${problems.length - MAX_PROBLEMS} more problems`] : [];
  const shown = [...problems.slice(0, MAX_PROBLEMS), ...more];
  return { numbers, problem: shown.length === 0 ? null : `${shown.join('. ')}.` };
}

/** A line of a parcel whose product asks for numbers. */
export interface AskedLine {
  readonly position: number;
  readonly name: string;
  readonly serial_kind: SerialKind;
}

/** Numbers of units of a line. */
export interface LineSerials {
  readonly position: number;
  readonly numbers: readonly string[];
}

/** The name of the field with the numbers of a line, in requests and forms. */
export const serialField = (position: number): string => `serials.${position}`;

export type CheckedParcel =
  | { readonly ok: true; readonly serials: readonly LineSerials[] }
  /** By the names of the fields. */
  | { readonly ok: false; readonly problems: Readonly<Record<string, string>> };

/**
 * Checks the numbers of a parcel: one for each unit of each line that asks for them, none twice, and none for other
 * lines.
 */
export function checkParcelSerials(
  lines: readonly AskedLine[],
  units: readonly { readonly position: number; readonly quantity: number }[],
  entered: readonly LineSerials[],
): CheckedParcel {
  const problems: Record<string, string> = {};
  const serials: LineSerials[] = [];
  const fieldOf = new Map<string, number>();
  for (const { position, quantity } of units) {
    const line = lines.find((one) => one.position === position);
    if (line === undefined || line.serial_kind === 'none') continue;
    const own = entered.filter((one) => one.position === position).flatMap(({ numbers }) => numbers);
    const { numbers, problem } = checkSerials(line.serial_kind, own, quantity);
    if (problem !== null) problems[serialField(position)] = problem;
    for (const number of numbers) {
      const other = fieldOf.get(number) ?? position;
      fieldOf.set(number, other);
      if (other !== position)
        problems[serialField(position)] ??= `${number} is entered for ${lineName(lines, other)}, too.`;
    }
    serials.push({ position, numbers });
  }
  for (const { position, numbers } of entered) {
    if (numbers.length === 0 || serials.some((one) => one.position === position)) continue;
    problems[serialField(position)] ??= 'No numbers are asked for this line in this parcel.';
  }
  return Object.keys(problems).length === 0 ? { ok: true, serials } : { ok: false, problems };
}

const lineName = (lines: readonly AskedLine[], position: number): string =>
  lines.find((line) => line.position === position)?.name ?? 'another line';
