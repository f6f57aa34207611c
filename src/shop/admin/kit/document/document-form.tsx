import type { ReactNode, SubmitEvent } from 'react';
import { Button } from '#src/ui/controls/button.tsx';
import type { ButtonVariant } from '#src/ui/controls/button.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { Space } from '#src/ui/layout/box.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Conflict } from './conflict-dialog.tsx';
import type { DocumentState } from './use-document.ts';

interface DocumentFormProps {
  readonly document: DocumentState;
  /** Name of the form for screen readers. */
  readonly label?: string;
  /** Between the fields; default: 24. */
  readonly gap?: Space;
  readonly className?: string | undefined;
  /** In a list, whose items may go when it is loaded again: what others change is loaded after the edit. */
  readonly isInList?: boolean;
  /** Before it is submitted; it may prevent that. */
  readonly onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions: ReactNode;
}

/** Fields of a document, with what happened to it and the buttons that save or discard its changes. */
export function DocumentForm(props: DocumentFormProps) {
  const { document, label, gap = 24, className, isInList = false, onSubmit, children, actions } = props;
  const { ref, failure, conflict, isRestored } = document;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    onSubmit?.(event);
    if (!event.defaultPrevented) document.submit(event);
  };
  return (
    <Stack
      as="form"
      ref={ref}
      gap={gap}
      className={className}
      noValidate
      aria-label={label}
      data-document={isInList ? undefined : true}
      onSubmit={submit}
    >
      {isRestored && !conflict && <Notice isStatus>Your changes are here again. Save or discard them.</Notice>}
      {children}
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      {conflict && <Conflict conflict={conflict} />}
      {actions}
      <NeedsScript />
    </Stack>
  );
}

interface DocumentActionsProps {
  readonly document: DocumentState;
  /** Label of the button that saves. */
  readonly save: string;
  /** After the changes were discarded. */
  readonly onDiscard?: () => void;
  /** Says nothing while all changes are saved, such as in a list. */
  readonly isQuiet?: boolean;
  readonly className?: string | undefined;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Saves or discards the changes, and says whether there are any. */
export function DocumentActions(props: DocumentActionsProps) {
  const { document, save, onDiscard, isQuiet = false, className, children } = props;
  const { isBusy, isSavable } = document;
  const isHydrated = useHydrated();
  return (
    <FormActions className={className}>
      <Button type="submit" disabled={!isHydrated || !isSavable} isBusy={isBusy}>
        {save}
      </Button>
      <DiscardButton document={document} onDiscard={onDiscard} />
      {children}
      <DocumentStatus document={document} isQuiet={isQuiet} />
    </FormActions>
  );
}

interface DiscardButtonProps {
  readonly document: DocumentState;
  readonly onDiscard?: (() => void) | undefined;
  readonly variant?: ButtonVariant;
}

/** Shown while there is something to discard. The focus then moves to the status. */
export function DiscardButton({ document, onDiscard, variant = 'secondary' }: DiscardButtonProps) {
  const { ref, isBusy, isChanged, discard } = document;
  if (!isChanged) return null;
  const act = (): void => {
    discard();
    ref.current?.querySelector<HTMLElement>('[data-status]')?.focus();
    onDiscard?.();
  };
  return (
    <Button variant={variant} onClick={act} disabled={isBusy}>
      Discard changes
    </Button>
  );
}

interface DocumentStatusProps {
  readonly document: DocumentState;
  readonly isQuiet?: boolean;
}

export function DocumentStatus({ document: { isChanged, isSaved }, isQuiet = false }: DocumentStatusProps) {
  const saved = isSaved && !isQuiet ? 'All changes are saved' : '';
  return (
    <output className="muted small" data-status tabIndex={-1}>
      {isChanged ? 'Unsaved changes' : saved}
    </output>
  );
}
