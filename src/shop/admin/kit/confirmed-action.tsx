import type { ReactNode, SubmitEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import type { ButtonVariant } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useCloseDrawer } from './drawer.tsx';
import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';

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
  /** Form fields. */
  readonly children?: ReactNode;
  readonly onConfirm: (data: FormData) => Promise<Result>;
}

/** A form whose action needs confirmation. Reloads the page data afterwards, and closes the drawer that it is in. */
export function ConfirmedAction<Result>(props: ConfirmedActionProps<Result>) {
  const { button, variant = 'secondary', isDestructive = false, done, check, children, onConfirm } = props;
  const isHydrated = useHydrated();
  const closeDrawer = useCloseDrawer();
  const failureId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState<FormData | null>(null);
  const { isBusy, failed, show, run } = useCallAction({
    log: `${button}: failed`,
    describe: describeFailureWithFields,
    settle: reloadPage,
  });

  const close = () => setSubmitted(null);
  const openDialog = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(null);
    const data = new FormData(event.currentTarget);
    if (check?.(data) ?? true) setSubmitted(data);
  };
  const act = async (data: FormData) => {
    const result = await onConfirm(data);
    close();
    closeDrawer?.();
    form.current?.reset();
    showToast('success', typeof done === 'string' ? done : done(result));
  };

  return (
    <>
      <Stack as="form" ref={form} onSubmit={openDialog}>
        {children}
        <Button type="submit" variant={variant} aria-label={props.label} disabled={!isHydrated}>
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
              onClick={() => submitted !== null && void run(() => act(submitted))}
              isBusy={isBusy}
              aria-describedby={failed === null ? undefined : failureId}
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
        {failed !== null && (
          <Notice id={failureId} role="alert" tone="bad">
            {failed}
          </Notice>
        )}
      </Dialog>
    </>
  );
}
