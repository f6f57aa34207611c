import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { FieldProblems } from '#src/shop/promotions/editing/promotion-fields.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import type { StaffPromotion } from '#src/shop/promotions/editing/contract.ts';
import { EMPTY_FORM, parsePromotionForm, toPromotionForm } from '../promotion-form.ts';
import type { PromotionForm } from '../promotion-form.ts';
import { usePromotionDraft } from './use-promotion-draft.ts';

interface SavedForm {
  readonly form: PromotionForm;
  /** Null before the promotion is created. */
  readonly version: number | null;
}

interface Failure {
  readonly message: string;
  readonly fields: FieldProblems;
  /** Somebody else changed the promotion. */
  readonly isStale: boolean;
}

function toFailure(error: unknown): Failure {
  if (!isRefusal(error)) logError('Saving the promotion failed', error);
  const message = describeFailure(error);
  if (!isApiFailure(error)) return { message, fields: {}, isStale: false };
  return { message, fields: error.fields, isStale: error.code === 'changed-meanwhile' };
}

const toSavedForm = (promotion: StaffPromotion | null): SavedForm =>
  promotion === null
    ? { form: EMPTY_FORM, version: null }
    : { form: toPromotionForm(promotion), version: promotion.version };

/** The form of a promotion: what is typed, what is saved, and what was wrong. */
export function usePromotionForm(promotion: StaffPromotion | null) {
  const navigate = useNavigate();
  // Keeps the version that the form shows: a reload of the page data must not make an old form current.
  const [saved, setSaved] = useState<SavedForm>(() => toSavedForm(promotion));
  const [isChecked, setIsChecked] = useState(false);
  const { run, failure, clearFailure, isBusy } = useRun();
  const { draft, isRestored, setDraft } = usePromotionDraft(promotion?.id ?? 'new');
  // A draft of an earlier version keeps it, so that saving it is refused.
  const { form, version } = draft ?? saved;
  const { fields, problems } = parsePromotionForm(form);

  const reset = (next: SavedForm): void => {
    setSaved(next);
    setDraft(null);
    setIsChecked(false);
    clearFailure();
  };
  const show = async (shown: StaffPromotion): Promise<void> => {
    reset(toSavedForm(shown));
    await reloadPage();
  };
  /** False if something is invalid or was refused. */
  const save = async (): Promise<boolean> => {
    setIsChecked(true);
    if (fields === null) return false;
    return run(async () => {
      if (promotion === null || version === null) {
        const created = await call('POST /support/promotions', { body: fields });
        showToast('success', 'Promotion created');
        setDraft(null);
        await navigate(`/admin/promotions/${created.promotion.id}`, { replace: true });
        return;
      }
      const body = { ...fields, version };
      const edited = await call('PUT /support/promotions/{id}', { params: { id: promotion.id }, body });
      showToast('success', 'Promotion saved');
      await show(edited.promotion);
    });
  };
  const loadNewest = () =>
    run(async () => {
      if (promotion === null) return;
      await show((await call('GET /support/promotions/{id}', { params: { id: promotion.id } })).promotion);
    });
  /** Enables or disables the promotion at once, without the rest of the form. */
  const toggle = async (): Promise<void> => {
    if (promotion === null) return;
    const act = saved.form.isActive ? 'POST /support/promotions/{id}/disable' : 'POST /support/promotions/{id}/enable';
    const toggled = (await call(act, { params: { id: promotion.id } })).promotion;
    const isActive = toggled.is_active;
    // A later version contains changes of others, so saving this form has to be refused.
    const next = version !== null && toggled.version === version + 1 ? toggled.version : version;
    setSaved({ form: { ...saved.form, isActive }, version: next });
    if (draft !== null) setDraft({ form: { ...form, isActive }, version: next });
  };

  return {
    form,
    fields,
    problems: { ...(isChecked ? problems : {}), ...failure?.fields },
    saved,
    failure,
    isBusy,
    isDirty: draft !== null,
    isRestored,
    change: (changed: Partial<PromotionForm>) => {
      const next = { ...form, ...changed };
      const isSame = version === saved.version && JSON.stringify(next) === JSON.stringify(saved.form);
      setDraft(isSame ? null : { form: next, version });
      clearFailure();
    },
    discard: () => reset(toSavedForm(promotion)),
    save,
    loadNewest,
    toggle,
  };
}

/** Runs one call at a time and keeps why it failed. */
function useRun() {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
      setIsBusy(false);
      return true;
    } catch (error) {
      setFailure(toFailure(error));
      setIsBusy(false);
      return false;
    }
  };
  return { run, failure, clearFailure: () => setFailure(null), isBusy };
}
