import type { TextDocument } from '#src/shop/content/legal/contract.ts';
import { call } from '#src/storefront/call.ts';
import { TextElements } from '#src/storefront/layout/text-elements.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './content-forms.module.css';
import { MarkdownPreview } from './markdown-preview.tsx';

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

const loadDocument = (markdown: string, signal: AbortSignal): Promise<TextDocument> =>
  call('POST /content/legal-preview', { body: { markdown } }, { signal });

/** Follows the Markdown. */
export function LegalPreview({ markdown }: { readonly markdown: string }) {
  return (
    <MarkdownPreview markdown={markdown} load={loadDocument}>
      {(document) => <LegalDocument document={document} />}
    </MarkdownPreview>
  );
}
