import { useEffect, useState } from 'react';
import type { TextDocument } from '#src/shop/content/legal/contract.ts';
import { TextElements } from '#src/shop/content/legal/web/text-elements.tsx';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { classNames } from '#src/ui/class-names.ts';
import styles from './content-forms.module.css';

/** Enough to leave out most keystrokes. */
const PAUSE_MS = 400;

/** A text as its page shows it. */
export function LegalDocument({ document: { intro, sections } }: { readonly document: TextDocument }) {
  return (
    <div className={classNames(styles.paper, styles.text)}>
      <TextElements tokens={intro} />
      {sections.map(({ id, title, tokens }) => (
        <section key={id}>
          <h3>{title}</h3>
          <TextElements tokens={tokens} />
        </section>
      ))}
    </div>
  );
}

/** Follows the Markdown. */
export function LegalPreview({ markdown }: { readonly markdown: string }) {
  const [shown, setShown] = useState<TextDocument | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (markdown.trim() === '') return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const load = async (): Promise<void> => {
      try {
        setShown(await call('POST /content/legal-preview', { body: { markdown } }, { signal }));
        setFailure(null);
      } catch (error) {
        if (signal.aborted) return;
        const reason = isRefusal(error) ? error.fields['markdown'] : undefined;
        setFailure(reason === undefined ? 'The preview could not be loaded.' : `No preview: the text ${reason}.`);
      }
    };
    const timer = setTimeout(() => void load(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [markdown]);
  return (
    <div className={styles.preview}>
      <h3>Preview</h3>
      {failure !== null && <p className={styles.muted}>{failure}</p>}
      {markdown.trim() === '' && <p className={styles.muted}>Nothing written yet.</p>}
      {markdown.trim() !== '' && shown !== null && <LegalDocument document={shown} />}
    </div>
  );
}
