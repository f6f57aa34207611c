import { createStore } from '../react/store.ts';

interface ToastState {
  readonly id: number;
  readonly text: string;
  readonly detail: string | null;
  readonly tone: 'success' | 'error';
  /** The open modal dialog, if any. */
  readonly dialog: Element | null;
}

export const toasts = createStore<ToastState>({ id: 0, text: '', detail: null, tone: 'success', dialog: null });

/** Shows a message for two seconds; replaces the one before. */
export function showToast(tone: 'success' | 'error', text: string, detail: string | null = null): void {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1) ?? null;
  toasts.update({ id: toasts.get().id + 1, text, detail, tone, dialog });
  dialog?.addEventListener('close', () => toasts.update({ dialog: null }), { once: true });
}
