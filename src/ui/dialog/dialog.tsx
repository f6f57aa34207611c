import type { ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './dialog.module.css';
import { Icon } from '../graphics/icons.tsx';
import { Unbroken } from '../text/unbroken.tsx';
import { useModal } from './use-modal.ts';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called for Escape, the close button and a press outside. Null: only an action closes it. */
  readonly onClose: (() => void) | null;
  readonly children: ReactNode;
  /** Buttons in a row at the end. */
  readonly actions?: ReactNode;
}

/** A modal dialog; the browser traps and restores the focus. */
export function Dialog({ title, isOpen, onClose, children, actions }: DialogProps) {
  const dialog = useModal(isOpen);
  const titleId = useId();

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes it by keyboard
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={styles.dialog}
      onCancel={(event) => {
        if (onClose === null) event.preventDefault();
      }}
      onClose={({ currentTarget }) => {
        if (onClose !== null) onClose();
        // Browsers close it at the second Escape whatever the page says.
        else if (isOpen) currentTarget.showModal();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose?.();
      }}
    >
      <div className={styles.panel}>
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            <Unbroken text={title} />
          </h2>
          {onClose !== null && (
            <button
              type="button"
              aria-label="Close"
              className={classNames('round-target', styles.close)}
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        {children}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
