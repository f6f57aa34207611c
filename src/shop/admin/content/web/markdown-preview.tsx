import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { isRefusal } from '#src/storefront/api.ts';
import { Section } from '#src/ui/layout/section.tsx';

/** Enough to leave out most keystrokes. */
const PAUSE_MS = 400;

interface MarkdownPreviewProps<Shown> {
  readonly markdown: string;
  /** Stable. Parses the Markdown on the server. */
  readonly load: (markdown: string, signal: AbortSignal) => Promise<Shown>;
  readonly children: (shown: Shown) => ReactNode;
}

/** Follows the Markdown. */
export function MarkdownPreview<Shown extends object>({ markdown, load, children }: MarkdownPreviewProps<Shown>) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (markdown.trim() === '') return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const show = async (): Promise<void> => {
      try {
        setShown(await load(markdown, signal));
        setFailure(null);
      } catch (error) {
        if (signal.aborted) return;
        const reason = isRefusal(error) ? error.fields['markdown'] : undefined;
        setFailure(reason === undefined ? 'The preview could not be loaded.' : `No preview: the text ${reason}.`);
      }
    };
    const timer = setTimeout(() => void show(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [markdown, load]);
  return (
    <Section title="Preview" level={3} size={16} gap={12}>
      {failure !== null && <p className="muted small measure">{failure}</p>}
      {markdown.trim() === '' && <p className="muted small measure">Nothing written yet.</p>}
      {markdown.trim() !== '' && shown !== null && children(shown)}
    </Section>
  );
}
