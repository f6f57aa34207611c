import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import type { ShownTerms } from '../contract.ts';

interface OrderTermsProps {
  /** Nothing is rendered without them. */
  readonly terms: ShownTerms;
  /** Path of the PDF below `/api`. */
  readonly path: string;
  readonly className?: string | undefined;
}

/** What an order was placed under: the version of the terms, and all its texts as PDF. */
export function OrderTerms({ terms, path, className }: OrderTermsProps) {
  if (terms === null) return null;
  return (
    <Section title="Terms of this order" gap={12} className={className}>
      <ul className="muted">
        {terms.titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
      <DownloadButton path={path} text="Download terms" />
    </Section>
  );
}
