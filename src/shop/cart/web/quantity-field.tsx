import { useState } from 'react';

interface QuantityFieldProps {
  readonly quantity: number;
  readonly maximum: number;
  readonly onChange: (quantity: number) => void;
  /** Called with the typed quantity, which may be above the maximum or no number (NaN); null when editing ends. */
  readonly onType: (typed: number | null) => void;
}

/** Quantity input. Blur or Enter submits a number between 1 and the maximum; Escape restores it. */
/** NaN unless it is digits, of any width. */
const parse = (text: string): number => {
  const digits = text.normalize('NFKC').trim();
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
};

export function QuantityField({ quantity, maximum, onChange, onType }: QuantityFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const type = (text: string | null) => {
    setDraft(text);
    onType(text === null || text.trim() === '' ? null : parse(text));
  };
  const commit = () => {
    const typed = parse(draft ?? '');
    type(null);
    const newQuantity = Math.min(typed, Math.max(maximum, 1));
    if (newQuantity > 0 && newQuantity !== quantity) onChange(newQuantity);
  };
  return (
    <>
      <input
        name="typed"
        inputMode="numeric"
        aria-label="Quantity"
        autoComplete="off"
        value={draft ?? String(quantity)}
        aria-invalid={(draft !== null && draft !== '' && !(parse(draft) <= maximum)) || undefined}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type(null);
          if (event.key !== 'Enter') return;
          event.preventDefault();
          commit();
        }}
      />
      <span aria-live="polite" className="visually-hidden">
        {quantity}
      </span>
    </>
  );
}
