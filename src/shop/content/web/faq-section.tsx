import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { FaqItem } from '../faq/contract.ts';
import { FaqList } from './faq-list.tsx';
import styles from './faq-section.module.css';

function Faq({ items }: { readonly items: readonly FaqItem[] }) {
  return (
    <section aria-labelledby="faq-title" className={styles.section}>
      <h2 id="faq-title">Frequently Asked Questions</h2>
      <FaqList items={items} />
    </section>
  );
}

export const FaqSection = cacheFragment(Faq);

/** Structured data for search engines. */
export const createFaqJsonLd = (items: readonly FaqItem[]) => ({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: items.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});
