import { useState } from 'react';
import { checkSerials, countSerials, splitSerials } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { labelSerials, serialInput } from '../serial-form.ts';
import type { AskingLine } from '../serial-form.ts';

interface SerialFieldsProps {
  readonly lines: readonly AskingLine[];
  /** Messages by the name of their field, until it is changed. */
  readonly problems: Readonly<Record<string, string | null | undefined>>;
  /** Called when a field with a message is changed. */
  readonly onChange?: ((name: string) => void) | undefined;
  /** Distinguishes the fields of several orders in one form. */
  readonly prefix?: string;
  /** Number of the order, where the form has several. */
  readonly order?: string;
  /** Numbers that are recorded, by position. */
  readonly recorded?: Readonly<Record<number, readonly string[]>>;
}

/** OPS-29: the serial numbers or IMEIs of a parcel, typed, pasted or scanned: scanners end each with Enter. */
export const SerialFields = ({ lines, problems, onChange, prefix = '', order, recorded }: SerialFieldsProps) =>
  lines.map((line) => {
    const name = serialInput(line.position, prefix);
    return (
      <SerialField
        key={line.position}
        line={line}
        label={order === undefined ? labelSerials(line) : `${labelSerials(line)}, order ${order}`}
        name={name}
        message={problems[name] ?? null}
        recorded={recorded?.[line.position] ?? []}
        onChange={() => onChange?.(name)}
      />
    );
  });

interface SerialFieldProps {
  readonly line: AskingLine;
  readonly label: string;
  readonly name: string;
  readonly message: string | null;
  readonly recorded: readonly string[];
  readonly onChange: () => void;
}

function SerialField({ line, label, name, message, recorded, onChange }: SerialFieldProps) {
  const { serial_kind: kind, units } = line;
  const [typed, setTyped] = useState(recorded.join('\n'));
  const [isLeft, setIsLeft] = useState(false);
  const entered = splitSerials(typed);
  const { problem } = checkSerials(kind, entered, units);
  // What is missing is said when the field is left: until then somebody scans.
  const own = isLeft && entered.length > 0 ? problem : null;
  return (
    <TextArea
      label={label}
      name={name}
      rows={Math.min(Math.max(units, 2), 8)}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      translate="no"
      defaultValue={typed}
      message={message ?? own}
      hint={`${entered.length} of ${countSerials(kind, units)}. Scan or paste, one per line or separated by spaces or commas`}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setIsLeft(false);
        onChange();
      }}
      onBlur={() => setIsLeft(true)}
    />
  );
}
