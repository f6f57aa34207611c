import { useState } from 'react';
import { Button } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import styles from './column-choice.module.css';

interface ColumnChoiceProps {
  readonly columns: readonly { readonly id: string; readonly title: string; readonly isName?: boolean }[];
  readonly isShown: (id: string) => boolean;
  readonly setShown: (id: string, isShown: boolean) => void;
}

/** Hides and shows columns of a table. Phones have cards instead. */
export function ColumnChoice({ columns, isShown, setShown }: ColumnChoiceProps) {
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.choice}>
      <Button variant="quaternary" onClick={() => setIsOpen(true)} disabled={!isHydrated}>
        Columns
      </Button>
      <Dialog title="Columns" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Stack gap={0}>
          {(isOpen ? columns : []).map(({ id, title, isName = false }) => (
            <Checkbox
              key={id}
              checked={isName || isShown(id)}
              disabled={isName}
              onChange={({ currentTarget }) => setShown(id, currentTarget.checked)}
            >
              {title}
            </Checkbox>
          ))}
        </Stack>
      </Dialog>
    </div>
  );
}
