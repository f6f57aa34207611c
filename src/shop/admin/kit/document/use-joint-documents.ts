import { useEffect, useRef, useState } from 'react';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { UNREAD } from './use-document.ts';
import type { DocumentState } from './use-document.ts';

interface JointDocuments {
  readonly first: DocumentState;
  /** Saved after the first one, with whose `ref` it was made; null if there is none. */
  readonly second: DocumentState | null;
  /** Whether the first one is saved although only the second one was changed. Read at the submit. */
  readonly isFirstWanted: () => boolean;
  /** If the first one was saved and the second one was not: 'The product was saved, but its costs were not.' */
  readonly partly: string;
}

/** What did not succeed. A refusal of the second one says that the first one is saved. */
function describeFailures({ first, second, partly }: JointDocuments, isPartlySaved: boolean): string | null {
  if (first.failure !== null) return first.failure;
  const failure = second?.failure ?? null;
  if (failure === null || !isPartlySaved) return failure;
  return `${partly} ${failure === UNREAD ? 'Correct the marked fields and try again.' : failure}`;
}

/**
 * Two documents in one form, with one submit and one save bar. Both are checked before the first one is sent, so a
 * message about a field means that nothing was saved, unless the shop found it.
 */
export function useJointDocuments(documents: JointDocuments): DocumentState {
  const { first, second, isFirstWanted } = documents;
  // The forms of the documents describe what failed.
  const saving = useCallAction({ log: 'the documents were not saved', describe: () => null });
  const [isPartlySaved, setIsPartlySaved] = useState(false);
  // Saving the first one loads the page again, which may change the second one.
  const latest = useRef(second);
  useEffect(() => {
    latest.current = second;
  });
  if (second === null) return first;

  const validate = (): boolean => [first.validate(), second.validate()].every(Boolean);
  const save = async (): Promise<boolean> => {
    setIsPartlySaved(false);
    const isFirstSaved = first.isChanged || !second.isChanged || isFirstWanted();
    if (isFirstSaved && !(await first.save())) return false;
    if (!second.isChanged) return true;
    const isSecondSaved = (await latest.current?.save()) === true;
    setIsPartlySaved(isFirstSaved && !isSecondSaved);
    return isSecondSaved;
  };
  const submit: DocumentState['submit'] = (event) => {
    event.preventDefault();
    if (saving.isBusy) return;
    setIsPartlySaved(false);
    if (!validate()) return;
    void saving.run(async () => {
      await save();
    });
  };
  return {
    ...first,
    submit,
    validate,
    save,
    isBusy: saving.isBusy || first.isBusy || second.isBusy,
    failure: describeFailures(documents, isPartlySaved),
    problems: { ...second.problems, ...first.problems },
    isChanged: first.isChanged || second.isChanged,
    isRestored: first.isRestored || second.isRestored,
    isSavable: first.isSavable || second.isSavable,
    conflict: first.conflict || second.conflict,
    discard: () => {
      setIsPartlySaved(false);
      first.discard();
      second.discard();
    },
  };
}
