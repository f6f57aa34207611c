import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Field } from '#src/ui/field.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { Stack } from '#src/ui/stack.ts';
import { Notice } from '#src/ui/notice.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import type { LowStockForm } from '#src/shop/inventory/stock-list/contract.ts';
import { readThreshold } from '../read-threshold.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

/** OPS-10: the low-stock threshold of the shop, and its daily mail. */
export function LowStockSettings({ settings }: { readonly settings: LowStockForm }) {
  const isHydrated = useHydrated();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(String(settings.threshold));
  const [isMailed, setIsMailed] = useState(settings.is_mailed);
  // The version that the fields show: a newer one of somebody else must not be overwritten.
  const [version, setVersion] = useState(settings.version);
  const [message, setMessage] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readThreshold(text.trim());
    if (!read.ok) {
      setMessage(read.message);
      field.current?.focus();
      return;
    }
    setIsBusy(true);
    setFailure(null);
    try {
      const body = { threshold: read.threshold, is_mailed: isMailed, version };
      const saved = await call('PUT /low-stock', { body });
      setVersion(saved.version);
      showToast('success', 'Settings saved');
      await reloadPage();
    } catch (error) {
      setFailure(describeFailure(error));
    }
    setIsBusy(false);
  };

  return (
    <Stack as="form" gap={12} onSubmit={(event) => void save(event)} noValidate>
      <Field
        ref={field}
        label="Low-stock threshold of the shop"
        hint="A variant with this many available units or fewer is low. A variant can have its own."
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
      <Checkbox checked={isMailed} onChange={({ currentTarget: { checked } }) => setIsMailed(checked)}>
        Mail what is newly low or sold out to the support address, at most once a day
      </Checkbox>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
        Save settings
      </Button>
      <NeedsScript />
    </Stack>
  );
}
