import { useId } from 'react';
import { useExcess } from '#src/ui/use-excess.ts';
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
}

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
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows or hides the pictures of a row. */
export function PicturesCell({ of, count, isOpen, onToggle }: PicturesCellProps) {
  const text = count === 0 ? 'Add pictures' : `${count} ${count === 1 ? 'picture' : 'pictures'}`;
  return (
    <button
      type="button"
      className={styles.pictures}
      aria-expanded={isOpen}
      aria-label={`${text} ${of}`}
      onClick={onToggle}
    >
      {text}
    </button>
  );
}
