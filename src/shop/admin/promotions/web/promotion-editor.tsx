import { useNavigate } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import type { StaffPromotion } from '#src/shop/promotions/editing/contract.ts';
import { Grid } from '#src/ui/layout/grid.ts';
import { EMPTY_FORM, parsePromotionForm, toPromotionForm } from '../promotion-form.ts';
import { FormFields } from './form-fields.tsx';
import { PromotionPreview } from './promotion-preview.tsx';
import { PromotionStatus } from './promotion-status.tsx';
import styles from './promotion-editor.module.css';

const toStored = (promotion: StaffPromotion | null) =>
  promotion === null
    ? { version: 0, value: EMPTY_FORM }
    : { version: promotion.version, value: toPromotionForm(promotion) };

/** Form and preview of a promotion; null creates one. */
export function PromotionEditor({ promotion }: { readonly promotion: StaffPromotion | null }) {
  const navigate = useNavigate();
  const isNew = promotion === null;
  const { value, set, adoptOwn, state } = useDocument({
    name: `promotion_${promotion?.id ?? 'new'}`,
    what: 'this promotion',
    names: { value: 'discount' },
    stored: toStored(promotion),
    read: (form) => {
      const { fields, problems } = parsePromotionForm(form);
      return fields === null ? { ok: false, problems } : { ok: true, body: fields };
    },
    send: async (fields, { version }) => {
      if (promotion === null) {
        const created = await call('POST /support/promotions', { body: fields });
        await navigate(`/admin/promotions/${created.promotion.id}`, { replace: true });
        return null;
      }
      const request = { params: { id: promotion.id }, body: { ...fields, version } };
      return toStored((await call('PUT /support/promotions/{id}', request)).promotion);
    },
    saved: isNew ? 'Promotion created' : 'Promotion saved',
  });
  const toggle = async ({ id, is_active: isActive }: StaffPromotion): Promise<void> => {
    const act = isActive ? 'POST /support/promotions/{id}/disable' : 'POST /support/promotions/{id}/enable';
    adoptOwn(toStored((await call(act, { params: { id } })).promotion));
  };
  return (
    <Grid foldsAt={991} gap={24} align="start" className={styles.columns}>
      <DocumentForm
        document={state}
        label="Promotion"
        actions={<DocumentActions document={state} save={isNew ? 'Create promotion' : 'Save changes'} />}
      >
        <FormFields form={value} isNew={isNew} problems={state.problems} onChange={set} />
      </DocumentForm>
      <Stack gap={24}>
        <PromotionPreview fields={parsePromotionForm(value).fields} />
        {promotion !== null && (
          <PromotionStatus code={promotion.code} isActive={promotion.is_active} onToggle={() => toggle(promotion)} />
        )}
      </Stack>
    </Grid>
  );
}
