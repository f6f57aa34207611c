import type { ReactNode, SubmitEvent } from 'react';
import { useId } from 'react';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import type { ButtonVariant } from '#src/ui/controls/button.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useStaffAction } from './use-staff-action.ts';

interface DirectActionProps<Result> {
  readonly button: string;
  /** Its name for screen readers where several look alike. */
  readonly label?: string;
  readonly variant?: ButtonVariant;
  /** Consequences of the action, before the button. */
  readonly meaning?: string;
  /** Toast after success. */
  readonly done: string | ((result: Result) => string);
  /** Form fields. */
  readonly children?: ReactNode;
  readonly onSubmit: (data: FormData) => Promise<Result>;
}

/** A form whose action is done at once: its fields say what it does, and it can be undone. Else use `ConfirmedAction`. */
export function DirectAction<Result>(props: DirectActionProps<Result>) {
  const { button, label, variant = 'secondary', meaning, done, children, onSubmit } = props;
  const isHydrated = useHydrated();
  const failureId = useId();
  const { form, isBusy, failed, act } = useStaffAction({ button, done, send: onSubmit });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void act(new FormData(event.currentTarget));
  };
  return (
    <Stack as="form" ref={form} onSubmit={submit}>
      {children}
      {meaning !== undefined && <p className="muted small measure">{meaning}</p>}
      {failed !== null && (
        <Notice id={failureId} role="alert" tone="bad">
          {failed}
        </Notice>
      )}
      <Button
        type="submit"
        variant={variant}
        aria-label={label}
        aria-describedby={failed === null ? undefined : failureId}
        disabled={!isHydrated}
        isBusy={isBusy}
      >
        {button}
      </Button>
      <NeedsScript />
    </Stack>
  );
}
