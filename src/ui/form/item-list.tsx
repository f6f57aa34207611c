import type { ReactNode } from 'react';
import { useRef } from 'react';
import { useFocusAfterChange } from './use-focus-after-change.ts';
import { Button } from '../controls/button.tsx';
import styles from './item-list.module.css';
import { Row } from '../layout/row.ts';
import { Stack } from '../layout/stack.ts';

interface ItemListProps<Item> {
  /** Names one item: 'Card'. */
  readonly name: string;
  readonly items: readonly Item[];
  /** Below it none can be removed; default 0. */
  readonly minimum?: number;
  readonly maximum: number;
  readonly empty: Item;
  /** Whether the order matters. */
  readonly isMovable?: boolean;
  readonly onChange: (items: readonly Item[]) => void;
  readonly children: (item: Item, change: (item: Item) => void, index: number) => ReactNode;
}

/** Items that are added, moved and removed by buttons. */
export function ItemList<Item>(props: ItemListProps<Item>) {
  const { name, items, minimum = 0, maximum, empty, isMovable = true, onChange, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const focusAfterChange = useFocusAfterChange(list, items);

  const move = (from: number, to: number): void => {
    const moved = items.toSpliced(from, 1);
    const item = items[from];
    if (item === undefined) return;
    // At an end the same button is disabled.
    const isUp = to < from ? to > 0 : to === items.length - 1;
    const action = isUp ? 'up' : 'down';
    focusAfterChange(`[data-item="${to}"] [data-action="${action}"]`);
    onChange(moved.toSpliced(to, 0, item));
  };
  const remove = (index: number): void => {
    const next = Math.min(index, items.length - 2);
    // Not that of a list within an item.
    const own = `:scope > ol > [data-item="${next}"] > fieldset > :last-child > [data-action="remove"]`;
    focusAfterChange(items.length - 1 > minimum ? own : ':scope > [data-action="add"]');
    onChange(items.toSpliced(index, 1));
  };
  return (
    <Stack ref={list}>
      <Stack as="ol">
        {items.map((item, index) => {
          const title = `${name} ${index + 1}`;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- items have no identity; every field is controlled
            <li key={index} data-item={index}>
              <Stack as="fieldset" className={styles.item}>
                <legend>{title}</legend>
                {children(item, (changed) => onChange(items.with(index, changed)), index)}
                <Row>
                  {isMovable && (
                    <>
                      <Button
                        variant="tertiary"
                        data-action="up"
                        disabled={index === 0}
                        onClick={() => move(index, index - 1)}
                      >
                        Move up<span className="visually-hidden"> {title}</span>
                      </Button>
                      <Button
                        variant="tertiary"
                        data-action="down"
                        disabled={index === items.length - 1}
                        onClick={() => move(index, index + 1)}
                      >
                        Move down<span className="visually-hidden"> {title}</span>
                      </Button>
                    </>
                  )}
                  {items.length > minimum && (
                    <Button variant="tertiary" data-action="remove" onClick={() => remove(index)}>
                      Remove {title.toLowerCase()}
                    </Button>
                  )}
                </Row>
              </Stack>
            </li>
          );
        })}
      </Stack>
      <Button
        variant="secondary"
        data-action="add"
        disabled={items.length >= maximum}
        onClick={() => {
          focusAfterChange(`[data-item="${items.length}"] :is(input, textarea, select)`);
          onChange([...items, empty]);
        }}
      >
        {`Add ${name.toLowerCase()}`}
      </Button>
    </Stack>
  );
}
