import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useEffect, useId, useState } from 'react';
import { classNames } from '#src/ui/styles/class-names.ts';
import { describeNone, insertLines, joinTyped, listAddable, listChoices } from '../value-choices.ts';
import type { Choice, OfferedValue } from '../value-choices.ts';
import styles from './option-chips.module.css';

interface ValueInputProps {
  /** Of the property. */
  readonly name: string;
  /** All values of the property. */
  readonly values: readonly OfferedValue[];
  readonly chosen: ReadonlySet<string>;
  readonly isBusy: boolean;
  readonly onChoose: (id: string) => void;
  /** Creates those that do not exist yet. Returns whether it succeeded. */
  readonly onAdd: (names: readonly string[]) => Promise<boolean>;
}

const formatId = (listId: string, at: number): string => `${listId}-${at}`;

/** Adds values by the combobox pattern, or creates them. */
export function ValueInput(props: ValueInputProps) {
  const { name, isBusy, onChoose, onAdd } = props;
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const choices = listChoices(props, typed);
  const activeId = isOpen && choices.length > 0 ? formatId(listId, active) : undefined;
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const type = (text: string): void => {
    setTyped(text);
    setActive(0);
    setIsOpen(true);
  };
  const add = async (): Promise<void> => {
    const isAdded = await onAdd(listAddable(props, typed));
    if (!isAdded) setTyped((since) => (since === '' ? typed : joinTyped(typed, since)));
  };
  const choose = ({ id }: Choice): void => {
    if (isBusy) return;
    if (id === null) void add();
    else onChoose(id);
    setTyped('');
    setActive(0);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\r\n\t]/.test(text.trim())) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    type(insertLines(typed, text, { start: selectionStart ?? typed.length, end: selectionEnd ?? typed.length }));
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
        aria-describedby={`${listId}-hint`}
        autoComplete="off"
        spellCheck={false}
        placeholder={`Add ${name.toLowerCase()}`}
        value={typed}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onPaste={paste}
        onKeyDown={press}
      />
      <Popup
        listId={listId}
        name={name}
        choices={choices}
        none={describeNone(props, typed)}
        active={isOpen ? active : null}
        onChoose={choose}
      />
    </div>
  );
}

interface PopupProps {
  readonly listId: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  /** Shown if there is no choice. */
  readonly none: string;
  /** Index of the choice that Enter takes; null: closed. */
  readonly active: number | null;
  readonly onChoose: (choice: Choice) => void;
}

const Popup = ({ listId, name, choices, none, active, onChoose }: PopupProps) => (
  <div className={styles.popup} hidden={active === null}>
    {/* Chromium would focus a scrolled box by Tab, which closes it. */}
    {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox */}
    <div id={listId} role="listbox" aria-label={`Values of ${name}`} tabIndex={-1} className={styles.choices}>
      {choices.map((choice, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are handled by the field
        <div
          key={choice.id ?? 'new'}
          id={formatId(listId, at)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the option of a combobox
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.choice}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.text}
        </div>
      ))}
    </div>
    {choices.length === 0 && <p className="muted small">{none}</p>}
    <p id={`${listId}-hint`} className={classNames(styles.hint, 'muted small')}>
      Separate several values with commas, or with semicolons if a value has a comma.
    </p>
  </div>
);
