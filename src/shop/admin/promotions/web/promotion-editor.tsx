import type { SubmitEvent } from 'react';
import { useRef } from 'react';
import { Button } from '#src/ui/button.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { Stack } from '#src/ui/stack.ts';
import { FormActions } from '#src/ui/form-actions.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Grid } from '#src/ui/grid.ts';
import type { StaffPromotion } from '#src/shop/promotions/editing/contract.ts';
import { FormFields } from './form-fields.tsx';
import { PromotionPreview } from './promotion-preview.tsx';
import { PromotionStatus } from './promotion-status.tsx';
import styles from './promotion-editor.module.css';
import { usePromotionForm } from './use-promotion-form.ts';

/** Form and preview of a promotion; null creates one. */
export function PromotionEditor({ promotion }: { readonly promotion: StaffPromotion | null }) {
  const isHydrated = useHydrated();
  const element = useRef<HTMLFormElement>(null);
  const editing = usePromotionForm(promotion);
  const { failure, fields, form, isBusy, isDirty, saved } = editing;
  const isNew = promotion === null;

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!(await editing.save())) focusFirstInvalid(element.current);
  };

  return (
    <Grid foldsAt={991} gap={24} align="start" className={styles.columns}>
      <Stack
        as="form"
        ref={element}
        gap={24}
        onSubmit={(event) => void submit(event)}
        noValidate
        aria-label="Promotion"
      >
        {editing.isRestored && <Notice isStatus>Your unsaved changes are restored.</Notice>}
        <FormFields form={form} isNew={isNew} problems={editing.problems} onChange={editing.change} />
        {failure !== null && (
          <Notice
            role="alert"
            tone="bad"
            actions={
              failure.isStale && (
                <Button variant="secondary" isBusy={isBusy} onClick={() => void editing.loadNewest()}>
                  Discard my changes and load the newest
                </Button>
              )
            }
          >
            {failure.message}
          </Notice>
        )}
        <FormActions>
          <Button
            type="submit"
            isBusy={isBusy}
            disabled={!isHydrated || failure?.isStale === true || (!isNew && !isDirty)}
          >
            {isNew ? 'Create promotion' : 'Save changes'}
          </Button>
          {isDirty && (
            <Button variant="secondary" disabled={isBusy} onClick={editing.discard}>
              Discard changes
            </Button>
          )}
        </FormActions>
        <NeedsScript />
      </Stack>
      <Stack gap={24}>
        <PromotionPreview fields={fields} />
        {!isNew && <PromotionStatus code={saved.form.code} isActive={saved.form.isActive} onToggle={editing.toggle} />}
      </Stack>
    </Grid>
  );
}

/** After the messages are shown. */
function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
