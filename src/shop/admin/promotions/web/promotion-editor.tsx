import type { SubmitEvent } from 'react';
import { useRef } from 'react';
import { Button } from '#src/ui/button.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
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
    <div className={styles.columns}>
      <form
        ref={element}
        className={styles.form}
        onSubmit={(event) => void submit(event)}
        noValidate
        aria-label="Promotion"
      >
        {editing.isRestored && <output className={styles.restored}>Your unsaved changes are restored.</output>}
        <FormFields form={form} isNew={isNew} problems={editing.problems} onChange={editing.change} />
        {failure !== null && (
          <div role="alert" className={styles.failure}>
            <p>{failure.message}</p>
            {failure.isStale && (
              <Button variant="secondary" isBusy={isBusy} onClick={() => void editing.loadNewest()}>
                Discard my changes and load the newest
              </Button>
            )}
          </div>
        )}
        <div className={styles.buttons}>
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
        </div>
        <NeedsScript />
      </form>
      <div className={styles.side}>
        <PromotionPreview fields={fields} />
        {!isNew && <PromotionStatus code={saved.form.code} isActive={saved.form.isActive} onToggle={editing.toggle} />}
      </div>
    </div>
  );
}

/** After the messages are shown. */
function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
