/** What forms send of the numbers of shipped units. */
import { checkSerials, nameSerials, serialField, splitSerials } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import type { LineSerials } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import type { SerialKind } from '#src/shop/catalogue/serial-kind.ts';

/** Units of a line in a parcel. */
export interface UnitsOfLine {
  readonly position: number;
  readonly name: string;
  readonly serial_kind: SerialKind;
  readonly units: number;
}

/** A line whose product asks for numbers. */
export interface AskingLine extends UnitsOfLine {
  readonly serial_kind: Exclude<SerialKind, 'none'>;
}

/** Lines with units in the parcel whose product asks for numbers. */
export const listAsking = (lines: readonly UnitsOfLine[]): readonly AskingLine[] =>
  lines.flatMap(({ serial_kind: kind, ...line }) =>
    kind === 'none' || line.units === 0 ? [] : [{ ...line, serial_kind: kind }],
  );

/** 'IMEIs of iPhone 17'. */
export const labelSerials = ({ name, serial_kind: kind, units }: AskingLine): string =>
  `${nameSerials(kind, units)} of ${name}`;

/** Name of a form's field. @param prefix distinguishes several orders in one form */
export const serialInput = (position: number, prefix = ''): string => `${prefix}${serialField(position)}`;

/** The numbers of each line, as they are typed. @param readText the text of a field */
export const readSerials = (
  lines: readonly AskingLine[],
  readText: (name: string) => string,
  prefix = '',
): { position: number; numbers: string[] }[] =>
  lines.map(({ position }) => ({ position, numbers: [...splitSerials(readText(serialInput(position, prefix)))] }));

/** Messages by the name of their field. */
export function checkEntered(
  lines: readonly AskingLine[],
  entered: readonly LineSerials[],
  prefix = '',
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { position, serial_kind: kind, units } of lines) {
    const numbers = entered.find((one) => one.position === position)?.numbers ?? [];
    const { problem } = checkSerials(kind, numbers, units);
    if (problem !== null) problems[serialInput(position, prefix)] = problem;
  }
  return problems;
}
