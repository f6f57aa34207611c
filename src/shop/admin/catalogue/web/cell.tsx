import { useId } from 'react';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { useExcess } from '#src/ui/fields/use-excess.ts';
import type { PictureValue } from '../../pictures/order-pictures.ts';
import { Thumbnail } from '../../pictures/web/picture-field.tsx';
import styles from './table.module.css';

interface CellProps {
  /** Accessible name: 'SKU of Blue'. */
  readonly label: string;
  /** Shown above the field where there are no columns. */
  readonly column: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly inputMode?: 'decimal' | 'numeric';
  /** Most characters. More can be typed; the field then says how many to remove. */
  readonly maxLength: number;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
  /** Where it is in a grid, for keys and pasted cells. */
  readonly place?: GridPlace;
}

export interface GridPlace {
  readonly row: number;
  readonly column: string;
}

/** Attributes of what a grid moves the focus to. */
export const toPlaceAttributes = (place: GridPlace | undefined) =>
  place === undefined ? {} : { 'data-row': place.row, 'data-column': place.column };

/** A text field in a table. */
export function Cell({
  label,
  column,
  value,
  placeholder,
  inputMode,
  maxLength,
  problem: refused,
  onChange,
  place,
}: CellProps) {
  const id = useId();
  const { excess, watch } = useExcess<HTMLInputElement>(maxLength, { value });
  const problem = excess ?? refused;
  return (
    <>
      <span className={styles.label} aria-hidden>
        {column}
      </span>
      <input
        className={styles.input}
        aria-label={label}
        value={value}
        placeholder={placeholder}
        inputMode={inputMode}
        {...watch}
        {...toPlaceAttributes(place)}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : id}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem !== undefined && (
        <p id={id} className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}

interface PicturesCellProps {
  /** What the pictures show: 'of Blue'. */
  readonly of: string;
  readonly pictures: readonly PictureValue[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly place?: GridPlace;
}

/** Shows or hides the pictures of a row. */
export function PicturesCell({ of, pictures, isOpen, onToggle, place }: PicturesCellProps) {
  const count = pictures.length;
  const text = count === 0 ? 'Add pictures' : `${count} ${count === 1 ? 'picture' : 'pictures'}`;
  const [first] = pictures;
  return (
    <button
      type="button"
      className={styles.pictures}
      aria-expanded={isOpen}
      aria-label={`${text} ${of}`}
      title={text}
      onClick={onToggle}
      {...toPlaceAttributes(place)}
    >
      {first === undefined ? (
        <Icon name="plus" size={18} />
      ) : (
        <span className={styles.thumbnail}>
          <Thumbnail picture={{ ...first, alt: '' }} />
        </span>
      )}
      {count > 1 && <span className="muted small">{count}</span>}
    </button>
  );
}
