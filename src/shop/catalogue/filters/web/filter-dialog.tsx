import type { ReactNode, Ref } from 'react';
import { useLocation } from 'react-router';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './filter-dialog.module.css';

interface FilterDialogProps {
  readonly ref: Ref<HTMLDialogElement>;
  readonly id: string;
  readonly formId: string;
  readonly submit: string;
  readonly onClose: () => void;
  /** Called after closing, also by Escape. */
  readonly onClosed: () => void;
  readonly children: ReactNode;
}

/** Filter form: part of the page as a dialog, a sheet above it as a modal. */
export function FilterDialog({ ref, id, formId, submit, onClose, onClosed, children }: FilterDialogProps) {
  const { pathname } = useLocation();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes it by keyboard
    <dialog
      ref={ref}
      id={id}
      aria-label="Filters"
      className={classNames('covers-page', styles.panel)}
      onClose={onClosed}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <form
        id={formId}
        action={pathname}
        className={styles.form}
        onSubmit={(event) => {
          // Each change has already been applied.
          event.preventDefault();
          if (event.currentTarget.closest('dialog')?.matches(':modal') === true) onClose();
        }}
      >
        <div className={styles.head}>
          <h2 className={styles.title}>Filters</h2>
          <button
            type="submit"
            formMethod="dialog"
            aria-label="Close"
            className={classNames('round-target', styles.close)}
          >
            <Icon name="close" />
          </button>
        </div>
        <div className={styles.fields}>{children}</div>
        <div className={styles.foot}>
          <Button type="submit" width="full">
            {submit}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
