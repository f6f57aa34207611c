/** The form of a document that several people edit: draft, saving with the version, and changes of others. */
import type { RefObject, SubmitEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '#src/storefront/api.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import type { FormFailure, Problems } from '#src/ui/form/use-form.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import type { DocumentConflict } from './describe-conflict.ts';
import { isRelated, isSame, listDifferences } from './merge-changes.ts';
import { useChanges } from './use-changes.ts';
import type { StoredDocument } from './use-changes.ts';

/** Messages by the path of their field. */
type Messages = Readonly<Record<string, string>>;

/** What is saved, and what it is based on. */
interface DocumentEdit<Value, Version extends number | null> extends StoredDocument<Value, Version> {
  readonly base: Value;
}

/** What the call takes, or messages about values that can't be sent. */
export type ReadDocument<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly problems: Problems };

export const readAsIs = <Value>(value: Value): ReadDocument<Value> => ({ ok: true, body: value });

export interface DocumentOptions<Value, Body, Version extends number | null> {
  /** Of the draft in this tab. */
  readonly name: string;
  /** 'this promotion'. */
  readonly what: string;
  /** How names of fields in the API begin, unless with those of the form in snake case. */
  readonly names?: DocumentConflict['names'];
  /** What the reader calls fields whose paths are ids. */
  readonly labels?: DocumentConflict['labels'];
  /** The member of the call that has the fields of the form: `content`. Absent: the call has them itself. */
  readonly within?: string;
  readonly stored: StoredDocument<Value, Version>;
  /** Whether values can be saved again without a change. Those that were never saved always can. */
  readonly isSavableAsIs?: boolean;
  readonly read: (value: Value) => ReadDocument<Body>;
  /** @returns what is saved now; null if the next load shows it */
  readonly send: (body: Body, edit: DocumentEdit<Value, Version>) => Promise<StoredDocument<Value, Version> | null>;
  /** Toast after saving. */
  readonly saved: string | (() => string);
  /** After saving, if nothing was changed meanwhile. */
  readonly onSaved?: () => void;
  /** The form, if it belongs to another document. */
  readonly form?: RefObject<HTMLFormElement | null>;
  /** How a message of the shop is shown beside its field. */
  readonly describeProblem?: (path: string, problem: string) => string;
}

export interface DocumentState {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Shows what is wrong with the value. @returns whether it can be sent */
  readonly validate: () => boolean;
  /** @returns whether it was saved */
  readonly save: () => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: string | null;
  readonly problems: Messages;
  readonly showProblem: () => void;
  readonly isChanged: boolean;
  /** Whether the changes were made before the page was opened. */
  readonly isRestored: boolean;
  readonly isSavable: boolean;
  /** Whether it was saved before. */
  readonly isSaved: boolean;
  readonly discard: () => void;
  /** False: none. */
  readonly conflict: ConflictState | false;
}

/** A change of somebody else, and what becomes of the own one. */
export interface ConflictState extends DocumentConflict {
  /** Nothing is unsaved: the form shows what is saved. */
  readonly isDecided: boolean;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** Merges the changes. Nothing is saved. */
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

/** Some fields have messages. */
export const UNREAD = 'Not saved. Correct the marked fields and try again.';

const listMessages = (problems: Problems): Messages =>
  Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const isConflict = (error: unknown): error is ApiFailure => isApiFailure(error) && error.code === 'changed-meanwhile';

const toSentence = (_path: string, problem: string): string =>
  `${problem.slice(0, 1).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`;

function describeRefusal(error: unknown, within: string, describeProblem: typeof toSentence): FormFailure | null {
  if (isConflict(error)) return null;
  const fields = isApiFailure(error) ? Object.entries(error.fields) : [];
  const problems = fields.map(
    ([path, problem]) => [path.startsWith(within) ? path.slice(within.length) : path, problem] as const,
  );
  return {
    text: problems.length > 0 ? null : describeFailure(error, { assurance: 'Your text is still here.' }),
    problems: Object.fromEntries(problems.map(([path, problem]) => [path, describeProblem(path, problem)])),
  };
}

/** A dialog neither interrupts typing nor covers another one, and a folded form has none. */
function mayInterrupt(form: HTMLFormElement | null): boolean {
  const isTyping = document.activeElement?.matches('input, textarea, select') === true;
  return form?.checkVisibility() === true && !isTyping && document.querySelector('dialog[open]') === null;
}

/** Opens the dialog when a newer version arrives. */
function useInterruption(form: RefObject<HTMLFormElement | null>, newest: string | null, open: () => void): void {
  const interrupt = useEventCallback(() => {
    if (mayInterrupt(form.current)) open();
  });
  useEffect(() => {
    if (newest !== null) interrupt();
  }, [newest, interrupt]);
}

type Changes<Value, Version extends number | null> = ReturnType<typeof useChanges<Value, Version>>;

function findProblems<Value, Body>(read: (value: Value) => ReadDocument<Body>, value: Value): Problems {
  const found = read(value);
  return found.ok ? {} : found.problems;
}

/** Whether what was sent is what is stored now, and was not before. */
function isStoredSince<Value>(
  sent: DocumentEdit<Value, number | null>,
  stored: StoredDocument<Value, number | null>,
): boolean {
  const isOtherThanBefore = sent.version === null ? !isSame(sent.base, sent.value) : stored.version !== sent.version;
  return isOtherThanBefore && isSame(sent.value, stored.value);
}

/** Checks and sends the document. A refusal because of a change of somebody else loads that change. */
function useSaving<Value, Body, Version extends number | null>(
  options: DocumentOptions<Value, Body, Version>,
  changes: Changes<Value, Version>,
  onConflict: () => void,
) {
  const {
    what,
    within,
    read,
    send,
    saved,
    onSaved,
    form,
    isSavableAsIs = false,
    describeProblem = toSentence,
  } = options;
  const { stored } = changes;
  const shown = useRef(stored);
  useEffect(() => {
    shown.current = stored;
  });
  const save = async (edit: DocumentEdit<Value, Version>): Promise<void> => {
    const found = read(edit.value);
    if (!found.ok) return;
    const next = await send(found.body, edit);
    if (next === null && edit.version !== 0) await reloadPage();
    changes.settle(edit.value, next ?? shown.current);
  };
  const [sent, setSent] = useState<DocumentEdit<Value, Version> | null>(null);
  const callForm = useCallForm<DocumentEdit<Value, Version>>({
    ref: form,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the version of a draft is one of the document
    read: () => changes.begin() as DocumentEdit<Value, Version>,
    check: ({ value }) => findProblems(read, value),
    log: `${what} was not saved`,
    saved,
    send: (edit) => {
      setSent(edit);
      return changes
        .whileSending(() => save(edit))
        .catch(async (error: unknown) => {
          if (isConflict(error)) {
            await reloadPage();
            // The answer to the save before was lost. One without changes does more, such as publish: it was refused.
            if (!isSavableAsIs && isSame(edit.value, shown.current.value))
              return changes.settle(edit.value, shown.current);
            changes.refuse({ known: error.conflict, version: shown.current.version });
            onConflict();
          }
          throw error;
        });
    },
    onSaved: () => {
      if (!changes.hasChanges()) onSaved?.();
    },
    describe: (error) => describeRefusal(error, within === undefined ? '' : `${within}.`, describeProblem),
  });
  return { ...callForm, isStored: sent !== null && isStoredSince(sent, stored) };
}

function toConflict<Value, Version extends number | null>(
  { what, names, labels }: Pick<DocumentConflict, 'what' | 'names' | 'labels'>,
  { stored, draft, refused, isOutdated }: Changes<Value, Version>,
): DocumentConflict & Pick<ConflictState, 'isDecided'> {
  return {
    what,
    names,
    labels,
    base: draft?.base ?? stored.value,
    mine: draft?.value ?? stored.value,
    theirs: isOutdated ? stored.value : null,
    known: refused?.version === stored.version ? refused.known : null,
    isDecided: draft === null,
  };
}

export function useDocument<Value extends object, Body, Version extends number | null>(
  options: DocumentOptions<Value, Body, Version>,
) {
  const { name, isSavableAsIs = false, read } = options;
  const changes = useChanges(name, options.stored);
  const { stored, draft, begin, isOutdated, refused } = changes;
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => setIsOpen(true);
  const form = useSaving(options, changes, open);
  const { ref, isBusy, recheck, show } = form;
  const problems = listMessages(form.failed?.problems ?? {});
  useInterruption(ref, isOutdated ? String(stored.version) : null, open);

  const change = useEventCallback((edit: (before: Value) => Value): void => {
    const before = begin().value;
    const value = edit(before);
    changes.change(value);
    if (Object.keys(problems).length === 0) return;
    const changed = listDifferences(before, value);
    const found = findProblems(read, before);
    // Messages of the shop stay until their field or the next attempt.
    recheck((path) => found[path] === problems[path] || changed.some((one) => isRelated(one.path, path)));
  });
  const decide = (act: () => void) => (): void => {
    act();
    show(null);
    setIsOpen(false);
  };
  const discard = decide(() => {
    changes.discard();
    void reloadPage();
  });

  const isSavable = draft !== null || isSavableAsIs || stored.version === 0;
  const failure = form.failure ?? (Object.keys(problems).length > 0 ? UNREAD : null);
  const state: DocumentState = {
    ref,
    submit: form.submit,
    validate: form.validate,
    save: form.save,
    isBusy,
    // The answer to a save may be lost, and a load show that it succeeded.
    failure: isSavable && !form.isStored ? failure : null,
    problems,
    showProblem: form.showProblem,
    isChanged: draft !== null,
    isRestored: changes.isRestored,
    isSavable,
    isSaved: stored.version !== 0,
    discard,
    // The load of a save may come before the response to it.
    conflict: !isBusy &&
      (isOutdated || refused !== null) && {
        ...toConflict(options, changes),
        isOpen: isOpen && draft !== null,
        open,
        close: () => setIsOpen(false),
        keepMine: decide(changes.merge),
        takeTheirs: discard,
      },
  };
  return {
    value: draft?.value ?? stored.value,
    /** Changes what the function returns. Stable. */
    change,
    /** Changes some fields. */
    set: (part: Partial<Value>): void => change((before) => ({ ...before, ...part })),
    messageOf: form.messageOf,
    adoptOwn: changes.adoptOwn,
    state,
  };
}
