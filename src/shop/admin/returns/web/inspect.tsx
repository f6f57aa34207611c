import { serialField } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import type { Return } from '#src/shop/returns/contract.ts';
import { parseAmount } from '#src/shop/parse-amount.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import type { FormState } from '#src/ui/form/use-form.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

type Line = Return['lines'][number];

const CONDITIONS = [
  ['restocked', 'Restock'],
  ['damaged', 'Damaged'],
  ['sent_back', 'Send back'],
] as const;
const MAX_CONDITION = 1000;
const MAX_DEDUCTION_REASON = 500;
const DOLLARS = { decimals: 2 } as const;

/** Dollars as typed; empty: none. NaN: no amount. */
function readDollars(text: string): number {
  if (text.trim() === '') return 0;
  const parsed = parseAmount(text, DOLLARS);
  return parsed.ok ? Number(parsed.units) / 100 : Number.NaN;
}

const readLine = (data: FormData, { position }: Line) => {
  const read = (name: string): string => readField(data, `${name}-${position}`);
  return {
    position,
    restocked: Number(read('restocked')),
    damaged: Number(read('damaged')),
    sent_back: Number(read('sent_back')),
    condition: read('condition').trim(),
    deduction_usd: readDollars(read('deduction_usd')),
    deduction_reason: read('deduction_reason').trim(),
    sent_back_serials: data.getAll(serialField(position)).map(String),
  };
};

function checkLine(line: ReturnType<typeof readLine>, received: number) {
  const counts = [line.restocked, line.damaged, line.sent_back];
  const isComplete = counts.every(Number.isInteger) && counts.reduce((sum, one) => sum + one, 0) === received;
  const { deduction_reason: reason, deduction_usd: deduction, position } = line;
  return {
    [`restocked-${position}`]: isComplete ? null : `The conditions must add up to ${received}`,
    [`deduction_usd-${position}`]: Number.isNaN(deduction) ? 'Enter dollars, such as 49.90' : null,
    [`deduction_reason-${position}`]: deduction > 0 && reason === '' ? 'Enter why, for the buyer' : null,
  };
}

interface LineFieldsProps {
  readonly line: Line;
  readonly bind: FormState['bind'];
}

/** OPS-29: which of the units go back, where only some of them do. */
function SentBackNumbers({ line: { position, serials }, bind }: LineFieldsProps) {
  const { isInvalid, message, name, onChange } = bind(serialField(position));
  if (serials.length === 0) return null;
  return (
    <Stack as="fieldset" gap={8} data-invalid={isInvalid}>
      <legend className="small">Units that are sent back, if some of them are</legend>
      {message !== undefined && (
        <Notice role="alert" tone="bad">
          {message}
        </Notice>
      )}
      {serials.map(({ is_sent_back: isSentBack, number }) => (
        <Checkbox key={number} name={name} value={number} defaultChecked={isSentBack} onChange={onChange}>
          <span translate="no" className="wrap-anywhere">
            {number}
          </span>
        </Checkbox>
      ))}
    </Stack>
  );
}

/** Conditions of the units of a line, and what is deducted. */
const LineFields = ({ line, bind }: LineFieldsProps) => (
  <Section title={`${line.name}: ${line.received} received`} level={3} gap={12}>
    <Columns width={9}>
      {CONDITIONS.map(([name, label]) => (
        <Field
          key={name}
          {...bind(`${name}-${line.position}`)}
          label={label}
          type="number"
          inputMode="numeric"
          min={0}
          max={line.received}
          defaultValue={line[name]}
        />
      ))}
      <Field
        {...bind(`deduction_usd-${line.position}`)}
        label="Deduction ($)"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={line.deduction_usd === 0 ? '' : line.deduction_usd.toFixed(2)}
      />
    </Columns>
    <SentBackNumbers line={line} bind={bind} />
    <Field
      {...bind(`deduction_reason-${line.position}`)}
      label="Reason of the deduction, which the buyer reads"
      maxLength={MAX_DEDUCTION_REASON}
      autoComplete="off"
      defaultValue={line.deduction_reason ?? ''}
    />
    <Field
      {...bind(`condition-${line.position}`)}
      label="Condition"
      maxLength={MAX_CONDITION}
      autoComplete="off"
      defaultValue={line.condition ?? ''}
    />
  </Section>
);

/** OPS-28: the condition of the units that arrived. */
export function Inspect({ one }: { readonly one: Return }) {
  const { actions, id, version } = one;
  const isHydrated = useHydrated();
  const lines = one.lines.filter(({ received }) => received > 0);
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'the inspection was not saved',
    read: (form) => {
      const data = new FormData(form);
      return lines.map((line) => readLine(data, line));
    },
    check: (typed) =>
      Object.fromEntries(typed.flatMap((line, at) => Object.entries(checkLine(line, lines[at]?.received ?? 0)))),
    send: (typed) => call('POST /support/returns/{id}/inspect', { params: { id }, body: { version, lines: typed } }),
    saved: 'Inspection saved',
  });
  if (!actions.includes('inspect') || lines.length === 0) return null;
  return (
    <Section title="Inspect" surface="outlined">
      <p className="muted measure">
        Decide on every unit that arrived. Units to restock and damaged ones are refunded; those sent back are not.
      </p>
      <Stack as="form" ref={ref} noValidate onSubmit={submit} gap={24}>
        {failure !== null && (
          <Notice role="alert" tone="bad">
            {failure}
          </Notice>
        )}
        {lines.map((line) => (
          <LineFields key={line.position} line={line} bind={bind} />
        ))}
        <FormActions>
          <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
            Save inspection
          </Button>
        </FormActions>
      </Stack>
    </Section>
  );
}
