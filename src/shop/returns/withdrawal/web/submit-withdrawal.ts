/** Handles both steps of the withdrawal page, which are plain forms. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isRefusal } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { readField } from '#src/ui/form/read-field.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { readKnownOrder } from './read-known-order.ts';
import { readDraft, toDeclaration, toFailure } from './withdrawal-form.ts';
import type { WithdrawalDraft } from './withdrawal-form.ts';

/** What the page shows after a form that did not lead elsewhere. */
interface WithdrawalStep {
  readonly draft: WithdrawalDraft;
  readonly refused: FormFailure | null;
  /** The text to confirm, and the key of the confirmation; null: the first step. */
  readonly toConfirm: { readonly statement: string; readonly formKey: string } | null;
}

const show = (step: WithdrawalStep, status = 200) => data(step, { status });

export async function submitWithdrawal({ context, params, request }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const form = await request.formData();
  const [draft, known, step] = [readDraft(form), readKnownOrder(params, request), readField(form, 'step')];
  try {
    if (step === 'edit') return show({ draft, refused: null, toConfirm: null });
    if (step === 'link') {
      const { order_email, order_number } = draft;
      await call('POST /withdrawal/link', { body: { order_email, order_number } });
      return redirect('/withdrawal?sent', 303);
    }
    const body = toDeclaration(draft, known);
    if (step !== 'confirm') {
      const { statement } = await call('POST /withdrawal/preview', { body });
      return show({ draft, refused: null, toConfirm: { statement, formKey: crypto.randomUUID() } });
    }
    const { receipt } = await call('POST /withdrawal', { body: { ...body, key: readField(form, 'key') } });
    return redirect(`/withdrawal/receipt/${receipt}`, 303);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return show({ draft, refused: toFailure(error), toConfirm: null }, error.status);
  }
}
