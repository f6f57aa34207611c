/** A form: one submit at a time, messages by the path of their field, and the focus on the first of them. */
import type { RefObject, SubmitEvent } from 'react';
import { useEffect, useRef, useState } from 'react';

/** Messages by the path of their field: `name`, `zones.0.name`. */
export type Problems = Readonly<Record<string, string | undefined>>;

/** Why a form was not sent. */
export interface FormFailure {
  /** What concerns no single field. */
  readonly text: string | null;
  readonly problems: Problems;
}

export interface FormOptions<Values> {
  /** A form with state of its own returns that. Others read the element, which browsers fill in before the scripts run. */
  readonly read: (form: HTMLFormElement) => Values;
  /** Messages about values that can't be sent. Without any, they are sent. */
  readonly check?: (values: Values) => Problems;
  /** The form is busy until it settles. */
  readonly send: (values: Values) => Promise<unknown>;
  readonly describe: (error: unknown) => FormFailure;
  /** Why a submit without scripts was refused. */
  readonly refused?: FormFailure | null;
}

export interface FormState {
  /** Of the form or of the element that contains its fields. */
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
  readonly isBusy: boolean;
  /** Why it was not sent, if that concerns no single field. */
  readonly failure: string | null;
  readonly messageOf: (path: string) => string | undefined;
  /** After a change of a field that has a message: checks it again. */
  readonly recheck: (path: string) => void;
  /** Shows a failure, or with null none. */
  readonly show: (failure: FormFailure | null) => void;
  /** Runs another action of the form, such as its second button. @returns whether it succeeded */
  readonly run: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** A field without an element that takes the focus, such as a list of pictures, has a button. */
const INVALID = '[aria-invalid="true"], [data-invalid="true"] button';

const hasProblems = (problems: Problems): boolean => Object.values(problems).some((text) => text !== undefined);

export function useForm<Values>({ read, check, send, describe, refused = null }: FormOptions<Values>): FormState {
  const ref = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failed, show] = useState<FormFailure | null>(refused);
  // A second submit can come before the button is rendered as busy.
  const isRunning = useRef(false);
  /** Whose focus was set. Messages that a submit without scripts left behind do not move it. */
  const focused = useRef(failed);

  useEffect(() => {
    if (failed === focused.current) return;
    focused.current = failed;
    if (failed !== null) ref.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [failed]);

  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsBusy(true);
    show(null);
    try {
      await action();
      return true;
    } catch (error) {
      show(describe(error));
      return false;
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isRunning.current) return;
    const values = read(event.currentTarget);
    const problems = check?.(values) ?? {};
    if (hasProblems(problems)) show({ text: null, problems });
    else void run(() => send(values));
  };
  const recheck = (path: string): void => {
    const form = ref.current;
    if (failed?.problems[path] === undefined || form === null) return;
    const next = { ...failed, problems: { ...failed.problems, [path]: check?.(read(form))[path] } };
    focused.current = next;
    show(next);
  };
  return {
    ref,
    submit,
    isBusy,
    failure: failed?.text ?? null,
    messageOf: (path) => failed?.problems[path],
    recheck,
    show,
    run,
  };
}
