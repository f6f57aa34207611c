import { useState } from 'react';

interface QuantityFieldProps {
  readonly quantity: number;
  readonly maximum: number;
  readonly onChange: (quantity: number) => void;
  /** Called with the typed quantity; null when editing ends. */
  readonly onType: (typed: number | null) => void;
}

/** Quantity input. Blur or Enter submits a value between 1 and the maximum; Escape restores it. */
export function QuantityField({ quantity, maximum, onChange, onType }: QuantityFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const type = (text: string | null) => {
    setDraft(text);
    onType(text === null || text === '' ? null : Number(text));
  };
  const commit = () => {
    const typed = Number(draft ?? 0);
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
        maxLength={2}
        autoComplete="off"
        value={draft ?? String(quantity)}
        onChange={({ currentTarget }) => type(currentTarget.value.replaceAll(/\D/g, ''))}
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
