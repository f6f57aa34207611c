import type { Return } from '#src/shop/returns/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { FormActions } from '#src/ui/form-actions.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { Lines } from '#src/ui/lines.ts';
import { Notice } from '#src/ui/notice.tsx';
import { Row } from '#src/ui/row.ts';
import { Section } from '#src/ui/section.tsx';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { useQuickAction } from '../../kit/quick-action.tsx';

/** OPS-28: counts the units that arrive, one by one, by scanning or by hand. */
export function Receive({ one }: { readonly one: Return }) {
  const { actions, id, lines, version } = one;
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  if (!actions.includes('receive')) return null;
  const count = (position: number, units: 1 | -1) =>
    void run(() => call('POST /support/returns/{id}/receive', { params: { id }, body: { version, position, units } }));
  return (
    <Section title="Receive" surface="outlined">
      <ScanForm one={one} />
      <Lines>
        {lines.map(({ cancelled, name, position, quantity, received }) => {
          const expected = quantity - cancelled;
          return (
            expected > 0 && (
              <Row as="li" key={position} justify="between" rowGap={4}>
                <p>
                  {name} <span className="muted">{`${received} of ${expected}`}</span>
                </p>
                <Row gap={8}>
                  <Button
                    variant="secondary"
                    aria-label={`−1: ${name}`}
                    disabled={!isHydrated || isBusy || received === 0}
                    onClick={() => count(position, -1)}
                  >
                    −1
                  </Button>
                  <Button
                    variant="secondary"
                    aria-label={`+1: ${name}`}
                    disabled={!isHydrated || isBusy || received === expected}
                    onClick={() => count(position, 1)}
                  >
                    +1
                  </Button>
                </Row>
              </Row>
            )
          );
        })}
      </Lines>
    </Section>
  );
}

function ScanForm({ one: { id, version } }: { readonly one: Return }) {
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'the unit was not counted',
    read: (form) => ({ code: readField(new FormData(form), 'code').trim() }),
    check: ({ code }) => ({ code: code === '' ? 'Scan or type a SKU' : null }),
    send: (body) => call('POST /support/returns/{id}/receive', { params: { id }, body: { ...body, version } }),
    saved: 'Unit counted',
    onSaved: () => {
      ref.current?.reset();
      ref.current?.querySelector('input')?.focus();
    },
  });
  return (
    <Stack as="form" ref={ref} noValidate onSubmit={submit} gap={12}>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <Field
        {...bind('code')}
        label="SKU"
        hint="Each scan counts one unit."
        maxLength={100}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <FormActions>
        <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
          Count unit
        </Button>
      </FormActions>
    </Stack>
  );
}
