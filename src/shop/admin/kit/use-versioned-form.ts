/** A form of versioned settings: draft, checks, saving, and what another person changed meanwhile. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDraft } from './use-draft.ts';
import { useDraftForm } from './use-draft-form.ts';

type Problems = Readonly<Record<string, string>>;
type Read<Settings> =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: Problems };

interface VersionedFormOptions<Fields, Settings> {
  /** Of the draft in this tab. */
  readonly name: string;
  readonly stored: { readonly version: number; readonly value: Fields };
  readonly read: (fields: Fields) => Read<Settings>;
  readonly save: (settings: Settings & { readonly version: number }) => Promise<unknown>;
  /** Shown after saving. */
  readonly saved: string;
}

export function useVersionedForm<Fields, Settings extends object>(options: VersionedFormOptions<Fields, Settings>) {
  const { name, stored, read, save, saved } = options;
  const place = useRef<HTMLDivElement>(null);
  const draft = useDraft(name, stored);
  const { isBusy, failure, save: run, clear, discard: discardDraft } = useDraftForm(draft, place);
  const [problems, setProblems] = useState<Problems>({});

  const change = (fields: Fields): void => {
    setProblems({});
    draft.change(fields);
  };
  const submit = async (): Promise<void> => {
    const result = read(draft.value);
    if (!result.ok) {
      clear();
      flushSync(() => setProblems(result.problems));
      place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    await run(() => save({ ...result.settings, version: draft.version }), saved);
  };
  const discard = (): void => {
    setProblems({});
    discardDraft();
  };
  const messageOf = (path: string): string | undefined => problems[path] ?? failure?.fields[path];
  const frame = {
    isChanged: draft.isChanged,
    isRestored: draft.isRestored,
    isBusy,
    failure: failure ?? (Object.keys(problems).length > 0 ? UNREAD : null),
    onSave: () => void submit(),
    onDiscard: discard,
  };
  return { place, fields: draft.value, change, messageOf, frame };
}

const UNREAD = { text: 'Not saved. Correct the marked fields and try again.', isConflict: false, fields: {} };
