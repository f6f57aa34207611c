/** State of a section's form: saves it, and keeps what is not saved yet. */
import type { SubmitEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isApiFailure } from '#src/storefront/api.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { useLeaveWarning } from '#src/ui/use-leave-warning.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import type { FieldValues, SectionForm, StoredSection } from './settings-sections.ts';
import { toFieldValues } from './settings-sections.ts';
import { useSettingsDraft } from './use-settings-draft.ts';

const CHANGED =
  'Someone else changed these settings. Their version is loaded and your changes are kept here. Save to replace theirs, or discard yours.';

/** A field of pictures takes the focus at its first button. */
const INVALID = '[aria-invalid="true"], [data-invalid="true"] button';

function describeSaveFailure(error: unknown): string {
  const code = isApiFailure(error) ? error.code : '';
  if (code === 'changed-meanwhile') return CHANGED;
  return code === 'invalid' ? 'Nothing was saved. Correct the marked fields.' : describeFailure(error);
}

export function useSectionForm(section: SectionForm, loaded: StoredSection) {
  const form = useRef<HTMLFormElement>(null);
  const [saved, setSaved] = useState<StoredSection | null>(null);
  const [edits, setEdits] = useSettingsDraft(section.id);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  // Another process may answer the next load a moment before it shows the change.
  const stored = saved !== null && saved.version > loaded.version ? saved : loaded;
  const before = toFieldValues(section, stored);
  const values = { ...before, ...edits };
  const isChanged = section.fields.some(({ name }) => values[name] !== before[name]);
  useLeaveWarning(isChanged);
  const latest = useRef(edits);
  useEffect(() => {
    latest.current = edits;
  });

  const change = (name: string, value: string | boolean): void => {
    const { [name]: _, ...others } = edits;
    setEdits(before[name] === value ? others : { ...others, [name]: value });
  };
  const discard = (): void => {
    reset();
    form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  };
  const reset = (kept: FieldValues = {}): void => {
    setEdits(kept);
    setErrors({});
    setFailure(null);
  };
  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || !isChanged) return;
    setIsBusy(true);
    setFailure(null);
    setErrors({});
    try {
      setSaved(await section.save(values, stored.version));
      // What was changed meanwhile is not saved yet.
      reset(Object.fromEntries(Object.entries(latest.current).filter(([name, value]) => values[name] !== value)));
      showToast('success', `${section.title} saved`);
      // Shows the change in the frame of this page.
      void reloadPage();
    } catch (error) {
      if (!isApiFailure(error) || error.status >= 500) logError('the settings were not saved', error);
      // Before the message, which says that their version is loaded.
      if (isApiFailure(error) && error.code === 'changed-meanwhile') await reloadPage();
      flushSync(() => {
        setFailure(describeSaveFailure(error));
        if (isApiFailure(error)) setErrors(error.fields);
        setIsBusy(false);
      });
      form.current?.querySelector<HTMLElement>(INVALID)?.focus();
    }
    setIsBusy(false);
  };
  return { form, values, errors, failure, isBusy, isChanged, change, discard, save };
}
