import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/** Opens and closes a modal dialog with the state of its component. */
export function useModal(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && element?.open === false) element.showModal();
    else if (!isOpen && element?.open === true) element.close();
  }, [isOpen]);
  return dialog;
}
