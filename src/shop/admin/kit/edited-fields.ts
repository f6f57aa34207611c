/** Which fields of the page somebody is editing, so that nothing that was typed is lost. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields of a document have a draft, which a load does not change. */
const isField = (target: EventTarget | null): target is Field =>
  (target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement) &&
  target.closest('[data-document]') === null;
/** Another value is easily chosen again. */
const isTyped = (field: Field): boolean =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'submit', 'range', 'file'].includes(field.type));

/** Fields that were changed and not submitted. */
const changed = new Set<Field>();

/** The initial value of other fields is not known. An upload empties its file field. */
const isEmptyText = (field: Field): boolean =>
  field instanceof HTMLInputElement && (isTyped(field) || field.type === 'file') && field.value === '';
/** A row of a list that is not selected any more. */
const isUnselected = (field: Field): boolean =>
  field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked && field.closest('table') !== null;
const hasEdit = (field: Field): boolean => field.isConnected && !isEmptyText(field) && !isUnselected(field);

/** Whether a field has an edit that was not submitted, has the focus, or a dialog is open. */
export function isBeingEdited(): boolean {
  for (const field of changed) if (!hasEdit(field)) changed.delete(field);
  const { activeElement } = document;
  // A search field keeps the focus after the search.
  const isTyping = isField(activeElement) && isTyped(activeElement) && activeElement.closest('search') === null;
  return changed.size > 0 || isTyping || document.querySelector('main dialog[open], body > dialog[open]') !== null;
}

/** Discards the record of edits, when the reader asks for the newest data. */
export const forgetEdits = (): void => changed.clear();

function handleInput({ target }: Event): void {
  if (isField(target) && target.closest('main') !== null) changed.add(target);
}

function handleSubmit({ target }: Event): void {
  for (const field of changed) if (field.form === target) changed.delete(field);
}

/** Starts to record edits. @param onEnd called when an edit may have ended @returns the function that stops it */
export function startTrackingEdits(onEnd: () => void): () => void {
  // The focus is on the next element only after the event.
  const end = (): void => void setTimeout(onEnd);
  const submit = (event: Event): void => {
    handleSubmit(event);
    end();
  };
  document.addEventListener('input', handleInput, true);
  document.addEventListener('submit', submit, true);
  document.addEventListener('reset', submit, true);
  document.addEventListener('focusout', end, true);
  return () => {
    changed.clear();
    document.removeEventListener('input', handleInput, true);
    document.removeEventListener('submit', submit, true);
    document.removeEventListener('reset', submit, true);
    document.removeEventListener('focusout', end, true);
  };
}
