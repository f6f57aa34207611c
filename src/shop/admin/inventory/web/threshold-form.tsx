import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { readThreshold } from '../read-threshold.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

interface ThresholdFormProps {
  readonly variantId: string;
  /** Null: the shop's. */
  readonly threshold: number | null;
  readonly shopThreshold: number;
}

/** OPS-10: the low-stock threshold of one variant. */
export function ThresholdForm({ variantId, threshold, shopThreshold }: ThresholdFormProps) {
  const isHydrated = useHydrated();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(threshold === null ? '' : String(threshold));
  const [message, setMessage] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = text.trim() === '' ? { ok: true as const, threshold: null } : readThreshold(text.trim());
    if (!read.ok) {
      setMessage(read.message);
      field.current?.focus();
      return;
    }
    setIsBusy(true);
    try {
      const body = { threshold: read.threshold };
      await call('PUT /inventory/{variant_id}/threshold', { params: { variant_id: variantId }, body });
      showToast('success', 'Threshold saved');
    } catch (error) {
      setMessage(describeFailure(error));
    }
    await reloadPage();
    setIsBusy(false);
  };

  return (
    <Stack as="form" gap={12} onSubmit={(event) => void save(event)} noValidate>
      <Field
        ref={field}
        label="Low-stock threshold"
        hint={`Empty: the threshold of the shop, ${shopThreshold}.`}
        message={message}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setMessage(null);
          setText(value);
        }}
      />
      <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
        Save threshold
      </Button>
    </Stack>
  );
}
