import { useId, useState } from 'react';
import { MAX_NOTE, stockReasons } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import type { StockReason } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useCloseDrawer } from '../../kit/drawer.tsx';
import type { ShownLevels } from '#src/shop/inventory/stock-list/contract.ts';
import { ACTIONS, listActions, listReasons, previewLevels, readUnits, REASONS } from '../stock-form.ts';
import type { StockAction } from '../stock-form.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

interface StockFormProps {
  readonly variantId: string;
  readonly levels: ShownLevels;
}

interface Draft {
  readonly action: StockAction;
  readonly units: string;
  readonly reason: StockReason;
  readonly note: string;
}

interface StockChange {
  readonly draft: Draft;
  readonly units: number;
}

async function send(
  { variantId, levels }: StockFormProps,
  { draft, units }: StockChange,
  options: { readonly idempotencyKey: string },
): Promise<void> {
  const params = { variant_id: variantId };
  const note = draft.note.trim() === '' ? {} : { note: draft.note };
  const { action, reason } = draft;
  if (action === 'stop-tracking') {
    await call('POST /inventory/{variant_id}/stop-tracking', { params, body: note });
  } else if (action === 'on_hand' || action === 'available') {
    const body = { of: action, quantity: units, seen: levels[action], reason, ...note };
    await call('PUT /inventory/{variant_id}', { params, body }, options);
  } else {
    const body = { by: action === 'add' ? units : -units, reason, ...note };
    await call('POST /inventory/{variant_id}/adjustments', { params, body }, options);
  }
}

const createDraft = (action: StockAction): Draft => ({
  action,
  units: '',
  reason: listReasons(action)[0] ?? 'correction',
  note: '',
});

/** OPS-10: sets or adjusts the stock of a variant, with a reason. */
export function StockForm(props: StockFormProps) {
  const { variantId, levels } = props;
  const isHydrated = useHydrated();
  const previewId = useId();
  const actions = listActions(levels);
  const closeDrawer = useCloseDrawer();
  const [draft, setDraft] = useState<Draft>(() => createDraft(actions[0] ?? 'on_hand'));
  // A change whose response was lost is not booked twice.
  const sendOnce = useSendOnce();

  // Tracking may have been started or stopped meanwhile.
  const action = actions.includes(draft.action) ? draft.action : (actions[0] ?? 'on_hand');
  const typed = { ...draft, action };
  const { ref, submit, isBusy, failure, messageOf, show } = useCallForm({
    log: 'the stock was not saved',
    read: () => ({ draft: typed, read: readUnits(draft.units.trim(), action) }),
    check: ({ read }) => ({ units: action === 'stop-tracking' || read.ok ? null : read.message }),
    send: async ({ read }) => {
      const change = { draft: typed, units: read.ok ? read.units : 0 };
      await sendOnce({ variantId, ...change }, (options) => send(props, change, options));
      setDraft(createDraft(action === 'stop-tracking' ? 'on_hand' : action));
      showToast('success', 'Stock saved');
      closeDrawer?.();
    },
    describe: (error) => ({ text: describeFailure(error), problems: {} }),
    // A refusal names newer numbers, which the form then shows.
    settle: reloadPage,
  });
  const message = messageOf('units');
  const edit = (change: Partial<Draft>) => {
    if (message !== undefined) show(null);
    setDraft({ ...typed, ...change });
  };

  return (
    <Stack as="form" ref={ref} gap={12} onSubmit={submit} noValidate>
      <StockFields draft={typed} actions={actions} message={message} onEdit={edit} />
      <p id={previewId} className="muted tabular hide-empty" aria-live="polite">
        <Preview levels={levels} action={action} units={draft.units.trim()} />
      </p>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated} aria-describedby={previewId}>
        {action === 'stop-tracking' ? 'Stop tracking' : 'Save stock'}
      </Button>
      <NeedsScript />
    </Stack>
  );
}

interface StockFieldsProps {
  readonly draft: Draft;
  readonly actions: readonly StockAction[];
  /** What is wrong with the number. */
  readonly message: string | undefined;
  readonly onEdit: (change: Partial<Draft>) => void;
}

function StockFields({ draft, actions, message, onEdit }: StockFieldsProps) {
  const { action } = draft;
  const { field: fieldLabel } = ACTIONS[action];
  return (
    <Columns>
      <Select
        label="Change"
        value={action}
        onChange={({ currentTarget: { value } }) => {
          const chosen = actions.find((one) => one === value) ?? action;
          onEdit({ action: chosen, reason: listReasons(chosen)[0] ?? 'correction' });
        }}
      >
        {actions.map((one) => (
          <option key={one} value={one}>
            {ACTIONS[one].label}
          </option>
        ))}
      </Select>
      {fieldLabel !== null && (
        <Field
          label={fieldLabel}
          message={message}
          inputMode="numeric"
          autoComplete="off"
          maxLength={7}
          value={draft.units}
          onChange={({ currentTarget: { value } }) => onEdit({ units: value })}
        />
      )}
      {fieldLabel !== null && (
        <Select
          label="Reason"
          value={draft.reason}
          onChange={({ currentTarget: { value } }) =>
            onEdit({ reason: stockReasons.find((one) => one === value) ?? draft.reason })
          }
        >
          {listReasons(action).map((reason) => (
            <option key={reason} value={reason}>
              {REASONS[reason]}
            </option>
          ))}
        </Select>
      )}
      <Field
        label="Note (optional)"
        autoComplete="off"
        maxLength={MAX_NOTE}
        value={draft.note}
        onChange={({ currentTarget: { value } }) => onEdit({ note: value })}
      />
    </Columns>
  );
}

interface PreviewProps {
  readonly levels: ShownLevels;
  readonly action: StockAction;
  readonly units: string;
}

function Preview({ levels, action, units }: PreviewProps) {
  if (action === 'stop-tracking') return 'Customers can then order this without limit.';
  const preview = previewLevels(levels, action, units);
  if (preview === null) return null;
  const { on_hand: onHand, available } = preview;
  const saved = `After saving: ${onHand} on hand, ${available} available.`;
  return available !== null && available < 0 ? `${saved} Orders promise ${-available} more than there is.` : saved;
}
