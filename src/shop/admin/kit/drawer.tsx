import type { ReactNode } from 'react';
import { createContext, use, useId } from 'react';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useModal } from '#src/ui/dialog/use-modal.ts';
import styles from './drawer.module.css';

interface DrawerProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called for Escape, the close button, a press outside, and after an action of the drawer succeeded. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const CloseDrawer = createContext<(() => void) | null>(null);

/** Closes the drawer around an action; null outside a drawer. */
export const useCloseDrawer = (): (() => void) | null => use(CloseDrawer);

/** A panel at the side of the page. Its content stays while it is closed, so that nothing that was typed is lost. */
export function Drawer({ title, isOpen, onClose, children }: DrawerProps) {
  const drawer = useModal(isOpen);
  const titleId = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes it by keyboard
    <dialog
      ref={drawer}
      aria-labelledby={titleId}
      className={styles.drawer}
      onClose={(event) => {
        // Not of a dialog inside it, whose event React passes on.
        if (event.target === event.currentTarget) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.panel}>
        <header className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            aria-label="Close"
            className={classNames('round-target', styles.close)}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </header>
        <CloseDrawer value={onClose}>
          <Stack gap={24} className={styles.content}>
            {children}
          </Stack>
        </CloseDrawer>
      </div>
    </dialog>
  );
}
