import type { ReactNode, SubmitEvent } from 'react';
import { useId, useState } from 'react';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import type { ButtonVariant } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { useStaffAction } from './use-staff-action.ts';

interface ConfirmedActionProps<Result> {
  /** Label of the first button. */
  readonly button: string;
  /** Its name for screen readers where several look alike. */
  readonly label?: string;
  readonly variant?: ButtonVariant;
  /** The action can't be undone, so Cancel is the prominent button. */
  readonly isDestructive?: boolean;
  /** Title of the confirmation dialog. */
  readonly question: string;
  /** Consequences of the action. */
  readonly meaning?: ReactNode;
  /** Consequences that depend on the form. */
  readonly renderMeaning?: (data: FormData) => ReactNode;
  /** Label of the confirming button. */
  readonly confirm: string;
  /** Toast after success. */
  readonly done: string | ((result: Result) => string);
  /** Whether the fields can be sent; the form shows what is wrong with them. */
  readonly check?: (data: FormData) => boolean;
  /** Whether these fields need the question, where others can be undone. Absent: all do. */
  readonly needsQuestion?: (data: FormData) => boolean;
  /** Form fields. */
  readonly children?: ReactNode;
  readonly onConfirm: (data: FormData) => Promise<Result>;
}

/** A form whose action needs a question: money, mails to buyers, owners, what can’t be undone. Else use `DirectAction`. */
export function ConfirmedAction<Result>(props: ConfirmedActionProps<Result>) {
  const {
    button,
    variant = 'secondary',
    isDestructive = false,
    done,
    check,
    needsQuestion,
    children,
    onConfirm,
  } = props;
  const isHydrated = useHydrated();
  const failureId = useId();
  const [submitted, setSubmitted] = useState<FormData | null>(null);
  const { form, isBusy, failed, forgetFailure, act } = useStaffAction({ button, done, send: onConfirm });

  const close = () => {
    setSubmitted(null);
    forgetFailure();
  };
  const openDialog = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    forgetFailure();
    const data = new FormData(event.currentTarget);
    if (check?.(data) === false) return;
    if (needsQuestion?.(data) === false) void act(data);
    else setSubmitted(data);
  };
  const failure = failed !== null && (
    <Notice id={failureId} role="alert" tone="bad">
      {failed}
    </Notice>
  );
  const describedBy = failed === null ? undefined : failureId;

  return (
    <>
      <Stack as="form" ref={form} onSubmit={openDialog}>
        {children}
        {submitted === null && failure}
        <Button
          type="submit"
          variant={variant}
          aria-label={props.label}
          aria-describedby={submitted === null ? describedBy : undefined}
          disabled={!isHydrated}
          isBusy={submitted === null && isBusy}
        >
          {button}
        </Button>
        <NeedsScript />
      </Stack>
      <Dialog
        title={props.question}
        isOpen={submitted !== null}
        onClose={close}
        actions={
          <>
            <Button variant={isDestructive ? 'primary' : 'secondary'} onClick={close}>
              Not now
            </Button>
            <Button
              variant={isDestructive ? 'secondary' : 'primary'}
              onClick={() => submitted !== null && void act(submitted, close)}
              isBusy={isBusy}
              aria-describedby={describedBy}
            >
              {props.confirm}
            </Button>
          </>
        }
      >
        <Stack gap={8}>
          {props.meaning}
          {submitted !== null && props.renderMeaning?.(submitted)}
        </Stack>
        {submitted !== null && failure}
      </Dialog>
    </>
  );
}
