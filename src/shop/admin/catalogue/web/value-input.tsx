import type { KeyboardEvent } from 'react';
import { useEffect, useId, useState } from 'react';
import { findSame, findValues } from '../category-values.ts';
import styles from './option-chips.module.css';

interface OfferedValue {
  readonly id: string;
  readonly value: string;
}

interface ValueInputProps {
  /** Of the property. */
  readonly name: string;
  /** All values of the property. */
  readonly values: readonly OfferedValue[];
  readonly chosen: ReadonlySet<string>;
  readonly isBusy: boolean;
  readonly onChoose: (id: string) => void;
  readonly onCreate: (value: string) => void;
}

interface Choice {
  /** Null: a new value. */
  readonly id: string | null;
  readonly text: string;
}

const MAX_VALUE = 80;

/** Values that can be added; last, the typed text as a new one. */
function listChoices({ values, chosen }: Pick<ValueInputProps, 'values' | 'chosen'>, typed: string): readonly Choice[] {
  const found = findValues(
    values.filter(({ id }) => !chosen.has(id)),
    typed,
  ).map(({ id, value }) => ({ id, text: value }));
  const isNew = typed.trim() !== '' && typed.trim().length <= MAX_VALUE && findSame(values, typed) === undefined;
  return isNew ? [...found, { id: null, text: `Create “${typed.trim()}”` }] : found;
}

function describeNone({ values, chosen }: ValueInputProps, typed: string): string {
  const same = findSame(values, typed);
  if (typed.trim() !== '' && same !== undefined && chosen.has(same.id)) return `${same.value} is chosen already.`;
  if (typed.trim().length > MAX_VALUE) return `At most ${MAX_VALUE} characters.`;
  return 'All values are chosen. Type the name of a new one.';
}

/** Adds a value by the combobox pattern, or creates it. */
export function ValueInput(props: ValueInputProps) {
  const { name, isBusy, onChoose, onCreate } = props;
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const choices = listChoices(props, typed);
  const formatId = (at: number): string => `${listId}-${at}`;
  const activeId = isOpen && choices.length > 0 ? formatId(active) : undefined;
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const choose = ({ id }: Choice): void => {
    if (isBusy) return;
    if (id === null) onCreate(typed.trim());
    else onChoose(id);
    setTyped('');
    setActive(0);
  };
  const press = (event: KeyboardEvent): void => {
    const { length } = choices;
    const chosen = choices[active];
    if (event.key === 'Escape' && isOpen) setIsOpen(false);
    else if (event.key === 'ArrowDown' && !isOpen) setIsOpen(true);
    else if (event.key === 'ArrowDown' && length > 0) setActive((active + 1) % length);
    else if (event.key === 'ArrowUp' && isOpen && length > 0) setActive((active + length - 1) % length);
    // It never submits the product.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (isOpen && chosen !== undefined) choose(chosen);
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles.add}>
      <input
        className={styles.input}
        role="combobox"
        aria-label={`Add ${name}`}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={`Add ${name.toLowerCase()}`}
        value={typed}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setActive(0);
          setIsOpen(true);
        }}
        onKeyDown={press}
      />
      {/* Chromium would focus a scrolled box by Tab, which closes it. */}
      <div className={styles.popup} hidden={!isOpen} tabIndex={-1}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox */}
        <div id={listId} role="listbox" aria-label={`Values of ${name}`}>
          {choices.map((choice, at) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are handled by the field
            <div
              key={choice.id ?? 'new'}
              id={formatId(at)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the option of a combobox
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={styles.choice}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              {choice.text}
            </div>
          ))}
        </div>
        {choices.length === 0 && <p className="muted small">{describeNone(props, typed)}</p>}
      </div>
    </div>
  );
}
