import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import type { FormValue } from '../product-form.ts';

interface OptionPanelProps {
  readonly name: string;
  readonly value: FormValue;
  readonly problem: string | undefined;
  /** Among the chosen values. */
  readonly place: number;
  readonly length: number;
  readonly isBusy: boolean;
  readonly onMove: (by: number) => void;
  readonly onChange: (value: FormValue) => void;
}

/** Increase, pictures and place of a value. */
export const OptionPanel = ({ name, value, problem, place, length, isBusy, onMove, onChange }: OptionPanelProps) => (
  <Stack as="fieldset" surface="soft-small" aria-label={name}>
    <Field
      label={`Increase for ${name} in USD`}
      value={value.increase}
      inputMode="decimal"
      maxLength={14}
      message={problem}
      onChange={({ target }) => onChange({ ...value, increase: target.value })}
    />
    <PictureField
      label={`Pictures in ${name}`}
      value={value.pictures}
      onChange={(pictures) => onChange({ ...value, pictures })}
    />
    {length > 1 && (
      <Row>
        <Button variant="secondary" data-move="earlier" disabled={isBusy || place === 0} onClick={() => onMove(-1)}>
          Move earlier<span className="visually-hidden"> {name}</span>
        </Button>
        <Button
          variant="secondary"
          data-move="later"
          disabled={isBusy || place === length - 1}
          onClick={() => onMove(1)}
        >
          Move later<span className="visually-hidden"> {name}</span>
        </Button>
        <span className="muted small measure">The order is that of the category. A move is saved at once.</span>
      </Row>
    )}
  </Stack>
);
