/** A form: one submit at a time, messages by the path of their field, and the focus on the first of them. */
import type { RefObject, SubmitEvent } from 'react';
import { useEffect, useRef } from 'react';
import { useAction } from './use-action.ts';
import type { Action, ActionOptions } from './use-action.ts';

/** Messages by the path of their field: `name`, `zones.0.name`. An empty one marks the field without a text. */
export type Problems = Readonly<Record<string, string | null | undefined>>;

/** Why a form was not sent. */
export interface FormFailure {
  readonly title?: string;
  /** What concerns no single field. */
  readonly text: string | null;
  readonly problems: Problems;
}

export interface FormOptions<Values> extends ActionOptions<FormFailure> {
  /** Of the element, if it has the fields of several forms. */
  readonly ref?: RefObject<HTMLFormElement | null> | undefined;
  /**
   * A form with state of its own returns that. Others read the element, which browsers fill in before the scripts run.
   * Null: there is nothing to send.
   */
  readonly read: (form: HTMLFormElement, submitter: HTMLElement | null) => Values | null;
  /** Messages about values that can't be sent. Without any, they are sent. */
  readonly check?: (values: Values) => Problems;
  /** Title of a failure of `check`. */
  readonly invalid?: string;
  /** The form is busy until it settles. */
  readonly send: (values: Values) => Promise<unknown>;
  /** Name of the field that takes the focus after a failure that marks none. */
  readonly focus?: string;
  /** Called with each failure. */
  readonly onFailure?: (failure: FormFailure) => void;
}

interface BoundField {
  readonly name: string;
  readonly message: string | undefined;
  readonly isInvalid: boolean;
  readonly onChange: () => void;
}

export interface FormState extends Action<FormFailure> {
  /** Of the form or of the element that contains its fields. */
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Checks the values and shows what is wrong with them. @returns whether they can be sent */
  readonly validate: () => boolean;
  /** Submits without an event, such as one of several forms that a page saves together. @returns whether it succeeded */
  readonly save: () => Promise<boolean>;
  /** Why it was not sent, if that concerns no single field. */
  readonly failure: string | null;
  readonly messageOf: (path: string) => string | undefined;
  /** After a change of a field: checks it again if it has a message. A function chooses several fields. */
  readonly recheck: (path: string | ((path: string) => boolean)) => void;
  /** Moves the focus to the first field with a message. */
  readonly showProblem: () => void;
  /** Attributes of a field that the element keeps the value of. */
  readonly bind: (name: string) => BoundField;
}

/** A group, such as a list of pictures or a choice, takes the focus at its first button or choice. */
const INVALID = '[aria-invalid="true"], [data-invalid="true"] :is(button, input), [data-problem]';

/** Fields of a table may stand outside the form that they belong to. */
function findInvalid(form: HTMLFormElement | null): HTMLElement | null {
  const within = form?.querySelector<HTMLElement>(INVALID);
  if (within) return within;
  const fields = form === null ? [] : [...form.elements];
  return fields.find((field): field is HTMLElement => field.matches(INVALID)) ?? null;
}

/** Why values that can't be sent were not sent. Null if no field is marked. */
export const findFailure = (problems: Problems, title?: string): FormFailure | null =>
  Object.values(problems).some((text) => typeof text === 'string')
    ? { text: null, problems, ...(title !== undefined && { title }) }
    : null;

export function useForm<Values>(options: FormOptions<Values>): FormState {
  const { ref: shared, read, check, invalid, send, describe, focus, onFailure, ...action } = options;
  const own = useRef<HTMLFormElement>(null);
  const ref = shared ?? own;
  const report = (failure: FormFailure | null): FormFailure | null => {
    if (failure !== null) onFailure?.(failure);
    return failure;
  };
  const { isBusy, failed, show, run } = useAction({ ...action, describe: (error) => report(describe(error)) });
  /** Whose focus was set. Messages that a submit without scripts left behind do not move it. */
  const focused = useRef(failed);

  useEffect(() => {
    if (failed === focused.current) return;
    focused.current = failed;
    if (failed === null) return;
    const other = focus === undefined ? null : ref.current?.querySelector<HTMLElement>(`[name="${focus}"]`);
    const field = findInvalid(ref.current) ?? other;
    if (field !== null) field.focus();
    // Long forms have their button far below the message.
    else ref.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [failed, focus, ref]);

  const isSendable = (values: Values | null): values is Values => {
    const failure = values === null ? null : findFailure(check?.(values) ?? {}, invalid);
    if (failure !== null) show(report(failure));
    return values !== null && failure === null;
  };
  const readOwn = (): Values | null => ref.current && read(ref.current, null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const values = isBusy ? null : read(event.currentTarget, event.nativeEvent.submitter);
    if (isSendable(values)) void run(() => send(values));
  };
  const validate = (): boolean => isSendable(readOwn());
  const save = async (): Promise<boolean> => {
    const values = readOwn();
    return isSendable(values) && run(() => send(values));
  };
  const messageOf = (path: string): string | undefined => failed?.problems[path] ?? undefined;
  const recheck: FormState['recheck'] = (path) => {
    const isChanged = typeof path === 'string' ? (name: string) => name === path : path;
    const rechecked = Object.keys(failed?.problems ?? {}).filter(
      (name) => isChanged(name) && messageOf(name) !== undefined,
    );
    const form = ref.current;
    if (rechecked.length === 0 || failed === null || form === null) return;
    const values = read(form, null);
    const found = values === null ? {} : (check?.(values) ?? {});
    const messages = Object.fromEntries(rechecked.map((name) => [name, found[name]]));
    const next = { ...failed, problems: { ...failed.problems, ...messages } };
    focused.current = next;
    show(next);
  };
  return {
    ref,
    submit,
    validate,
    save,
    isBusy,
    failed,
    failure: failed?.text ?? null,
    messageOf,
    recheck,
    showProblem: () => findInvalid(ref.current)?.focus(),
    bind: (name) => ({
      name,
      message: messageOf(name),
      isInvalid: messageOf(name) !== undefined,
      onChange: () => recheck(name),
    }),
    show,
    run,
  };
}
