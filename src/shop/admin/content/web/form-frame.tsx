import type { ReactNode, SubmitEvent } from 'react';
import { Button } from '#src/ui/button.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { FormActions } from '#src/ui/form-actions.tsx';
import type { SaveFailure } from '../../kit/use-save.ts';

interface FormFrameProps {
  readonly isChanged: boolean;
  /** Whether unchanged fields can be saved: settings that are right as they are, but were never saved. */
  readonly isSavableAsIs?: boolean;
  /** Changes of an earlier visit of the page. */
  readonly isRestored: boolean;
  readonly isBusy: boolean;
  readonly failure: SaveFailure | null;
  readonly save: string;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly children: ReactNode;
  /** Further buttons. */
  readonly actions?: ReactNode;
}

/** Fields with the buttons that save or discard their changes. */
export function FormFrame(props: FormFrameProps) {
  const {
    isChanged,
    isSavableAsIs = false,
    isRestored,
    isBusy,
    failure,
    save,
    onSave,
    onDiscard,
    children,
    actions,
  } = props;
  const isHydrated = useHydrated();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Stack as="form" gap={24} onSubmit={submit} noValidate>
      {isRestored && <Notice>These are your unsaved changes. Save or discard them.</Notice>}
      {children}
      {failure && (
        <Notice role="alert" tone="bad">
          {failure.text}
        </Notice>
      )}
      <FormActions state={isChanged ? 'Unsaved changes' : ''}>
        <Button type="submit" disabled={!isHydrated || !(isChanged || isSavableAsIs)} isBusy={isBusy}>
          {save}
        </Button>
        <Button variant="secondary" disabled={!isChanged || isBusy} onClick={onDiscard}>
          Discard changes
        </Button>
        {actions}
      </FormActions>
      <NeedsScript />
    </Stack>
  );
}
