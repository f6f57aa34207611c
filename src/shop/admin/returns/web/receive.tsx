import { serialField, splitSerials } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import type { Return } from '#src/shop/returns/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useQuickAction } from '../../kit/quick-action.tsx';

/** OPS-28: counts the units that arrive, one by one, by scanning or by hand. */
export function Receive({ one }: { readonly one: Return }) {
  const { actions, id, lines, version } = one;
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  if (!actions.includes('receive')) return null;
  const count = (units: { readonly position: number; readonly units: 1 | -1; readonly serials?: string[] }) =>
    void run(() => call('POST /support/returns/{id}/receive', { params: { id }, body: { version, ...units } }));
  return (
    <Section title="Receive" surface="outlined">
      <ScanForm one={one} />
      <Lines>
        {lines.map(
          (line) =>
            line.quantity > line.cancelled && (
              <Stack as="li" key={line.position} gap={12}>
                <CountLine
                  line={line}
                  isDisabled={!isHydrated || isBusy}
                  onCount={(units) => count({ position: line.position, units })}
                />
                {line.has_serials && line.received < line.quantity - line.cancelled && (
                  <NumbersForm key={line.received} line={line} one={one} />
                )}
                <CountedNumbers
                  line={line}
                  isDisabled={!isHydrated || isBusy}
                  onTakeBack={(number) => count({ position: line.position, units: -1, serials: [number] })}
                />
              </Stack>
            ),
        )}
      </Lines>
    </Section>
  );
}

type Line = Return['lines'][number];

interface CountLineProps {
  readonly line: Line;
  readonly isDisabled: boolean;
  readonly onCount: (units: 1 | -1) => void;
}

/** Counts units that have no number. */
function CountLine({ line, isDisabled, onCount }: CountLineProps) {
  const { cancelled, has_serials: hasSerials, name, quantity, received, serials, without_serial: without } = line;
  const expected = quantity - cancelled;
  const isCounted = !hasSerials || without > 0 || received > serials.length;
  return (
    <Row justify="between" rowGap={4}>
      <p>
        {name} <span className="muted">{`${received} of ${expected}`}</span>
      </p>
      {isCounted && (
        <Row gap={8}>
          <Button
            variant="secondary"
            aria-label={`−1: ${name}`}
            disabled={isDisabled || received === serials.length}
            onClick={() => onCount(-1)}
          >
            −1
          </Button>
          <Button
            variant="secondary"
            aria-label={`+1: ${name}`}
            disabled={isDisabled || received === expected || (hasSerials && without === 0)}
            onClick={() => onCount(1)}
          >
            +1
          </Button>
        </Row>
      )}
    </Row>
  );
}

/** OPS-29: the numbers of units that arrive, typed, pasted or scanned. */
function NumbersForm({
  line: { name, position },
  one: { id, version },
}: {
  readonly line: Line;
  readonly one: Return;
}) {
  const isHydrated = useHydrated();
  const field = serialField(position);
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'the units were not counted',
    read: (form) => ({ serials: [...splitSerials(readField(new FormData(form), field))] }),
    check: ({ serials }) => ({ [field]: serials.length === 0 ? 'Scan or enter at least one number' : null }),
    send: (body) =>
      call('POST /support/returns/{id}/receive', { params: { id }, body: { ...body, version, position } }),
    saved: ({ serials }) => (serials.length === 1 ? 'Unit counted' : `${serials.length} units counted`),
  });
  return (
    <Stack as="form" ref={ref} noValidate onSubmit={submit} gap={12}>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <TextArea
        {...bind(field)}
        label={`Serial numbers of ${name} that arrived`}
        hint="Scan or paste, one per line or separated by spaces or commas."
        rows={2}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        translate="no"
      />
      <FormActions>
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
          Count these units
        </Button>
      </FormActions>
    </Stack>
  );
}

interface CountedNumbersProps {
  readonly line: Line;
  readonly isDisabled: boolean;
  readonly onTakeBack: (number: string) => void;
}

function CountedNumbers({ line: { name, serials }, isDisabled, onTakeBack }: CountedNumbersProps) {
  if (serials.length === 0) return null;
  return (
    <Lines aria-label={`Counted serial numbers of ${name}`}>
      {serials.map(({ number }) => (
        <Row as="li" key={number} justify="between" rowGap={4}>
          <span translate="no" className="wrap-anywhere">
            {number}
          </span>
          <Button
            variant="secondary"
            aria-label={`Take back ${number}`}
            disabled={isDisabled}
            onClick={() => onTakeBack(number)}
          >
            Take back
          </Button>
        </Row>
      ))}
    </Lines>
  );
}

function ScanForm({ one: { id, lines, version } }: { readonly one: Return }) {
  const what = lines.some((line) => line.has_serials) ? 'SKU or serial number' : 'SKU';
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'the unit was not counted',
    read: (form) => ({ code: readField(new FormData(form), 'code').trim() }),
    check: ({ code }) => ({ code: code === '' ? `Scan or type a ${what}` : null }),
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
        label={what}
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
