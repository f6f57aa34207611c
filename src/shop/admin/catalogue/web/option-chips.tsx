import type { DragEvent } from 'react';
import { useRef, useState } from 'react';
import { formatDollars } from '#src/shop/format-number.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Thumbnail } from '../../pictures/web/picture-field.tsx';
import { findSame, moveTo } from '../category-values.ts';
import { formatDollarInput, parseDollars } from '../parse-dollars.ts';
import type { FormProperty, FormValue, ProductForm } from '../product-form.ts';
import styles from './option-chips.module.css';
import { OptionPanel } from './option-panel.tsx';
import { useCategoryValues } from './use-category-values.ts';
import { ValueInput } from './value-input.tsx';

type Values = ProductForm['values'];

export interface OptionChipsProps {
  readonly categoryId: string;
  readonly property: FormProperty;
  readonly values: Values;
  /** Values that the saved product is offered with. */
  readonly saved: ReadonlySet<string>;
  /** How many variants of the form have a value. */
  readonly countVariants: (valueId: string) => number;
  /** Message about the increase of a value. */
  readonly findProblem: (valueId: string) => string | undefined;
  readonly onChange: (change: (values: Values) => Values) => void;
}

/** Type of a dragged value; files have another one. */
const DRAGGED = 'application/x-option-value';

const without = (values: Values, id: string): Values => {
  const { [id]: _removed, ...others } = values;
  return others;
};

type ChosenValue = Pick<FormProperty['values'][number], 'id' | 'increase_usd'>;

const createFormValue = ({ increase_usd: increase }: ChosenValue): FormValue => ({
  increase: formatDollarInput(increase),
  pictures: [],
});

/** What the chips of a property do, and what they say about it. */
function useOptionActions({ categoryId, property, values, onChange }: OptionChipsProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const category = useCategoryValues(categoryId, property.id);
  const [status, setStatus] = useState('');
  const ids = property.values.flatMap(({ id }) => (values[id] === undefined ? [] : [id]));
  const focusAfterMove = useFocusAfterChange(box, category.isBusy ? 'busy' : ids.join());
  const nameOf = (id: string): string => property.values.find((one) => one.id === id)?.value ?? '';

  const choose = (chosen: readonly ChosenValue[], names: readonly string[]): void => {
    category.forget();
    onChange((before) => ({ ...Object.fromEntries(chosen.map((one) => [one.id, createFormValue(one)])), ...before }));
    setStatus(`${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} added.`);
  };
  const add = async (names: readonly string[]): Promise<boolean> => {
    const known = names.flatMap((name) => findSame(property.values, name) ?? []);
    if (known.length < names.length) return category.create(names, (created) => choose(created, names));
    choose(known, names);
    return true;
  };
  const remove = (id: string): void => {
    onChange((before) => without(before, id));
    setStatus(`${nameOf(id)} was removed.`);
    box.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus();
  };
  const move = async (id: string, place: number): Promise<void> => {
    const moved = moveTo(ids, id, place);
    if (category.isBusy || moved.join() === ids.join()) return;
    const isLater = moved.indexOf(id) > ids.indexOf(id);
    const isAtEnd = moved.indexOf(id) === (isLater ? ids.length - 1 : 0);
    // At an end the same button is disabled.
    focusAfterMove(`[data-move="${isLater === isAtEnd ? 'earlier' : 'later'}"]`);
    if (await category.reorder(moved)) setStatus(`${nameOf(id)} is now ${moved.indexOf(id) + 1} of ${moved.length}.`);
  };
  return { box, category, status, ids, nameOf, choose, add, remove, move };
}

/** Values of one property that the product is offered with, as chips. */
export function OptionChips(props: OptionChipsProps) {
  const { property, values, saved, findProblem, onChange } = props;
  const { box, category, status, ids, nameOf, choose, add, remove, move } = useOptionActions(props);
  const [openId, setOpenId] = useState<string | null>(null);
  const [removedId, setRemovedId] = useState<string | null>(null);
  const confirm = (): void => {
    if (removedId !== null) remove(removedId);
    setRemovedId(null);
  };
  return (
    <Stack as="fieldset" ref={box} gap={12} className={styles.property}>
      <legend className="small strong">{property.name}</legend>
      <Row gap={8}>
        {ids.map((id, place) => (
          <Chip
            key={id}
            id={id}
            name={nameOf(id)}
            form={values[id]}
            isOpen={openId === id}
            isMovable={ids.length > 1}
            onToggle={() => setOpenId(openId === id ? null : id)}
            onRemove={() => (saved.has(id) ? setRemovedId(id) : remove(id))}
            onDrop={(dropped) => void move(dropped, place)}
          />
        ))}
        <ValueInput
          name={property.name}
          values={property.values}
          chosen={new Set(ids)}
          isBusy={category.isBusy}
          onChoose={(id) =>
            choose(
              property.values.filter((one) => one.id === id),
              [nameOf(id)],
            )
          }
          onAdd={add}
        />
      </Row>
      {category.failed !== null && (
        <p role="alert" className="danger small">
          {category.failed}
        </p>
      )}
      {ids.map((id, place) => {
        const [form, problem] = [values[id], findProblem(id)];
        return form === undefined || (openId !== id && problem === undefined) ? null : (
          <OptionPanel
            key={id}
            name={nameOf(id)}
            value={form}
            problem={problem}
            place={place}
            length={ids.length}
            isBusy={category.isBusy}
            onMove={(by) => void move(id, place + by)}
            onChange={(changed) => onChange((before) => ({ ...before, [id]: changed }))}
          />
        );
      })}
      <output className="visually-hidden">{status}</output>
      <RemoveQuestion
        name={removedId === null ? null : nameOf(removedId)}
        count={removedId === null ? 0 : props.countVariants(removedId)}
        onCancel={() => setRemovedId(null)}
        onConfirm={confirm}
      />
    </Stack>
  );
}

interface ChipProps {
  readonly id: string;
  readonly name: string;
  readonly form: FormValue | undefined;
  readonly isOpen: boolean;
  readonly isMovable: boolean;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
  /** @param id of the value that was dropped here */
  readonly onDrop: (id: string) => void;
}

/** A value: opens its increase and pictures, is dragged, and is removed. */
function Chip({ id, name, form, isOpen, isMovable, onToggle, onRemove, onDrop }: ChipProps) {
  const [isOver, setIsOver] = useState(false);
  const increase = parseDollars(form?.increase ?? '') ?? 0;
  const [picture] = form?.pictures ?? [];
  const accept = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <span
      className={classNames(styles.chip, isOver && styles.over)}
      draggable={isMovable}
      onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, id)}
      onDragOver={accept}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onDrop(event.dataTransfer.getData(DRAGGED));
      }}
    >
      <button type="button" className={styles.name} aria-expanded={isOpen} onClick={onToggle}>
        {picture !== undefined && (
          <span className={styles.thumbnail}>
            <Thumbnail picture={{ ...picture, alt: '' }} />
          </span>
        )}
        <span>{name}</span>
        {increase !== 0 && <span className="muted small tabular">+{formatDollars(increase)}</span>}
      </button>
      <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" size={16} />
      </button>
    </span>
  );
}

interface RemoveQuestionProps {
  /** Null: closed. */
  readonly name: string | null;
  readonly count: number;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Says what goes with a value that the saved product has. */
const RemoveQuestion = ({ name, count, onCancel, onConfirm }: RemoveQuestionProps) => (
  <Dialog
    title={`Remove ${name ?? ''}?`}
    isOpen={name !== null}
    onClose={onCancel}
    actions={
      <>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={onConfirm}>Remove</Button>
      </>
    }
  >
    {name !== null && (
      <p>
        {count === 1 ? '1 variant is' : `${count} variants are`} no longer offered once you publish. SKU, price and
        stock of {count === 1 ? 'it' : 'each'} come back if you add {name} again. Its increase and pictures are removed.
      </p>
    )}
  </Dialog>
);
